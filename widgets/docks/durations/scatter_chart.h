#pragma once

#include "core/latency/intervals/density_grid.h"
#include "widgets/time/time_format.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace helio {

/// Intervals by begin, from left to right, and duration, upwards: a dot for each cell of a grid that is not empty, in the colour of a name,
/// or darker for more intervals. Dragging selects a rectangle, a click selects the cells near it, arrow keys move the selection, Escape
/// clears it. While the user drags, the rectangle is drawn but not selected yet, because listing what is selected may resize the chart
/// under the pointer.
/// Threads: UI thread.
/// Cost: all cells are drawn once, into a picture that is reused.
class ScatterChart : public QWidget {
    Q_OBJECT

public:
    enum class Shape { Scatter, Density };
    /// A rectangle of begins and durations; the ends are excluded.
    struct Area {
        TimeRange times;
        Duration from{};
        Duration to{};
        bool operator==(const Area&) const = default;
    };

    explicit ScatterChart(QWidget* parent = nullptr);

    void setGrid(std::shared_ptr<const DensityGrid> grid); ///< nullptr draws nothing. Clears the selection if the scale differs.
    void setShape(Shape shape);
    void setLogarithmicCounts(bool areLogarithmic); ///< Makes the darkness of a cell grow with the logarithm of its count.
    void setTimeFormat(const TimeFormat& format);
    void setNames(const QStringList& names); ///< Names for tooltips, in the order of the grid's name indices.

    const std::shared_ptr<const DensityGrid>& grid() const { return m_grid; }
    Shape shape() const { return m_shape; }
    std::optional<Area> selected() const;
    void clearSelected() { select({}); }
    /// Returns the cell's rectangle in pixels.
    QRectF cellRect(std::uint32_t column, std::uint32_t row) const;
    /// Returns the colour of a name; one common colour if `name` is `names` or more.
    static QColor colorOf(std::uint32_t name, std::size_t names);

    QSize sizeHint() const override { return {420, 150}; }

signals:
    void selectedChanged(); ///< Emitted once, when the button is released.
    void dismissed(); ///< The user cleared the selection.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF area() const;
    QPointF toCells(QPointF at) const; ///< Converts pixels to columns and rows, clamped to the grid.
    QRectF roundToCells(const QRectF& cells) const;
    void select(std::optional<QRectF> cells);
    void paintSelected(QPainter& painter, const QRectF& cells) const;
    void dismiss();
    void redraw();
    void paintAxes(QPainter& painter) const;
    void paintLengths(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    void paintCells(QPainter& painter) const;
    QColor cellColor(const DensityGrid::Cell& cell) const;
    QString tipAt(QPointF at) const;

    std::shared_ptr<const DensityGrid> m_grid;
    std::vector<std::int64_t> m_lengths; ///< Durations labelled at the left edge, where there is room.
    double m_lengthRoom = 0; ///< Width of the labels at the left, in pixels.
    Shape m_shape = Shape::Scatter;
    bool m_areCountsLogarithmic = true;
    TimeFormat m_format;
    QStringList m_names;
    std::optional<QRectF> m_selected; ///< In columns and rows.
    std::optional<QPointF> m_pressed; ///< Position in pixels.
    QPointF m_pressedCells; ///< Position of the press in columns and rows; valid even if the chart was resized since.
    std::optional<QRectF> m_dragged; ///< In columns and rows; empty if the user is not dragging.
    mutable QPixmap m_picture; ///< Picture of all cells; null if it must be drawn again.
};

} // namespace helio
