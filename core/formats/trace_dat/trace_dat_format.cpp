// Reader for trace.dat, written by trace-cmd: versions 6 and 7, plain or compressed with zstd or zlib, of either byte order, with several
// instances. The events of a trace are those of all instances that have the same clock.

#include "core/formats/trace_dat/description.h"
#include "core/formats/trace_dat/trace_dat_trace.h"
#include "core/io/fingerprint.h"
#include "core/trace/find_recordings.h"
#include "core/trace/trace.h"

namespace helio::tracedat {
namespace {

/// Version of the reader; increment it when other events, losses or fields are reported, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 4;

std::string describeClock(const std::string& name, const Description& description)
{
    if (description.hostClock)
        return "converted to the clock of the host, as trace-cmd measured it";
    if (description.hasDate)
        return "anchored to the wall clock";
    if (name == "counter")
        return "a counter of events: orders them, but measures no time";
    if (name == "x86-tsc" && !description.tsc)
        return "cycles of the time stamp counter, shown as ns";
    return "ns of the recorded kernel's clock; trace-cmd record --date adds the wall clock";
}

TraceInfo makeInfo(const TraceSource& source, const MappedFile& file, const Description& description)
{
    TraceInfo info;
    info.path = source.path;
    info.name = source.path.filename().string();
    info.format = "trace.dat";
    info.reader = "heliograph";
    info.hostname = description.hostname;
    info.environment.emplace_back("domain", "kernel");
    info.environment.emplace_back("tracer_name", "trace-cmd");
    for (const auto& [key, value] : description.facts)
        info.environment.emplace_back(key, value);
    info.clock.name = description.buffers.front().clock;
    info.clock.offset = description.timeOffset;
    info.clock.isAbsolute = description.hasDate;
    info.clock.description = describeClock(info.clock.name, description);
    info.session = description.session;
    info.bytes = file.bytes().size();
    Fingerprint print;
    print.add(ReaderVersion);
    print.addContents(file);
    info.identity = print.text();
    return info;
}

Result<std::unique_ptr<TraceOpening>> beginTraceDat(const TraceSource& source, const std::stop_token& stop)
{
    auto file = MappedFile::open(source.parts.front());
    if (!file)
        return file.error();
    auto description = readDescription((*file)->bytes());
    if (!description)
        return Error{description.error().kind, source.path.string() + ": " + description.error().what};
    TraceInfo info = makeInfo(source, **file, *description);
    auto trace = TraceDat::open(std::move(*file), std::move(*description), std::move(info), stop);
    if (!trace)
        return Error{trace.error().kind, source.path.string() + ": " + trace.error().what};
    return makeFinishedOpening(std::move(*trace));
}

} // namespace
} // namespace helio::tracedat

namespace helio {

extern const TraceFormat traceDatFormat{
    "trace.dat", [](const std::filesystem::path& path) { return findRecordings(path, {tracedat::isTraceDat}); },
    [](const TraceSource& source, std::stop_token stop) { return tracedat::beginTraceDat(source, stop); }};

} // namespace helio
