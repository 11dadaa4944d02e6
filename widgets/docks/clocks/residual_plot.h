#pragma once

#include "widgets/docks/clocks/residual_scale.h"
#include "widgets/time/time_format.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace helio {

/// A plot of packets under a host's clock: each packet a dot at its transit time, and the corridor in which the clock lies. The wheel zooms
/// at the pointer, with Ctrl vertically, with Shift it pans; dragging pans, a double click shows all. A click on a dot or the arrow keys
/// choose a packet.
/// Threads: UI thread.
class ResidualPlot : public QWidget {
    Q_OBJECT

public:
    explicit ResidualPlot(QWidget* parent = nullptr);

    /// nullptr clears the plot. `host`, `neighbour`: names of the host and of the host it is compared with. The visible range stays if both
    /// hosts are the same as before.
    void setResiduals(std::shared_ptr<const Residuals> residuals, const QString& host, const QString& neighbour);
    void setTimeFormat(const TimeFormat& format);
    void setCursor(Timestamp at);
    using QWidget::setCursor;

    const ResidualScale& scale() const { return m_scale; }
    TimeRange window() const { return m_window; } ///< The visible range.
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> point);
    QString tipOf(std::size_t point) const;

    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

signals:
    void selectedChanged(); ///< Emitted for both a choice of the user and select().
    void chosen(std::size_t point); ///< The user wants to go to this packet.
    void hovered(std::optional<Timestamp> at);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void setWindow(TimeRange window);
    void zoom(double factor, Timestamp around);
    void showAll();
    void step(int by);
    void update();

    void paintGrid(QPainter& painter) const;
    void paintCorridor(QPainter& painter) const;
    void paintDots(QPainter& painter) const;
    void paintNarrowest(QPainter& painter) const;
    void paintWhereZeroIs(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintHead(QPainter& painter) const;

    std::shared_ptr<const Residuals> m_residuals;
    QString m_host;
    QString m_neighbour;
    TimeFormat m_timeFormat;
    Timestamp m_cursor{};
    TimeRange m_full{};
    TimeRange m_window{};
    double m_height = 1; ///< Height of the scale relative to what fits; below 1: zoomed in.
    ResidualScale m_scale;
    std::optional<std::size_t> m_selected;
    std::optional<std::size_t> m_hovered;
    std::optional<QPointF> m_pressed; ///< Position of the press while a button is down.
    TimeRange m_windowPressed{};
    bool m_isDragging = false;
    QPixmap m_picture; ///< Everything except cursor and highlights; null if it must be painted again.
};

} // namespace helio
