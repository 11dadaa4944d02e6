#include "core/compare/durations.h"

#include "core/query/rows/interval_walk.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace helio {
namespace {

using Key = std::tuple<ComparedDurations::Kind, std::string, std::string>;
using Lengths = std::map<Key, std::vector<std::int64_t>>;

constexpr std::string_view InSyscall = "running-syscall";
constexpr std::size_t LastBucket = 62 * DurationSpread::PerOctave; ///< Durations end within it.

/// Whether a system call may go on through such a state: it waits, is preempted, interrupted, or faults.
bool goesOnThrough(std::string_view state) { return state != "running-user" && state != "running" && state != "exiting"; }

/// Takes the intervals of one thread.
class ThreadLengths {
public:
    ThreadLengths(const Timeline& timeline, const Row& row, TimeRange within, Lengths& lengths)
        : m_timeline(timeline)
        , m_row(row)
        , m_within(within)
        , m_lengths(lengths)
    {
    }

    void take(const Interval& interval)
    {
        const auto& [state, detail] = textsOf(interval);
        if (state == "unknown") {
            m_mayCall = false;
            return endCall(interval.range.begin, false);
        }
        if (isWhole(interval.range))
            m_lengths[{ComparedDurations::Kind::State, state, detail}].push_back(interval.range.duration().count());
        followCall(interval, state, detail);
    }

private:
    bool isWhole(TimeRange range) const { return range.begin > m_within.begin && range.end < m_within.end; }

    void followCall(const Interval& interval, const std::string& state, const std::string& detail)
    {
        if (state == InSyscall) {
            if (!m_call.empty() && m_call != detail)
                endCall(interval.range.begin, true);
            if (m_call.empty() && m_mayCall) {
                m_call = detail;
                m_since = interval.range.begin;
            }
        } else if (!goesOnThrough(state)) {
            endCall(interval.range.begin, true);
            m_mayCall = true;
        }
    }

    void endCall(Timestamp at, bool isSeen)
    {
        if (!m_call.empty() && isSeen && isWhole({m_since, at}))
            m_lengths[{ComparedDurations::Kind::Syscall, std::string(InSyscall), m_call}].push_back((at - m_since).count());
        m_call.clear();
    }

    const std::pair<std::string, std::string>& textsOf(const Interval& interval)
    {
        const auto [found, isNew] = m_texts.try_emplace({interval.state, interval.value});
        if (isNew)
            found->second = {std::string(stateName(m_timeline, m_row.ref, interval.state)),
                             valueText(m_timeline, m_row.ref, interval.value)};
        return found->second;
    }

    const Timeline& m_timeline;
    const Row& m_row;
    TimeRange m_within;
    Lengths& m_lengths;
    std::map<std::pair<State, std::uint32_t>, std::pair<std::string, std::string>> m_texts;
    std::string m_call; ///< The system call that the thread is in; empty: none that was seen to begin.
    Timestamp m_since;
    bool m_mayCall = false; ///< It was in user code: a new thread begins inside a call that it never made.
};

Lengths lengthsOf(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, const std::stop_token& stop)
{
    Lengths lengths;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Row>> threads; // By host and pid.
    if (!runs.empty() && !subject.thread.isValid())
        for (Row& row : rows(timeline, "control-flow"))
            if (row.kind == "thread" && row.pid >= 0)
                threads[{row.host, row.pid}].push_back(std::move(row));
    for (const ProcessRun& run : runs) {
        const auto found = threads.find({run.leader.host, run.leader.pid});
        const std::vector<Row> own = found == threads.end() ? std::vector{run.leader} : found->second;
        for (const Row& row : own) {
            if (stop.stop_requested())
                return lengths;
            ThreadLengths thread(timeline, row, run.range, lengths);
            eachInterval(
                timeline, row, run.range, [&](const Interval& interval) { thread.take(interval); }, stop);
        }
    }
    return lengths;
}

DurationSpread spreadOf(std::vector<std::int64_t> lengths)
{
    DurationSpread spread;
    if (lengths.empty())
        return spread;
    std::ranges::sort(lengths);
    spread.count = lengths.size();
    spread.least = Duration(lengths.front());
    spread.most = Duration(lengths.back());
    spread.median = Duration(lengths[(lengths.size() - 1) / 2]);
    spread.p99 = Duration(lengths[static_cast<std::size_t>(std::ceil(double(lengths.size()) * 0.99)) - 1]);
    for (const std::int64_t length : lengths) {
        spread.total += Duration(length);
        const std::size_t bucket = DurationSpread::bucketOf(Duration(length));
        if (bucket >= spread.byLength.size())
            spread.byLength.resize(bucket + 1);
        ++spread.byLength[bucket];
    }
    return spread;
}

} // namespace

std::size_t DurationSpread::bucketOf(Duration duration)
{
    if (duration.count() <= 1)
        return 0;
    auto bucket = std::min(LastBucket, static_cast<std::size_t>(std::log2(double(duration.count())) * PerOctave));
    while (bucket < LastBucket && bucketBegin(bucket + 1) <= duration) // Rounding must not part what bucketBegin() says.
        ++bucket;
    while (bucket > 0 && bucketBegin(bucket) > duration)
        --bucket;
    return bucket;
}

Duration DurationSpread::bucketBegin(std::size_t bucket)
{
    return Duration(static_cast<std::int64_t>(std::ceil(std::exp2(double(std::min(bucket, LastBucket)) / PerOctave))));
}

std::vector<ComparedDurations> compareDurations(const Timeline& a, const Subject& ofA, std::span<const ProcessRun> runsA, const Timeline& b,
                                                const Subject& ofB, std::span<const ProcessRun> runsB, std::stop_token stop)
{
    Lengths inA = lengthsOf(a, ofA, runsA, stop);
    Lengths inB = lengthsOf(b, ofB, runsB, stop);
    for (const auto& [key, lengths] : inB)
        inA.try_emplace(key);
    std::vector<ComparedDurations> compared;
    for (auto& [key, lengths] : inA) {
        const auto& [kind, state, detail] = key;
        compared.push_back({kind, state, detail, spreadOf(std::move(lengths)), spreadOf(std::move(inB[key]))});
    }
    std::ranges::stable_sort(compared, std::greater(), [](const ComparedDurations& c) { return c.a.total + c.b.total; });
    return compared;
}

} // namespace helio
