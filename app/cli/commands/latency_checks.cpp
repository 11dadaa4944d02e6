#include "app/cli/commands/latency_pieces.h"
#include "app/cli/commands/run_table.h"
#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/no_pieces.h"
#include "core/latency/pairs/timer_expiries.h"
#include "core/latency/throttling/throttled.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/stays.h"
#include "core/waits/path/waits.h"

#include <algorithm>
#include <set>
#include <stop_token>
#include <utility>

// Whether there is what latency is asked for, and what there is else.
namespace helio {

Status LatencyPieces::check(const std::function<AskableAnalyses()>& askable) const
{
    const bool haveFields = m_hasFields || m_isOfWaits || m_isOfThrottled;
    if (const Status ofFields = haveFields ? Status(Done{}) : checkFilterOfRows(m_options.table.selection); !ofFields)
        return ofFields;
    if (const Status ofCpu = checkCpu(); !ofCpu || m_isOfSegments || m_run)
        return ofCpu;
    if (m_isOfWakeups || m_isOfWaits || m_isOfThrottled || m_isOfTransits || m_pairs) {
        const auto isOfThread = [](const Row& row) { return row.role == TrackRole::Thread; };
        if (!m_options.table.view.empty() && std::ranges::none_of(rows(m_timeline, m_options.table.view), isOfThread))
            return Error{Error::Kind::Usage,
                         "--view: \"" + m_options.kind + "\" is of threads, of which the view " + m_options.table.view + " has none"};
    }
    if (m_isOfWakeups || m_isOfWaits || m_isOfTimers || m_isOfThrottled || m_isOfTransits)
        return Done{};
    if (m_pairs) {
        const Status done = *m_pairs ? checkEventPairs(m_timeline, **m_pairs) : Status(m_pairs->error());
        return done ? done : Status(Error{Error::Kind::Usage, "--of: " + done.error().what});
    }
    for (const std::string& view : m_views)
        for (const Row& row : rows(m_timeline, view))
            if (!m_state.empty() && findState(m_timeline, row.ref, m_state))
                return Done{};
    const AskableAnalyses others = askable();
    const std::string lack = missingEvents(m_timeline, m_options.kind);
    return Error{Error::Kind::Usage,
                 "--of: there is no kind \"" + m_options.kind + "\" here" + (lack.empty() ? "" : ": " + lack)
                     + (others.whyNot.empty() ? "" : ", as " + others.whyNot) + "; " + kindsThere(others.patterns)};
}

/// Where only those of one CPU are asked for.
Status LatencyPieces::checkCpu() const
{
    if (!m_options.table.selection.cpu || isOfCpus())
        return Done{};
    std::string others;
    for (const StateRun& run : stateRuns(m_timeline))
        if (run.isOfCpu)
            others += run.id + ", ";
    if (hasTimerExpiries(m_timeline))
        others.append(TimerKind).append(", ");
    return Error{Error::Kind::Usage,
                 "--cpu: of \"" + m_options.kind + "\" no CPU is known, as it is not of CPUs; it is of " + others
                     + "states of CPUs and 'EVENT(FIELD) -> EVENT(FIELD)'"};
}

/// Whether there is any on a row that knows its CPU, and none of a thread that may have any. Of segments cost: as reading them, of threads'
/// as reading them up to the first.
bool LatencyPieces::isOfCpus() const
{
    const auto hasCpu = [](const Row& row) { return row.cpu >= 0; };
    if (m_isOfSegments) {
        std::set<TrackRef> seen;
        std::stop_source found;
        bool isOnCpu = false;
        bool isOfThreads = false; // As waits for locks are, but for those of idle threads.
        const TimeRange all{Timestamp::min(), Timestamp::max()};
        const auto look = [&](const Segment& it) {
            if (!seen.insert(it.row()).second)
                return;
            const Row row = rowOf(m_timeline, it);
            isOnCpu |= hasCpu(row);
            isOfThreads |= !hasCpu(row) && row.tid >= 0;
            if (isOfThreads)
                found.request_stop();
        };
        eachSegment(m_timeline, m_options.kind, all, look, found.get_token());
        return !isOfThreads && (isOnCpu || seen.empty());
    }
    if (m_run)
        return m_run->isOfCpu;
    if (m_state.empty())
        return !m_isOfWakeups && !m_isOfWaits && !m_isOfThrottled;
    const auto rows = rowsWithState();
    return rows.empty() || std::ranges::any_of(rows, [&](const RowState& it) { return hasCpu(it.row); });
}

/// "there are: syscalls, wakeup, state:NAME with NAME one of blocked, idle, 'EVENT(FIELD) -> EVENT(FIELD)'".
std::string LatencyPieces::kindsThere(const std::vector<std::string>& patterns) const
{
    std::string there;
    const std::vector<SegmentKind> kinds = segmentKinds(m_timeline);
    for (const SegmentKind& kind : kinds)
        there += (there.empty() ? "" : ", ") + kind.id;
    for (const std::string& pattern : patterns)
        if (std::ranges::find(kinds, pattern, &SegmentKind::id) == kinds.end())
            there += (there.empty() ? "" : ", ") + pattern;
    for (const StateRun& run : stateRuns(m_timeline))
        there += (there.empty() ? "" : ", ") + run.id;
    if (const std::string wakeups(wakeupKind(m_timeline)); !wakeups.empty())
        there += (there.empty() ? "" : ", ") + wakeups;
    if (const std::string byPriority = wakeupPriorityKind(m_timeline); !byPriority.empty())
        there.append(", ").append(byPriority);
    if (hasTimerExpiries(m_timeline))
        there.append(", ").append(TimerKind);
    if (hasWaitCauses(m_timeline))
        there.append(", ").append(WaitKind);
    if (mayBeThrottled(m_timeline))
        there += (there.empty() ? "" : ", ") + std::string(ThrottledKind);
    for (const std::string& kind : transitKinds(m_timeline))
        there += (there.empty() ? "" : ", ") + kind;
    std::set<std::string> states;
    for (const std::string& view : m_views)
        for (const Row& row : rows(m_timeline, view))
            for (const StateKind& state : statesOf(m_timeline, row.ref).states)
                states.insert(state.name);
    std::string names;
    for (const std::string& name : states)
        names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
        there += (there.empty() ? "" : ", ") + std::string(OfState) + "NAME with NAME one of " + names;
    there += (there.empty() ? "" : ", ") + std::string("'EVENT(FIELD) -> EVENT(FIELD)'");
    return "there are: " + there;
}

/// Where the filter asks for a field that the first segment of the kind does not have. Empty: it has it, or there is none.
std::string LatencyPieces::missingField() const
{
    const auto& filter = m_options.table.selection.filter;
    const std::string field = filter && m_isOfSegments ? filter->ownField() : std::string();
    std::string lack;
    std::stop_source found; // Some more come before it stops.
    bool isFirst = true;
    const auto look = [&](const Segment& it) {
        const std::string_view fields = fieldsOf(m_timeline, it);
        if (std::exchange(isFirst, false) && found.request_stop() && !fieldOf(fields, field))
            for (const std::string& name : fieldNames(fields))
                lack += (lack.empty() ? "" : ", ") + name;
    };
    if (!field.empty())
        eachSegment(m_timeline, m_options.kind, {Timestamp::min(), Timestamp::max()}, look, found.get_token());
    return lack.empty() ? lack : "--filter: the first \"" + m_options.kind + "\" has no field \"" + field + "\"; it has " + lack;
}

} // namespace helio
