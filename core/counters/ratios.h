#pragma once

#include "core/counters/counters.h"
#include "core/counters/formula.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// A row with all series that a formula names. Series of a store without a row count as one row.
struct RatioRow {
    std::vector<ViewSeries> series; ///< In the order of CounterFormula::names().
    SeriesOwner place;
    TimeRange known; ///< Range in which all series are known: from the latest first point to the earliest last point; empty if there is
                     ///< none.
};

/// Returns the rows of these views that have all series that the formula names, matched by title. If a row has several series with one
/// title, the first is taken.
std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
/// Returns the rows that have all series in `names`, which must not be empty. RatioRow::series are in the order of `names`.
std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);

/// Returns the rows of `all` that have all series in `names`, as lists in the order of `names`. Series of one row must be adjacent in
/// `all`, as in the result of viewSeries().
std::vector<std::vector<ViewSeries>> findRowsWithSeries(std::span<const ViewSeries> all, std::span<const std::string> names);

/// Returns the range in which all series are known; see RatioRow::known.
/// Cost: reads two points of each series.
TimeRange knownRange(const Timeline& timeline, std::span<const ViewSeries> series);

/// Returns the formula's value for a range, from the growth of accumulating series and the means of other series weighted by time. Returns
/// nullopt if a series is not known in the whole range or if the formula divides by 0.
std::optional<double> computeRatio(const Timeline& timeline, const CounterFormula& formula, const RatioRow& row, TimeRange range);

/// Returns a message with the formula's names that match no series of these views, and the existing titles; empty if all names match.
std::string unknownNamesMessage(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
std::string unknownNamesMessage(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);
std::string unknownNamesMessage(std::span<const ViewSeries> all, std::span<const std::string> names);

/// Returns the title as a formula writes it, in quotes if it is no plain name; empty if a formula cannot contain it.
std::string quoteForFormula(std::string_view title);

/// Returns the most common formula that these series allow, else the ratio of the first two titles of a row, but none of `taken`; empty if
/// there is no such formula.
std::string suggestRatio(std::span<const ViewSeries> all, std::span<const std::string> taken = {});

} // namespace helio
