#pragma once

#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_search.h"
#include "widgets/workspace/example_hint.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_roles.h"

class QStackedWidget;

namespace helio {

class EventTypeTable;
class ExpressionField;
class Pill;
class SearchView;

/// Table of raw events: all events of the experiment, or the events that match a filter. The table follows the cursor; choosing an event
/// moves the cursor to it. When the user searches, a SearchView with the hits replaces the table until the user goes back to all events.
class EventsView : public QWidget, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit EventsView(ViewContext& context, QWidget* parent = nullptr);

    EventList& list() { return *m_list; }
    bool showsSearch() const;
    /// The filter in effect, or the new one while its first hits are being searched.
    QString filter() const { return m_filter.awaited().isEmpty() ? m_filter.text() : m_filter.awaited(); }
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    void showEvent(QShowEvent* event) override;
    void takeTimeline();
    void setFilter(const QString& text);
    void editFilter(const QString& text);
    void showFilter();
    void follow();
    bool isNothingChosen() const;
    void choose(quint64 position);
    void goToChosen();
    void addClockAction(QMenu& menu);
    QString queryOfCurrent() const;
    void showTypes(bool areTypes);
    void showSearch(bool isShown);

    ViewContext& m_context;
    ExpressionField* m_field;
    EventList* m_list;
    EventTypeTable* m_types;
    QStackedWidget* m_stack; ///< Stack of m_list and m_types; m_byType chooses the shown one.
    Pill* m_byType;
    SearchView* m_searchView = nullptr; ///< Page with the results of a search, shown in place of m_field and m_stack.
    SearchHits m_filter;
    EventSearch m_search;
    ExampleHint m_hint;
    std::optional<std::uint64_t> m_chosen; ///< Number of the event that the user selected, until its row has been read.
    bool m_isOwnMove = false;
    bool m_isBehind = false; ///< True if the cursor moved while the view was hidden, so that the table must scroll when shown.
};

} // namespace helio
