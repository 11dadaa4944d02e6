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

/// Formula over counters of one row, with the series of these counters.
struct SeriesRatio {
    CounterFormula formula;
    std::vector<ViewSeries> parts; ///< Series of the counters, in the order of the names in the formula.
};

/// Series together with its name and colour in a panel.
struct NamedSeries {
    ViewSeries series;
    QString name;
    QColor color;
    /// Host of the series, nullopt if the experiment has one host; the guest for a series of a virtual machine.
    std::optional<HostHeading> host = {};
    SeriesOwner place = {}; ///< Row that becomes selected when the user selects the series.
    int colorIndex = 0; ///< Index that is passed to curveColor().
    /// Formula and counters of a ratio; nullptr for a recorded series. For a ratio, `series` only has the name, and `series.ref` is the
    /// ref of the first counter.
    std::shared_ptr<const SeriesRatio> ratio = {};

    /// Returns the recorded series that the curve is computed from: the counters of a ratio, otherwise `series` itself.
    std::span<const ViewSeries> recorded() const { return ratio ? std::span<const ViewSeries>(ratio->parts) : std::span(&series, 1); }
    /// True if each value applies to an interval; false if it applies to a moment.
    bool hasIntervalValues() const { return ratio || series.kind == CounterSeries::Kind::Accumulating; }
};

/// Identity of a curve within a panel.
struct CurveKey {
    CounterRef ref;
    std::string formula; ///< Text of the formula; empty for a recorded series.
    auto operator<=>(const CurveKey&) const = default;
};
inline CurveKey curveKey(const NamedSeries& it) { return {it.series.ref, it.ratio ? it.series.title : std::string()}; }

/// Returns the colour of series number `n`: a category colour with enough contrast to the theme's background for a thin line.
QColor curveColor(const Theme& theme, int n);

/// Returns the ratios and then the recorded series of a view. There is one ratio for each formula and each row that has all counters of the
/// formula. Colours differ until the theme has no more.
std::vector<NamedSeries> namedSeries(const Timeline& timeline, std::string_view view, const Theme& theme,
                                     std::span<const CounterFormula> ratios = {});

/// Reads a recorded series in a time range.
/// Threads: a query thread, because it is slow.
CurveData fetchSeries(const Timeline& timeline, const ViewSeries& series, TimeRange window, Duration resolution, std::stop_token stop = {});
CurveData fetchCurve(const Timeline& timeline, const NamedSeries& series, TimeRange window, Duration resolution, std::stop_token stop = {});
/// Returns the end of the range in which all recorded series of the curve are indexed.
Timestamp knownUntil(const Timeline& timeline, const NamedSeries& series);

/// Factor between rates per second and values of the curve: 100 for shares of time, which are drawn in percent; else 1.
double rateScale(const ViewSeries& series);
/// Unit of the curve, which is per second if the series accumulates, and % for a share of time.
QString drawnUnit(const ViewSeries& series);
/// Returns the unit of the series; empty if they have different units.
QString commonUnit(std::span<const ViewSeries* const> series);

/// Returns a value followed by the top of its scale, e.g. "433 k/s of 500 k/s"; without a value "up to 500 k/s".
QString beside(const QString& value, const ValueScale& scale, const ViewSeries& series);

/// Returns a value with its unit. exactValue() has all digits: integers with thousands separators, doubles as recorded. readableValue() has
/// at most `digits` significant digits of doubles.
QString exactValue(const ViewSeries& series, CounterValue value);
QString readableValue(const ViewSeries& series, CounterValue value, int digits = 6);

} // namespace helio
