#pragma once

#include "core/latency/intervals/piece_grid.h"
#include "widgets/time/time_format.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace helio {

/// When things began, from left to right, and how long they lasted, upwards: a dot for each cell of a grid that has any, in the colour of a
/// name, or darker the more there are. Dragging selects a rectangle, a click what is near, arrow keys move it, Escape selects nothing.
/// While a person drags, the rectangle is drawn and not selected yet: whoever lists what is selected may take room from what is dragged
/// over. What is drawn costs as much as the grid has cells, once; then it is a picture. UI thread.
class TimesChart : public QWidget {
    Q_OBJECT

public:
    enum class Shape { Scatter, Density };
    /// Of begins and lengths, without the ends.
    struct Area {
        TimeRange times;
        Duration from{};
        Duration to{};
        bool operator==(const Area&) const = default;
    };

    explicit TimesChart(QWidget* parent = nullptr);

    void setGrid(std::shared_ptr<const PieceGrid> grid); ///< Null: nothing is drawn. Nothing is selected where its scale is another one.
    void setShape(Shape shape);
    void setLogarithmicCounts(bool areLogarithmic); ///< How dark a count is.
    void setTimeFormat(const TimeFormat& format);
    void setNames(const QStringList& names); ///< As the grid counts them: for tips.

    const std::shared_ptr<const PieceGrid>& grid() const { return m_grid; }
    Shape shape() const { return m_shape; }
    std::optional<Area> selected() const;
    void clearSelected() { select({}); }
    /// The pixels of a cell.
    QRectF cellRect(std::uint32_t column, std::uint32_t row) const;
    /// That of one of the names, or of all others.
    static QColor colorOf(std::uint32_t name, std::size_t names);

    QSize sizeHint() const override { return {420, 150}; }

signals:
    void selectedChanged(); ///< Once, when the button is released.
    void dismissed(); ///< A person wants nothing selected.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF area() const;
    QPointF inCells(QPointF at) const; ///< From pixels to columns and rows, within the grid.
    QRectF wholeCells(const QRectF& cells) const;
    void select(std::optional<QRectF> cells);
    void paintSelected(QPainter& painter, const QRectF& cells) const;
    void dismiss();
    void redraw();
    void paintAxes(QPainter& painter) const;
    void paintLengths(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    void paintCells(QPainter& painter) const;
    QColor cellColor(const PieceGrid::Cell& cell) const;
    QString tipAt(QPointF at) const;

    std::shared_ptr<const PieceGrid> m_grid;
    std::vector<std::int64_t> m_lengths; ///< That are written at the left, where there is room.
    double m_lengthRoom = 0; ///< How wide that is.
    Shape m_shape = Shape::Scatter;
    bool m_areCountsLogarithmic = true;
    TimeFormat m_format;
    QStringList m_names;
    std::optional<QRectF> m_selected; ///< In columns and rows.
    std::optional<QPointF> m_pressed; ///< Pixels.
    QPointF m_pressedCells; ///< Where that was in columns and rows, also when the chart has another size by now.
    std::optional<QRectF> m_dragged; ///< In columns and rows; none: nothing is dragged.
    mutable QPixmap m_picture; ///< Of all cells; null: to be drawn.
};

} // namespace helio
