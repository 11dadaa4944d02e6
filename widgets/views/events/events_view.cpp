#include "widgets/views/events/events_view.h"

#include "core/query/facts.h"
#include "widgets/shell/expression_field.h"

#include <QVBoxLayout>

namespace helio {

EventsView::EventsView(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_field(new ExpressionField(tr("Filter of the events"), tr("Filter: name == \"sched_switch\" && next_tid == 42")))
    , m_list(new EventList)
    , m_search(m_filter)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    setFocusProxy(m_list);
    m_list->model().setMarks(&context.hits().hits());

    connect(m_field, &ExpressionField::submitted, this, &EventsView::setFilter);
    connect(&context, &ViewContext::filterRequested, this, [this](const QString& text) {
        m_field->setText(text);
        setFilter(text);
        m_field->focus();
    });
    connect(&context, &ViewContext::timelineChanged, this, &EventsView::takeTimeline);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_list->model().setTimeFormat(m_context.timeFormat()); });
    connect(&context.hits(), &SearchHits::changed, this, [this] { m_list->model().setMarks(&m_context.hits().hits()); });
    connect(&context.time(), &TimeWindow::cursorChanged, this, &EventsView::follow);
    connect(&m_filter, &SearchHits::changed, this, &EventsView::showFilter);
    connect(m_list, &EventList::chosen, this, &EventsView::choose);
    connect(&m_list->pages(), &EventPages::changed, this, &EventsView::tellChosen);
    connect(&m_list->pages(), &EventPages::sizeChanged, this, &EventsView::showFilter);
    connect(&m_list->pages(), &EventPages::sought, this, [this](quint64 position) {
        const std::uint64_t size = m_list->pages().size();
        if (size > 0)
            m_list->setCurrent(std::min<std::uint64_t>(position, size - 1));
    });
    takeTimeline();
}

void EventsView::takeTimeline()
{
    const auto timeline = m_context.timeline();
    m_list->showHosts(timeline && hostFacts(*timeline).size() > 1);
    m_list->pages().setSource(eventSourceOf(timeline));
    if (!timeline) {
        m_field->setText({});
        setFilter({});
        m_list->setCurrent({});
    } else if (isComplete(*timeline)) {
        setFilter(m_filter.text()); // Of all that was read; and the line at the cursor may be another one.
    }
}

void EventsView::setFilter(const QString& text)
{
    m_search.start(m_context.timeline(), text);
    m_list->pages().setNumbers(m_filter.text().isEmpty() || !m_filter.problem().isEmpty() ? nullptr : &m_filter.hits());
    follow();
}

void EventsView::showFilter()
{
    if (!m_filter.problem().isEmpty()) {
        m_field->setProblem(m_filter.problem());
        m_field->setRemark({});
        return;
    }
    if (m_filter.text().isEmpty()) {
        const auto size = qint64(m_list->pages().size());
        return m_field->setRemark(size > 0 ? tr("%1 events").arg(countText(size)) : QString());
    }
    const auto found = qint64(m_filter.hits().size());
    const QString part = m_filter.isCut() ? tr("first %1").arg(countText(found)) : countText(found);
    m_field->setRemark(m_filter.isComplete() ? tr("%1 match").arg(part)
                                             : tr("%1 match, %2 % searched").arg(part).arg(int(m_filter.share() * 100)));
    if (sender() == &m_filter)
        m_list->pages().updateNumbers();
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

void EventsView::choose(quint64 position)
{
    m_chosen = position;
    tellChosen();
}

void EventsView::tellChosen()
{
    const auto row = m_chosen ? m_list->pages().row(*m_chosen) : nullptr;
    if (!row)
        return;
    m_chosen.reset();
    m_isOwnMove = true;
    m_context.time().setCursor(row->time);
    m_context.time().showAt(row->time);
    m_isOwnMove = false;
    m_context.setEvent(row);
}

} // namespace helio
