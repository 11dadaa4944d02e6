#pragma once

#include "core/query/rows/estimated_cpu_times.h"
#include "core/waits/path/explain_wait.h"
#include "widgets/async/debounced_query.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/details/state_details.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>
#include <vector>

class QPushButton;
class QVBoxLayout;

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

/// Dock with details of the selection: the state of the selected row at the cursor, with its wait cause, its waker, and the states before
/// and after it; the call at the cursor; the sample nearest to the cursor with its call stack; every field of the selected event.
class DetailsView : public ScrollPage, public CommandProvider {
    Q_OBJECT

public:
    static constexpr std::size_t MostFields = 6; ///< Number of a state's fields that are shown before the user unfolds the others.

    explicit DetailsView(ViewContext& context, QWidget* parent = nullptr);

    WaitCard& waitCard() const { return *m_why; }
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue() || m_longestJob.isBusy(); }
    /// Returns the command that explains the shown wait; otherwise the command that prints the selected state or call, or the selected
    /// event.
    ShownCommand shownCommand() const override;

private:
    /// Intervals in the Latency dock that are like the explained wait.
    struct SimilarWaits {
        std::string kind; ///< Id of the kind of intervals; empty if there are none.
        std::string name; ///< Name of the intervals.
        bool areThrottled = false; ///< True if the wait is an effect of CPU throttling.
    };

    /// A line of m_fields.
    struct Field {
        QString name;
        QString value;
        QString link = {}; ///< Link of the value; see FieldGrid::add().
    };

    void showEvent(QShowEvent* event) override;
    void fetch();
    void explain();
    void takeWhy(std::shared_ptr<const Timeline> timeline, TrackRef thread, Timestamp at, std::shared_ptr<const Why> why);
    static SimilarWaits findSimilarWaits(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at, const Why& why,
                                         const std::stop_token& stop);
    void showSimilar(bool findsPeriods);
    void explainAtCursor();
    void endExplaining();
    QString whyUnexplained() const;
    void showState();
    void showPreemption();
    void showFields(std::vector<Field> fields);
    std::vector<Field> fieldsOf(const QString& valueTitle, bool isFrame) const;
    void takeEvent();
    std::shared_ptr<const EventRow> shownEvent() const;
    void showSelectedEvent();
    void showResultRow();
    void fetchEventSample();
    void showEmpty();
    bool isNothingChosen() const;
    void showSampled();
    void showButtons();
    void zoomToState();
    void openSource();
    void goTo(TrackRef row, Timestamp at);
    void makeStateBox();
    void makeButtons();
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
    QLabel* m_nothing; ///< Label that says why there is nothing to explain; shown after the user asked for an explanation.
    QVBoxLayout* m_buttonPlace; ///< Place of m_buttons while a state is shown.
    QWidget* m_buttons;
    FieldGrid* m_fields;
    QLabel* m_more; ///< Link that shows or hides further fields.
    bool m_showsAllFields = false;
    WaitCard* m_why;
    SimilarWaits m_similar; ///< Intervals that the buttons of m_similarBox show.
    QWidget* m_similarBox; ///< Buttons below m_why; visible if m_similar has a kind.
    QPushButton* m_throttling;
    QPushButton* m_periodicity;
    Timestamp m_whyAt{}; ///< Time of the wait that m_why explains.
    bool m_isAsked = false; ///< True if the user asked for an explanation that is not computed yet.
    QWidget* m_preemption; ///< Widget that explains why a vCPU was preempted; visible only if the shown state is such a preemption.
    QLabel* m_preempted; ///< Label with a sentence about the main culprit of the preemption.
    StealCard* m_taken;
    QLabel* m_exitsTitle;
    FieldGrid* m_exits; ///< Exits of the preempted vCPU.
    CallCard* m_call; ///< Card about the selected call, shown in place of the state.
    QPushButton* m_path;
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
    QWidget* m_resultBox; ///< Values of the row that the user selected in the SQL dock; hidden if there is none.
    FieldGrid* m_resultFields;
    std::shared_ptr<const EventRow> m_event; ///< Event that was selected last; nullptr if none.
    /// Row and cursor when m_event was selected.
    struct {
        TrackRef row;
        Timestamp at{};
    } m_eventPlace;
    DebouncedQuery m_answer;
    LatestTask m_eventJob;
    LatestTask m_longestJob;
};

} // namespace helio
