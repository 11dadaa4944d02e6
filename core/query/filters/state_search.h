#pragma once

#include "core/query/filters/expression.h"
#include "core/store/store.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Returns what a filter can ask about a row; the row outlives it.
RowFacts rowFacts(const Timeline& timeline, const Row& row);
/// True if an interval of a row matches. `facts`: the row's facts, completed here with the interval's. The name of a call is its function.
bool matches(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval);

/// True if something with that name and range on the row matches. If `name` is empty, the row's names are used.
bool matches(const Expression& expression, RowFacts& facts, std::string_view name, TimeRange range);

/// An interval found by a search over states.
struct StateHit {
    TrackRef track;
    TimeRange range; ///< Clipped to the searched window.
    State state{};
    std::uint32_t value = 0;
    bool operator==(const StateHit&) const = default;
};

/// Summary of durations. Percentiles are by nearest rank; nullopt if there were too many durations to keep each.
struct StateDurations {
    std::uint64_t count = 0;
    Duration total{};
    Duration min{};
    Duration max{};
    std::optional<Duration> p50;
    std::optional<Duration> p99;
    Duration mean() const;
};

/// Summary of the intervals of one state, on one row or (`track` not valid) on all rows. From findCalls(): of the calls of one function, by
/// one thread.
struct StateGroup {
    std::string state; ///< Name of the state or function.
    TrackRef track;
    StateDurations durations;
};

struct StateFindings {
    std::vector<StateHit> hits; ///< Sorted by begin, then in the order of the rows. If there were more than the limit: the longest.
    StateDurations all;
    std::vector<StateGroup> groups; ///< States by total time, most first; each state is followed by its rows, in the same order.
    bool isCut() const { return all.count > hits.size(); }
    bool wasStopped = false;
    bool areCalls = false; ///< Set by findCalls().
};

/// Limits of what findStates() keeps, whatever is found: about 20 and 32 MB.
constexpr std::size_t MaxStateHits = 200'000;
constexpr std::size_t MostDurations = 4'000'000;

/// Finds every interval that matches, for `heliograph states --filter` and the window. `onProgress` is called from the calling thread with
/// the share done (0 to 1) and the number of intervals found so far. Once `stop` is requested, returns what was found until then.
StateFindings findStates(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                         const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                         std::size_t limit = MaxStateHits);

/// Sums up durations that are added one by one, by state and row, for StateFindings.
/// Threads: to be used by one thread.
class StateSums {
public:
    void add(TrackRef track, std::string_view state, Duration duration);
    std::uint64_t count() const { return m_count; }
    StateDurations all() const;
    std::vector<StateGroup> groups() const; ///< In the order of StateFindings::groups.

private:
    struct Sum {
        StateDurations known;
        std::vector<std::int64_t> durations; ///< In ns.
    };
    using Key = std::pair<std::string, TrackRef>;

    StateDurations finished(std::span<const Sum* const> parts) const;

    std::map<Key, Sum> m_sums;
    std::map<Key, Sum>::iterator m_last = m_sums.end(); ///< Cached because the intervals of a row come one after another.
    std::uint64_t m_count = 0;
};

/// True if the expression searches for functions: some called function matches by its name, and would not match without it.
/// Threads: any but the UI thread: reads symbols.
/// Cost: as readFrameNames(), then about 100 ns for each different call stack.
bool searchesFunctions(const Timeline& timeline, const Expression& expression, std::span<const std::string> views,
                       std::stop_token stop = {});

/// Finds every call that matches. Works like findStates(), but only the name of the function counts, not the names of its thread. Groups
/// are by function and thread; the track of a group is the parent of the thread's rows of calls.
StateFindings findCalls(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                        const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                        std::size_t limit = MaxStateHits);

} // namespace helio
