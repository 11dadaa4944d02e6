#include "core/compare/durations.h"

#include "core/compare/causes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace helio {
namespace {

using Key = std::pair<ComparedDurations::Kind, TimeCause>;
using Lengths = std::map<Key, std::vector<std::int64_t>>;

/// True if the cause is time in a system call. Also true if it is unknown whether the thread was on a CPU during the call: such a state has
/// StateFlag::ActivityKnown, and its detail is the name of the call.
bool isInCall(const TimeCause& cause)
{
    return cause.state.meaning == StateCategory::OnCpuSyscall || (cause.state.style.has(StateFlag::ActivityKnown) && !cause.detail.empty());
}

/// Returns true if a system call may continue through a state of this category: the thread waits, is preempted or interrupted, or faults.
bool goesOnThrough(StateCategory state)
{
    return state != StateCategory::OnCpuUser && state != StateCategory::OnCpu && state != StateCategory::OnCpuExit
        && state != StateCategory::Unknown;
}

/// Collects durations by cause from the state intervals of one thread.
class ThreadDurations {
public:
    ThreadDurations(const Timeline& timeline, const Row& row, TimeRange within, Lengths& lengths)
        : m_timeline(timeline)
        , m_row(row)
        , m_within(within)
        , m_lengths(lengths)
    {
    }

    void take(const Interval& interval)
    {
        CauseDurations& known = knownOf(interval);
        if (isUnknown(known.cause.state)) {
            m_wasInUserMode = false;
            return endCall(interval.range.begin, false);
        }
        if (isWhole(interval.range) && !known.lengths)
            known.lengths = &m_lengths[{ComparedDurations::Kind::State, known.cause}];
        if (isWhole(interval.range))
            known.lengths->push_back(interval.range.duration().count());
        followCall(interval, known.cause);
    }

private:
    struct CauseDurations {
        TimeCause cause;
        /// List in m_lengths that collects the durations of `cause`; its address does not change. nullptr until the first complete interval
        /// with this cause.
        std::vector<std::int64_t>* lengths = nullptr;
    };

    bool isWhole(TimeRange range) const { return range.begin > m_within.begin && range.end < m_within.end; }

    void followCall(const Interval& interval, const TimeCause& cause)
    {
        if (isInCall(cause)) {
            if (m_call && m_call->detail != cause.detail)
                endCall(interval.range.begin, true);
            if (!m_call && m_wasInUserMode && !cause.detail.empty()) {
                m_call = &cause;
                m_since = interval.range.begin;
            }
        } else if (!goesOnThrough(cause.state.meaning)) {
            endCall(interval.range.begin, true);
            m_wasInUserMode = true;
        }
    }

    void endCall(Timestamp at, bool isSeen)
    {
        if (m_call && isSeen && isWhole({m_since, at}))
            m_lengths[{ComparedDurations::Kind::Syscall, *m_call}].push_back((at - m_since).count());
        m_call = nullptr;
    }

    CauseDurations& knownOf(const Interval& interval)
    {
        const auto [found, isNew] = m_known.try_emplace({interval.state, interval.value});
        if (isNew)
            found->second.cause = {stateKind(m_timeline, m_row.ref, interval.state), valueText(m_timeline, m_row.ref, interval.value)};
        return found->second;
    }

    const Timeline& m_timeline;
    const Row& m_row;
    TimeRange m_within;
    Lengths& m_lengths;
    std::map<std::pair<State, std::uint32_t>, CauseDurations> m_known;
    const TimeCause* m_call = nullptr; ///< The thread's current system call, in m_known; nullptr if the start of the call was not recorded.
    Timestamp m_since;
    /// True if the thread has been in user mode, so that it may begin a system call. A new thread is first seen inside a call (clone) that
    /// its parent made; that call is not counted.
    bool m_wasInUserMode = false;
};

Lengths lengthsOf(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, const std::stop_token& stop)
{
    Lengths lengths;
    // Rows of the threads of each process, keyed by host and PID.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Row>> threads;
    if (!runs.empty() && !subject.thread.isValid())
        for (Row& row : helio::threads(timeline))
            if (row.pid >= 0)
                threads[{row.host, row.pid}].push_back(std::move(row));
    for (const ProcessRun& run : runs) {
        const auto found = threads.find({run.leader.host, run.leader.pid});
        std::vector<Row> own = found == threads.end() ? std::vector{run.leader} : found->second;
        for (const Row& child : run.children)
            if (const auto its = threads.find(processOf(child)); its != threads.end())
                std::ranges::copy(its->second, std::back_inserter(own));
        for (const Row& row : own) {
            if (stop.stop_requested())
                return lengths;
            ThreadDurations thread(timeline, row, run.range, lengths);
            forEachRowInterval(
                timeline, row, run.range, [&](const Interval& interval) { thread.take(interval); }, stop);
        }
    }
    return lengths;
}

} // namespace

std::vector<ComparedDurations> compareDurations(const Timeline& a, const Subject& ofA, std::span<const ProcessRun> runsA, const Timeline& b,
                                                const Subject& ofB, std::span<const ProcessRun> runsB, std::stop_token stop)
{
    Lengths inA = lengthsOf(a, ofA, runsA, stop);
    Lengths inB = lengthsOf(b, ofB, runsB, stop);
    for (const auto& [key, lengths] : inB)
        inA.try_emplace(key);
    std::vector<ComparedDurations> compared;
    for (auto& [key, lengths] : inA) {
        const auto& [kind, cause] = key;
        compared.push_back(
            {kind, cause.state, cause.detail, summarizeDurations(std::move(lengths)), summarizeDurations(std::move(inB[key]))});
    }
    std::ranges::stable_sort(compared, std::greater(), [](const ComparedDurations& c) { return c.a.total + c.b.total; });
    return compared;
}

} // namespace helio
