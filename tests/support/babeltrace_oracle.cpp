#include "tests/support/babeltrace_oracle.h"

#include <algorithm>
#include <babeltrace2/babeltrace.h>
#include <charconv>
#include <cstring>
#include <deque>
#include <set>
#include <utility>

namespace helio {
namespace {

template <typename T> void appendNumber(std::string& text, T number)
{
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
}

void appendLabels(std::string& text, const std::set<std::string>& labels)
{
    text += '(';
    for (const std::string& label : labels)
        text += label + '|';
    text += ')';
}

// --- Text of Heliograph's field values

void append(std::string& text, const FieldValue& field);

void append(std::string&, std::monostate) { }
void append(std::string& text, std::int64_t number) { appendNumber(text, number); }
void append(std::string& text, std::uint64_t number) { appendNumber(text, number); }
void append(std::string& text, double number) { appendNumber(text, number); }
void append(std::string& text, bool value) { text += value ? "true" : "false"; }
void append(std::string& text, const std::string& string) { text += '"' + string + '"'; }
void append(std::string& text, const EnumValue& value)
{
    if (value.isSigned)
        appendNumber(text, value.number);
    else
        appendNumber(text, static_cast<std::uint64_t>(value.number));
    appendLabels(text, {value.labels.begin(), value.labels.end()});
}
void append(std::string& text, const NamedValue& member)
{
    text += member.name + '=';
    append(text, member.value);
    text += ' ';
}
template <typename T> void append(std::string& text, const std::vector<T>& parts)
{
    text += std::is_same_v<T, NamedValue> ? '{' : '[';
    for (const T& part : parts) {
        append(text, part);
        text += std::is_same_v<T, NamedValue> ? "" : ",";
    }
    text += std::is_same_v<T, NamedValue> ? '}' : ']';
}
void append(std::string& text, const FieldValue& field)
{
    std::visit([&](const auto& value) { append(text, value); }, field.value);
}

// --- Text of libbabeltrace2's fields

void append(std::string& text, const bt_field* field);

void appendMembers(std::string& text, const bt_field* field, std::vector<std::string>* each = nullptr)
{
    const bt_field_class* kind = bt_field_borrow_class_const(field);
    for (std::uint64_t i = 0; i < bt_field_class_structure_get_member_count(kind); ++i) {
        std::string member = bt_field_class_structure_member_get_name(bt_field_class_structure_borrow_member_by_index_const(kind, i));
        member += '=';
        append(member, bt_field_structure_borrow_member_field_by_index_const(field, i));
        member += ' ';
        text += member;
        if (each)
            each->push_back(member);
    }
}

void appendEnumLabels(std::string& text, const bt_field* field, bool isSigned)
{
    bt_field_class_enumeration_mapping_label_array labels = nullptr;
    std::uint64_t count = 0;
    if (isSigned)
        bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count);
    else
        bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count);
    appendLabels(text, {labels, labels + count});
}

void append(std::string& text, const bt_field* field)
{
    const bt_field_class_type type = bt_field_get_class_type(field);
    const auto is = [type](bt_field_class_type kind) { return bt_field_class_type_is(type, kind); };
    if (is(BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        appendNumber(text, bt_field_integer_unsigned_get_value(field));
    if (is(BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        appendNumber(text, bt_field_integer_signed_get_value(field));
    if (is(BT_FIELD_CLASS_TYPE_ENUMERATION))
        appendEnumLabels(text, field, is(BT_FIELD_CLASS_TYPE_SIGNED_INTEGER));
    if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
        appendNumber(text, static_cast<double>(bt_field_real_single_precision_get_value(field)));
    if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
        appendNumber(text, bt_field_real_double_precision_get_value(field));
    if (is(BT_FIELD_CLASS_TYPE_STRING)) {
        // libbabeltrace2 2.0.4 leaves the text of an earlier event in the buffer of an empty string; only the length is right.
        std::string string = bt_field_string_get_value(field);
        string.resize(std::min<std::size_t>(string.size(), bt_field_string_get_length(field)));
        text += '"' + string + '"';
    }
    if (is(BT_FIELD_CLASS_TYPE_VARIANT))
        append(text, bt_field_variant_borrow_selected_option_field_const(field));
    if (is(BT_FIELD_CLASS_TYPE_STRUCTURE)) {
        text += '{';
        appendMembers(text, field);
        text += '}';
    }
    if (is(BT_FIELD_CLASS_TYPE_ARRAY)) {
        text += '[';
        for (std::uint64_t i = 0; i < bt_field_array_get_length(field); ++i) {
            append(text, bt_field_array_borrow_element_field_by_index_const(field, i));
            text += ',';
        }
        text += ']';
    }
}

std::string problemOfThread()
{
    std::string text = "no reason given";
    const bt_error* error = bt_current_thread_take_error();
    if (!error)
        return text;
    if (bt_error_get_cause_count(error) > 0)
        text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
    bt_error_release(error);
    return text;
}

std::optional<std::int64_t> nsOf(const bt_clock_snapshot* snapshot)
{
    std::int64_t ns = 0;
    if (bt_clock_snapshot_get_ns_from_origin(snapshot, &ns) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
        return {};
    return ns;
}

} // namespace

struct BabeltraceOracle::Graph {
    bt_graph* graph = bt_graph_create(0);
    const bt_component_source* source = nullptr;
    std::vector<const bt_plugin*> plugins;
    /// Received messages that next() has not passed yet; the front is the current message if `hasCurrent` is true.
    std::deque<const bt_message*> messages;
    bool hasCurrent = false;
    bool isFirst = false;

    ~Graph()
    {
        for (const bt_message* message : messages)
            bt_message_put_ref(message);
        bt_graph_put_ref(graph);
        for (const bt_plugin* plugin : plugins)
            bt_plugin_put_ref(plugin);
    }

    const bt_plugin* plugin(const char* name)
    {
        const bt_plugin* found = nullptr;
        if (bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &found) == BT_PLUGIN_FIND_STATUS_OK)
            plugins.push_back(found);
        return found;
    }

    bool addSource(const std::vector<std::filesystem::path>& folders)
    {
        const bt_plugin* ctf = plugin("ctf");
        if (!ctf)
            return false;
        bt_value* parameters = bt_value_map_create();
        bt_value* inputs = nullptr;
        bt_value_map_insert_empty_array_entry(parameters, "inputs", &inputs);
        for (const auto& folder : folders)
            bt_value_array_append_string_element(inputs, folder.c_str());
        const auto status = bt_graph_add_source_component(graph, bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs"), "source",
                                                          parameters, BT_LOGGING_LEVEL_NONE, &source);
        bt_value_put_ref(parameters);
        return status == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
    }

    bool addSink(std::optional<std::uint64_t> stream)
    {
        const bt_component_sink* sink = nullptr;
        if (bt_graph_add_simple_sink_component(graph, "sink", nullptr, consume, nullptr, this, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
            return false;
        const bt_port_input* in = bt_component_sink_borrow_input_port_by_index_const(sink, 0);
        if (stream)
            return connect(bt_component_source_borrow_output_port_by_index_const(source, *stream), in);
        const bt_plugin* utils = plugin("utils");
        const bt_component_filter* muxer = nullptr;
        if (!utils
            || bt_graph_add_filter_component(graph, bt_plugin_borrow_filter_component_class_by_name_const(utils, "muxer"), "muxer", nullptr,
                                             BT_LOGGING_LEVEL_NONE, &muxer)
                != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
            return false;
        for (std::uint64_t i = 0; i < bt_component_source_get_output_port_count(source); ++i)
            if (!connect(bt_component_source_borrow_output_port_by_index_const(source, i),
                         bt_component_filter_borrow_input_port_by_index_const(muxer, i)))
                return false;
        return connect(bt_component_filter_borrow_output_port_by_index_const(muxer, 0), in);
    }

    bool connect(const bt_port_output* from, const bt_port_input* to)
    {
        return bt_graph_connect_ports(graph, from, to, nullptr) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
    }

    static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator, void* data)
    {
        bt_message_array_const arrived = nullptr;
        std::uint64_t count = 0;
        const auto status = bt_message_iterator_next(iterator, &arrived, &count);
        auto& messages = static_cast<Graph*>(data)->messages;
        if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
            messages.insert(messages.end(), arrived, arrived + count);
        // libbabeltrace2 gives equal values to the status of an iterator and to the status of a sink, so the cast is valid.
        return static_cast<bt_graph_simple_sink_component_consume_func_status>(status);
    }

    const bt_event* event() const { return bt_message_event_borrow_event_const(messages.front()); }
};

std::vector<std::string> BabeltraceOracle::streams(const std::vector<std::filesystem::path>& folders, std::string& problem)
{
    std::vector<std::string> names;
    Graph graph;
    if (!graph.addSource(folders)) {
        problem = problemOfThread();
        return names;
    }
    for (std::uint64_t i = 0; i < bt_component_source_get_output_port_count(graph.source); ++i)
        names.emplace_back(
            bt_port_get_name(bt_port_output_as_port_const(bt_component_source_borrow_output_port_by_index_const(graph.source, i))));
    return names;
}

BabeltraceOracle::BabeltraceOracle(const std::vector<std::filesystem::path>& folders, std::optional<std::uint64_t> stream)
    : m_graph(std::make_unique<Graph>())
{
    if (!m_graph->addSource(folders) || !m_graph->addSink(stream))
        m_problem = problemOfThread();
}

BabeltraceOracle::~BabeltraceOracle() = default;

BabeltraceOracle::Kind BabeltraceOracle::next()
{
    if (!m_problem.empty())
        return Kind::End;
    auto& messages = m_graph->messages;
    for (;;) {
        if (m_graph->hasCurrent) {
            bt_message_put_ref(messages.front());
            messages.pop_front();
            m_graph->hasCurrent = false;
        }
        while (messages.empty()) {
            const auto status = bt_graph_run_once(m_graph->graph);
            if (status == BT_GRAPH_RUN_ONCE_STATUS_END)
                return Kind::End;
            if (status != BT_GRAPH_RUN_ONCE_STATUS_OK && status != BT_GRAPH_RUN_ONCE_STATUS_AGAIN) {
                m_problem = problemOfThread();
                return Kind::End;
            }
        }
        m_graph->hasCurrent = true;
        switch (bt_message_get_type(messages.front())) {
        case BT_MESSAGE_TYPE_EVENT: return Kind::Event;
        case BT_MESSAGE_TYPE_PACKET_BEGINNING: m_graph->isFirst = true; break;
        case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        case BT_MESSAGE_TYPE_DISCARDED_PACKETS: return Kind::Loss;
        default: break;
        }
    }
}

std::int64_t BabeltraceOracle::time() const
{
    const bt_message* message = m_graph->messages.front();
    if (!bt_message_event_borrow_stream_class_default_clock_class_const(message))
        return 0;
    return nsOf(bt_message_event_borrow_default_clock_snapshot_const(message)).value_or(0);
}

std::int64_t BabeltraceOracle::cpu() const
{
    const bt_field* context = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(m_graph->event()));
    const bt_field* cpu = context ? bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id") : nullptr;
    return cpu ? static_cast<std::int64_t>(bt_field_integer_unsigned_get_value(cpu)) : -1;
}

const char* BabeltraceOracle::name() const
{
    const char* name = bt_event_class_get_name(bt_event_borrow_class_const(m_graph->event()));
    return name ? name : "";
}

bool BabeltraceOracle::isFirstOfPacket() { return std::exchange(m_graph->isFirst, false); }

std::string BabeltraceOracle::contextText() const
{
    std::string text;
    for (const bt_field* field :
         {bt_event_borrow_common_context_field_const(m_graph->event()), bt_event_borrow_specific_context_field_const(m_graph->event())})
        if (field)
            appendMembers(text, field);
    return text;
}

std::string BabeltraceOracle::payloadText() const
{
    std::string text;
    if (const bt_field* field = bt_event_borrow_payload_field_const(m_graph->event()))
        appendMembers(text, field);
    return text;
}

std::int64_t BabeltraceOracle::payloadNumber(const char* field) const
{
    const bt_field* payload = bt_event_borrow_payload_field_const(m_graph->event());
    const bt_field* value = payload ? bt_field_structure_borrow_member_field_by_name_const(payload, field) : nullptr;
    if (!value)
        return -1;
    const bt_field_class_type type = bt_field_get_class_type(value);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        return bt_field_integer_signed_get_value(value);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        return static_cast<std::int64_t>(bt_field_integer_unsigned_get_value(value));
    return -1;
}

std::vector<std::string> BabeltraceOracle::packetTexts() const
{
    std::vector<std::string> texts;
    std::string all;
    if (const bt_field* field = bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(m_graph->event())))
        appendMembers(all, field, &texts);
    return texts;
}

std::uint64_t BabeltraceOracle::lostEvents() const
{
    const bt_message* message = m_graph->messages.front();
    std::uint64_t count = 0;
    if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_EVENTS)
        bt_message_discarded_events_get_count(message, &count);
    return count;
}

std::uint64_t BabeltraceOracle::lostPackets() const
{
    const bt_message* message = m_graph->messages.front();
    std::uint64_t count = 0;
    if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_PACKETS)
        bt_message_discarded_packets_get_count(message, &count);
    return count;
}

std::optional<std::pair<std::int64_t, std::int64_t>> BabeltraceOracle::lossTimes() const
{
    const bt_message* message = m_graph->messages.front();
    if (bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_EVENTS) {
        const auto* kind = bt_stream_borrow_class_const(bt_message_discarded_events_borrow_stream_const(message));
        if (bt_stream_class_discarded_events_have_default_clock_snapshots(kind))
            if (const auto begin = nsOf(bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message)),
                end = nsOf(bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message));
                begin && end)
                return std::pair(*begin, *end);
    }
    return {};
}

std::string textOf(const NamedValue& field)
{
    std::string text;
    append(text, field);
    return text;
}

std::string textOf(const std::vector<NamedValue>& fields)
{
    std::string text;
    for (const NamedValue& field : fields)
        append(text, field);
    return text;
}

} // namespace helio
