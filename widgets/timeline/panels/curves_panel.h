#pragma once

#include "core/analysis/track_view.h"
#include "widgets/async/latest_job.h"
#include "widgets/timeline/curves/curve_graph.h"
#include "widgets/timeline/graph/time_panel.h"
#include "widgets/workspace/saved_choices.h"
#include "widgets/workspace/shown_command.h"

namespace helio {

/// The counters of one view as curves, described by the analysis that makes them. Which series are shown, their ratios, and what the
/// scale is of are kept in sessions.
class CurvesPanel final : public TimePanel, public SavedChoices, public OffersCommand {
    Q_OBJECT

public:
    CurvesPanel(TimeAxis& axis, TrackView view, QWidget* parent);

    CurveGraph* graph() const { return m_graph; }
    /// What is said where there are no series is another; who calls shows the timeline anew.
    void setNothing(std::string nothing) { m_view.nothing = std::move(nothing); }

    /// What counters make together is drawn before them, in each row that has them all, until it is taken back.
    const std::vector<CounterFormula>& ratios() const { return m_ratios; }
    void addRatio(CounterFormula formula);
    void removeRatio(const std::string& text);

    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

    QWidget* body() const override { return m_graph; }
    int emptyTextHeight() const override { return m_graph->emptyTextHeight(); }
    int heightOfWholeRows(int most) const override { return headerHeight() + m_graph->heightOfWholeNames(most - headerHeight()); }
    std::vector<std::uint32_t> shownTraces() const override;
    void stepChange(bool forward) override { m_graph->stepPoint(forward); }
    void fillMenu(QMenu& menu) override;
    void fillPlaceMenu(QMenu& menu) override { addRatioActions(menu); }

protected:
    int bodyHeight() const override { return m_graph->naturalHeight(); }

private:
    void onTimelineChanged();
    void requestSeries();
    void takeSeries(std::vector<NamedSeries> series);
    void showSeries();
    void showSubtitle();
    void setRatios(std::vector<CounterFormula> ratios);
    void addRatioActions(QMenu& menu);
    void askForRatio();
    EmptyWords emptyWords() const;

    TrackView m_view;
    CurveGraph* m_graph;
    std::vector<NamedSeries> m_series; ///< All there are; the graph has those that the filter leaves.
    std::vector<CounterFormula> m_ratios;
    bool m_areSeriesOld = false; ///< The timeline or the ratios changed since they were asked for.
    LatestJob m_seriesJob;
};

} // namespace helio
