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

/// Table of raw events: all events of the experiment, or the events that match a filter. Follows the cursor; selecting an event moves the
/// cursor.
class EventsView : public QWidget, public SavedViewState, public CommandProvider {
    Q_OBJECT

public:
    explicit EventsView(ViewContext& context, QWidget* parent = nullptr);

    EventList& list() { return *m_list; }
    /// Filter in effect; while the first hits of a new filter are being searched, the new filter.
    QString filter() const { return m_filter.awaited().isEmpty() ? m_filter.text() : m_filter.awaited(); }
    QJsonObject save() const override;
    void restore(const QJsonObject& kept) override;
    ShownCommand shownCommand() const override;

private:
    void showEvent(QShowEvent* event) override;
    void takeTimeline();
    void setFilter(const QString& text);
    void showFilter();
    void follow();
    bool isNothingChosen() const;
    void choose(quint64 position);
    void goToChosen();
    void addClockAction(QMenu& menu);
    void showTypes(bool areTypes);

    ViewContext& m_context;
    ExpressionField* m_field;
    EventList* m_list;
    EventTypeTable* m_types;
    QStackedWidget* m_stack;
    Pill* m_byType;
    SearchHits m_filter;
    EventSearch m_search;
    ExampleHint m_hint;
    std::optional<std::uint64_t> m_chosen; ///< Number of the event that the user selected, until its row has been read.
    bool m_isOwnMove = false;
    bool m_isBehind = false; ///< True if the cursor moved while the view was hidden, so that the table must scroll when shown.
};

} // namespace helio
