#pragma once

#include "core/fleet/duration_digest.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace helio {

/// Histogram of a digest on a logarithmic axis of time; heights are logarithmic, too. A second digest, for comparison, is a line. A click
/// chooses the duration under the pointer; so do the arrow keys and Enter.
/// Threads: UI thread.
class FleetLatencyChart : public QWidget {
    Q_OBJECT

public:
    explicit FleetLatencyChart(QWidget* parent = nullptr);

    /// Sets the durations. `tail`: those of at least this length have the colour `tailRole`, a theme role; a dotted line is drawn there if
    /// `tailName` is not empty.
    void setDigest(const fleet::DurationDigest& digest, std::optional<Duration> tail, const QString& tailRole,
                   const QString& tailName = {});
    /// Sets the durations with which they are compared; empty for none.
    void setCompared(const fleet::DurationDigest& compared);
    /// Sets a text for tooltips that says what a click does, with the duration as %1; empty if a click does nothing.
    void setAction(const QString& text);

    /// Returns the position of a duration in the chart, for example for a click.
    QPoint positionOf(Duration length) const;

    QSize sizeHint() const override { return {320, 90}; }

signals:
    void chosen(Duration least); ///< Emitted with the begin of the chosen column.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Scale; ///< Positions of durations.
    Scale scale() const;
    std::vector<double> countsOf(const fleet::DurationDigest& digest, const Scale& scale) const;
    void paintAxis(QPainter& painter, const Scale& scale) const;
    std::vector<double> comparedCounts(const Scale& scale) const;
    void paintCompared(QPainter& painter, const Scale& scale, const std::vector<double>& counts, double most) const;
    std::optional<int> columnAt(const QPoint& at) const;
    void setPointed(std::optional<int> column);

    fleet::DurationDigest m_digest;
    fleet::DurationDigest m_compared;
    std::optional<Duration> m_tail;
    QString m_tailRole;
    QString m_tailName;
    QString m_action;
    std::optional<int> m_pointed; ///< Column under the pointer, or chosen by arrow keys.
};

} // namespace helio
