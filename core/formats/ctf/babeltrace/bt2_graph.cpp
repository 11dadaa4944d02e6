#include "core/formats/ctf/babeltrace/bt2_graph.h"

#include <mutex>
#include <utility>

namespace helio::bt2 {
namespace {

/// Returns the mutex that serializes setting up and destroying graphs, because plugins, component classes and metadata parsers share state
/// in the library.
std::recursive_mutex& setupMutex()
{
    static std::recursive_mutex mutex; // Recursive, because a graph that cannot be opened is destroyed while the mutex is locked.
    return mutex;
}

/// Removes the current thread's error from the library and returns its message; `fallback` if there is no error.
std::string takeErrorMessage(const char* fallback)
{
    const bt_error* error = bt_current_thread_take_error();
    if (!error)
        return fallback;
    std::string text = fallback;
    if (bt_error_get_cause_count(error) > 0)
        text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
    bt_error_release(error);
    return text;
}

Error failed(const char* fallback) { return {Error::Kind::Corrupt, takeErrorMessage(fallback)}; }

using Value = std::unique_ptr<bt_value, Releaser<bt_value_put_ref>>;

Value sourceParameters(const std::vector<std::filesystem::path>& folders)
{
    Value parameters(bt_value_map_create());
    bt_value* inputs = nullptr;
    if (!parameters || bt_value_map_insert_empty_array_entry(parameters.get(), "inputs", &inputs) != BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
        return nullptr;
    for (const auto& folder : folders)
        if (bt_value_array_append_string_element(inputs, folder.c_str()) != BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
            return nullptr;
    return parameters;
}

} // namespace

Result<std::unique_ptr<Graph>> Graph::open(const std::vector<std::filesystem::path>& folders)
{
    const std::lock_guard lock(setupMutex());
    std::unique_ptr<Graph> self(new Graph);
    const bt_plugin* plugin = nullptr;
    if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) != BT_PLUGIN_FIND_STATUS_OK)
        return Error{Error::Kind::Unsupported, takeErrorMessage("its ctf plugin is not installed")};
    self->m_plugin.reset(plugin);
    const bt_component_class_source* kind = bt_plugin_borrow_source_component_class_by_name_const(plugin, "fs");
    self->m_graph.reset(bt_graph_create(0));
    const Value parameters = sourceParameters(folders);
    if (!kind || !self->m_graph || !parameters)
        return failed("it cannot create a graph");
    if (bt_graph_add_source_component(self->m_graph.get(), kind, "trace", parameters.get(), BT_LOGGING_LEVEL_NONE, &self->m_source)
        != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        return failed("it cannot open the trace");
    return self;
}

Graph::~Graph()
{
    const std::lock_guard lock(setupMutex());
    m_delivered.clear();
    m_graph.reset();
    m_plugin.reset();
}

std::uint64_t Graph::portCount() const { return bt_component_source_get_output_port_count(m_source); }

std::string_view Graph::portName(std::uint64_t port) const
{
    return bt_port_get_name(bt_port_output_as_port_const(bt_component_source_borrow_output_port_by_index_const(m_source, port)));
}

Status Graph::connect(std::uint64_t port)
{
    const std::lock_guard lock(setupMutex());
    m_sinks.push_back(std::make_unique<Sink>(Sink{this, port}));
    const bt_component_sink* sink = nullptr;
    const std::string name = "stream-" + std::to_string(port);
    if (bt_graph_add_simple_sink_component(m_graph.get(), name.c_str(), nullptr, consume, nullptr, m_sinks.back().get(), &sink)
        != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        return failed("it cannot add a sink");
    if (bt_graph_connect_ports(m_graph.get(), bt_component_source_borrow_output_port_by_index_const(m_source, port),
                               bt_component_sink_borrow_input_port_by_index_const(sink, 0), nullptr)
        != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
        return failed("it cannot connect a stream");
    return Done{};
}

Graph::PullResult Graph::pull()
{
    std::unique_lock lock(setupMutex(), std::defer_lock);
    if (!std::exchange(m_isRunning, true))
        // Lock for the first call of bt_graph_run_once() only: it also configures the graph, and graphs share state in the library while
        // they are configured.
        lock.lock();
    switch (bt_graph_run_once(m_graph.get())) {
    case BT_GRAPH_RUN_ONCE_STATUS_OK: return PullResult::Messages;
    case BT_GRAPH_RUN_ONCE_STATUS_AGAIN: return PullResult::Nothing;
    case BT_GRAPH_RUN_ONCE_STATUS_END: return PullResult::End;
    default: break;
    }
    m_problem = takeErrorMessage("it cannot continue");
    return PullResult::Failed;
}

bt_graph_simple_sink_component_consume_func_status Graph::consume(bt_message_iterator* iterator, void* data)
{
    const auto* sink = static_cast<Sink*>(data);
    bt_message_array_const messages = nullptr;
    std::uint64_t count = 0;
    switch (bt_message_iterator_next(iterator, &messages, &count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK: break;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_END: return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN: return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR: return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
    default: return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
    }
    for (std::uint64_t i = 0; i < count; ++i)
        sink->graph->m_delivered.push_back({sink->port, Message(messages[i])});
    return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

std::string libraryVersion()
{
    return std::to_string(bt_version_get_major()) + '.' + std::to_string(bt_version_get_minor()) + '.'
        + std::to_string(bt_version_get_patch());
}

bool isBeforeCtf2() { return bt_version_get_major() == 2 && bt_version_get_minor() < 1; }

} // namespace helio::bt2
