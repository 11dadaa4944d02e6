#include "core/query/filters/call_search.h"

#include "core/experiment/timeline.h"
#include "core/query/filters/longest_hits.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/interval_walk.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace helio {
namespace {

/// A row of calls, and its parent row.
struct CallRow {
    Row row;
    TrackRef thread;
};

/// True if the store has calls; frames of samples are no calls.
bool hasCalls(const Store& store) { return std::ranges::any_of(store.segments().kinds(), &SegmentKind::areCalls); }

std::vector<CallRow> rowsOfCalls(const Timeline& timeline, std::span<const std::string> views)
{
    std::vector<CallRow> found;
    for (const std::string& view : views) {
        const std::vector<Row> all = rows(timeline, view);
        for (const Row& row : all)
            if (row.ref.isValid() && row.valueKind == ValueKind::Frame && hasCalls(storeAt(timeline, row.ref.store)))
                found.push_back({row, row.parent >= 0 ? all[static_cast<std::size_t>(row.parent)].ref : row.ref});
    }
    return found;
}

/// Matches calls on a row by the name of their function. All other facts come from the row.
class CallMatcher {
public:
    CallMatcher(const Timeline& timeline, const Expression& expression, const Row& row)
        : m_expression(expression)
        , m_row(row)
        , m_facts(row.ref.isValid() ? rowFacts(timeline, row) : RowFacts())
    {
        m_facts.row = &m_row;
        m_facts.names.clear();
        m_facts.matchesNamesOnly = true;
    }
    CallMatcher(const CallMatcher&) = delete;
    CallMatcher& operator=(const CallMatcher&) = delete;

    bool matches(const std::string& function, TimeRange range = {}) { return helio::matches(m_expression, m_facts, function, range); }

private:
    const Expression& m_expression;
    Row m_row;
    RowFacts m_facts;
};

/// The names of the functions of a store's stacks; each is looked up once.
class FunctionNames {
public:
    FunctionNames(const Timeline& timeline, StoreIndex store)
        : m_timeline(timeline)
        , m_store(store)
    {
    }
    const std::string& of(std::uint32_t stack)
    {
        const auto [it, isNew] = m_names.try_emplace(stack);
        if (isNew)
            it->second = frameText(m_timeline, m_store, StackId{stack});
        return it->second;
    }

private:
    const Timeline& m_timeline;
    StoreIndex m_store;
    std::unordered_map<std::uint32_t, std::string> m_names;
};

} // namespace

bool searchesFunctions(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, std::stop_token stop)
{
    CallMatcher matcher(timeline, expression, Row());
    if (matcher.matches({}))
        return false;
    for (const std::string& view : views)
        readFrameNames(timeline, view, stop);
    std::map<StoreIndex, std::size_t> stacks; // Number of stacks, by store.
    for (const CallRow& it : rowsOfCalls(timeline, views))
        stacks[it.row.ref.store] = storeAt(timeline, it.row.ref.store).stacks().nodes().size();
    for (const auto& [store, count] : stacks)
        for (std::size_t stack = 1; stack < count && !stop.stop_requested(); ++stack)
            if (matcher.matches(frameText(timeline, store, StackId{static_cast<std::uint32_t>(stack)})))
                return true;
    return false;
}

StateFindings findCalls(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                        const std::function<void(double, std::uint64_t)>& onProgress, std::stop_token stop, std::size_t limit)
{
    for (const std::string& view : views)
        readFrameNames(timeline, view, stop);
    const std::vector<CallRow> all = rowsOfCalls(timeline, views);
    std::uint64_t intervals = 1;
    for (const CallRow& it : all)
        intervals += it.row.intervals;
    LongestHits keeper(limit);
    StateSums sums;
    std::map<StoreIndex, FunctionNames> names;
    std::uint64_t done = 0;
    for (const CallRow& it : all) {
        if (stop.stop_requested())
            break;
        const TrackRef track = it.row.ref;
        FunctionNames& functions = names.try_emplace(track.store, timeline, track.store).first->second;
        CallMatcher matcher(timeline, expression, it.row);
        forEachRowInterval(
            timeline, it.row, window,
            [&](const Interval& interval) {
                const std::string& function = functions.of(interval.value);
                if (!matcher.matches(function, interval.range))
                    return;
                keeper.add({track, interval.range, interval.state, interval.value});
                sums.add(it.thread, function, interval.range.duration());
            },
            stop);
        done += it.row.intervals;
        if (onProgress)
            onProgress(double(done) / double(intervals), sums.count());
    }
    StateFindings findings = findingsOf(keeper, sums, stop);
    findings.areCalls = true;
    return findings;
}

} // namespace helio
