#include "core/formats/ctf/opening/ctf_opening.h"

#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/recording/ctf_trace.h"
#include "core/formats/ctf/recording/stream_builder.h"
#include "core/io/fingerprint.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

namespace helio::ctf {
namespace {

using SteadyClock = std::chrono::steady_clock;

bool isLttng(const TraceInfo& info) { return info.text("tracer_name").starts_with("lttng"); }

class NoEvents final : public EventStream {
public:
    bool next(EventBatch& batch) override
    {
        batch.clear();
        return false;
    }
    std::vector<Diagnostic> diagnostics() const override { return {}; }
};

/// Provisional trace, as TraceOpening::provisionalTrace() returns it while the packets are still being found: it has streams and event
/// types, but no events.
class ProvisionalTrace final : public Trace {
public:
    ProvisionalTrace(std::shared_ptr<const CtfTrace> whole, TraceInfo info, std::vector<StreamInfo> streams)
        : m_whole(std::move(whole))
        , m_info(std::move(info))
        , m_streams(std::move(streams))
    {
    }

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_whole->eventTypes(); }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return std::make_unique<NoEvents>(); }
    std::span<const Diagnostic> diagnostics() const override { return {}; }

private:
    /// The trace that is being opened. Only its event types are used, because its other data are not complete yet.
    std::shared_ptr<const CtfTrace> m_whole;
    TraceInfo m_info;
    std::vector<StreamInfo> m_streams;
};

} // namespace

class CtfOpening final : public TraceOpening {
public:
    explicit CtfOpening(TraceSource source)
        : m_source(std::move(source))
        , m_trace(std::make_shared<CtfTrace>())
    {
    }

    Status begin()
    {
        if (auto read = readMetadata(); !read)
            return read;
        for (const auto& stream : m_metadata.streams) {
            m_trace->m_shapes.emplace_back(m_metadata, stream, m_trace->m_types);
            if (const auto& fault = m_trace->m_shapes.back().fault(); !fault.empty())
                return Error{Error::Kind::Unsupported, m_source.path.string() + ": " + fault};
        }
        for (const auto& part : m_source.parts)
            if (auto listed = listFiles(part); !listed)
                return listed;
        fillInfo();
        reportClocks();
        m_info = m_trace->m_info;
        return Done{};
    }

    std::shared_ptr<const Trace> provisionalTrace() const override
    {
        return std::make_shared<ProvisionalTrace>(m_trace, m_info, std::vector<StreamInfo>());
    }

    Result<std::shared_ptr<const Trace>> finish(const Publish& publish, std::stop_token stop) override
    {
        StreamBuilder streams(m_metadata, m_trace->m_shapes, m_trace->m_diagnostics);
        auto wait = FirstWait;
        auto next = SteadyClock::now() + wait;
        const auto goOn = [&] {
            if (publish && SteadyClock::now() >= next) {
                publish(std::make_shared<ProvisionalTrace>(m_trace, m_info, streams.currentStreams()));
                wait *= 2; // Double the time between two publications, because each of them copies all streams found so far.
                next = SteadyClock::now() + wait;
            }
            return !stop.stop_requested();
        };
        for (const auto& file : m_files) {
            streams.addFile(file, goOn);
            if (!goOn())
                return Error{Error::Kind::Cancelled, m_source.path.string() + ": opening was cancelled"};
        }
        streams.finish(m_trace->m_streams, m_trace->m_data);
        for (StreamData& data : m_trace->m_data)
            data.hasBoundaryLosses = isLttng(m_trace->m_info);
        if (m_trace->m_info.hasTimes)
            placeUntimed();
        m_trace->m_info.identity = identity();
        return std::shared_ptr<const Trace>(m_trace);
    }

private:
    /// Version of the reader; must be incremented when the same files give other events or losses, so that stores are rebuilt.
    static constexpr std::uint64_t ReaderVersion = 2;
    static constexpr auto FirstWait = std::chrono::milliseconds(100);

    /// Reads the metadata of all parts of the trace, and keeps the longest text: a part that was recorded later may have the same metadata
    /// with more text at the end.
    Status readMetadata()
    {
        std::string fileName;
        std::optional<Diagnostic> damage;
        for (const auto& part : m_source.parts) {
            const auto path = part / "metadata";
            const auto file = MappedFile::open(path);
            if (!file)
                return file.error();
            if (const auto bytes = (*file)->bytes(); std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte(0); }))
                return Error{Error::Kind::Corrupt,
                             path.string() + (bytes.empty() ? ": the metadata is empty" : ": the metadata consists of zeros")
                                 + ", so the streams beside it cannot be read"};
            auto text = metadataText((*file)->bytes(), path.string());
            if (!text)
                return text.error();
            if (fileName.empty() || text->text.size() > m_text.size()) {
                m_text = std::move(text->text);
                damage = std::move(text->damage);
                fileName = path.string();
            }
        }
        if (damage)
            report(m_trace->m_diagnostics, *damage);
        const bool isJson = isJsonMetadata(std::as_bytes(std::span(m_text)));
        auto metadata = isJson ? parseJsonMetadata(m_text, fileName) : parseTsdl(m_text, fileName);
        if (!metadata)
            return metadata.error();
        m_metadata = std::move(*metadata);
        for (const Diagnostic& it : m_metadata.damages)
            report(m_trace->m_diagnostics, it);
        return Done{};
    }

    Status listFiles(const std::filesystem::path& folder)
    {
        const auto paths = findStreamFiles(folder);
        if (!paths)
            return paths.error();
        for (const auto& path : *paths) {
            auto file = MappedFile::open(path);
            if (file) {
                m_files.push_back(std::move(*file));
                continue;
            }
            const std::string prefix = path.string() + ": "; // Messages begin with the path by themselves.
            const std::string& what = file.error().what;
            report(m_trace->m_diagnostics,
                   {Diagnostic::Severity::Error, "unreadable-file", path.string(), 0, 1,
                    what.starts_with(prefix) ? what.substr(prefix.size()) : what});
        }
        return Done{};
    }

    void fillInfo()
    {
        auto& info = m_trace->m_info;
        info.path = m_source.path;
        info.name = shortName(m_source.path);
        info.format = "ctf";
        info.reader = "heliograph";
        info.uuid = m_metadata.uuid;
        info.environment = m_metadata.environment;
        info.hostname = findHostname(info);
        info.clock = clockInfo();
        info.hasTimes =
            std::any_of(m_trace->m_shapes.begin(), m_trace->m_shapes.end(), [](const auto& shape) { return !shape.clockName.empty(); });
        if (!info.hasTimes)
            info.clock = makeNoClockInfo();
        for (const auto& file : m_files)
            info.bytes += file->bytes().size();
    }

    ClockInfo clockInfo() const
    {
        const Clock* clock = nullptr;
        for (const auto& shape : m_trace->m_shapes)
            if (!clock)
                clock = m_metadata.findClock(shape.clockName);
        if (!clock && !m_metadata.clocks.empty())
            clock = &m_metadata.clocks.front();
        if (!clock)
            return {};
        ClockInfo info;
        info.name = clock->name;
        info.uuid = clock->uuid;
        info.description = clock->description;
        info.frequency = clock->frequency;
        const ClockConversion conversion(*clock);
        info.offset = conversion.offset();
        // LTTng's own clock counts from the epoch after its offset is added, but its metadata does not declare this.
        const bool isAbsolute = clock->isAbsolute || (clock->name == "monotonic" && isLttng(m_trace->m_info));
        info.isAbsolute = isAbsolute && conversion.hasOffset();
        return info;
    }

    void reportClocks()
    {
        for (const Clock& clock : m_metadata.clocks)
            if (!ClockConversion(clock).hasOffset())
                report(m_trace->m_diagnostics,
                       {Diagnostic::Severity::Warning, "clock-offset", (m_source.parts.front() / "metadata").string(), 0, 1,
                        "the clock \"" + clock.name + "\" begins " + std::to_string(clock.offsetSeconds) + " s and "
                            + std::to_string(clock.offsetCycles)
                            + " cycles after its origin, beyond 64-bit nanoseconds: times are relative to its beginning"});
    }

    /// Sets the time of all events of streams without a clock to the beginning of the earliest packet that has a time. The events of a
    /// stream keep their order.
    void placeUntimed()
    {
        std::uint64_t untimed = 0;
        HostTimestamp begin = HostTimestamp::max();
        for (std::size_t i = 0; i < m_trace->m_data.size(); ++i) {
            const bool isTimed = !m_trace->m_data[i].shape->clockName.empty();
            untimed += isTimed ? 0 : 1;
            m_trace->m_streams[i].hasTimes = isTimed;
            for (const PacketInfo& packet : m_trace->m_streams[i].packets)
                if (isTimed && packet.range)
                    begin = std::min(begin, packet.range->begin);
        }
        if (untimed == 0)
            return;
        const bool isPlaced = begin != HostTimestamp::max();
        if (isPlaced)
            placeUntimedAt(begin);
        report(m_trace->m_diagnostics,
               {Diagnostic::Severity::Warning, "stream-without-clock", m_source.path.string(), 0, untimed,
                "a stream has no clock: its events have no times and are placed at "
                    + std::string(isPlaced ? "the beginning of the streams with a clock"
                                           : "0, as no packet gives the beginning of the streams with a clock")});
    }

    void placeUntimedAt(HostTimestamp begin)
    {
        m_untimedAt = begin;
        Clock standing;
        standing.offsetCycles = nanoseconds(begin);
        for (StreamClassLayout& shape : m_trace->m_shapes)
            if (shape.clockName.empty())
                shape.clock = ClockConversion(standing);
    }

    /// Returns a hash of the metadata, of the headers of all packets (which may come from an index), and of the contents of the stream
    /// files.
    std::string identity() const
    {
        Fingerprint print;
        print.add(ReaderVersion);
        print.add(m_metadata.uuid);
        print.add(m_text);
        if (m_untimedAt)
            print.add(static_cast<std::uint64_t>(nanoseconds(*m_untimedAt)));
        for (std::size_t i = 0; i < m_trace->m_data.size(); ++i) {
            const auto& data = m_trace->m_data[i];
            print.add(m_trace->m_streams[i].label);
            for (const auto& file : data.files)
                print.addContents(*file);
            for (const PacketDescription& packet : data.packets) {
                for (const std::uint64_t number :
                     {packet.offset, packet.size, packet.contentBits, packet.eventsBit, static_cast<std::uint64_t>(packet.cpu)})
                    print.add(number);
                for (const auto& number : {packet.begin, packet.end, packet.discarded, packet.sequence, packet.instance}) {
                    print.add(std::uint64_t(number.has_value()));
                    print.add(number.value_or(0));
                }
            }
        }
        return print.text();
    }

    const TraceSource m_source;
    std::shared_ptr<CtfTrace> m_trace;
    std::vector<std::shared_ptr<const MappedFile>> m_files;
    /// Copy of m_trace's info, for ProvisionalTrace traces, which show streams and event types while packets are still being found.
    TraceInfo m_info;
    Metadata m_metadata;
    std::optional<HostTimestamp> m_untimedAt; ///< Time of all events of streams without a clock; nullopt if there are no such streams.
    std::string m_text;
};

Result<std::unique_ptr<TraceOpening>> beginCtf(const TraceSource& source)
{
    auto opening = std::make_unique<CtfOpening>(source);
    if (auto begun = opening->begin(); !begun)
        return begun.error();
    return std::unique_ptr<TraceOpening>(std::move(opening));
}

} // namespace helio::ctf
