#include "core/formats/ctf/babeltrace/bt2_description.h"

#include "core/formats/ctf/babeltrace/bt2_stream.h"

#include <algorithm>
#include <fstream>

namespace helio::bt2 {
namespace {

namespace fs = std::filesystem;

/// True if the metadata in the folder is CTF 2, that is, JSON.
bool isCtf2(const fs::path& folder)
{
    std::ifstream file(folder / "metadata", std::ios::binary);
    std::string head(512, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    const std::size_t begin = head.find_first_not_of(" \t\r\n\x1e"); // 0x1e begins the records of a JSON text sequence (RFC 7464).
    return begin != std::string::npos && head[begin] == '{';
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
    const Wide offset = static_cast<Wide>(seconds) * 1'000'000'000 + fraction;
    const bool fitsInt64 = offset >= INT64_MIN && offset <= INT64_MAX;
    info.offset = fitsInt64 ? static_cast<std::int64_t>(offset) : 0;
    info.isAbsolute = fitsInt64 && bt_clock_class_origin_is_unix_epoch(clock);
    return info;
}

void readEnvironment(const bt_trace* trace, foreign::TraceDescription& info)
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

/// Builds the description of a trace from the first messages of each stream.
class DescriptionBuilder {
public:
    explicit DescriptionBuilder(Graph& graph)
        : m_graph(graph)
        , m_firsts(graph.portCount())
    {
    }

    Result<foreign::TraceDescription> run()
    {
        for (std::uint64_t port = 0; port < m_firsts.size(); ++port)
            if (const Status status = m_graph.connect(port); !status)
                return status.error();
        while (m_known < m_firsts.size()) {
            const Graph::PullResult pulled = m_graph.pull();
            for (const auto& delivery : m_graph.take())
                see(delivery);
            if (pulled == Graph::PullResult::End)
                break;
            // Do not fail: describe the trace from the streams that were read so far. The problem is reported when the events of the
            // damaged stream are read.
            if (pulled == Graph::PullResult::Failed) {
                m_described.diagnostics.push_back({Diagnostic::Severity::Error, "stream-cut", {}, 0, 1, m_graph.problem()});
                break;
            }
        }
        makeStreams();
        addTypes();
        return std::move(m_described);
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
        const bt_clock_class* clock = bt_stream_class_borrow_default_clock_class_const(kind);
        if (clock && !m_described.hasTimes) {
            m_described.clock = clockOf(clock);
            m_described.hasTimes = true;
        }
        if (!m_hasTrace) {
            const bt_trace* trace = bt_stream_borrow_trace_const(stream);
            m_described.uuid = uuidText(bt_trace_get_uuid(trace));
            readEnvironment(trace, m_described);
            m_table = typesOf(stream);
            m_hasTrace = true;
        }
    }

    /// Adds the streams, sorted by stream class and instance, like the streams that Heliograph's own reader finds (StreamBuilder).
    void makeStreams()
    {
        auto& ports = m_described.ports;
        for (std::uint64_t port = 0; port < m_firsts.size(); ++port)
            ports.push_back(port);
        std::stable_sort(ports.begin(), ports.end(), [this](std::uint64_t a, std::uint64_t b) {
            return std::pair(m_firsts[a].classId, m_firsts[a].streamId) < std::pair(m_firsts[b].classId, m_firsts[b].streamId);
        });
        for (const std::uint64_t port : ports) {
            StreamInfo info;
            info.cpu = m_firsts[port].cpu;
            // A port name consists of the trace, the stream class and the instance, separated by " | ". The instance is the path of the
            // stream's file if the stream has no instance id.
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
            m_described.streams.push_back(std::move(info));
        }
    }

    void addTypes()
    {
        if (m_table.unknownFieldClasses > 0)
            m_described.diagnostics.push_back({Diagnostic::Severity::Warning,
                                               "unknown-field-type",
                                               {},
                                               0,
                                               m_table.unknownFieldClasses,
                                               "fields of an unknown class are left empty"});
        for (const auto& type : m_table.types)
            m_described.types.push_back(*type);
    }

    Graph& m_graph;
    std::vector<First> m_firsts; ///< Data from the first messages of each stream, indexed by port of libbabeltrace2.
    std::size_t m_known = 0; ///< Number of elements of m_firsts whose `isKnown` is true.
    bool m_hasTrace = false;
    EventTypeIndex m_table;
    foreign::TraceDescription m_described;
};

} // namespace

Result<foreign::TraceDescription> describe(const std::vector<fs::path>& folders)
{
    if (isBeforeCtf2() && std::any_of(folders.begin(), folders.end(), isCtf2))
        return Error{Error::Kind::Unsupported, "CTF 2 needs babeltrace 2.1 or later; installed is babeltrace " + libraryVersion()};
    auto graph = Graph::open(folders);
    if (!graph)
        return graph.error();
    return DescriptionBuilder(**graph).run();
}

} // namespace helio::bt2
