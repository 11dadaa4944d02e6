#pragma once

#include "core/analysis/track_view.h"
#include "widgets/curves/curve_graph.h"
#include "widgets/timegraph/time_panel.h"
#include "widgets/view/saved_choices.h"
#include "widgets/work/latest_job.h"

namespace helio {

/// The counters of one view as curves, described by the analysis that makes them. Which series are shown and what the scale is of are kept
/// in sessions.
class CurvesPanel final : public TimePanel, public SavedChoices {
    Q_OBJECT

public:
    CurvesPanel(TimeAxis& axis, TrackView view, QWidget* parent);

    CurveGraph* graph() const { return m_graph; }
    /// What is said where there are no series is another; who calls shows the timeline anew.
    void setNothing(std::string nothing) { m_view.nothing = std::move(nothing); }

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;

    QWidget* body() const override { return m_graph; }
    int emptyTextHeight() const override { return m_graph->emptyTextHeight(); }
    int heightOfWholeRows(int most) const override { return headerHeight() + m_graph->heightOfWholeNames(most - headerHeight()); }
    std::vector<std::uint32_t> shownTraces() const override;
    void stepChange(bool forward) override { m_graph->stepPoint(forward); }
    void fillMenu(QMenu& menu) override;

protected:
    int bodyHeight() const override { return m_graph->naturalHeight(); }

private:
    void onTimelineChanged();
    void requestSeries();
    void takeSeries(std::vector<NamedSeries> series);
    void showSeries();
    void showSubtitle();
    EmptyWords emptyWords() const;

    TrackView m_view;
    CurveGraph* m_graph;
    std::vector<NamedSeries> m_series; ///< All there are; the graph has those that the filter leaves.
    bool m_areSeriesOld = false; ///< The timeline changed since they were asked for.
    LatestJob m_seriesJob;
};

} // namespace helio
