// Reader for the traces of Perfetto: protobuf messages (protos/perfetto/trace/trace.proto of its sources), plain or compressed.
//
// Packets whose payload is not read are counted; diagnostics name these payloads.

#include "core/formats/perfetto/packets.h"
#include "core/formats/perfetto/perfetto_reader.h"
#include "core/formats/perfetto/perfetto_trace.h"
#include "core/trace/stored/text_recording_files.h"

namespace helio::perfetto {
namespace {

/// Version of the reader. Increment it when the reader makes other events from the same file, so that existing stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 1;

bool isTrace(const TextSource& file) { return isPerfettoTrace(file.head()); }

Result<std::unique_ptr<TraceOpening>> beginPerfetto(const TraceSource& source, const std::stop_token& stop)
{
    auto file = loadText(source, stop);
    if (!file)
        return file.error();
    auto read = readPerfetto((*file)->text(), source.path.string(), stop);
    if (!read)
        return Error{read.error().kind, source.path.string() + ": " + read.error().what};
    if (auto damage = (*file)->damage())
        read->recording->events.diagnostics().push_back(std::move(*damage));
    TraceInfo info = makeTextInfo(source, **file, "Perfetto", ReaderVersion);
    info.uuid = read->uuid;
    info.environment = std::move(read->environment);
    info.environment.emplace_back("tracer_name", "perfetto");
    info.clock.name = read->clock;
    info.clock.offset = read->wallClock.value_or(0);
    info.clock.isAbsolute = read->wallClock.has_value();
    info.clock.description = read->wallClock ? "tied to the wall clock by the first snapshot of the clocks" : "as recorded";
    return makeFinishedOpening(std::make_shared<PerfettoTrace>(std::move(info), std::move(*read)));
}

} // namespace
} // namespace helio::perfetto

namespace helio {

extern const TraceFormat perfettoFormat{
    "Perfetto", [](const std::filesystem::path& path) { return findText(path, perfetto::isTrace); },
    [](const TraceSource& source, std::stop_token stop) { return perfetto::beginPerfetto(source, stop); }};

} // namespace helio
