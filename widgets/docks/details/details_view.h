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

/// Details of what is selected: the state of the selected row at the cursor with its neighbours and its waker, or the call there; the
/// sample nearest to it with its call stack; and every field of the selected event.
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
    EstimatedCpuTime m_sampled; ///< Samples in an interval of unknown state.
    StateKind m_sampledState; ///< The state that most of these samples show.
    TraceCard* m_empty;
    LinkCard* m_link; ///< Shown above everything else and instead of the state.
    ConnectionCard* m_connection; ///< Shown below m_link and instead of the state.
    QWidget* m_stateBox;
    QLabel* m_swatch;
    QLabel* m_title;
    QLabel* m_duration;
    QLabel* m_place;
    FieldGrid* m_fields;
    WaitCard* m_why;
    StealCard* m_taken;
    CallCard* m_call; ///< Shown instead of the state.
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
