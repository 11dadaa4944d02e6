#pragma once

#include "widgets/docks/events/state_results.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_search.h"
#include "widgets/workspace/example_hint.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <optional>

class QStackedWidget;
class QToolButton;

namespace helio {

class ExpressionField;
class Pill;

/// Runs the search that all views mark, and lists its hits: state intervals if the expression uses states or durations; calls if it names
/// functions that are called, unless the user asks for events; otherwise events. Choosing a hit goes to it. A page of the Events dock.
class SearchView : public QWidget, public CommandProvider {
    Q_OBJECT

public:
    explicit SearchView(ViewContext& context, QWidget* parent = nullptr);

    ShownCommand shownCommand() const override;

signals:
    void closeRequested(); ///< Emitted when the user goes back to all events; the marks of the hits stay.

private:
    /// Kind of hits for an expression that can match both.
    enum class Kind { Events, Calls };

    void start(const QString& text);
    void searchIn(Kind kind);
    void decide(bool areCalls);
    void adoptMarks();
    void showState();
    void choose(quint64 position);
    void goTo(std::size_t hit);
    bool showsStates() const;
    void showKind(bool areStates);
    void selectState(std::optional<std::size_t> hit);
    QString statesText() const;
    QToolButton* addButton(const QString& icon, const QString& name, const QString& action);

    ViewContext& m_context;
    ExpressionField* m_field;
    EventList* m_list;
    StateResults* m_states;
    QStackedWidget* m_stack;
    EventSearch m_search;
    StateSearch m_stateSearch;
    Pill* m_kind; ///< Pill for choosing between events and calls; shown if the expression can match both.
    std::optional<Kind> m_chosen; ///< Kind that the user chose for m_started; nullopt if none.
    QString m_started; ///< Expression of the last search, started in this view or by another view.
    QToolButton* m_stop;
    QList<QToolButton*> m_buttons;
    ExampleHint m_hint;
};

} // namespace helio
