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

/// What counters of one row make together.
struct SeriesRatio {
    CounterFormula formula;
    std::vector<ViewSeries> parts; ///< In the order of its names.
};

/// A series with what a panel calls it and draws it in.
struct NamedSeries {
    ViewSeries series;
    QString name;
    QColor color;
    std::optional<HostHeading> host = {}; ///< Where there are several: of a virtual machine's series, its guest.
    SeriesPlace place = {}; ///< Its row is selected with it.
    int colorIndex = 0; ///< Of curveColor().
    /// Null: `series` is one that was recorded. Else it only says what the ratio is called, and `ref` is its first part's.
    std::shared_ptr<const SeriesRatio> ratio = {};

    /// What it is of: itself where it was recorded.
    std::span<const ViewSeries> recorded() const { return ratio ? std::span<const ViewSeries>(ratio->parts) : std::span(&series, 1); }
    /// It is drawn as what a stretch of time has, and not as what it was at each moment.
    bool isOfStretches() const { return ratio || series.kind == CounterSeries::Kind::Accumulating; }
};

/// What tells the curves of a panel apart.
struct CurveKey {
    CounterRef ref;
    std::string formula; ///< Empty: of none.
    auto operator<=>(const CurveKey&) const = default;
};
inline CurveKey curveKey(const NamedSeries& it) { return {it.series.ref, it.ratio ? it.series.title : std::string()}; }

/// Of the n-th series: a category's, made as strong as a thin line needs to be seen on the theme's ground.
QColor curveColor(const Theme& theme, int n);

/// The series of a view, in colours that differ as far as there are enough of them. Before them, formula by formula, what they make
/// together in each row that has all of a formula's names.
std::vector<NamedSeries> namedSeries(const Timeline& timeline, std::string_view view, const Theme& theme,
                                     std::span<const CounterFormula> ratios = {});

/// What a series does in a window. Slow: from a query thread.
KnownSeries fetchSeries(const Timeline& timeline, const ViewSeries& series, TimeRange window, Duration resolution,
                        std::stop_token stop = {});
KnownSeries fetchCurve(const Timeline& timeline, const NamedSeries& series, TimeRange window, Duration resolution,
                       std::stop_token stop = {});
/// Up to when all of it is known.
Timestamp knownUntil(const Timeline& timeline, const NamedSeries& series);

/// Of what is drawn: per second where the series accumulates.
QString drawnUnit(const ViewSeries& series);
/// The same for all of them; empty where it is not.
QString commonUnit(std::span<const ViewSeries* const> series);

/// The top of a scale of its own beside a value: "433 k/s of 500 k/s"; of none "up to 500 k/s".
QString beside(const QString& value, const ValueScale& scale, const ViewSeries& series);

/// A value with its unit: integers exactly, thousands parted; doubles as they were recorded, or with so many digits.
QString exactValue(const ViewSeries& series, CounterValue value);
QString readableValue(const ViewSeries& series, CounterValue value, int digits = 6);

} // namespace helio
