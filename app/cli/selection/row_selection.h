#pragma once

#include "app/cli/selection/selection_options.h"
#include "core/analysis/track_view.h"
#include "core/counters/counters.h"
#include "core/experiment/timeline.h"
#include "core/query/filters/expression.h"
#include "core/query/filters/state_search.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace helio {

/// Matches `*`, `?`, `[abc]`, `[a-z]` and `[!x]` against the whole text. Cost: linear in practice, since only the last `*` is retried.
bool matchesGlob(std::string_view pattern, std::string_view text);

/// Selects rows and intervals by --row, --process, --thread, --cpu, --host and --filter. Threads: to be used by one thread at a time.
class RowSelection {
public:
    RowSelection(const SelectionOptions& options, const Timeline& timeline);

    /// Selected rows of a view in display order; the parents of selected rows are not added.
    std::vector<Row> rowsOf(std::string_view view) const;
    bool selects(const Row& row) const;
    /// Like selects(), but without the filter.
    bool isChosen(const Row& row) const;
    /// Selects a series by its row, or by its own id or title. A series of a virtual machine belongs to the machine's host and to its
    /// guest.
    bool selects(const ViewSeries& series, const SeriesOwner& place) const;

    /// Facts of a row for the filter. Ownership: the row outlives them.
    RowFacts factsOf(const Row& row) const;
    /// True if an interval of a selected row is selected; the filter may ask for state, duration and time.
    bool selects(RowFacts& facts, const Interval& interval) const;
    /// True if the row is chosen and the filter accepts something on it with this name, range and fields ("k=v;k=v").
    bool selects(RowFacts& facts, std::string_view name, TimeRange range, std::string_view fields = {}) const;

    /// True if the filter has to be asked for each interval of a row, because it asks for state, duration or time, or for names of calls.
    bool dependsOnIntervals(const Row& row) const;

private:
    bool matchesProcess(const Row& row) const;
    bool hasGivenPlace(const Row& row) const;

    const SelectionOptions& m_options;
    const Timeline& m_timeline;
    std::vector<std::pair<std::uint32_t, std::int32_t>> m_processes; ///< (host, pid) of --process, sorted.
};

/// Checks that --filter asks only for facts of whole rows.
/// Errors: Usage if it asks for a state, a duration or a time, which only intervals have.
Status checkRowFilter(const SelectionOptions& options);

/// Returns the requested view, or all views if `view` is empty; with `shape`, only views of that shape exist. Errors: there is no such
/// view; the message lists the existing views, and the views of `others` that can be requested.
Result<std::vector<std::string>> findRequestedViews(const std::string& view, const Timeline& timeline,
                                                    std::optional<TrackView::Shape> shape = {},
                                                    const std::function<std::vector<std::string>()>& others = {});

} // namespace helio
