#include "core/virtualization/interrupts.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/timesync/link_times.h"
#include "core/virtualization/row_cursor.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <span>
#include <tuple>

namespace helio {
namespace {

/// An interrupt source on a guest's CPU, and the times at which its handler began.
struct Source {
    TrackRef row;
    std::vector<Timestamp> begins;
};

/// Returns an iterator to the last element of a sorted range that begins at or before `at`; `end` if there is none.
template <typename It, typename Begin> It lastNotBehind(It begin, It end, Timestamp at, const Begin& beginOf)
{
    const auto next = std::ranges::upper_bound(begin, end, at, {}, beginOf);
    return next == begin ? end : std::prev(next);
}

/// Returns the interrupt sources on a guest's CPU. A state with a value is an execution of a handler; the value is the handler's name.
std::vector<Source> sourcesOn(const Timeline& timeline, TrackRef cpu, const std::stop_token& stop)
{
    std::vector<Source> sources;
    const std::uint32_t trace = traceOf(timeline, cpu.store);
    const std::int32_t number = trackOf(timeline, cpu)->cpu;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::Interrupt, [&](TrackRef ref, const Track& track) {
            if (track.cpu == number && !isOfAllTraces(timeline, index))
                sources.push_back({ref, {}});
        });
    });
    for (Source& source : sources)
        machines::RowCursor(timeline, source.row).each(TimeRange{Timestamp::min(), Timestamp::max()}, [&](const Interval& it) {
            if (!stop.stop_requested() && it.value != 0 && meaningOf(timeline, source.row, it.state) == StateCategory::None)
                source.begins.push_back(it.range.begin);
        });
    return sources;
}

/// Matches the interrupts of one vCPU with their handlers.
class InterruptsOf {
public:
    InterruptsOf(const Timeline& timeline, const VirtualMachine& machine, const VcpuBinding& vcpu, std::span<GuestInterrupt> all)
        : m_timeline(timeline)
        , m_host(timeline.traces[machine.hostTrace].host)
        , m_guest(timeline.traces[machine.guestTrace].host)
        , m_cpu(vcpu.guestCpu)
        , m_all(all)
    {
        std::ranges::stable_sort(m_all, {}, enteredAt);
        for (GuestInterrupt& it : m_all)
            m_byNumber[it.number].push_back(&it);
    }

    void match(const std::stop_token& stop)
    {
        for (const Source& source : sourcesOn(m_timeline, m_cpu, stop))
            if (const auto number = vectorOf(source); !number.empty() && !stop.stop_requested())
                match(source, m_byNumber[number]);
    }

private:
    static Timestamp enteredAt(const GuestInterrupt& it) { return it.range.end; }
    static Timestamp enteredAtOf(const GuestInterrupt* it) { return it->range.end; }
    Duration errorAt(Timestamp at) const { return errorBetween(m_timeline, m_host, m_guest, at); }
    /// Returns the error bound of the clocks; 0 if it is unknown, because a clock that the user set without an error bound is taken as
    /// exact.
    static Duration errorOrZero(Duration error) { return error == UnknownError ? Duration{} : error; }

    /// Returns the interrupt vector of an interrupt source of the guest. Each handler of the source suggests the vector of the interrupt
    /// directly before the handler. The result is the vector that more than half of the handlers suggest; empty if there is none.
    std::string vectorOf(const Source& source) const
    {
        std::map<std::string, std::size_t> times;
        std::size_t all = 0;
        for (const Timestamp at : source.begins) {
            const auto it = lastNotBehind(m_all.begin(), m_all.end(), Timestamp(at + errorOrZero(errorAt(at))), enteredAt);
            if (it == m_all.end())
                continue;
            ++times[it->number];
            ++all;
        }
        const auto most = std::ranges::max_element(times, {}, [](const auto& it) { return it.second; });
        return most != times.end() && most->second * 2 > all ? most->first : std::string();
    }

    /// Assigns the handlers of an interrupt source to interrupts, from the last handler to the first. A
    /// handler gets the last interrupt before it. If a later handler already has this interrupt, the handler gets the interrupt before that
    /// one, provided that the error of the clocks allows it.
    void match(const Source& source, std::vector<GuestInterrupt*>& all)
    {
        const auto atOf = [&](const GuestInterrupt& it) { return it.handled && it.handled->row == source.row; };
        for (const Timestamp at : source.begins | std::views::reverse) {
            const Duration error = errorAt(at);
            auto it = lastNotBehind(all.begin(), all.end(), Timestamp(at + errorOrZero(error)), enteredAtOf);
            if (it == all.end())
                continue;
            const bool mayBeBehind = (*it)->range.end > at - errorOrZero(error);
            if (mayBeBehind && it != all.begin() && (*std::prev(it))->range.end > at - errorOrZero(error))
                continue; // Skip an ambiguous handler, which may belong to either of two interrupts.
            if (mayBeBehind && it != all.begin() && atOf(**it))
                --it;
            std::optional<GuestInterrupt::Handling>& handled = (*it)->handled;
            if (!handled || at < handled->at)
                handled = {source.row, at, error};
        }
    }

    const Timeline& m_timeline;
    const std::uint32_t m_host;
    const std::uint32_t m_guest;
    const TrackRef m_cpu;
    const std::span<GuestInterrupt> m_all;
    std::map<std::string, std::vector<GuestInterrupt*>> m_byNumber;
};

} // namespace

std::string GuestInterrupt::handler(const Timeline& timeline) const
{
    const Track* track = handled ? trackOf(timeline, handled->row) : nullptr;
    return track ? track->label : std::string();
}

std::vector<GuestInterrupt> findGuestInterrupts(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                                std::stop_token stop)
{
    // Indices of machine and vCPU, keyed by VcpuBinding::modes of the vCPU.
    std::map<TrackRef, std::pair<std::uint32_t, std::uint32_t>> places;
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size(); ++vcpu)
            if (const TrackRef modes = all[machine].vcpus[vcpu].modes; modes.isValid())
                places[modes] = {machine, vcpu};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<GuestInterrupt>> found;
    const auto add = [&](const Segment& it) {
        if (const auto place = places.find(it.row()); place != places.end())
            found[place->second].push_back(
                {place->second.first, place->second.second, std::string(nameOf(timeline, it)), it.range, std::nullopt});
    };
    forEachSegment(timeline, VcpuInterrupts, TimeRange{Timestamp::min(), Timestamp::max()}, add, stop);
    std::vector<GuestInterrupt> here;
    for (auto& [place, interrupts] : found) {
        const VirtualMachine& machine = all[place.first];
        const VcpuBinding& vcpu = machine.vcpus[place.second];
        if (vcpu.guestCpu.isValid())
            InterruptsOf(timeline, machine, vcpu, interrupts).match(stop);
        std::ranges::copy_if(interrupts, std::back_inserter(here), [&](const GuestInterrupt& it) {
            return it.range.begin < window.end && std::max(it.range.end, it.handled ? it.handled->at : it.range.end) >= window.begin;
        });
    }
    return stop.stop_requested() ? std::vector<GuestInterrupt>() : here;
}

std::vector<InterruptStats> computeInterruptStats(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                                  std::stop_token stop)
{
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::string, std::string>;
    std::map<Key, std::pair<InterruptStats, std::vector<std::int64_t>>> sums;
    for (const GuestInterrupt& it : findGuestInterrupts(timeline, all, window, stop)) {
        const std::string handler = it.handler(timeline);
        auto& [sum, lengths] = sums[{it.machine, it.vcpu, it.number, handler}];
        if (lengths.empty() || it.length() > sum.most) {
            sum = {it.machine, it.vcpu, it.number, handler, 0, {}, {}, {}, it.length(), it.range.begin, sum.error};
        }
        if (it.handled)
            sum.error = std::max(sum.error.value_or(Duration{}), it.handled->error);
        lengths.push_back(it.length().count());
    }
    std::vector<InterruptStats> found;
    for (auto& [key, of] : sums) {
        const DurationDistribution spread = summarizeDurations(std::move(of.second));
        InterruptStats& sum = found.emplace_back(std::move(of.first));
        std::tie(sum.count, sum.total, sum.median, sum.p99) = std::tuple(spread.count, spread.total, spread.median, spread.p99);
    }
    std::ranges::stable_sort(found, [](const InterruptStats& a, const InterruptStats& b) {
        return std::tuple(a.machine, a.vcpu, b.total) < std::tuple(b.machine, b.vcpu, a.total);
    });
    return found;
}

} // namespace helio
