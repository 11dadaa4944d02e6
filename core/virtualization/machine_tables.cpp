#include "core/virtualization/machine_tables.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/virtualization/steal_intervals.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace helio {
namespace {

/// Increments the count in `sum`, adds `length` to its total and updates its maximum. `at`: begin of the interval with this length; it is
/// stored if `length` is the new maximum.
template <typename Sum> void add(Sum& sum, Duration length, Timestamp at)
{
    if (sum.count == 0 || length > sum.most) {
        sum.most = length;
        sum.mostAt = at;
    }
    ++sum.count;
    sum.total = sumOf(sum.total, length);
}

template <typename Key, typename Sum, typename Order> std::vector<Sum> sorted(std::map<Key, Sum>& sums, const Order& order)
{
    std::vector<Sum> all;
    for (auto& [key, sum] : sums)
        all.push_back(std::move(sum));
    std::ranges::stable_sort(all,
                             [&](const Sum& a, const Sum& b) { return std::tuple(order(a), b.total) < std::tuple(order(b), a.total); });
    return all;
}

std::string duringText(const Timeline& timeline, TrackRef thread, const Interval& it)
{
    if (meaningOf(timeline, thread, it.state) == StateCategory::OnCpuUser)
        return "user";
    const std::string text = valueText(timeline, thread, it.value);
    return text.empty() ? std::string(stateName(timeline, thread, it.state)) : text;
}

/// Sums up the steal time of one guest by thread and activity.
class StolenOf {
public:
    StolenOf(const Timeline& timeline, std::uint32_t machine)
        : m_timeline(timeline)
        , m_machine(machine)
    {
    }

    void take(const VcpuOccupant& holder, const std::vector<StealInterval>& intervals)
    {
        const Track* track = trackOf(m_timeline, holder.thread);
        if (!track) {
            const bool isIdle = holder.kind == VcpuOccupant::Kind::Idle;
            const std::string what = isIdle ? "idle" : "unknown";
            for (const StealInterval& it : intervals)
                add(sumOf({}, isIdle ? 0 : -1, what, what), it.range.duration(), it.range.begin);
            return;
        }
        machines::RowCursor states(m_timeline, holder.thread);
        for (const StealInterval& it : intervals)
            addThreadTime(*track, states, it.range);
    }

    std::map<std::tuple<TrackRef, std::string>, StealSum> take() { return std::move(m_sums); }

private:
    /// Splits the steal time `range` by the thread's states and adds the parts. Usually there is only one state, because a guest's thread
    /// cannot change its state while its vCPU has no CPU.
    void addThreadTime(const Track& track, machines::RowCursor& states, TimeRange range)
    {
        std::map<std::string, std::pair<Duration, Timestamp>> parts;
        Timestamp known = range.begin;
        const auto put = [&](const std::string& during, TimeRange part) {
            if (!part.isEmpty())
                parts.try_emplace(during, Duration(), part.begin).first->second.first += part.duration();
        };
        states.each(range, [&](const Interval& it) {
            put("unknown", {known, it.range.begin});
            put(duringText(m_timeline, states.row(), it), it.range);
            known = it.range.end;
        });
        put("unknown", {known, range.end});
        for (const auto& [during, part] : parts)
            add(sumOf(states.row(), track.tid, track.label, during), part.first, part.second);
    }

    StealSum& sumOf(TrackRef thread, std::int32_t tid, const std::string& comm, const std::string& during)
    {
        StealSum& sum = m_sums[{thread, during}];
        sum.machine = m_machine;
        sum.thread = thread;
        sum.tid = tid;
        sum.comm = comm;
        sum.during = during;
        return sum;
    }

    const Timeline& m_timeline;
    const std::uint32_t m_machine;
    std::map<std::tuple<TrackRef, std::string>, StealSum> m_sums;
};

} // namespace

std::vector<CulpritSum> culpritsOf(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window, std::stop_token stop)
{
    VcpuWaitFinder absences(timeline, all, window, stop);
    std::map<std::tuple<std::uint32_t, std::uint32_t, CpuOccupant::Kind, std::string>, CulpritSum> sums;
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size() && !stop.stop_requested(); ++vcpu) {
            const VcpuWaitList& of = absences.of(machine, vcpu);
            for (const VcpuWait& it : of.all)
                for (const OccupantShare& share : it.isPreempted ? of.occupantsDuring(it) : std::span<const OccupantShare>()) {
                    const CpuOccupant& occupant = absences.occupants()[share.occupant];
                    CulpritSum& sum = sums[{machine, vcpu, occupant.kind, occupant.name}];
                    sum.machine = machine;
                    sum.vcpu = vcpu;
                    sum.occupant = occupant;
                    add(sum, share.total, share.first);
                }
        }
    return sorted(sums, [](const CulpritSum& it) { return std::pair(it.machine, it.vcpu); });
}

std::vector<StealSum> computeStealSums(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                       std::stop_token stop)
{
    VcpuWaitFinder absences(timeline, all, window, stop);
    std::vector<StealSum> sums;
    for (std::uint32_t machine = 0; machine < all.size() && !stop.stop_requested(); ++machine) {
        if (all[machine].guestTrace == NoTraceIndex)
            continue;
        StolenOf of(timeline, machine);
        for (const auto& [holder, intervals] : findStealIntervals(timeline, all, machine, absences, stop))
            of.take(holder, intervals);
        auto found = of.take();
        std::ranges::move(sorted(found, [](const StealSum& it) { return it.machine; }), std::back_inserter(sums));
    }
    return sums;
}

std::vector<ExitStats> computeExitStats(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                        std::stop_token stop)
{
    std::map<TrackRef, std::pair<std::uint32_t, std::uint32_t>> vcpus; ///< Indexes of machine and vCPU, keyed by the vCPU's row of modes.
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size(); ++vcpu)
            if (const TrackRef modes = all[machine].vcpus[vcpu].modes; modes.isValid())
                vcpus[modes] = {machine, vcpu};
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::string>;
    std::map<Key, std::vector<std::int64_t>> lengths;
    forEachSegment(
        timeline, VcpuExits, window,
        [&](const Segment& it) {
            if (const auto of = vcpus.find(it.row()); of != vcpus.end())
                lengths[{of->second.first, of->second.second, std::string(nameOf(timeline, it))}].push_back(it.range.duration().count());
        },
        stop);
    std::map<Key, ExitStats> sums;
    for (auto& [key, all_] : lengths) {
        const DurationDistribution spread = summarizeDurations(std::move(all_));
        sums[key] = {std::get<0>(key), std::get<1>(key), std::get<2>(key), spread.count,
                     spread.total,     spread.median,    spread.p99,       spread.most};
    }
    return sorted(sums, [](const ExitStats& it) { return std::pair(it.machine, it.vcpu); });
}

} // namespace helio
