#include "core/formats/ctf/foreign/foreign_reader.h"

#include "core/formats/ctf/foreign/foreign_stream.h"
#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/recording/ctf_trace.h"
#include "core/io/fingerprint.h"
#include "core/io/mapped_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace helio {
namespace foreign {
namespace {

class ForeignTrace final : public Trace {
public:
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_parts->types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override
    {
        return std::make_unique<Stream>(m_parts, stream, from);
    }
    std::span<const Diagnostic> diagnostics() const override { return m_diagnostics; }
    bool hasChanged() const override
    {
        return std::ranges::any_of(m_files, [](const auto& file) { return file->hasChanged(); });
    }

    TraceInfo m_info;
    std::vector<StreamInfo> m_streams;
    std::vector<Diagnostic> m_diagnostics;
    /// Stream files, mapped so that hasChanged() can compare them; their events are read by the helper process.
    std::vector<std::shared_ptr<const MappedFile>> m_files;
    std::shared_ptr<ForeignTraceData> m_parts = std::make_shared<ForeignTraceData>();
};

/// Sets the files of the trace, and the size and identity in its info.
void readFolders(const std::vector<std::filesystem::path>& folders, ForeignTrace& trace)
{
    TraceInfo& info = trace.m_info;
    Fingerprint print;
    print.add(info.uuid);
    for (const auto& folder : folders) {
        if (const auto metadata = MappedFile::open(folder / "metadata"))
            print.add((*metadata)->bytes());
        const auto paths = ctf::findStreamFiles(folder);
        for (const auto& path : paths ? *paths : std::vector<std::filesystem::path>()) {
            auto file = MappedFile::open(path);
            if (!file)
                continue;
            print.addContents(**file);
            info.bytes += (*file)->bytes().size();
            trace.m_files.push_back(std::move(*file));
        }
    }
    info.identity = print.text();
}

Result<TraceDescription> describe(const ForeignTraceData& parts, const std::stop_token& stop)
{
    std::vector<std::string> arguments{"describe"};
    arguments.insert(arguments.end(), parts.folders.begin(), parts.folders.end());
    auto process = HelperProcess::start(Babeltrace, std::move(arguments), parts.limits);
    if (!process)
        return process.error();
    const auto message = (*process)->wait(stop);
    if (!message)
        return message.error();
    WireReader wire(message->bytes);
    TraceDescription description;
    Error error{Error::Kind::Corrupt, "invalid answer from babeltrace2"};
    if (WireMessageKind(message->kind) == WireMessageKind::Described)
        wire(description);
    else
        wire(error);
    const bool isGood = WireMessageKind(message->kind) == WireMessageKind::Described && wire.isGood()
        && description.ports.size() == description.streams.size();
    return isGood ? Result<TraceDescription>(std::move(description)) : error;
}

std::shared_ptr<const Trace> traceOf(TraceDescription description, std::shared_ptr<ForeignTraceData> parts, const TraceSource& source,
                                     const std::vector<std::filesystem::path>& folders, const std::string& why)
{
    auto trace = std::make_shared<ForeignTrace>();
    for (EventType& type : description.types)
        parts->types.add(std::move(type));
    parts->ports = std::move(description.ports);
    TraceInfo& info = trace->m_info;
    info.path = source.path;
    info.format = "ctf";
    info.reader = "babeltrace2";
    info.uuid = std::move(description.uuid);
    info.clock = std::move(description.clock);
    info.hasTimes = description.hasTimes;
    if (!info.hasTimes)
        info.clock = ctf::makeNoClockInfo();
    info.environment = std::move(description.environment);
    readFolders(folders, *trace);
    info.hostname = ctf::findHostname(info);
    info.name = ctf::shortName(source.path);
    trace->m_streams = std::move(description.streams);
    trace->m_diagnostics = std::move(description.diagnostics);
    if (!why.empty())
        trace->m_diagnostics.push_back({Diagnostic::Severity::Info, "read-with-babeltrace2", {}, 0, 1, why});
    trace->m_parts = std::move(parts);
    return trace;
}

} // namespace
} // namespace foreign

bool isBabeltraceForced()
{
    const char* reader = std::getenv("HELIOGRAPH_READER");
    return reader && std::strcmp(reader, "babeltrace2") == 0;
}

Result<std::shared_ptr<const Trace>> openWithBabeltrace(const TraceSource& source, const std::string& why, ProcessLimits limits,
                                                        std::stop_token stop)
{
    const auto folders = source.parts.empty() ? std::vector{source.path} : source.parts;
    auto parts = std::make_shared<foreign::ForeignTraceData>();
    parts->limits = limits;
    for (const auto& folder : folders)
        parts->folders.push_back(std::filesystem::absolute(folder).string());
    auto description = foreign::describe(*parts, stop);
    if (!description)
        return Error{description.error().kind,
                     source.path.string() + ": " + (why.empty() ? "" : why + "; ") + "babeltrace2: " + description.error().what};
    constexpr std::size_t MostStreams = 256; // Limit of streams, because each stream is read by its own process, all at the same time.
    if (description->streams.size() > MostStreams)
        return Error{Error::Kind::Unsupported,
                     source.path.string() + ": " + (why.empty() ? "" : why + "; ") + "at most " + std::to_string(MostStreams)
                         + " streams can be read with babeltrace2; the trace has " + std::to_string(description->streams.size())};
    return foreign::traceOf(std::move(*description), std::move(parts), source, folders, why);
}

} // namespace helio
