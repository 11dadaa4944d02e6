#pragma once

#include "widgets/docks/clocks/residual_scale.h"
#include "widgets/time/time_format.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace helio {

/// What a host's clock makes of the packets: each a dot, by how far it is from taking no time, and the corridor that the clock is in. The
/// wheel zooms at the pointer, with Ctrl upwards, with Shift it pans; dragging pans, a double click shows all. A click on a dot, or the
/// arrow keys, choose a packet. UI thread.
class ResidualPlot : public QWidget {
    Q_OBJECT

public:
    explicit ResidualPlot(QWidget* parent = nullptr);

    /// Null: nothing is to be shown. The names are those of the host and of the one that it was compared with. What is in view stays where
    /// both are of the same two hosts.
    void setResiduals(std::shared_ptr<const Residuals> residuals, const QString& host, const QString& neighbour);
    void setTimeFormat(const TimeFormat& format);
    void setCursor(Timestamp at);
    using QWidget::setCursor;

    const ResidualScale& scale() const { return m_scale; }
    TimeRange window() const { return m_window; } ///< What is in view.
    std::optional<std::size_t> selected() const { return m_selected; }
    void select(std::optional<std::size_t> point);
    QString tipOf(std::size_t point) const;

    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

signals:
    void selectedChanged(); ///< By the person, or select().
    void chosen(std::size_t point); ///< A person wants to go there.
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
    double m_height = 1; ///< How much higher than what fits; below 1: zoomed in.
    ResidualScale m_scale;
    std::optional<std::size_t> m_selected;
    std::optional<std::size_t> m_hovered;
    std::optional<QPointF> m_pressed; ///< Where, while a button is down.
    TimeRange m_windowPressed{};
    bool m_isDragging = false;
    QPixmap m_picture; ///< Of all but what moves. Null: to be painted.
};

} // namespace helio
