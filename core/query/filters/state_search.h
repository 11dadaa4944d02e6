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

/// Returns the facts about a row that an expression can test.
/// Ownership: the row outlives the result.
RowFacts rowFacts(const Timeline& timeline, const Row& row);
/// True if an interval of a row matches. `facts` contains the facts of the row; the function adds the facts of the interval. If the
/// interval is a call, the name of the interval is the called function.
bool matches(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval);

/// True if a segment with the given name and range on the row matches. If `name` is empty, the names of the row are compared.
bool matches(const Expression& expression, RowFacts& facts, std::string_view name, TimeRange range);

/// An interval found by a search over states.
struct StateHit {
    TrackRef track;
    TimeRange range; ///< Range of the interval, clipped to the searched time range.
    State state{};
    std::uint32_t value = 0;
    bool operator==(const StateHit&) const = default;
};

/// Summary of durations. Percentiles are by nearest rank; nullopt if there were more durations than MostDurations.
struct StateDurations {
    std::uint64_t count = 0;
    Duration total{};
    Duration min{};
    Duration max{};
    std::optional<Duration> p50;
    std::optional<Duration> p99;
    Duration mean() const;
};

/// Summary of the intervals of one state on one row, or on all rows if `track` is not valid. In the result of findCalls(): summary of
/// the calls of one function by one thread.
struct StateGroup {
    std::string state; ///< Name of the state or function.
    TrackRef track;
    StateDurations durations;
};

struct StateFindings {
    /// Intervals found, sorted by start time, then in the order of the rows. If there are more than the limit, only the longest ones.
    std::vector<StateHit> hits;
    StateDurations all;
    /// Sums by state, the largest total time first. The sum of a state over all rows comes first, followed by the sums of the state
    /// on single rows, also largest first.
    std::vector<StateGroup> groups;
    bool isCut() const { return all.count > hits.size(); }
    bool wasStopped = false;
    bool areCalls = false; ///< True if the hits are calls, from findCalls(); false if they are states.
};

/// Maximum numbers of hits and durations that findStates() keeps: about 20 MB of hits and 32 MB of durations.
constexpr std::size_t MaxStateHits = 200'000;
constexpr std::size_t MostDurations = 4'000'000;

/// Finds every matching interval, for `heliograph states --filter` and the window. Calls `onProgress` from the calling thread with the
/// share done (0 to 1) and the number of intervals found so far. If `stop` is requested, returns the intervals found so far.
StateFindings findStates(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                         const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                         std::size_t limit = MaxStateHits);

/// Sums up durations by state and row, for StateFindings.
/// Threads: to be used by one thread.
class StateSums {
public:
    void add(TrackRef track, std::string_view state, Duration duration);
    std::uint64_t count() const { return m_count; }
    StateDurations all() const;
    std::vector<StateGroup> groups() const; ///< Returns the sums by state and row, in the order of StateFindings::groups.

private:
    struct Sum {
        StateDurations known;
        std::vector<std::int64_t> durations; ///< Durations in ns, for percentiles.
    };
    using Key = std::pair<std::string, TrackRef>;

    StateDurations finished(std::span<const Sum* const> parts) const;

    std::map<Key, Sum> m_sums;
    /// Sum that the last duration was added to; cached because the intervals of a row are added one after another.
    std::map<Key, Sum>::iterator m_last = m_sums.end();
    std::uint64_t m_count = 0;
};

/// True if the expression searches for functions: it matches the name of a called function, and does not match calls without a name.
/// Threads: any but the UI thread, because it reads symbols.
/// Cost: calls readFrameNames(), then about 100 ns for each distinct call stack.
bool searchesFunctions(const Timeline& timeline, const Expression& expression, std::span<const std::string> views,
                       std::stop_token stop = {});

/// Finds every matching call. Works like findStates(), but compares only the function's name, not the names of the thread. Groups the
/// calls by function and thread; the track of a group is the parent of the thread's rows of calls.
StateFindings findCalls(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                        const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                        std::size_t limit = MaxStateHits);

} // namespace helio
