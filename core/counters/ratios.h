#pragma once

#include "core/counters/counters.h"
#include "core/counters/formula.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// A row, or a store's series of none, that has all that a formula names.
struct RatioRow {
    std::vector<ViewSeries> series; ///< In the order of CounterFormula::names().
    SeriesPlace place;
    TimeRange known; ///< Where all of them are: from the last first point to the first last one. Empty: nowhere.
};

/// The rows of these views that have all series that the formula names, by their titles; of two of one title the first.
std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
/// The same of names, which are not none. RatioRow::series are in their order.
std::vector<RatioRow> ratioRows(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);

/// The same of series, those of a row beside each other as viewSeries() has them: row by row, in the order of the names.
std::vector<std::vector<ViewSeries>> rowsNaming(std::span<const ViewSeries> all, std::span<const std::string> names);

/// Where all of these are known: RatioRow::known. Cost: two points of each.
TimeRange knownRange(const Timeline& timeline, std::span<const ViewSeries> series);

/// The formula's value of a range: with what each accumulating series counted in it, and the mean by time of others. Nothing where one of
/// them is not known in all of the range, or something is divided by 0.
std::optional<double> ratioIn(const Timeline& timeline, const CounterFormula& formula, const RatioRow& row, TimeRange range);

/// Which of the formula's names no series of these views has, and which titles there are: for messages. Empty: all are there.
std::string unknownNames(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
std::string unknownNames(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);
std::string unknownNames(std::span<const ViewSeries> all, std::span<const std::string> names);

/// As a formula writes a title: in quotes where it is no plain name. Empty: a formula has no way to.
std::string nameInFormula(std::string_view title);

/// The formula that is asked for most of those that these series allow, else one of the first two titles of a row; none of `taken`. Empty:
/// there is none.
std::string usualRatio(std::span<const ViewSeries> all, std::span<const std::string> taken = {});

} // namespace helio
