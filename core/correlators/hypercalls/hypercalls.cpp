#include "core/correlation/correlator.h"
#include "core/correlators/hypercalls/hypercall_matching.h"
#include "core/experiment/timeline.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/compare_hosts.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

/// Finds the thread that was running on a CPU, in the store of the CPU's trace.
class ThreadsOfCpus {
public:
    explicit ThreadsOfCpus(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    std::int32_t at(std::uint32_t trace, std::int32_t cpu, HostTimestamp time)
    {
        const TrackRef row = rowOf(trace, cpu);
        const Store* store = storeOf(m_timeline, row);
        if (!store)
            return -1;
        const auto found = store->intervalAt(row.track, time);
        if (found.empty())
            return -1;
        const Track& threads = store->tracks()[static_cast<std::size_t>(row.track)];
        const auto& states = store->stateSets()[static_cast<std::size_t>(threads.states)].states;
        const Track* thread = isOnCpu(states[static_cast<std::size_t>(found.front().state)].meaning)
            ? trackOf(m_timeline, {row.store, TrackId{found.front().value}})
            : nullptr;
        return thread ? thread->tid : -1;
    }

private:
    TrackRef rowOf(std::uint32_t trace, std::int32_t cpu)
    {
        const auto [found, isNew] = m_rows.try_emplace({trace, cpu});
        if (isNew)
            forEachStoreOf(m_timeline, trace, [&](StoreIndex index, const Store& store) {
                if (const auto rows = store.tracksOf(TrackRole::CpuThread, cpu); !found->second.isValid() && !rows.empty())
                    found->second = {index, rows.front()};
            });
        return found->second;
    }

    const Timeline& m_timeline;
    std::map<std::pair<std::uint32_t, std::int32_t>, TrackRef> m_rows;
};

/// Returns true if the trace may record the ends of hypercall messages. A trace with complete event counts must contain such an event; for
/// any other trace, it is enough that it declares the event type.
bool mayHaveMarks(const TimelineTrace& t)
{
    const bool isCounted = t.facts && t.facts->isComplete();
    return t.trace
        && hypercalls::hasHypercallEnds(*t.trace, isCounted ? t.facts->summary().eventsByType : std::span<const std::uint64_t>());
}

/// Finds messages between guests and their hosts, made by hypercalls. They bound the offset of the clocks, and show which host runs each
/// guest.
class Hypercalls final : public Correlator {
public:
    std::string_view id() const override { return "hypercalls"; }
    When when() const override { return When::Indexed; }
    bool comparesHosts() const override { return true; }

    bool appliesTo(const Timeline& timeline) const override { return std::ranges::any_of(timeline.traces, mayHaveMarks); }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token stop) const override
    {
        std::vector<hypercalls::HypercallEnd> marks;
        for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (mayHaveMarks(timeline.traces[trace]))
                hypercalls::readHypercallEnds(*timeline.traces[trace].trace, trace, marks, stop);
        ThreadsOfCpus threads(timeline);
        auto messages = hypercalls::matchHypercallEnds(
            std::move(marks), timeline.traces.size(),
            [&](std::uint32_t trace, std::int32_t cpu, HostTimestamp at) { return threads.at(trace, cpu, at); });
        Correlation found;
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "matching hypercalls was cancelled"};
        if (messages.observations == 0)
            return found;
        found.comparisons =
            std::make_shared<const std::vector<HostComparison>>(compareHosts(timeline, messages, ClockMethod::Hypercalls, stop));
        found.messages = std::make_shared<const Transmissions>(std::move(messages));
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator hypercallsRelation{[]() -> std::shared_ptr<const Correlator> { return std::make_shared<Hypercalls>(); }};

} // namespace helio
