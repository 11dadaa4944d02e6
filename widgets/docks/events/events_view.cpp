#include "widgets/docks/events/events_view.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "widgets/controls/expression_field.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/events/event_type_table.h"
#include "widgets/docks/events/search_view.h"
#include "widgets/eventlist/event_text.h"
#include "widgets/workspace/change_history.h"
#include "widgets/workspace/go_to.h"
#include "widgets/workspace/sql_requests.h"

#include <QJsonArray>
#include <QMenu>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

namespace helio {

namespace {

QString matchesText(qint64 count)
{
    return count == 0 ? EventsView::tr("no event matches")
        : count == 1  ? EventsView::tr("1 event matches")
                      : EventsView::tr("%1 events match").arg(countText(count));
}

} // namespace

EventsView::EventsView(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_field(new ExpressionField(tr("Filter events"), {}))
    , m_list(new EventList)
    , m_types(new EventTypeTable(context))
    , m_stack(new QStackedWidget)
    , m_byType(new Pill(tr("By type")))
    , m_search(m_filter)
    , m_hint(context, [this](const QString& example) { m_field->setHint(tr("Filter: %1").arg(example)); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_field);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_types);
    // This connection must be made before m_searchView is made. Slots run in the order of their connection, and SearchView's slot for this
    // signal replaces the text in hits(), which this slot still needs.
    connect(&context, &ViewContext::searchRequested, this, [this](const QString& text) {
        const bool isCleared = text.isEmpty() && !(m_context.hits().text().isEmpty() && m_context.hits().awaited().isEmpty());
        showSearch(!isCleared);
    });
    m_searchView = new SearchView(context);
    m_searchView->hide();
    layout->addWidget(m_searchView, 1);
    connect(m_searchView, &SearchView::closeRequested, this, [this] { showSearch(false); });
    connect(&context, &ViewContext::viewRequested, this, [this](const QString& id) {
        // A link in another view leads to an event that may not be among the hits, so the table of all events is shown.
        if (id == QLatin1String("events"))
            showSearch(false);
    });
    auto* search = new Pill(tr("Search…"));
    search->setToolTip(tr("Search events, states or calls and list the hits (Ctrl+F)"));
    connect(search, &Pill::clicked, this, [this] { m_context.search(m_context.hits().text()); });
    m_field->addWidget(search);
    m_byType->setObjectName("byType");
    m_byType->setCheckable(true);
    m_byType->setToolTip(tr("Count the events of each type, in the selected range or in the whole trace"));
    m_field->addWidget(m_byType);
    connect(m_byType, &Pill::toggled, this, &EventsView::showTypes);
    connect(m_types, &EventTypeTable::remark, m_field, &ExpressionField::setRemark);
    connect(m_types, &EventTypeTable::chosen, this, [this](const QString& name) {
        m_byType->setChecked(false);
        m_context.filter(QStringLiteral("name == \"%1\"").arg(name));
    });
    m_list->model().setMarks(&context.hits().hits());
    m_list->setOffersFilter(true);
    m_list->pages().setCompleteness([this] { return checkCompleteness(m_context.timeline().get(), m_filter); });
    connect(m_list, &EventList::menuAboutToOpen, this, &EventsView::addClockAction);
    connect(m_list, &EventList::addFilterRequested, this,
            [this](const QString& expression) { m_context.filter(combineFilters(m_filter.text(), expression)); });
    connect(m_list, &EventList::copied, this,
            [this](int lines) { m_context.say(lines == 1 ? tr("Copied the event") : tr("Copied %1 events").arg(countText(lines))); });

    connect(m_field, &ExpressionField::submitted, this, &EventsView::editFilter);
    connect(&context, &ViewContext::filterRequested, this, [this](const QString& text) {
        showSearch(false);
        m_byType->setChecked(false);
        m_field->setText(text);
        editFilter(text);
        // While a change is undone, the focus stays where it is, so that the keys for undo still reach the window.
        if (!m_context.changes().isPaused())
            m_field->focus();
    });
    connect(&context, &ViewContext::timelineChanged, this, &EventsView::takeTimeline);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_list->model().setTimeFormat(m_context.timeFormat()); });
    connect(&context.hits(), &SearchHits::changed, this, [this] { m_list->model().setMarks(&m_context.hits().hits()); });
    connect(&context.time(), &TimeWindow::cursorChanged, this, &EventsView::follow);
    connect(&m_filter, &SearchHits::begun, this, [this] {
        m_list->pages().setNumbers(m_filter.text().isEmpty() ? nullptr : &m_filter.hits());
        follow();
    });
    connect(&m_filter, &SearchHits::changed, this, &EventsView::showFilter);
    connect(m_list, &EventList::chosen, this, &EventsView::choose);
    connect(&m_list->pages(), &EventPages::changed, this, &EventsView::goToChosen);
    connect(&m_list->pages(), &EventPages::sizeChanged, this, &EventsView::showFilter);
    connect(&m_list->pages(), &EventPages::positionFound, this, [this](quint64 position) {
        const std::uint64_t size = m_list->pages().size();
        if (size == 0)
            return;
        if (isNothingChosen())
            m_list->setCurrent({});
        else
            m_list->setCurrent(std::min<std::uint64_t>(position, size - 1));
    });
    showSearch(false);
    takeTimeline();
}

bool EventsView::showsSearch() const { return !m_searchView->isHidden(); }

void EventsView::showSearch(bool isShown)
{
    m_field->setVisible(!isShown);
    m_stack->setVisible(!isShown);
    m_searchView->setVisible(isShown);
    setFocusProxy(isShown ? static_cast<QWidget*>(m_searchView) : m_list);
}

void EventsView::takeTimeline()
{
    const auto timeline = m_context.timeline();
    m_list->showHosts(timeline && hostFacts(*timeline).size() > 1);
    m_list->pages().setSource(makeEventSource(timeline));
    QStringList missing;
    if (timeline)
        for (const Message& message : missingRecordings(*timeline))
            missing << QString::fromStdString(message.text);
    m_list->setEmptyText(missing.join('\n'));
    if (!timeline) {
        showSearch(false);
        m_field->setText({});
        setFilter({});
        m_list->setCurrent({});
        // The traces have been read completely, so the filter is applied again: it also finds the events that were read since, and the
        // numbers of all matching events are up to date.
    } else if (isComplete(*timeline)) {
        setFilter(filter());
    }
}

QJsonObject EventsView::save() const { return {{"filter", filter()}, {"columns", QJsonArray::fromStringList(m_list->fieldColumns())}}; }

void EventsView::restore(const QJsonObject& kept)
{
    m_list->setFieldColumns(kept["columns"].toVariant().toStringList());
    m_field->setText(kept["filter"].toString());
    setFilter(m_field->text());
}

ShownCommand EventsView::shownCommand() const
{
    if (showsSearch())
        return m_searchView->shownCommand();
    const TimeRange selection = m_context.time().selection();
    if (m_stack->currentWidget() == m_types)
        return {
            QStringList{"events", "--by-type"} + (selection.isEmpty() ? QStringList() : rangeOptions(m_context.time(), selection)), {}, {}};
    return {QStringList{"events"} + optionWords("--filter", filter()), {}, {}};
}

void EventsView::setFilter(const QString& text) { m_search.start(m_context.timeline(), text); }

/// Sets the filter on the user's request, as a change that can be undone. A filter with an error takes no effect, and is no change.
void EventsView::editFilter(const QString& text)
{
    const QString before = filter();
    setFilter(text);
    const QString after = filter();
    if (after == before || !m_filter.problem().isEmpty())
        return;
    const auto set = [&context = m_context](const QString& to) { return [&context, to] { context.filter(to); }; };
    m_context.record({.text = after.isEmpty() ? tr("Clear event filter") : tr("Filter events by “%1”").arg(after.left(40)),
                      .undo = set(before),
                      .redo = set(after)});
}

void EventsView::showTypes(bool areTypes)
{
    m_stack->setCurrentWidget(areTypes ? static_cast<QWidget*>(m_types) : m_list);
    if (!areTypes)
        showFilter();
}

void EventsView::showFilter()
{
    const QString& problem = m_filter.problem();
    m_field->setProblem(problem.isEmpty() || m_filter.text().isEmpty() ? problem : tr("%1. Still shown: %2").arg(problem, m_filter.text()));
    if (!m_filter.awaited().isEmpty())
        return m_field->setRemark(tr("searching…"));
    if (m_filter.text().isEmpty()) {
        const auto size = qint64(m_list->pages().size());
        return m_field->setRemark(size > 0 ? tr("%1 events").arg(countText(size)) : QString());
    }
    const auto found = qint64(m_filter.hits().size());
    const QString matches = m_filter.isCut() ? tr("the first %1 events that match").arg(countText(found)) : matchesText(found);
    m_field->setRemark(m_filter.isComplete() ? matches : tr("%1, %2 % searched").arg(matches).arg(int(m_filter.share() * 100)));
    if (sender() != &m_filter)
        return;
    m_list->pages().updateNumbers();
    if (m_filter.isComplete()) // Selects the event at the cursor, which may have been found only now.
        follow();
}

/// True if the cursor has not moved since the trace was opened: no event is current then.
bool EventsView::isNothingChosen() const
{
    const TimeWindow& time = m_context.time();
    return !m_context.selectedEvent() && !time.row().isValid() && time.cursor() == time.full().begin;
}

void EventsView::follow()
{
    if (m_isOwnMove || !m_context.timeline())
        return;
    m_isBehind = !isVisible();
    if (m_isBehind)
        return;
    const auto current = m_list->current();
    const auto row = current ? m_list->pages().row(*current) : nullptr;
    if (!row || row->time != m_context.time().cursor())
        m_list->pages().seek(m_context.time().cursor());
}

void EventsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isBehind)
        follow();
}

/// Returns the query in SQL for the events with the name of the current event, with its fields as columns; empty if there is no event.
QString EventsView::queryOfCurrent() const
{
    constexpr std::size_t MostColumns = 12;
    const auto current = m_list->current();
    const auto row = current ? m_list->pages().row(*current) : nullptr;
    if (!row)
        return {};
    const QString name = QString::fromStdString(row->name);
    QString columns = QStringLiteral("ts, cpu, thread.name AS thread, event.utid");
    const std::vector<FieldChoice> fields = fieldChoices(*row);
    for (const FieldChoice& it : std::span(fields).first(std::min(MostColumns, fields.size()))) {
        const QString field = it.field;
        columns += QStringLiteral(",\n       extract_arg(arg_set_id, %1) AS \"%2\"")
                       .arg(sqlText(field), QString(field).replace(u'"', QStringLiteral("\"\"")));
    }
    const TimeRange visible = m_context.time().focus();
    return QStringLiteral("-- Events %1\nSELECT %2\nFROM event\nLEFT JOIN thread USING (utid)\n"
                          "WHERE event.name = %3 AND ts >= %4 AND ts < %5\nORDER BY ts")
        .arg(QString(name).replace(u'\n', u' '), columns, sqlText(name), QString::number(nanoseconds(visible.begin)),
             QString::number(nanoseconds(visible.end)));
}

void EventsView::addClockAction(QMenu& menu)
{
    menu.addSeparator();
    addSqlAction(menu, m_context, queryOfCurrent());
    const auto timeline = m_context.timeline();
    if (!timeline || hostFacts(*timeline).size() < 2)
        return;
    menu.addSeparator();
    menu.addAction(tr("Match two events\u2026"), this, [this] { m_context.trigger(QStringLiteral("clocks.same-moment")); });
}

void EventsView::choose(quint64 position)
{
    m_chosen = position;
    goToChosen();
}

void EventsView::goToChosen()
{
    const auto row = m_chosen ? m_list->pages().row(*m_chosen) : nullptr;
    if (!row)
        return;
    m_chosen.reset();
    m_isOwnMove = true;
    goToEvent(m_context, row);
    m_isOwnMove = false;
}

} // namespace helio
