#pragma once

#include "widgets/paint/empty_message.h"
#include "widgets/timeline/graph/time_body.h"
#include "widgets/timeline/panels/result_bars_scene.h"

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

    void setData(std::shared_ptr<const ResultPanelData> data);
    void setEmptyMessage(EmptyMessage message);
    /// Outlines the interval of a row of the result; nullopt outlines none.
    void setMark(std::optional<std::uint32_t> line);

    int naturalHeight() const { return m_layout.height(); }
    int heightOfWholeRows(int most) const { return m_layout.heightOfWholeRows(most); }
    int emptyTextHeight() const { return m_layout.lanes() > 0 ? 0 : m_empty.heightIn(timeArea().width()); }
    std::size_t countIn(TimeRange window) const { return m_layout.countIn(window); } ///< Number of intervals that overlap a time range.
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
    void refresh();
    void compose();
    ResultBarsScene sceneNow() const;
    const std::vector<ResultLane>& lanes() const;
    std::optional<std::size_t> laneAt(int y) const;
    std::optional<Place> placeAt(QPoint at) const;

    ResultBarsLayout m_layout;
    Ticks m_ticks;
    std::optional<std::uint32_t> m_mark;
    std::optional<Place> m_hovered;
    EmptyMessage m_empty;
    QImage m_picture; ///< Cached picture without the time marks.
    bool m_isOld = true;
    int m_scrollY = 0;
};

} // namespace helio
