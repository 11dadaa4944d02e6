#pragma once

#include "core/query/hosts/host_headings.h"
#include "widgets/curves/curve_layout.h"
#include "widgets/theme/theme.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace helio {

/// A series with what a panel calls it and draws it in.
struct NamedSeries {
    ViewSeries series;
    QString name;
    QColor color;
    std::optional<HostHeading> host = {}; ///< Where there are several: of a virtual machine's series, its guest.
    SeriesPlace place = {}; ///< Its row is selected with it.
};

/// Of the n-th series: a category's, made as strong as a thin line needs to be seen on the theme's ground.
QColor curveColor(const Theme& theme, int n);

/// The series of a view, in colours that differ as far as there are enough of them.
std::vector<NamedSeries> namedSeries(const Timeline& timeline, std::string_view view, const Theme& theme);

/// What a series does in a window. Slow: from a query thread.
KnownSeries fetchSeries(const Timeline& timeline, const ViewSeries& series, TimeRange window, Duration resolution,
                        std::stop_token stop = {});

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
