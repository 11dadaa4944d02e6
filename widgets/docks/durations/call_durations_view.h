#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/durations/call_list_model.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/workspace/saved_view_state.h"
#include "widgets/workspace/shown_command.h"

class QPushButton;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace helio {

class HitsStrip;
class DurationChart;
class EmptyPage;
class Pill;

/// Durations of the calls of one function: the function of the call at the cursor, or a function that another view chose, whichever came
/// last. Lists the calls of the selected bucket and marks them as search hits; choosing a call goes to it.
/// Threads: UI thread.
class CallDurationsView : public PanelGround, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit CallDurationsView(ViewContext& context, QWidget* parent = nullptr);

    const DurationChart& chart() const { return *m_chart; }
    const CallListModel& calls() const { return m_calls; }
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    struct Question;

    void makeHead();
    void makeFoot();
    void makeList();
    void wire();
    void showEvent(QShowEvent* event) override;
    void follow(bool chosen);
    void fetch();
    void take(std::shared_ptr<const FunctionDurations> durations, std::optional<Segment> own);
    void showPage();
    void showBuckets();
    void fetchCalls();
    void takeCalls(std::shared_ptr<const ListedCalls> calls);
    void mark();
    bool areHitsOurs() const; ///< True if the hits that all views mark are the listed calls.
    void unmark();
    void goTo(std::size_t call);
    void step(int by);
    void showCurrent();
    void showFoot();
    void zoomToAll();

    ViewContext& m_context;
    SampleModel& m_samples;
    bool m_followsChosen = false; ///< True if another view chose the function, false if it follows the call at the cursor.
    std::shared_ptr<const FunctionDurations> m_shown; ///< nullptr if nothing is shown.
    std::shared_ptr<const ListedCalls> m_bucket; ///< The selected bucket's calls; nullptr if no bucket is selected.
    QString m_marks; ///< Text under which the calls were set as search hits.
    CallListModel m_calls;
    QLabel* m_title;
    QLabel* m_count;
    Pill* m_logLengths;
    Pill* m_logHeights;
    DurationChart* m_chart;
    QTreeView* m_list;
    QLabel* m_range;
    HitsStrip* m_strip;
    QPushButton* m_showAll;
    QLabel* m_place;
    QToolButton* m_previous;
    QToolButton* m_next;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    DebouncedQuery m_answer;
    LatestTask m_callsJob;
};

} // namespace helio
