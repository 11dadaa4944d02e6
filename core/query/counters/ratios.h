#pragma once

#include "core/query/counters/counters.h"
#include "core/query/counters/formula.h"

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

/// The formula's value of a range: with what each accumulating series counted in it, and the mean by time of others. Nothing where one of
/// them is not known in all of the range, or something is divided by 0.
std::optional<double> ratioIn(const Timeline& timeline, const CounterFormula& formula, const RatioRow& row, TimeRange range);

/// Which of the formula's names no series of these views has, and which titles there are: for messages. Empty: all are there.
std::string unknownNames(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula);
std::string unknownNames(const Timeline& timeline, std::span<const std::string> views, std::span<const std::string> names);

} // namespace helio
