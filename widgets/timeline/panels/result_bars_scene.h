#pragma once

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/result_panels.h"

#include <QPainter>
#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Positions of the rows of a query's result as bars, and the order of their intervals in time. Immutable.
/// Cost: the constructor sorts the ends of all intervals.
class ResultBarsLayout {
public:
    static constexpr int RowHeight = 22; ///< Height of a row without overlapping intervals, in pixels.
    static constexpr int DepthHeight = 16; ///< Height that each further line of a row needs, in pixels.

    ResultBarsLayout() = default;
    explicit ResultBarsLayout(std::shared_ptr<const ResultPanelData> data);

    const ResultPanelData* data() const { return m_data.get(); } ///< nullptr if there are no contents.
    std::size_t lanes() const { return m_lanes.size(); }
    int top(std::size_t lane) const { return m_tops[lane]; } ///< Top of a row in pixels; lanes() gives the bottom of the last row.
    int heightOf(std::size_t lane) const { return top(lane + 1) - top(lane); }
    int height() const { return m_tops.back(); }
    int heightOfWholeRows(int most) const; ///< Largest height of whole rows up to `most`; at least RowHeight.
    std::size_t countIn(TimeRange window) const; ///< Number of intervals that overlap a time range.
    /// Returns the index of the first interval of a row that may reach beyond `begin`.
    std::size_t firstIn(std::size_t lane, Timestamp begin) const;

private:
    /// Ends of the intervals of a row, to find those in a time range. The end of a moment is 1 ns after its begin.
    struct Lane {
        std::vector<Timestamp> latestEnds; ///< Latest end of all intervals up to and including each one.
        std::vector<Timestamp> ends; ///< Ends of all intervals, sorted.
    };

    std::shared_ptr<const ResultPanelData> m_data;
    std::vector<Lane> m_lanes;
    std::vector<int> m_tops{0}; ///< Top of each row and the bottom of the last one.
};

/// Complete input for painting a query's result as bars, filled in the same way for the screen and for picture files.
/// Ownership: refers to data of the caller.
struct ResultBarsScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    const ResultBarsLayout* layout = nullptr;
    const Ticks* ticks = nullptr;
    QSize size; ///< Size of the whole area: label column and time area.
    int labelWidth = 300;
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    TimeRange selection;
    std::optional<std::uint32_t> mark; ///< Row of the result whose interval is outlined; nullopt for none.
    std::optional<std::size_t> hoveredLane;
    int scrollY = 0;

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    int topOf(std::size_t lane) const { return layout->top(lane) - scrollY; }
    /// Returns the rectangle of an interval in a row.
    QRectF barOf(std::size_t lane, const ResultInterval& interval) const;
};

/// Paints the bars and the label column.
/// Cost: visits each interval in view.
/// Threads: any.
void paintResultBars(QPainter& painter, const ResultBarsScene& scene);

} // namespace helio
