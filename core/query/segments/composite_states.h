#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
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
/// Limits: an interval that ends with the last event of its trace is not found, because no later state shows that it ended.
namespace helio {

/// Returns the composite states that any row of the timeline may have, in the order of the views that describe them.
/// Cost: looks at each track.
std::vector<CompositeState> compositeStates(const Timeline& timeline);
/// Returns the composite state with that id; nullopt if no row of the timeline can have it.
std::optional<CompositeState> findCompositeState(const Timeline& timeline, std::string_view id);

/// Returns the rows that may have such intervals, in display order, without their parents.
std::vector<Row> rowsWithComposite(const Timeline& timeline, const CompositeState& run);

/// Names of the intervals of a composite state: the texts of their values, or the labels of their rows.
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
    std::unordered_map<std::uint64_t, std::string> m_texts; ///< Keyed by store and value.
};

enum class RunOrder {
    ByBegin, ///< In order of begin times; intervals that begin at the same time come in the order of the rows.
    ByRow, ///< One row after the other, each by begin time; takes less time and memory.
};

/// Calls `take` for each interval of the composite state that lies wholly in the window. The row is an element of `rows`; `value` is the
/// value of the first state. Ends early once `stop` is requested.
/// Cost: reads every interval of the rows in the window.
/// Memory: with RunOrder::ByBegin, 40 bytes for each of about a million intervals, more if many begin at the same time.
void forEachCompositeState(const Timeline& timeline, const CompositeState& run, std::span<const Row> rows, TimeRange window,
                           const std::function<void(const Row&, TimeRange, std::uint32_t value)>& take, std::stop_token stop = {},
                           RunOrder order = RunOrder::ByBegin);

} // namespace helio
