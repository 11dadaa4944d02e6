#include "core/profiling/samples/row_times.h"

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/state_causes.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace helio {
namespace {

/// A frame of a store's call stacks, compared without its callers.
struct FramePlace {
    StoreIndex store;
    StackFrame frame;
    bool operator==(const FramePlace&) const = default;
};

struct FramePlaceHash {
    std::size_t operator()(const FramePlace& it) const
    {
        return std::hash<std::uint64_t>()(it.frame.address * 0x9e3779b97f4a7c15u ^ std::uint64_t(it.frame.module) << 33
                                          ^ std::uint64_t(it.store) << 1 ^ std::uint64_t(it.frame.isReturnAddress));
    }
};

class FunctionTimes {
public:
    FunctionTimes(const Timeline& timeline, const StackProfile& profile, const StackNames& names, const SampledFunction& function)
        : m_timeline(timeline)
    {
        const auto meant = findFunction(names.functions, function);
        const auto isMeant = [&](const NamedFrame& frame) { return frame.function == meant; };
        for (std::uint32_t node = 1; node < profile.nodes.size(); ++node)
            if (std::ranges::any_of(names.framesOf(node), isMeant))
                m_frames.insert({profile.nodes[node].store, profile.nodes[node].frame});
    }

    SampleTimesByRow find(const SampleFilter& filter, std::stop_token stop)
    {
        if (!m_frames.empty())
            visitSamples(
                m_timeline, filter, [this](const StackProfile& soFar, const CollectedStack& sample) { take(soFar, sample); },
                std::move(stop));
        SampleTimesByRow times;
        // The times come kind by kind and trace by trace, and are only sorted within one kind of one trace: sort all of them.
        for (auto& [row, found] : m_times) {
            std::ranges::sort(found);
            times.emplace(row, std::move(found));
        }
        return times;
    }

private:
    void take(const StackProfile& soFar, const CollectedStack& sample)
    {
        // The node of a caller has a lower index than the nodes of its callees, so m_holds already has an element for `it.parent`.
        for (std::size_t node = m_holds.size(); node < soFar.nodes.size(); ++node) {
            const CollectedNode& it = soFar.nodes[node];
            m_holds.push_back(node > 0 && (m_holds[it.parent] || m_frames.contains({it.store, it.frame})));
        }
        if (!m_holds[sample.node])
            return;
        const SampledThread& thread = soFar.threads[sample.thread];
        for (const TrackRef row : {thread.ref, cpuRow(thread.trace, sample.cpu)})
            if (row.isValid())
                m_times[row].push_back(sample.first);
    }

    TrackRef cpuRow(std::uint32_t trace, std::int32_t cpu)
    {
        const auto [known, isNew] = m_cpus.try_emplace({trace, cpu});
        if (isNew && cpu >= 0)
            known->second = helio::cpuRow(m_timeline, trace, cpu);
        return known->second;
    }

    const Timeline& m_timeline;
    std::unordered_set<FramePlace, FramePlaceHash> m_frames; ///< Frames of the queried function.
    std::vector<bool> m_holds; ///< True if the stack of a node contains one of m_frames; indexed by node.
    std::map<std::pair<std::uint32_t, std::int32_t>, TrackRef> m_cpus; ///< Rows of CPUs, keyed by trace and CPU number.
    SampleTimesByRow m_times;
};

} // namespace

SampleTimesByRow findFunctionTimes(const Timeline& timeline, const SampleFilter& filter, const StackProfile& profile,
                                   const StackNames& names, const SampledFunction& function, std::stop_token stop)
{
    return FunctionTimes(timeline, profile, names, function).find(filter, std::move(stop));
}

} // namespace helio
