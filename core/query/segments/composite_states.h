#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Composite states (CompositeState): several states of a row that form one interval, e.g. a system call, an interrupt or a page fault.
/// They are computed from the states on request and not stored.
///
/// Limits: an interval that ends at the last event of its trace is not found, because no later state marks its end.
namespace helio {

/// Returns the composite states that any row of the timeline may have, in the order of the views that describe them.
/// Cost: visits each track.
std::vector<CompositeState> compositeStates(const Timeline& timeline);
/// Returns the composite state with that id; nullopt if no row of the timeline can have it.
std::optional<CompositeState> findCompositeState(const Timeline& timeline, std::string_view id);

/// Returns the rows that may have intervals of the composite state, in display order. Their `parent` is not set.
std::vector<Row> rowsWithComposite(const Timeline& timeline, const CompositeState& run);

/// Lookup of the names of a composite state's intervals: the text of the value, or the label of the row.
/// Threads: to be used by one thread.
/// Ownership: the timeline and the composite state outlive the object.
class CompositeStateNames {
public:
    CompositeStateNames(const Timeline& timeline, const CompositeState& run)
        : m_timeline(timeline)
        , m_isOfValues(run.hasSingleValue)
    {
    }

    /// Returns the name of an interval. Valid as long as both this object and the row exist.
    std::string_view of(const Row& row, std::uint32_t value);

private:
    const Timeline& m_timeline;
    bool m_isOfValues;
    std::unordered_map<std::uint64_t, std::string> m_texts; ///< Cached texts of values, keyed by store and value.
};

/// Reads the intervals of a composite state in one row, one part of the time range after the other.
/// Threads: to be used by one thread.
/// Ownership: the timeline, the composite state and the row outlive the object.
class CompositeStateWalk {
public:
    /// With `isNumbered`, forEachIn() also returns the numbers of intervals.
    CompositeStateWalk(const Timeline& timeline, const CompositeState& state, const Row& row, bool isNumbered = false);
    CompositeStateWalk(CompositeStateWalk&& other) noexcept;
    ~CompositeStateWalk();

    /// Receives an interval: its range, the value of its first state, and the number of this state among all intervals of the row.
    using Take = std::function<void(TimeRange range, std::uint32_t value, std::uint64_t number)>;
    /// Calls `take` for each interval that begins in `part`, in time order. Requires: a later call has a later part.
    void forEachIn(TimeRange part, const Take& take, const std::stop_token& stop = {});

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

enum class RunOrder {
    ByBegin, ///< Intervals of all rows by start time; intervals with the same start time in the order of the rows.
    ByRow, ///< Rows one after the other, the intervals of each row by start time. Takes less time and memory.
};

/// Calls `take` for each interval of the composite state that lies wholly in `window`, with its row (an element of `rows`), its range and
/// the value of its first state. Returns early if `stop` is requested. Cost: reads every interval of the rows in `window`. Memory: with
/// RunOrder::ByBegin, 40 bytes for each of about a million intervals, more if many begin at the same time.
void forEachCompositeState(const Timeline& timeline, const CompositeState& run, std::span<const Row> rows, TimeRange window,
                           const std::function<void(const Row&, TimeRange, std::uint32_t value)>& take, std::stop_token stop = {},
                           RunOrder order = RunOrder::ByBegin);

} // namespace helio
