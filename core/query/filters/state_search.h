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

/// What a filter may ask of a row; the row outlives it.
RowFacts rowFacts(const Timeline& timeline, const Row& row);
/// Whether an interval of the row with these facts, which are filled up, matches. A call's function is its name.
bool matches(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval);

/// Whether something of that name on the row with these facts matches. Empty: it goes by the row's names.
bool matches(const Expression& expression, RowFacts& facts, std::string_view name, TimeRange range);

/// An interval that a search over states found.
struct StateHit {
    TrackRef track;
    TimeRange range; ///< Cut to the window that was searched.
    State state{};
    std::uint32_t value = 0;
    bool operator==(const StateHit&) const = default;
};

/// How long some intervals lasted. Percentiles by nearest rank; unknown where there were too many to keep each.
struct DurationSummary {
    std::uint64_t count = 0;
    Duration total{};
    Duration min{};
    Duration max{};
    std::optional<Duration> p50;
    std::optional<Duration> p99;
    Duration mean() const;
};

/// The intervals of one state, of one row or (`track` not valid) of all; of findCalls() the calls of one function, of one thread.
struct StateGroup {
    std::string state; ///< Or function.
    TrackRef track;
    DurationSummary durations;
};

struct StateFindings {
    std::vector<StateHit> hits; ///< By begin, then as the views list rows. Where there were more than the limit: the longest.
    DurationSummary all;
    std::vector<StateGroup> groups; ///< Each state in order of its time in all, the most first; behind it its rows likewise.
    bool isCut() const { return all.count > hits.size(); }
    bool wasStopped = false;
    bool areCalls = false; ///< Of findCalls().
};

/// What findStates() keeps at most, whatever is found: some 20 and 32 MB.
constexpr std::size_t MostStateHits = 200'000;
constexpr std::size_t MostDurations = 4'000'000;

/// Finds every interval that matches: as `heliograph states --filter` lists them. `onProgress` is called from this thread with the share
/// done (0 to 1) and the intervals found so far. Once `stop` is requested the answer is what was found till then.
StateFindings findStates(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                         const std::function<void(double, std::uint64_t)>& onProgress = {}, std::stop_token stop = {},
                         std::size_t limit = MostStateHits);

/// Sums up durations that are added one by one, by state and row: what a StateFindings says of them. One thread.
class StateSums {
public:
    void add(TrackRef track, std::string_view state, Duration duration);
    std::uint64_t count() const { return m_count; }
    DurationSummary all() const;
    std::vector<StateGroup> groups() const; ///< As StateFindings orders them.

private:
    struct Sum {
        DurationSummary known;
        std::vector<std::int64_t> durations; ///< Ns.
    };
    using Key = std::pair<std::string, TrackRef>;

    DurationSummary finished(std::span<const Sum* const> parts) const;

    std::map<Key, Sum> m_sums;
    std::map<Key, Sum>::iterator m_last = m_sums.end(); ///< Intervals of a row come one after another.
    std::uint64_t m_count = 0;
};

} // namespace helio
