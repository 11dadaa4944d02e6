#include "core/query/filters/state_search.h"

#include "core/experiment/timeline.h"
#include "core/query/filters/expression_tree.h"
#include "core/query/filters/longest_hits.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/interval_walk.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <utility>

namespace helio {

namespace {

void addName(std::vector<std::string>& names, std::string name)
{
    if (!name.empty() && std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
}

/// Returns every name that a row's thread held while the row existed, in the row's trace and in other traces of its host.
std::vector<std::string> threadNames(const Timeline& timeline, const Row& row)
{
    std::vector<std::string> names;
    const Track* const own = trackOf(timeline, row.ref);
    if (!own || row.tid < 0)
        return names;
    const bool isDepth = own->valueKind == ValueKind::Frame;
    for (std::string& name : namesOf(timeline, isDepth ? TrackRef{row.ref.store, own->parent} : row.ref))
        if (isDepth || row.role == TrackRole::Thread || row.kind == "thread")
            addName(names, std::move(name));
    const std::int32_t tid = hostTidOf(timeline, row.ref);
    if (row.role == TrackRole::Thread || tid < 0)
        return names;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        if (trace.host != row.host)
            return;
        for (const TrackId id : store.tracksOf(TrackRole::Thread, tid)) {
            const Track& thread = store.tracks()[static_cast<std::size_t>(id)];
            const TimeRange life = clockOf(timeline, index)(thread.life);
            if (hostTidOf(timeline, {index, id}) == tid && life.begin <= row.life.end && row.life.begin <= life.end)
                for (std::string& name : namesOf(timeline, {index, id}))
                    addName(names, std::move(name));
        }
    });
    return names;
}

} // namespace

RowFacts rowFacts(const Timeline& timeline, const Row& row)
{
    RowFacts facts{&row, namesOf(timeline, row.ref), {}};
    facts.threads = threadNames(timeline, row);
    // The label of such a row is a number.
    if (row.valueKind == ValueKind::Frame)
        facts.names = facts.threads;
    if (row.host < timeline.hosts.size()) {
        facts.host = timeline.hosts[row.host].label;
        facts.hostName = timeline.hosts[row.host].look.name;
    }
    facts.start = timeline.range.begin;
    return facts;
}

namespace {

/// Matches an interval. Requires: facts.state is set.
bool matchesNamed(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval)
{
    if (facts.row->valueKind == ValueKind::Frame)
        return matches(expression, facts, frameText(timeline, facts.row->ref.store, StackId{interval.value}), interval.range);
    facts.duration = interval.range.duration();
    facts.time = interval.range.begin;
    return matches(expression, facts);
}

} // namespace

bool matches(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval)
{
    const StateKind& state = stateKind(timeline, facts.row->ref, interval.state);
    facts.state = stateName(timeline, facts.row->ref, interval.state);
    if (!state.style.has(StateFlag::NamedByValue))
        return matchesNamed(expression, timeline, facts, interval);
    const std::string value = valueText(timeline, facts.row->ref, interval.value);
    const std::string_view name = std::exchange(facts.state, value);
    const bool isMatch = matchesNamed(expression, timeline, facts, interval);
    // The text of the value does not live longer.
    facts.state = name;
    return isMatch;
}

bool matches(const Expression& expression, RowFacts& facts, std::string_view name, TimeRange range)
{
    facts.duration = lengthOf(range);
    facts.time = range.begin;
    if (name.empty())
        return matches(expression, facts);
    std::vector<std::string> ofRow = std::exchange(facts.names, {std::string(name)});
    const bool isMatch = matches(expression, facts);
    facts.names = std::move(ofRow);
    return isMatch;
}

StateFindings findStates(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                         const std::function<void(double, std::uint64_t)>& onProgress, std::stop_token stop, std::size_t limit)
{
    for (const std::string& view : views)
        readFrameNames(timeline, view, stop);
    std::vector<Row> all;
    std::uint64_t intervals = 1;
    for (const std::string& view : views)
        for (Row& row : rows(timeline, view))
            if (row.ref.isValid()) {
                intervals += row.intervals;
                all.push_back(std::move(row));
            }
    LongestHits keeper(limit);
    StateSums sums;
    std::uint64_t done = 0;
    for (const Row& row : all) {
        if (stop.stop_requested())
            break;
        RowFacts facts = rowFacts(timeline, row);
        forEachRowInterval(
            timeline, row, window,
            [&](const Interval& interval) {
                if (!matches(expression, timeline, facts, interval))
                    return;
                keeper.add({row.ref, interval.range, interval.state, interval.value});
                sums.add(row.ref, facts.state, interval.range.duration());
            },
            stop);
        done += row.intervals;
        if (onProgress)
            onProgress(double(done) / double(intervals), sums.count());
    }
    return findingsOf(keeper, sums, stop);
}

} // namespace helio
