#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/waits/path/path.h"

#include <string>
#include <unordered_map>

namespace helio {

/// Collects the chains of waits on any number of paths as stacks of a flame graph, weighted by time in ns, for example "worker
/// (7);lock;owner (8);running: user". A stack starts with the thread, followed by what it waited for, the thread that it waited for, and so
/// on.
/// Threads: to be used by one thread.
/// Memory: each distinct chain is stored once, however long and deep the paths are.
class PathStacks {
public:
    /// Form of the thread names in the stacks. With Names::Commands, threads with equal names share one frame, because many threads often
    /// do the same work one after the other.
    enum class Names : std::uint8_t {
        Threads, ///< Thread names with TIDs, for example "apache2 (1184) on web".
        Commands, ///< Thread names without TIDs, for example "apache2 on web". TIDs are also removed from the texts of the segments.
    };

    explicit PathStacks(const Timeline& timeline, Names names = Names::Threads);

    void add(const CriticalPath& path);
    std::uint64_t total() const { return m_profile.weight; } ///< Total duration of all paths in ns.
    /// Returns the stacks as a call tree whose frames have the colours of the segments' kinds.
    CallTree tree(std::stop_token stop = {}) const;

private:
    std::uint32_t childOf(std::uint32_t parent, std::uint32_t frame);
    std::uint32_t frameFor(const std::string& name, const std::string& color);
    std::uint32_t frameOf(TrackRef thread);
    void addTime(std::uint32_t node, const PathSegment& segment, Duration time);

    const Timeline& m_timeline;
    const Names m_naming;
    StackProfile m_profile;
    StackNames m_names;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; ///< Child nodes of the tree, keyed by parent node and frame.
    std::unordered_map<std::string, std::uint32_t> m_frames;
    std::unordered_map<TrackRef, std::uint32_t, TrackRefHash> m_threads;
    std::unordered_map<std::uint32_t, std::size_t> m_stacks; ///< Index of the stack that ends in a node, keyed by node.
};

/// Returns the tree of PathStacks for a single path.
CallTree pathTree(const Timeline& timeline, const CriticalPath& path, std::stop_token stop = {});

} // namespace helio
