#pragma once

#include "core/counters/formula.h"
#include "core/timesync/host_headings.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/curves/curve_layout.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Formula over counters of one row.
struct SeriesRatio {
    CounterFormula formula;
    std::vector<ViewSeries> parts; ///< Counters in the order of the formula's names.
};

/// Series with the name and the colour that a panel gives it.
struct NamedSeries {
    ViewSeries series;
    QString name;
    QColor color;
    std::optional<HostHeading> host = {}; ///< Host of the series if there are several hosts; for a series of a virtual machine its guest.
    SeriesOwner place = {}; ///< Row that is selected together with the series.
    int colorIndex = 0; ///< Argument of curveColor().
    /// nullptr for a recorded series. For a ratio, `series` only holds its name, and `series.ref` is that of its first counter.
    std::shared_ptr<const SeriesRatio> ratio = {};

    /// Returns the recorded series that the curve is made of; `series` itself if it was recorded.
    std::span<const ViewSeries> recorded() const { return ratio ? std::span<const ViewSeries>(ratio->parts) : std::span(&series, 1); }
    /// True if each value belongs to an interval, false if it belongs to a moment.
    bool hasIntervalValues() const { return ratio || series.kind == CounterSeries::Kind::Accumulating; }
};

/// Identity of a curve within a panel.
struct CurveKey {
    CounterRef ref;
    std::string formula; ///< Empty for a recorded series.
    auto operator<=>(const CurveKey&) const = default;
};
inline CurveKey curveKey(const NamedSeries& it) { return {it.series.ref, it.ratio ? it.series.title : std::string()}; }

/// Returns the colour of the n-th series: a category colour, made strong enough for a thin line to be seen on the theme's ground.
QColor curveColor(const Theme& theme, int n);

/// Returns the series of a view in different colours, as far as there are enough. They are preceded by the ratios, formula by formula, one
/// for each row that has all counters of a formula.
std::vector<NamedSeries> namedSeries(const Timeline& timeline, std::string_view view, const Theme& theme,
                                     std::span<const CounterFormula> ratios = {});

/// Queries a recorded series in a window.
/// Threads: a query thread, as it is slow.
CurveData fetchSeries(const Timeline& timeline, const ViewSeries& series, TimeRange window, Duration resolution, std::stop_token stop = {});
CurveData fetchCurve(const Timeline& timeline, const NamedSeries& series, TimeRange window, Duration resolution, std::stop_token stop = {});
/// Time until which all recorded series of the curve are indexed.
Timestamp knownUntil(const Timeline& timeline, const NamedSeries& series);

/// Unit of the curve, which is per second if the series accumulates.
QString drawnUnit(const ViewSeries& series);
/// Unit that all series share; empty if they differ.
QString commonUnit(std::span<const ViewSeries* const> series);

/// Returns a value with the top of its own scale: "433 k/s of 500 k/s"; without a value "up to 500 k/s".
QString beside(const QString& value, const ValueScale& scale, const ViewSeries& series);

/// Returns a value with its unit. exactValue() has all digits: integers with thousands separators, doubles as recorded. readableValue() has
/// at most `digits` significant digits of doubles.
QString exactValue(const ViewSeries& series, CounterValue value);
QString readableValue(const ViewSeries& series, CounterValue value, int digits = 6);

} // namespace helio
