#pragma once

#include "core/base/result.h"

#include <babeltrace2/babeltrace.h>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio::bt2 {

/// Deleter that releases the reference to a shared object of the library.
template <auto Release> struct Releaser {
    template <typename T> void operator()(T* object) const { Release(object); }
};
using Message = std::unique_ptr<const bt_message, Releaser<bt_message_put_ref>>;

/// Graph of libbabeltrace2 with one source.ctf.fs component, which reads the folders of one trace, and one sink for each connected port. It
/// has no muxer, because the library's muxer fails at the first time stamp that goes back.
///
/// Threads: to be used by one thread at a time. Different graphs are independent; setting them up is serialized by a global mutex.
/// Errors: the library's own message, namely the first cause.
class Graph {
public:
    static Result<std::unique_ptr<Graph>> open(const std::vector<std::filesystem::path>& folders);
    ~Graph();

    /// Returns the number of ports of the source; each port is a stream.
    std::uint64_t portCount() const;
    std::string_view portName(std::uint64_t port) const;

    /// Adds a sink for the messages of a port. Requires: pull() was not called yet.
    Status connect(std::uint64_t port);

    enum class PullResult { Messages, Nothing, End, Failed };

    /// Runs one step of the graph, which serves the connected ports in turn. take() then returns the messages that the step delivered.
    PullResult pull();

    struct Delivery {
        std::uint64_t port = 0;
        Message message;
    };
    std::vector<Delivery> take() { return std::move(m_delivered); }

    /// Returns the reason why pull() failed.
    const std::string& problem() const { return m_problem; }

private:
    Graph() = default;
    struct Sink {
        Graph* graph = nullptr;
        std::uint64_t port = 0;
    };
    static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator, void* sink);

    std::unique_ptr<const bt_plugin, Releaser<bt_plugin_put_ref>> m_plugin;
    std::unique_ptr<bt_graph, Releaser<bt_graph_put_ref>> m_graph;
    const bt_component_source* m_source = nullptr; ///< Source component; owned by m_graph.
    std::vector<std::unique_ptr<Sink>> m_sinks;
    std::vector<Delivery> m_delivered;
    std::string m_problem;
    bool m_isRunning = false;
};

/// Returns the version of libbabeltrace2, for example "2.0.4".
std::string libraryVersion();

/// True if libbabeltrace2 is older than 2.1, the first version that reads CTF 2.
bool isBeforeCtf2();

} // namespace helio::bt2
