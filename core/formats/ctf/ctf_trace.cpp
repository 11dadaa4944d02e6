#include "core/formats/ctf/ctf_trace.h"

#include "core/formats/ctf/ctf_stream.h"
#include "core/formats/ctf/stream_builder.h"

#include <algorithm>
#include <xxhash.h>

namespace helio::ctf {
namespace {

/// XXH3-128 of a run of pieces.
class Fingerprint {
public:
    Fingerprint()
        : m_state(XXH3_createState())
    {
        XXH3_128bits_reset(m_state);
    }
    ~Fingerprint() { XXH3_freeState(m_state); }
    Fingerprint(const Fingerprint&) = delete;
    Fingerprint& operator=(const Fingerprint&) = delete;

    void add(std::span<const std::byte> bytes) { XXH3_128bits_update(m_state, bytes.data(), bytes.size()); }
    void add(std::string_view text)
    {
        add(static_cast<std::uint64_t>(text.size()));
        add(std::as_bytes(std::span(text)));
    }
    void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }

    std::string text() const
    {
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(m_state));
        constexpr std::string_view Digits = "0123456789abcdef";
        std::string hex;
        for (const unsigned char byte : canonical.digest)
            hex.append(1, Digits[byte >> 4]).append(1, Digits[byte & 15]);
        return hex;
    }

private:
    XXH3_state_t* m_state;
};

bool isLttng(const TraceInfo& info) { return info.text("tracer_name").starts_with("lttng"); }

} // namespace

class CtfTraceBuilder {
public:
    explicit CtfTraceBuilder(const TraceSource& source)
        : m_source(source)
        , m_trace(std::make_shared<CtfTrace>())
    {
    }

    Result<std::shared_ptr<const Trace>> build()
    {
        if (auto read = readMetadata(); !read)
            return read.error();
        for (const auto& stream : m_metadata.streams) {
            m_trace->m_shapes.emplace_back(m_metadata, stream, m_trace->m_types);
            if (const auto& fault = m_trace->m_shapes.back().fault(); !fault.empty())
                return Error{Error::Kind::Unsupported, m_source.path.string() + ": " + fault};
        }
        StreamBuilder streams(m_metadata, m_trace->m_shapes, m_trace->m_diagnostics);
        for (const auto& part : m_source.parts)
            if (auto added = streams.addFolder(part); !added)
                return added.error();
        streams.finish(m_trace->m_streams, m_trace->m_data);
        fillInfo();
        return std::shared_ptr<const Trace>(std::move(m_trace));
    }

private:
    /// Chunks of one trace may have ever more metadata: the longest has all.
    Status readMetadata()
    {
        std::string fileName;
        for (const auto& part : m_source.parts) {
            const auto path = part / "metadata";
            const auto file = MappedFile::open(path);
            if (!file)
                return file.error();
            auto text = metadataText((*file)->bytes(), path.string());
            if (!text)
                return text.error();
            if (fileName.empty() || text->size() > m_text.size()) {
                m_text = std::move(*text);
                fileName = path.string();
            }
        }
        const bool isJson = isJsonMetadata(std::as_bytes(std::span(m_text)));
        auto metadata = isJson ? parseJsonMetadata(m_text, fileName) : parseTsdl(m_text, fileName);
        if (!metadata)
            return metadata.error();
        m_metadata = std::move(*metadata);
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
        info.hostname = info.text("hostname");
        info.clock = clockInfo();
        for (const auto& data : m_trace->m_data)
            for (const auto& file : data.files)
                info.bytes += file->bytes().size();
        info.identity = identity();
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
        info.offset = ClockConversion(*clock).offset();
        // LTTng's own clock counts from the epoch once its offset is added, but its metadata does not say so.
        info.isAbsolute = clock->isAbsolute || (clock->name == "monotonic" && isLttng(m_trace->m_info));
        return info;
    }

    std::string identity() const
    {
        Fingerprint print;
        print.add(m_metadata.uuid);
        print.add(m_text);
        for (std::size_t i = 0; i < m_trace->m_data.size(); ++i) {
            const auto& data = m_trace->m_data[i];
            print.add(m_trace->m_streams[i].label);
            for (const auto& file : data.files)
                print.add(file->bytes().size());
            for (const auto& packet : data.packets) {
                print.add(packet.offset);
                print.add(data.files[packet.file]->bytes().subspan(packet.offset, packet.eventsBit / 8));
            }
        }
        return print.text();
    }

    const TraceSource& m_source;
    std::shared_ptr<CtfTrace> m_trace;
    Metadata m_metadata;
    std::string m_text;
};

std::string shortName(const std::filesystem::path& path)
{
    std::vector<std::string> names;
    for (const auto& part : path.lexically_normal())
        if (!part.empty() && part != "/")
            names.push_back(part.string());
    if (!names.empty() && names.back() == "archives")
        names.pop_back();
    const auto fromEnd = [&](std::size_t i) { return names.size() > i ? names[names.size() - 1 - i] : std::string(); };
    if (fromEnd(0) == "kernel" && !fromEnd(1).empty())
        return fromEnd(1) + "/kernel";
    if (fromEnd(3) == "ust" && fromEnd(2) == "uid" && !fromEnd(4).empty())
        return fromEnd(4) + "/ust";
    if (fromEnd(2) == "ust" && fromEnd(1) == "pid" && !fromEnd(3).empty())
        return fromEnd(3) + "/" + fromEnd(0);
    return fromEnd(0);
}

Result<std::shared_ptr<const Trace>> CtfTrace::open(const TraceSource& source) { return CtfTraceBuilder(source).build(); }

std::unique_ptr<EventStream> CtfTrace::openStream(std::uint32_t stream, StreamPosition from) const
{
    return std::make_unique<CtfEventStream>(m_streams[stream], m_data[stream], stream, from);
}

} // namespace helio::ctf
