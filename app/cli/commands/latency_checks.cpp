#include "app/cli/commands/latency_intervals.h"
#include "app/cli/commands/run_table.h"
#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/empty_reason.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <set>
#include <stop_token>
#include <utility>

// Functions of LatencyIntervals that check whether the timeline has the requested kind of intervals and list the available kinds.
namespace helio {

Status LatencyIntervals::check(const std::function<RequestableAnalyses()>& requestable) const
{
    if (const Status ofFields = m_kind.hasFields ? Status(Done{}) : checkFilterOfRows(m_options.table.selection); !ofFields)
        return ofFields;
    if (!m_found)
        return Error{Error::Kind::Usage, "--of: " + m_found.error().what};
    if (!m_source) {
        const RequestableAnalyses others = requestable();
        const std::string lack = missingEvents(m_timeline, m_options.kind);
        return Error{Error::Kind::Usage,
                     "--of: there is no kind \"" + m_options.kind + "\" here" + (lack.empty() ? "" : ": " + lack)
                         + (others.whyNot.empty() ? "" : ", as " + others.whyNot) + "; " + kindsThere(others.patterns)};
    }
    if (const Status ofCpu = checkCpu(); !ofCpu)
        return ofCpu;
    const auto isOfThread = [](const Row& row) { return row.role == TrackRole::Thread; };
    if (m_kind.areOfThreads && !m_options.table.view.empty() && std::ranges::none_of(rows(m_timeline, m_options.table.view), isOfThread))
        return Error{Error::Kind::Usage,
                     "--view: \"" + m_options.kind + "\" needs threads, but the view " + m_options.table.view + " has none"};
    return Done{};
}

/// Checks that --cpu can select intervals of the requested kind.
/// Errors: Usage if a CPU is selected but intervals of the kind have no known CPU.
Status LatencyIntervals::checkCpu() const
{
    if (!m_options.table.selection.cpu || m_source->knowsCpus())
        return Done{};
    std::string others;
    for (const auto& it : intervalSources(m_shared))
        if (!it->kind().areSegments && !it->kind().areTransits && it->knowsCpus())
            others += it->kind().id + ", ";
    return Error{Error::Kind::Usage,
                 "--cpu: \"" + m_options.kind + "\" has no CPU; --cpu applies to " + others
                     + "states of CPUs and 'EVENT(FIELD) -> EVENT(FIELD)'"};
}

/// Returns the available kinds as text, for example "there are: syscalls, wakeup, state:NAME with NAME one of blocked, idle, 'EVENT(FIELD)
/// -> EVENT(FIELD)'".
std::string LatencyIntervals::kindsThere(const std::vector<std::string>& patterns) const
{
    std::vector<std::string> kinds;
    const IntervalSources sources = intervalSources(m_shared);
    for (const auto& it : sources)
        if (it->kind().areSegments)
            kinds.push_back(it->kind().id);
    for (const std::string& pattern : patterns)
        if (std::ranges::find(kinds, pattern) == kinds.end())
            kinds.push_back(pattern);
    for (const auto& it : sources)
        if (!it->kind().areSegments)
            kinds.push_back(it->kind().id);
    std::string there;
    for (const std::string& kind : kinds)
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
        there += std::string(there.empty() ? "" : ", ") + "state:NAME with NAME one of " + names;
    there += (there.empty() ? "" : ", ") + std::string("'EVENT(FIELD) -> EVENT(FIELD)'");
    return "there are: " + there;
}

/// Returns a message if the filter uses a field that the first segment of the kind lacks; empty otherwise, or if there is no segment.
std::string LatencyIntervals::missingField() const
{
    const auto& filter = m_options.table.selection.filter;
    const std::string field = filter && m_kind.areSegments ? filter->firstFieldName() : std::string();
    std::string lack;
    std::stop_source found; // Stops forEachSegment() at the first segment. It may still pass a few more segments before it returns.
    bool isFirst = true;
    const auto look = [&](const Segment& it) {
        const std::string_view fields = fieldsOf(m_timeline, it);
        if (std::exchange(isFirst, false) && found.request_stop() && !fieldOf(fields, field))
            for (const std::string& name : fieldNames(fields))
                lack += (lack.empty() ? "" : ", ") + name;
    };
    if (!field.empty())
        forEachSegment(m_timeline, m_options.kind, {Timestamp::min(), Timestamp::max()}, look, found.get_token());
    return lack.empty() ? lack : "--filter: the first \"" + m_options.kind + "\" has no field \"" + field + "\"; it has " + lack;
}

} // namespace helio
