#pragma once

#include "core/query/rows/duration_distribution.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace helio {

/// Durations of one kind of intervals, as one of the series of a histogram.
struct HistogramSeries {
    DurationDistribution lengths;
    double parts = 1; ///< Divisor of the counts, above 0: the number of runs, if heights are counts per run.
    QString color; ///< Theme role of the series' colour.
    QString times; ///< Text of tooltips, with the count as %1, e.g. "%1 times in A".
};

/// Histogram of the durations of one or more kinds of intervals, drawn over one another, on a logarithmic time axis.
/// Threads: UI thread.
class DurationHistogram : public QWidget {
    Q_OBJECT

public:
    explicit DurationHistogram(QWidget* parent = nullptr);

    /// Sets the series; later ones are drawn over earlier ones. Nothing is drawn if there are none.
    void setHistograms(std::vector<HistogramSeries> lengths);

    /// Sets the title of the axis of counts, e.g. "times in one run".
    void setHeightTitle(const QString& title);

    void setLogarithmic(bool isLogarithmic);

    QSize sizeHint() const override { return {420, 180}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Scale; ///< Range of the shown buckets, and their positions.
    std::optional<Scale> scale() const;
    void paintAxis(QPainter& painter, const Scale& scale) const;
    void paintLengths(QPainter& painter, const Scale& scale, const HistogramSeries& shown) const;

    std::vector<HistogramSeries> m_lengths;
    QString m_heightTitle;
    bool m_isLogarithmic = false; ///< True if the axis of counts is logarithmic; the time axis always is.
};

} // namespace helio
