#pragma once

#include "core/analysis/track_view.h"
#include "widgets/async/latest_task.h"
#include "widgets/timeline/curves/curve_graph.h"
#include "widgets/timeline/graph/time_panel.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_roles.h"

namespace helio {

/// Panel with the counters of one view as curves. Hidden series, ratios and the kind of scale are saved in sessions.
class CurvesPanel final : public TimePanel, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    CurvesPanel(TimeAxis& axis, TrackView view, QWidget* parent);

    CurveGraph* graph() const { return m_graph; }
    /// Sets the text that is shown if the view has no series. The graph shows the new text only after the timeline was set again.
    void setEmptyText(std::string nothing) { m_view.nothing = std::move(nothing); }

    /// Formulas that are drawn before the recorded series, in each row that has all counters of the formula.
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
    void fillBodyMenu(QMenu& menu) override;

signals:
    void leaksRequested(); ///< Emitted by the menu of a panel with heap memory. Its action only exists if the signal is connected.

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
    void addLeaks(QMenu& menu);
    void askForRatio();
    EmptyMessage emptyWords() const;

    TrackView m_view;
    CurveGraph* m_graph;
    std::vector<NamedSeries> m_series; ///< All series of the view; m_graph has only those that match the filter.
    std::vector<CounterFormula> m_ratios;
    bool m_areSeriesOld = false; ///< True if the timeline or the ratios changed since the series were requested.
    LatestTask m_seriesJob;
};

} // namespace helio
