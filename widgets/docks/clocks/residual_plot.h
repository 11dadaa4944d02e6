#pragma once

#include "widgets/docks/clocks/residual_scale.h"
#include "widgets/time/time_format.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace helio {

/// Plot of packets under a host's clock: a dot per packet at its transit time, and the corridor between the bounds of the clock. The wheel
/// zooms at the pointer, vertically with Ctrl; with Shift it pans. Dragging pans; a double click shows everything. A click on a dot or the
/// arrow keys select a packet.
/// Threads: UI thread.
class ResidualPlot : public QWidget {
    Q_OBJECT

public:
    explicit ResidualPlot(QWidget* parent = nullptr);

    /// Sets the residuals to plot; nullptr clears the plot. `host`, `neighbour`: names of the host and of the host that it is compared
    /// with. If both hosts are the same as before, the visible range is kept.
    void setResiduals(std::shared_ptr<const Residuals> residuals, const QString& host, const QString& neighbour);
    void setTimeFormat(const TimeFormat& format);
    void setCursor(Timestamp at);
    using QWidget::setCursor;

    const ResidualScale& scale() const { return m_scale; }
    TimeRange window() const { return m_window; } ///< Visible time range of the plot.
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> point);
    QString tipOf(std::size_t point) const;

    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

signals:
    void selectedChanged(); ///< Emitted when the selected packet changes, by the user or by select().
    void chosen(std::size_t point); ///< Emitted when the user wants to go to the packet with index `point`.
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
    double m_height = 1; ///< Height of the scale as a fraction of the height at which all packets fit; below 1 if zoomed in.
    ResidualScale m_scale;
    std::optional<std::size_t> m_selected;
    std::optional<std::size_t> m_hovered;
    std::optional<QPointF> m_pressed; ///< Position of the mouse press; nullopt while no button is pressed.
    TimeRange m_windowPressed{};
    bool m_isDragging = false;
    QPixmap m_picture; ///< Cached picture without cursor and highlights; null if it must be repainted.
};

} // namespace helio
