#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "core/query/rows/duration_distribution.h"

#include <QWidget>

#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Histogram of durations with dotted lines at the median and p99. A click selects a bucket, arrow keys select the next bucket that is not
/// empty, Escape clears the selection.
/// Threads: UI thread.
class DurationChart : public QWidget {
    Q_OBJECT

public:
    explicit DurationChart(QWidget* parent = nullptr);

    /// Sets the buckets and the distribution of all durations; clears the selection.
    void setBuckets(std::vector<HistogramBucket> buckets, const DurationDistribution& lengths, bool areLogarithmic);
    void setLogarithmicHeights(bool areLogarithmic);
    /// Sets the texts for the counted objects: `one` for a single one ("1 call"), `many` for a number ("%1 calls"), `title` above the
    /// counts ("calls").
    void setWords(const QString& one, const QString& many, const QString& title);
    /// Sets the duration of the current call, which gets a mark below the columns; nullopt for no mark.
    void setOwn(std::optional<Duration> length);

    const std::vector<HistogramBucket>& buckets() const { return m_buckets; }
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> bucket);

    /// Returns the rectangle of a bucket's column, over the full height of the chart.
    QRectF columnOf(std::size_t bucket) const;
    QString tipOf(std::size_t bucket) const;

    QSize sizeHint() const override { return {420, 150}; }

signals:
    void selectedChanged();
    void dismissed(); ///< Emitted when the user cleared the selection.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void dismiss();
    QRectF area() const;
    double slot() const; ///< Width of a column in pixels, including the gap to the next column.
    double xOf(Duration length) const;
    double heightOf(std::uint64_t count) const;
    std::optional<std::size_t> bucketAt(QPointF at) const;
    void paintHeights(QPainter& painter) const;
    void paintLengths(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintPercentiles(QPainter& painter) const;

    QString m_one;
    QString m_many;
    QString m_title;
    std::vector<HistogramBucket> m_buckets;
    DurationDistribution m_lengths;
    bool m_areLogarithmic = true;
    bool m_areHeightsLogarithmic = true;
    std::uint64_t m_most = 0; ///< Largest count of all buckets.
    std::optional<std::size_t> m_selected;
    std::optional<Duration> m_own;
};

/// Returns round durations between `from` and `to` for axis labels. On a logarithmic axis, these are 1, 2 or 5 times a power of ten; if
/// fewer than three fit, or on a linear axis, they are evenly spaced.
std::vector<std::int64_t> roundDurations(Duration from, Duration to, bool areLogarithmic);

/// Formats a duration with all digits but without trailing zeros, e.g. "20 ms", "100.0001 ms".
QString roundDurationText(std::int64_t ns);

/// Returns the width in pixels of the widest label of these durations, in the font of charts.
double widestDurationText(std::span<const std::int64_t> lengths);

} // namespace helio
