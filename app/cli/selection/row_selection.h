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

/// True if the glob pattern, with `*`, `?`, `[abc]`, `[a-z]` and `[!x]`, matches the whole text.
/// Cost: linear in practice, because only the last `*` is retried.
bool matchesGlob(std::string_view pattern, std::string_view text);

/// Selects rows and intervals by --row, --process, --thread, --cpu, --host and --filter.
/// Threads: to be used by one thread at a time.
class RowSelection {
public:
    RowSelection(const SelectionOptions& options, const Timeline& timeline);

    /// Returns the selected rows of a view in display order, without the parents of selected rows.
    std::vector<Row> rowsOf(std::string_view view) const;
    bool selects(const Row& row) const;
    /// True if --row, --process, --thread, --cpu and --host select the row; ignores --filter.
    bool isChosen(const Row& row) const;
    /// True if the options select a series: by its row, or by the series' own id or title. A series of a virtual machine matches --host
    /// with the name of the machine's host, and with the name of its guest.
    bool selects(const ViewSeries& series, const SeriesOwner& place) const;

    /// Returns the facts about a row that the filter tests.
    /// Ownership: the row outlives the result.
    RowFacts factsOf(const Row& row) const;
    /// True if the filter accepts an interval of a selected row; the filter may use state, duration and time.
    bool selects(RowFacts& facts, const Interval& interval) const;
    /// True if the row is chosen and the filter accepts a segment on it with the given name, range and fields ("k=v;k=v").
    bool selects(RowFacts& facts, std::string_view name, TimeRange range, std::string_view fields = {}) const;

    /// True if the filter must be evaluated for each interval of a row, because it uses state, duration, time or names of calls.
    bool dependsOnIntervals(const Row& row) const;

private:
    bool matchesProcess(const Row& row) const;
    bool hasGivenPlace(const Row& row) const;

    const SelectionOptions& m_options;
    const Timeline& m_timeline;
    std::vector<std::pair<std::uint32_t, std::int32_t>> m_processes; ///< Processes of --process as (host, pid), sorted.
};

/// Checks that --filter uses only properties of rows.
/// Errors: Usage if it uses state, duration or time, which only intervals have.
Status checkRowFilter(const SelectionOptions& options);

/// Returns the requested view, or all views if `view` is empty; with `shape`, considers only views of that shape.
/// Errors: the view does not exist; the message lists the existing views, and the views in `others` that can be requested.
Result<std::vector<std::string>> findRequestedViews(const std::string& view, const Timeline& timeline,
                                                    std::optional<TrackView::Shape> shape = {},
                                                    const std::function<std::vector<std::string>()>& others = {});

} // namespace helio
