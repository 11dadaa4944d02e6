#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "core/query/rows/duration_distribution.h"

#include <QWidget>

#include <optional>
#include <span>
#include <vector>

namespace helio {

/// A histogram of durations with dotted lines at the median and p99. A click selects a bucket, arrow keys select the next bucket that is
/// not empty, Escape selects none.
/// Threads: UI thread.
class DurationChart : public QWidget {
    Q_OBJECT

public:
    explicit DurationChart(QWidget* parent = nullptr);

    /// Sets the buckets and a summary of their durations; clears the selection.
    void setBuckets(std::vector<HistogramBucket> buckets, const DurationDistribution& lengths, bool areLogarithmic);
    void setLogarithmicHeights(bool areLogarithmic);
    /// Sets the noun of what is counted: "1 call", "%1 calls", and "calls" above the numbers.
    void setWords(const QString& one, const QString& many, const QString& title);
    void setOwn(std::optional<Duration> length); ///< Duration of the current call, marked below the floor.

    const std::vector<HistogramBucket>& buckets() const { return m_buckets; }
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> bucket);

    /// Returns the bucket's rectangle from the top of the area to its floor.
    QRectF columnOf(std::size_t bucket) const;
    QString tipOf(std::size_t bucket) const;

    QSize sizeHint() const override { return {420, 150}; }

signals:
    void selectedChanged();
    void dismissed(); ///< The user cleared the selection.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void dismiss();
    QRectF area() const;
    double slot() const; ///< Width of a bucket in pixels, with the gap to the next.
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
    std::uint64_t m_most = 0; ///< Largest count of a bucket.
    std::optional<std::size_t> m_selected;
    std::optional<Duration> m_own;
};

/// Returns round durations between `from` and `to`, for axis labels: 1, 2, 5, 10... on a logarithmic axis, evenly spaced ones if these are
/// few.
std::vector<std::int64_t> roundDurations(Duration from, Duration to, bool areLogarithmic);

/// Returns a duration to the nanosecond without trailing zeros, e.g. "20 ms", "100.0001 ms".
QString roundDurationText(std::int64_t ns);

/// Returns the width in pixels of the widest of these durations' texts in the font of charts.
double widestDurationText(std::span<const std::int64_t> lengths);

} // namespace helio
