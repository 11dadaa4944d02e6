#pragma once

#include "core/latency/intervals/density_grid.h"
#include "widgets/time/time_format.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace helio {

/// Scatter chart of intervals: x is the start, y is the duration. Each cell of a grid that contains intervals is a dot, in the colour of
/// their name, or darker for more intervals. Dragging selects a rectangle, a click selects the cells near it, arrow keys move the
/// selection, Escape clears it. A dragged rectangle is only selected when the button is released, because listing its intervals may resize
/// the chart under the pointer.
/// Threads: UI thread.
/// Cost: all cells are painted once, into a cached picture.
class ScatterChart : public QWidget {
    Q_OBJECT

public:
    enum class Shape { Scatter, Density };
    /// Rectangle of begins and durations; the upper ends are excluded.
    struct Area {
        TimeRange times;
        Duration from{};
        Duration to{};
        bool operator==(const Area&) const = default;
    };

    explicit ScatterChart(QWidget* parent = nullptr);

    /// Sets the grid; nullptr for an empty chart. Clears the selection if the scale changes.
    void setGrid(std::shared_ptr<const DensityGrid> grid);
    void setShape(Shape shape);
    void setLogarithmicCounts(bool areLogarithmic); ///< Sets whether the darkness of a cell grows with the logarithm of its count.
    void setTimeFormat(const TimeFormat& format);
    void setNames(const QStringList& names); ///< Sets the names for tooltips, indexed like the grid's names.

    const std::shared_ptr<const DensityGrid>& grid() const { return m_grid; }
    Shape shape() const { return m_shape; }
    std::optional<Area> selected() const;
    void clearSelected() { select({}); }
    /// Returns the rectangle of a cell in pixels.
    QRectF cellRect(std::uint32_t column, std::uint32_t row) const;
    /// Returns the colour of the name with index `name`. The first `names` names have colours of their own; all further names share one
    /// colour.
    static QColor colorOf(std::uint32_t name, std::size_t names);

    QSize sizeHint() const override { return {420, 150}; }

signals:
    void selectedChanged(); ///< Emitted when the selection changed; while dragging, only once, when the button is released.
    void dismissed(); ///< Emitted when the user cleared the selection.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF area() const;
    QPointF toCells(QPointF at) const; ///< Converts pixels to fractional columns and rows, clamped to the grid.
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
    std::vector<std::int64_t> m_lengths; ///< Durations to label at the left edge.
    double m_lengthRoom = 0; ///< Width in pixels that the labels at the left need.
    Shape m_shape = Shape::Scatter;
    bool m_areCountsLogarithmic = true;
    TimeFormat m_format;
    QStringList m_names;
    std::optional<QRectF> m_selected; ///< Selected rectangle in columns and rows; nullopt if none.
    std::optional<QPointF> m_pressed; ///< Position of the mouse press in pixels; nullopt while no button is pressed.
    QPointF m_pressedCells; ///< Position of the mouse press in columns and rows, which stays valid if the chart is resized.
    std::optional<QRectF> m_dragged; ///< Dragged rectangle in columns and rows; nullopt if the user is not dragging.
    mutable QPixmap m_picture; ///< Cached picture of all cells; null if it must be repainted.
};

} // namespace helio
