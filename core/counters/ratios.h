#pragma once

#include "core/counters/counters.h"
#include "core/counters/formula.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// A row that has all series of a formula. All series of a store that have no row count as one row.
struct RatioRow {
    std::vector<ViewSeries> series; ///< Series of the row, in the order of CounterFormula::names().
    SeriesOwner place;
    /// Range in which all series are known: from the latest first point to the earliest last point; empty if there is none.
    TimeRange known;
};

/// Returns the rows of the views that have all series of the formula, matched by title. If a row has several series with the same title,
/// uses the first one.
std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
/// Returns the rows that have all series in `names`, which must not be empty. RatioRow::series are in the order of `names`.
std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);

/// Returns the rows of `all` that have all series in `names`, as lists in the order of `names`. Series of one row must be adjacent in
/// `all`, as in the result of viewSeries().
std::vector<std::vector<ViewSeries>> findRowsWithSeries(std::span<const ViewSeries> all, std::span<const std::string> names);

/// Returns the range in which all series are known; see RatioRow::known.
/// Cost: reads two points of each series.
TimeRange knownRange(const Timeline& timeline, std::span<const ViewSeries> series);

/// Returns the formula's value for a range, computed from the growth of accumulating series and the time-weighted means of other series.
/// Returns nullopt if a series is unknown in a part of the range or if the formula divides by 0.
std::optional<double> computeRatio(const Timeline& timeline, const CounterFormula& formula, const RatioRow& row, TimeRange range);

/// Returns an error message that lists the formula's names without a matching series in the views, and the existing titles; empty if all
/// names match.
std::string unknownNamesMessage(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
std::string unknownNamesMessage(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);
std::string unknownNamesMessage(std::span<const ViewSeries> all, std::span<const std::string> names);

/// Returns a series' title in the syntax of formulas, in quotes if needed; empty if a formula cannot contain the title.
std::string quoteForFormula(std::string_view title);

/// Returns the text of a formula to suggest for the series `all`: a well-known ratio for which a row has the series, else the ratio of the
/// first two titles of a row. Never suggests a formula in `taken`; returns an empty text if none is left. Requires: the series of each row
/// are adjacent in `all`.
std::string suggestRatio(std::span<const ViewSeries> all, std::span<const std::string> taken = {});

} // namespace helio
