#pragma once

#include "core/query/rows/estimated_cpu_times.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/details/state_details.h"
#include "widgets/workspace/view_context.h"

class QPushButton;

namespace helio {

class CallCard;
class ConnectionCard;
class LinkCard;
class MachineCard;
class SampleBox;
class StealCard;
class ThreadCard;
class TraceCard;
class WaitCard;

/// Dock with details of the selection: the state at the cursor in the selected row, its neighbours and its waker, or the call there; the
/// sample nearest to the cursor with its call stack; and all fields of the selected event.
class DetailsView : public ScrollPage {
    Q_OBJECT

public:
    explicit DetailsView(ViewContext& context, QWidget* parent = nullptr);

private:
    void showEvent(QShowEvent* event) override;
    void fetch();
    void showState();
    void showSelectedEvent();
    void fetchEventSample();
    void showEmpty();
    bool isNothingChosen() const;
    void showSampled();
    void showButtons();
    void zoomToState();
    void openSource();
    void goTo(TrackRef row, Timestamp at);
    void makeStateBox();
    QWidget* makeFooter();
    void connectButtons();
    QString moment(Timestamp at) const { return timeText(at, m_context.timeFormat()); }

    ViewContext& m_context;
    std::optional<StateDetails> m_state;
    EstimatedCpuTime m_sampled; ///< CPU time estimated from the samples in an interval without recorded states.
    StateKind m_sampledState; ///< State that most of the samples in m_sampled show.
    TraceCard* m_empty;
    LinkCard* m_link; ///< Card about the selected link; shown above everything else, in place of the state.
    ConnectionCard* m_connection; ///< Card about the selected connection; shown below m_link, in place of the state.
    QWidget* m_stateBox;
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_duration;
    QLabel* m_place;
    FieldGrid* m_fields;
    WaitCard* m_why;
    StealCard* m_taken;
    CallCard* m_call; ///< Card about the selected call; shown in place of the state.
    QPushButton* m_zoom;
    QPushButton* m_toEvent;
    QPushButton* m_toSource;
    SampleBox* m_sampleBox;
    MachineCard* m_machine;
    ThreadCard* m_thread;
    QWidget* m_eventBox;
    QLabel* m_eventTitle;
    SampleBox* m_eventSample;
    FieldGrid* m_eventFields;
    DebouncedQuery m_answer;
    LatestTask m_eventJob;
};

} // namespace helio
