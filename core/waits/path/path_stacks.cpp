#include "core/waits/path/path_stacks.h"

#include "core/waits/path/path.h"
#include "core/waits/path/wait_causes.h"

#include <vector>

namespace helio {

PathStacks::PathStacks(const Timeline& timeline, Names names)
    : m_timeline(timeline)
    , m_naming(names)
{
    m_profile.nodes.emplace_back();
    m_profile.threads.emplace_back();
    m_profile.kind = {std::string(PathRelation), "ns", SampleKind::Origin::Called, true};
    m_names.functions.emplace_back();
    m_names.firstFrame = {0, 0};
    m_names.isComplete = true;
}

/// Adds a path. Relies on the order of CriticalPath::expandedWaits: an enclosing wait comes before the waits nested in it.
void PathStacks::add(const CriticalPath& path)
{
    std::vector<std::uint32_t> ways{0};
    ways.reserve(path.expandedWaits.size() + 1);
    const auto frameFor = [&](PathKind kind, std::uint32_t detail) {
        const std::string& words = path.details[detail];
        return this->frameFor(std::string(wordOf(kind)) + (words.empty() ? "" : ": " + words), stateOf(kind).style.color);
    };
    for (const PathSegment& wait : path.expandedWaits)
        ways.push_back(childOf(childOf(ways[wait.parentWait], frameOf(wait.row)), frameFor(wait.kind, 0)));
    for (const PathSegment& it : path.segments) {
        const std::uint32_t base = childOf(ways[it.parentWait], frameOf(it.row));
        if (it.shareCount == 0)
            addTime(childOf(base, frameFor(it.kind, it.detail)), it, it.range.duration());
        for (std::uint32_t i = it.firstShare; i < it.firstShare + it.shareCount; ++i)
            addTime(childOf(base, frameFor(it.kind, path.shares[i].detail)), it, path.shares[i].total);
    }
}

std::uint32_t PathStacks::childOf(std::uint32_t parent, std::uint32_t frame)
{
    const auto [it, isNew] =
        m_children.try_emplace(std::uint64_t(parent) << 32 | frame, static_cast<std::uint32_t>(m_profile.nodes.size()));
    if (isNew) {
        m_profile.nodes.push_back({parent, {}, {}});
        m_names.frames.push_back({FunctionId{frame}, false});
        m_names.firstFrame.push_back(static_cast<std::uint32_t>(m_names.frames.size()));
    }
    return it->second;
}

std::uint32_t PathStacks::frameFor(const std::string& name, const std::string& color)
{
    const std::string shown = m_naming == Names::Threads ? name : withoutTids(name);
    const auto [it, isNew] = m_frames.try_emplace(shown, static_cast<std::uint32_t>(m_names.functions.size()));
    if (isNew) {
        SampledFunction frame;
        frame.name = shown;
        frame.color = color;
        m_names.functions.push_back(std::move(frame));
    }
    return it->second;
}

std::uint32_t PathStacks::frameOf(TrackRef thread)
{
    const auto [it, isNew] = m_threads.try_emplace(thread);
    if (isNew)
        it->second = frameFor(threadWords(m_timeline, thread), {});
    return it->second;
}

void PathStacks::addTime(std::uint32_t node, const PathSegment& segment, Duration time)
{
    const auto weight = static_cast<std::uint64_t>(time.count());
    const auto [it, isNew] = m_stacks.try_emplace(node, m_profile.stacks.size());
    if (isNew)
        m_profile.stacks.push_back({node, 0, -1, 0, 0, segment.range.begin});
    CollectedStack& stack = m_profile.stacks[it->second];
    ++stack.samples;
    stack.weight += weight;
    ++m_profile.samples;
    m_profile.weight += weight;
}

CallTree PathStacks::tree(std::stop_token stop) const
{
    CallTreeOptions options;
    options.by = WeightBy::Weight;
    options.base = CallTreeOptions::Base::None;
    return buildCallTree(m_profile, m_names, options, stop);
}

CallTree pathTree(const Timeline& timeline, const CriticalPath& path, std::stop_token stop)
{
    PathStacks stacks(timeline);
    stacks.add(path);
    return stacks.tree(stop);
}

} // namespace helio
