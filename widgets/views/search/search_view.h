#pragma once

#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_search.h"
#include "widgets/view/view_context.h"
#include "widgets/views/search/state_results.h"

class QStackedWidget;
class QToolButton;

namespace helio {

class ExpressionField;

/// Runs the search that all views mark and lists its hits: events, or, where the expression speaks of state or duration, states. Choosing
/// one goes there.
class SearchView : public QWidget {
    Q_OBJECT

public:
    explicit SearchView(ViewContext& context, QWidget* parent = nullptr);

private:
    void start(const QString& text);
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
    QString m_started; ///< The last text that was searched for, or that other views' marks are called.
    QToolButton* m_stop;
    QList<QToolButton*> m_buttons;
};

} // namespace helio
