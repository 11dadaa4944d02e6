#pragma once

#include "widgets/paint/empty_message.h"
#include "widgets/timeline/curves/curve_scene.h"
#include "widgets/timeline/graph/time_body.h"
#include "widgets/workspace/result_panels.h"

#include <QImage>

#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Lays out points as a curve: each value holds until the next point, the last one until `end`. Points in one pixel become a span with
/// their minimum, maximum and time-weighted mean.
Curve layOutPoints(const std::vector<ResultPoint>& points, const TimeScale& scale, Timestamp end);

/// Makes the lines of a query's result as curves, without the values at a time. `scale`: scale of the time area in device pixels. `end`:
/// end of the recording, up to which the last values hold. `isHidden`: whether a curve is hidden; empty if none is. Threads: any.
std::vector<CurveLine> makeResultCurves(const ResultPanelData& data, const Theme& theme, const TimeScale& scale, Timestamp end,
                                        const std::vector<bool>& isHidden = {});

/// Body of a panel with a query's result as curves, one for each value of the partition column. A click on a name hides its curve.
/// Threads: UI thread.
class ResultCurves : public TimeBody {
    Q_OBJECT

public:
    explicit ResultCurves(TimeAxis& axis, QWidget* parent = nullptr);

    void setData(std::shared_ptr<const ResultPanelData> data);
    void setEmptyMessage(EmptyMessage message);

    int naturalHeight() const;
    int emptyTextHeight() const { return m_data && !m_data->lanes.empty() ? 0 : m_empty.heightIn(timeArea().width()); }
    std::size_t countIn(TimeRange window) const; ///< Number of points in a time range.
    void stepPoint(bool forward); ///< Chooses the next or previous point after the cursor, of any shown curve.
    bool isHidden(std::size_t lane) const { return m_hidden[lane]; }

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
    void refresh();
    void compose();
    CurveScene sceneNow() const;
    int nameAt(QPoint at) const;
    const ResultPoint* pointBefore(std::size_t lane, Timestamp at) const;
    const ResultPoint* nearestPoint(QPoint at, std::size_t* lane) const;
    Timestamp endOfRecording() const;
    QString textOf(double value) const;

    std::shared_ptr<const ResultPanelData> m_data;
    std::vector<bool> m_hidden;
    std::vector<CurveLine> m_lines;
    Ticks m_ticks;
    ValueScale m_values;
    EmptyMessage m_empty;
    QImage m_picture; ///< Cached picture without the time marks.
    bool m_isOld = true;
    int m_hoveredName = -1;
    int m_scrollY = 0;
};

} // namespace helio
