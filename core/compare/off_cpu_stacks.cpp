#include "core/compare/off_cpu_stacks.h"

#include "core/compare/causes.h"
#include "core/compare/preempters.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

std::string frameOf(const TimeCause& cause)
{
    if (cause.detail == NotSampled)
        return "off CPU";
    return cause.state.meaning == StateCategory::WaitsForCpu ? "runnable" : cause.state.name;
}

/// Adds paths of frames to a profile, with new nodes and frames for the paths that the profile lacks.
class FrameMaker {
public:
    FrameMaker(StackProfile& profile, StackNames& names)
        : m_profile(profile)
        , m_names(names)
    {
    }

    std::uint32_t nodeOf(const std::vector<std::string>& path)
    {
        std::uint32_t node = 0;
        for (const std::string& name : path)
            node = childOf(node, name);
        return node;
    }

private:
    std::uint32_t childOf(std::uint32_t parent, const std::string& name)
    {
        const auto [place, isNew] = m_nodes.emplace(std::pair(parent, name), static_cast<std::uint32_t>(m_profile.nodes.size()));
        if (!isNew)
            return place->second;
        m_profile.nodes.push_back({parent, {}, {}});
        m_names.frames.push_back({functionOf(name), false});
        m_names.firstFrame.push_back(static_cast<std::uint32_t>(m_names.frames.size()));
        return place->second;
    }

    FunctionId functionOf(const std::string& name)
    {
        const auto [place, isNew] = m_functions.emplace(name, FunctionId(m_names.functions.size()));
        if (isNew) {
            SampledFunction function;
            function.name = name;
            function.code = CodeKind::Thread;
            m_names.functions.push_back(std::move(function));
        }
        return place->second;
    }

    StackProfile& m_profile;
    StackNames& m_names;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_nodes;
    std::map<std::string, FunctionId> m_functions;
};

} // namespace

std::vector<OffCpuStack> computeOffCpuStacks(const SideRuns& side, std::stop_token stop)
{
    std::vector<OffCpuStack> times;
    if (side.basis != BreakdownBasis::FirstThread)
        return times;
    std::int64_t preempted = 0;
    std::string preemption; ///< Name of the state of preempted threads.
    for (const auto& [cause, ns] : computeTimesByCause(side, stop)) {
        const StateCategory meaning = cause.state.meaning;
        if (!isRunnable(meaning) && !isOffCpu(meaning))
            continue;
        if (meaning == StateCategory::Preempted) {
            preempted += ns;
            preemption = cause.state.name;
            continue;
        }
        times.push_back({{frameOf(cause)}, Duration(ns)});
        if (!cause.detail.empty() && cause.detail != NotSampled)
            times.back().path.push_back(cause.detail);
    }
    if (preempted == 0)
        return times;
    for (const Preempter& by : preempters(side, stop)) {
        times.push_back({{preemption}, by.time});
        if (!by.comm.empty())
            times.back().path.push_back("by " + by.comm);
    }
    return times;
}

void addOffCpuStacks(const std::vector<OffCpuStack>& times, StackProfile& profile, StackNames& names)
{
    constexpr std::uint64_t Most = INT64_MAX; // Maximum sum of all weights, as in collectStacks().
    if (times.empty())
        return;
    const auto thread = static_cast<std::uint32_t>(profile.threads.size());
    profile.threads.emplace_back();
    FrameMaker maker(profile, names);
    for (const OffCpuStack& it : times) {
        CollectedStack stack;
        stack.node = maker.nodeOf(it.path);
        stack.thread = thread;
        stack.weight = std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(it.time.count(), 0)), Most - profile.weight);
        stack.first = profile.range.begin;
        profile.weight += stack.weight;
        profile.stacks.push_back(stack);
    }
}

} // namespace helio
