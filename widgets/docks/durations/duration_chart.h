#pragma once

#include "core/latency/intervals/lengths_by_name.h"
#include "core/query/rows/duration_spread.h"

#include <QWidget>

#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Buckets of lengths as bars, the median and p99 dotted over them. A click selects a bucket, arrow keys the next one that has something,
/// Escape none. UI thread.
class DurationChart : public QWidget {
    Q_OBJECT

public:
    explicit DurationChart(QWidget* parent = nullptr);

    /// `lengths`: of what is in the buckets. No bucket is selected then.
    void setBuckets(std::vector<LengthBucket> buckets, const DurationSpread& lengths, bool areLogarithmic);
    void setLogarithmicHeights(bool areLogarithmic);
    /// What is counted: "1 call", "%1 calls", and "calls" above the numbers.
    void setWords(const QString& one, const QString& many, const QString& title);
    void setOwn(std::optional<Duration> length); ///< Of the call that is gone to; marked below the floor.

    const std::vector<LengthBucket>& buckets() const { return m_buckets; }
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> bucket);

    /// Where a bucket is drawn, from the top of the area to its floor.
    QRectF columnOf(std::size_t bucket) const;
    QString tipOf(std::size_t bucket) const;

    QSize sizeHint() const override { return {420, 150}; }

signals:
    void selectedChanged();
    void dismissed(); ///< A person wants nothing selected.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void dismiss();
    QRectF area() const;
    double slot() const; ///< Pixels from a bucket to the next.
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
    std::vector<LengthBucket> m_buckets;
    DurationSpread m_lengths;
    bool m_areLogarithmic = true;
    bool m_areHeightsLogarithmic = true;
    std::uint64_t m_most = 0; ///< In one bucket.
    std::optional<std::size_t> m_selected;
    std::optional<Duration> m_own;
};

/// Round lengths from `from` to `to`: 1, 2, 5, 10..., where these are few evenly spaced ones.
std::vector<std::int64_t> roundLengths(Duration from, Duration to, bool areLogarithmic);

/// "20 ms", "100.0001 ms": of such a length, to the nanosecond, without digits that are 0.
QString roundLengthText(std::int64_t ns);

/// Pixels that the widest of these takes in the font of charts.
double widestLengthText(std::span<const std::int64_t> lengths);

} // namespace helio
