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

/// A shared object of the library; gives its reference back when it goes.
template <auto Release> struct Releaser {
    template <typename T> void operator()(T* object) const { Release(object); }
};
using Message = std::unique_ptr<const bt_message, Releaser<bt_message_put_ref>>;

/// One source.ctf.fs over the folders of one trace, and sinks of our own on the ports that are asked for. No muxer: it gives up
/// at the first time stamp that goes back.
///
/// Threads: one at a time. Graphs are independent, but the library's setup is not, so a lock of ours serializes that.
/// Errors:  the library's own words, the first cause.
class Graph {
public:
    static Result<std::unique_ptr<Graph>> open(const std::vector<std::filesystem::path>& folders);
    ~Graph();

    /// A port is a stream.
    std::uint64_t portCount() const;
    std::string_view portName(std::uint64_t port) const;

    /// Asks for the messages of a port. Before the first pull() only.
    Status connect(std::uint64_t port);

    enum class Pulled { Messages, Nothing, End, Failed };

    /// Lets the connected ports deliver, in turns. What came is in take().
    Pulled pull();

    struct Delivery {
        std::uint64_t port = 0;
        Message message;
    };
    std::vector<Delivery> take() { return std::move(m_delivered); }

    /// Why pull() failed.
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
    const bt_component_source* m_source = nullptr; ///< The graph's.
    std::vector<std::unique_ptr<Sink>> m_sinks;
    std::vector<Delivery> m_delivered;
    std::string m_problem;
    bool m_isRunning = false;
};

/// "2.0.4"
std::string libraryVersion();

/// The library is older than 2.1, which was the first to read CTF 2.
bool isBeforeCtf2();

} // namespace helio::bt2
