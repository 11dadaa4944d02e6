#pragma once

#include "widgets/paint/empty_message.h"
#include "widgets/timeline/graph/time_body.h"
#include "widgets/workspace/result_panels.h"

#include <QImage>

#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Body of a panel with a query's result as bars: a row for each value of the partition column. Overlapping intervals of a row are below
/// one another.
/// Threads: UI thread.
/// Cost: painting visits each interval in view.
class ResultBars : public TimeBody {
    Q_OBJECT

public:
    explicit ResultBars(TimeAxis& axis, QWidget* parent = nullptr);

    static constexpr int RowHeight = 22; ///< Height of a row without overlapping intervals, in pixels.
    static constexpr int DepthHeight = 16; ///< Height that each further line of a row needs, in pixels.

    void setData(std::shared_ptr<const ResultPanelData> data);
    void setEmptyMessage(EmptyMessage message);
    /// Outlines the interval of a row of the result; nullopt outlines none.
    void setMark(std::optional<std::uint32_t> line);

    int naturalHeight() const;
    int heightOfWholeRows(int most) const;
    int emptyTextHeight() const { return m_data && !m_data->lanes.empty() ? 0 : m_empty.heightIn(timeArea().width()); }
    std::size_t countIn(TimeRange window) const; ///< Number of intervals that overlap a time range.
    void stepInterval(bool forward); ///< Chooses the next or previous interval after the cursor, in any row.
    std::optional<std::uint32_t> lineAt(QPoint at) const; ///< Row of the result whose bar is at a point; nullopt if there is none.

signals:
    void chosen(std::uint32_t line);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hoverOver(std::optional<QPoint> at) override;
    void requestTip() override;
    bool scrollBy(QPoint at, double notches) override;
    void pressLabel(QPoint at) override;
    void click(QPoint at) override;
    TrackRef trackAt(QPoint) const override { return {}; }
    std::optional<Timestamp> snapped(QPoint at, Timestamp time) const override;
    bool pressKey(const QKeyEvent&) override { return false; }

private:
    /// Position of an interval: indexes of lane and interval.
    struct Place {
        std::size_t lane = 0;
        std::size_t interval = 0;
        bool operator==(const Place&) const = default;
    };
    /// Sums over the intervals of a lane, to find those in a time range.
    struct LaneIndex {
        std::vector<Timestamp> latestEnds; ///< Latest end of all intervals up to and including each one.
        std::vector<Timestamp> ends; ///< Ends of all intervals, sorted; the end of a moment is 1 ns after its begin.
    };

    void refresh();
    void compose();
    void paintRow(QPainter& painter, std::size_t lane, int top) const;
    void paintBars(QPainter& painter, std::size_t lane, int top) const;
    void paintTexts(QPainter& painter, std::size_t lane, int top) const;
    int heightOf(std::size_t lane) const;
    int topOf(std::size_t lane) const { return m_tops[lane] - m_scrollY; }
    std::optional<std::size_t> laneAt(int y) const;
    std::size_t firstIn(std::size_t lane, Timestamp begin) const;
    std::optional<Place> placeAt(QPoint at) const;
    QRectF barOf(const ResultInterval& interval, int top, const TimeScale& scale) const;
    QString textOf(const ResultInterval& interval) const;

    std::shared_ptr<const ResultPanelData> m_data;
    std::vector<LaneIndex> m_index;
    std::vector<int> m_tops; ///< Top of each lane and the end of the last one, in pixels, without scrolling.
    std::optional<std::uint32_t> m_mark;
    std::optional<Place> m_hovered;
    EmptyMessage m_empty;
    QImage m_picture; ///< Cached picture without the time marks.
    bool m_isOld = true;
    int m_scrollY = 0;
};

} // namespace helio
