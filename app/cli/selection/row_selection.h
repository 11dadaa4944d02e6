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

/// `*`, `?` and `[abc]`, `[a-z]`, `[!x]` against the whole text. Linear in practice: one `*` is retried at a time.
bool matchesGlob(std::string_view pattern, std::string_view text);

/// Which rows and intervals --row, --process, --thread, --cpu, --host and --filter leave. One thread.
class RowSelection {
public:
    RowSelection(const SelectionOptions& options, const Timeline& timeline);

    /// The rows of a view that are left, in display order; parents of those left are not added.
    std::vector<Row> rowsOf(std::string_view view) const;
    bool selects(const Row& row) const;
    /// The same without asking the filter.
    bool isChosen(const Row& row) const;
    /// By its row, or by its own id or title; of a virtual machine's, as by its row's, and it is its host's and its guest's.
    bool selects(const ViewSeries& series, const SeriesPlace& place) const;

    /// What a filter may ask of a row; the row outlives it.
    RowFacts factsOf(const Row& row) const;
    /// Whether an interval of a row that was selected is left (a filter may speak of state, duration and time).
    bool selects(RowFacts& facts, const Interval& interval) const;
    /// Whether the filter leaves something of that name, with such fields ("k=v;k=v"), on a chosen row; any filter is asked.
    bool selects(RowFacts& facts, std::string_view name, TimeRange range, std::string_view fields = {}) const;

    /// Whether the filter is asked of each interval of a row: it speaks of state, duration or time, or of the names of calls.
    bool isOfIntervals(const Row& row) const;

private:
    bool isOfProcess(const Row& row) const;
    bool hasGivenPlace(const Row& row) const;

    const SelectionOptions& m_options;
    const Timeline& m_timeline;
    std::vector<std::pair<std::uint32_t, std::int32_t>> m_processes; ///< (host, pid) of --process, sorted.
};

/// An error where the filter asks rows as a whole for what only their intervals have.
Status checkRowFilter(const SelectionOptions& options);

/// The view asked for; of no name all; an error where there is no such view, which names those there are, with `others` that could be asked
/// for. With a shape, only views of that one are there.
Result<std::vector<std::string>> chosenViews(const std::string& view, const Timeline& timeline, std::optional<TrackView::Shape> shape = {},
                                             const std::function<std::vector<std::string>()>& others = {});

} // namespace helio
