#pragma once

#include "widgets/docks/search/state_results.h"
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

/// Runs the search that all views mark and lists its hits: events; where the expression speaks of state or duration, states; where it names
/// functions that are called, their calls, unless a person wants events. Choosing one goes there.
class SearchView : public QWidget, public OffersCommand {
    Q_OBJECT

public:
    explicit SearchView(ViewContext& context, QWidget* parent = nullptr);

    ShownCommand shownCommand() const override;

private:
    /// What an expression that fits both is searched for in.
    enum class Kind { Events, Calls };

    void start(const QString& text);
    void searchIn(Kind kind);
    void decide(bool areCalls);
    void takeMarks();
    void showState();
    void choose(quint64 position);
    void goTo(std::size_t hit);
    bool isOfStates() const;
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
    Pill* m_kind; ///< Events or calls, where an expression may be about either.
    std::optional<Kind> m_chosen; ///< By a person, for the text that was started.
    QString m_started; ///< The last text that was searched for, or that other views' marks are called.
    QToolButton* m_stop;
    QList<QToolButton*> m_buttons;
    ExampleHint m_hint;
};

} // namespace helio
