#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/waits/path/path.h"

#include <string>
#include <unordered_map>

namespace helio {

/// The ways that waits led on any number of paths, as flame graphs have stacks, with their time in ns: "worker (7);lock;owner (8);running:
/// user". From the thread inwards: what it waited for, who that was, what that one did; without times and numbers of their own, as in
/// sumsOf().
///
/// One thread; the timeline outlives it. Memory: of each way once, however long and deep paths are.
class PathStacks {
public:
    /// How threads are named: many do the same, one after the other.
    enum class Names : std::uint8_t {
        Threads, ///< "apache2 (1184) on web"
        Commands, ///< "apache2 on web": those of one name are one, also where others wait behind them.
    };

    explicit PathStacks(const Timeline& timeline, Names names = Names::Threads);

    void add(const CriticalPath& path);
    std::uint64_t total() const { return m_profile.weight; } ///< ns, of all paths.
    /// What was added, as one tree; its frames have the colours of what stretches are.
    CallTree tree(std::stop_token stop = {}) const;

private:
    std::uint32_t childOf(std::uint32_t parent, std::uint32_t frame);
    std::uint32_t frameFor(const std::string& name, const std::string& color);
    std::uint32_t frameOf(TrackRef thread);
    void addTime(std::uint32_t node, const PathStretch& stretch, Duration time);

    const Timeline& m_timeline;
    const Names m_naming;
    StackProfile m_profile;
    StackNames m_names;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; ///< By parent and frame.
    std::unordered_map<std::string, std::uint32_t> m_frames;
    std::unordered_map<TrackRef, std::uint32_t, TrackRefHash> m_threads;
    std::unordered_map<std::uint32_t, std::size_t> m_stacks; ///< By node.
};

/// The same of one path alone.
CallTree pathTree(const Timeline& timeline, const CriticalPath& path, std::stop_token stop = {});

} // namespace helio
