// Reader for the traces of Perfetto: protobuf messages (protos/perfetto/trace/trace.proto of its sources), plain or compressed.
//
// Packets whose payload is not read are counted; diagnostics name these payloads.

#include "core/formats/perfetto/packets.h"
#include "core/formats/perfetto/perfetto_reader.h"
#include "core/formats/perfetto/perfetto_trace.h"
#include "core/trace/stored/text_recording_files.h"

#include <charconv>

namespace helio::perfetto {
namespace {

/// Version of the reader. Increment it when the reader makes other events from the same file, so that existing stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 4;

constexpr std::string_view MachinePrefix = "machine-"; ///< Prefix of the last part of TraceSource::path for a machine that is not the host.

bool isTrace(const TextSource& file) { return isPerfettoTrace(file.head()); }

/// Returns the machines that the beginning of a trace names.
std::vector<std::uint32_t> machinesIn(const TextSource& file)
{
    constexpr std::size_t Looked = std::size_t{4} << 20;
    return findMachines(file.plainText().substr(0, Looked));
}

/// Returns the trace of the host in a file, and then those of the other machines.
std::vector<TraceSource> findPerfetto(const std::filesystem::path& path)
{
    std::vector<TraceSource> sources = findText(path, isTrace);
    if (sources.empty())
        return sources;
    if (const auto file = TextSource::open(path))
        for (const std::uint32_t machine : machinesIn(**file)) {
            TraceSource source = sources.front();
            source.path /= std::string(MachinePrefix) + std::to_string(machine);
            sources.push_back(std::move(source));
        }
    return sources;
}

/// Returns the ID of the machine that a source shows; 0 for the host.
std::uint32_t machineOf(const TraceSource& source)
{
    const std::string name = source.path.filename().string();
    std::uint32_t machine = 0;
    const auto file = source.parts.front().filename();
    const bool isBelowFile = source.path.filename() != file || source.path.parent_path().filename() == file;
    if (name.starts_with(MachinePrefix) && isBelowFile)
        std::from_chars(name.data() + MachinePrefix.size(), name.data() + name.size(), machine);
    return machine;
}

std::string describeClock(const PerfettoRecording& read)
{
    if (read.hostClock.rounds > 0)
        return "converted to the clock of the host by " + std::to_string(read.hostClock.rounds)
            + " round trips of messages, at which the error is at most " + std::to_string(read.hostClock.error) + " ns";
    return read.wallClock ? "tied to the wall clock by the first snapshot of the clocks" : "as recorded";
}

Result<std::unique_ptr<TraceOpening>> beginPerfetto(const TraceSource& source, const std::stop_token& stop)
{
    auto file = loadText(source, stop);
    if (!file)
        return file.error();
    const std::uint32_t machine = machineOf(source);
    auto read = readPerfetto((*file)->text(), source.path.string(), stop, {machine, machinesIn(**file)});
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
    info.clock.description = describeClock(*read);
    info.session.id = info.identity;
    if (machine != 0) {
        if (read->hostClock.rounds > 0)
            info.session.hostId = info.session.id;
        info.hostname = "machine " + std::to_string(machine);
        info.session.id += ' ' + info.hostname;
        info.identity = info.session.id;
    }
    std::vector<EmbeddedText> embedded = std::move(read->embedded);
    return makeFinishedOpening(std::make_shared<PerfettoTrace>(std::move(info), std::move(*read)), std::move(embedded));
}

} // namespace
} // namespace helio::perfetto

namespace helio {

extern const TraceFormat perfettoFormat{
    "Perfetto", [](const std::filesystem::path& path) { return perfetto::findPerfetto(path); },
    [](const TraceSource& source, std::stop_token stop) { return perfetto::beginPerfetto(source, stop); }};

} // namespace helio
