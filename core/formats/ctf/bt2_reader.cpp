#include "core/formats/ctf/bt2_reader.h"

#include "core/formats/ctf/bt2_stream.h"
#include "core/formats/ctf/ctf_trace.h"
#include "core/io/mapped_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <xxhash.h>

namespace helio {
namespace bt2 {
namespace {

namespace fs = std::filesystem;

class BabeltraceTrace final : public Trace {
public:
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_parts->table.types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override
    {
        return std::make_unique<Stream>(m_parts, stream, from);
    }
    std::span<const Diagnostic> diagnostics() const override { return m_diagnostics; }

    TraceInfo m_info;
    std::vector<StreamInfo> m_streams;
    std::vector<Diagnostic> m_diagnostics;
    std::shared_ptr<TraceParts> m_parts = std::make_shared<TraceParts>();
};

/// CTF 2's metadata is a JSON text sequence: records that begin with this byte.
bool isCtf2(const fs::path& folder)
{
    std::ifstream file(folder / "metadata", std::ios::binary);
    std::string head(512, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return head.find("\x1e{") != std::string::npos || head.find("\x1e\n{") != std::string::npos || head.find("\x1e {") != std::string::npos;
}

std::string uuidText(bt_uuid uuid)
{
    std::string text;
    for (std::size_t i = 0; uuid && i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += "0123456789abcdef"[uuid[i] >> 4];
        text += "0123456789abcdef"[uuid[i] & 15];
    }
    return text;
}

std::string textOf(const char* text) { return text ? text : std::string(); }

ClockInfo clockOf(const bt_clock_class* clock)
{
    ClockInfo info;
    info.name = textOf(bt_clock_class_get_name(clock));
    info.description = textOf(bt_clock_class_get_description(clock));
    info.uuid = uuidText(bt_clock_class_get_uuid(clock));
    info.frequency = bt_clock_class_get_frequency(clock);
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0;
    bt_clock_class_get_offset(clock, &seconds, &cycles);
    __extension__ using Wide = __int128;
    const Wide fraction = static_cast<Wide>(cycles) * 1'000'000'000 / std::max<std::uint64_t>(1, info.frequency);
    info.offset = static_cast<std::int64_t>(static_cast<Wide>(seconds) * 1'000'000'000 + fraction);
    info.isAbsolute = bt_clock_class_origin_is_unix_epoch(clock);
    return info;
}

void readEnvironment(const bt_trace* trace, TraceInfo& info)
{
    const std::uint64_t count = bt_trace_get_environment_entry_count(trace);
    for (std::uint64_t i = 0; i < count; ++i) {
        const char* name = nullptr;
        const bt_value* value = nullptr;
        bt_trace_borrow_environment_entry_by_index_const(trace, i, &name, &value);
        if (bt_value_is_string(value))
            info.environment.emplace_back(name, std::string(bt_value_string_get(value)));
        else if (bt_value_is_signed_integer(value))
            info.environment.emplace_back(name, bt_value_integer_signed_get(value));
    }
}

void hashFile(XXH3_state_t* state, const fs::path& path, bool isWhole)
{
    const auto file = MappedFile::open(path);
    if (!file)
        return;
    constexpr std::size_t Part = 4096;
    const auto bytes = (*file)->bytes();
    const std::uint64_t size = bytes.size();
    XXH3_128bits_update(state, &size, sizeof size);
    if (isWhole || bytes.size() <= 2 * Part) {
        XXH3_128bits_update(state, bytes.data(), bytes.size());
    } else {
        XXH3_128bits_update(state, bytes.data(), Part);
        XXH3_128bits_update(state, bytes.data() + bytes.size() - Part, Part);
    }
}

/// Sets what the folders tell: bytes and identity.
void readFolders(const std::vector<fs::path>& folders, TraceInfo& info)
{
    XXH3_state_t* state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, info.uuid.data(), info.uuid.size());
    for (const auto& folder : folders) {
        std::set<fs::path> files;
        std::error_code code;
        for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
            if (it->is_regular_file(code) && !it->path().filename().native().starts_with('.'))
                files.insert(it->path());
        for (const auto& file : files) {
            const bool isMetadata = file.filename() == "metadata";
            hashFile(state, file, isMetadata);
            if (!isMetadata)
                info.bytes += fs::file_size(file, code);
        }
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    info.identity = uuidText(reinterpret_cast<bt_uuid>(&hash));
}

/// Reads each stream's first messages for what they say of it and of the trace.
class Opener {
public:
    Opener(BabeltraceTrace& trace, Graph& graph)
        : m_trace(trace)
        , m_graph(graph)
        , m_firsts(graph.portCount())
    {
    }

    Status run()
    {
        for (std::uint64_t port = 0; port < m_firsts.size(); ++port)
            if (const Status status = m_graph.connect(port); !status)
                return status;
        while (m_known < m_firsts.size()) {
            const Graph::Pulled pulled = m_graph.pull();
            for (const auto& delivery : m_graph.take())
                see(delivery);
            if (pulled == Graph::Pulled::End)
                break;
            if (pulled == Graph::Pulled::Failed) { // what the others say must do; reading this stream will tell again
                m_trace.m_diagnostics.push_back({Diagnostic::Severity::Error, "stream-cut", {}, 0, 1, m_graph.problem()});
                break;
            }
        }
        makeStreams();
        return Done{};
    }

private:
    struct First {
        bool isKnown = false;
        std::uint64_t classId = 0;
        std::uint64_t streamId = 0;
        std::int32_t cpu = -1;
        std::string name;
    };

    void see(const Graph::Delivery& delivery)
    {
        First& first = m_firsts[delivery.port];
        const bt_message* message = delivery.message.get();
        const bt_message_type type = bt_message_get_type(message);
        if (type == BT_MESSAGE_TYPE_STREAM_BEGINNING && !first.isKnown) {
            seeStream(bt_message_stream_beginning_borrow_stream_const(message), first);
            ++m_known;
        } else if (type == BT_MESSAGE_TYPE_PACKET_BEGINNING && first.cpu < 0) {
            first.cpu = cpuOf(bt_message_packet_beginning_borrow_packet_const(message));
        }
    }

    void seeStream(const bt_stream* stream, First& first)
    {
        const bt_stream_class* kind = bt_stream_borrow_class_const(stream);
        first.isKnown = true;
        first.classId = bt_stream_class_get_id(kind);
        first.streamId = bt_stream_get_id(stream);
        m_trace.m_parts->table.add(kind);
        const bt_clock_class* clock = bt_stream_class_borrow_default_clock_class_const(kind);
        if (clock && !m_hasClock) {
            m_trace.m_info.clock = clockOf(clock);
            m_hasClock = true;
        }
        if (!m_hasTrace) {
            const bt_trace* trace = bt_stream_borrow_trace_const(stream);
            m_trace.m_info.uuid = uuidText(bt_trace_get_uuid(trace));
            readEnvironment(trace, m_trace.m_info);
            m_hasTrace = true;
        }
    }

    /// By class and instance, as other readers of the same trace order them, too.
    void makeStreams()
    {
        auto& ports = m_trace.m_parts->ports;
        for (std::uint64_t port = 0; port < m_firsts.size(); ++port)
            ports.push_back(port);
        std::stable_sort(ports.begin(), ports.end(), [this](std::uint64_t a, std::uint64_t b) {
            return std::pair(m_firsts[a].classId, m_firsts[a].streamId) < std::pair(m_firsts[b].classId, m_firsts[b].streamId);
        });
        for (const std::uint64_t port : ports) {
            StreamInfo info;
            info.cpu = m_firsts[port].cpu;
            // "trace | stream class | instance", the last being the file's path where streams have no number.
            const std::string name(m_graph.portName(port));
            const std::size_t bar = name.rfind(" | ");
            const fs::path last = bar == std::string::npos ? name : name.substr(bar + 3);
            std::error_code code;
            PacketInfo packet;
            packet.cpu = info.cpu;
            if (fs::is_regular_file(last, code)) {
                info.files.push_back(last);
                info.label = last.filename();
                packet.size = fs::file_size(last, code);
                packet.contentBits = packet.size * 8;
            } else {
                info.label = std::to_string(m_firsts[port].classId) + ':' + last.string();
            }
            info.packets.push_back(packet);
            m_trace.m_streams.push_back(std::move(info));
        }
    }

    BabeltraceTrace& m_trace;
    Graph& m_graph;
    std::vector<First> m_firsts; ///< By port.
    std::size_t m_known = 0;
    bool m_hasTrace = false;
    bool m_hasClock = false;
};

} // namespace
} // namespace bt2

bool isBabeltraceForced()
{
    const char* reader = std::getenv("HELIOGRAPH_READER");
    return reader && std::strcmp(reader, "babeltrace2") == 0;
}

Result<std::shared_ptr<const Trace>> openWithBabeltrace(const TraceSource& source, std::string why)
{
    const auto failed = [&](Error::Kind kind, const std::string& what) {
        return Error{kind, source.path.string() + ": " + what + (why.empty() ? "" : " (" + why + ")")};
    };
    const auto folders = source.parts.empty() ? std::vector{source.path} : source.parts;
    if (bt2::isBeforeCtf2() && std::any_of(folders.begin(), folders.end(), bt2::isCtf2))
        return failed(Error::Kind::Unsupported, "this is CTF 2, which needs babeltrace 2.1; here is babeltrace " + bt2::libraryVersion());
    auto graph = bt2::Graph::open(folders);
    if (!graph)
        return failed(graph.error().kind, "babeltrace2: " + graph.error().what);

    auto trace = std::make_shared<bt2::BabeltraceTrace>();
    trace->m_info.path = source.path;
    trace->m_info.format = "ctf";
    trace->m_info.reader = "babeltrace2";
    trace->m_parts->folders = folders;
    if (const Status status = bt2::Opener(*trace, **graph).run(); !status)
        return failed(status.error().kind, "babeltrace2: " + status.error().what);
    bt2::readFolders(folders, trace->m_info);
    trace->m_info.hostname = ctf::hostnameIn(trace->m_info);
    trace->m_info.name = ctf::shortName(source.path);
    if (!why.empty())
        trace->m_diagnostics.push_back({Diagnostic::Severity::Info, "read-with-babeltrace2", {}, 0, 1, why});
    if (const std::uint64_t unknown = trace->m_parts->table.unknownParts)
        trace->m_diagnostics.push_back(
            {Diagnostic::Severity::Warning, "unknown-field-type", {}, 0, unknown, "fields of a kind that is not known are left empty"});
    return std::shared_ptr<const Trace>(std::move(trace));
}

} // namespace helio
