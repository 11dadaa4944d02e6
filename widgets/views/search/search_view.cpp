#include "widgets/views/search/search_view.h"

#include "core/query/facts.h"
#include "widgets/shell/expression_field.h"
#include "widgets/shell/icons.h"
#include "widgets/theme/themes.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

SearchView::SearchView(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_field(new ExpressionField(tr("Search"), tr("Search: a word, or name == \"sched_switch\" && next_tid == 42")))
    , m_list(new EventList)
    , m_search(context.hits())
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_field);
    layout->addWidget(m_list, 1);
    addButton("back", tr("Previous hit (Shift+F3)"), "analyse.previous-hit");
    addButton("forward", tr("Next hit (F3)"), "analyse.next-hit");
    m_stop = addButton("close", tr("Stop searching"), {});
    connect(m_stop, &QToolButton::clicked, this, [this] { m_search.stop(); });
    m_list->pages().setNumbers(&context.hits().hits());

    connect(m_field, &ExpressionField::submitted, this, &SearchView::start);
    connect(&context, &ViewContext::searchRequested, this, [this](const QString& text) {
        m_field->setText(text);
        m_field->focus();
        start(text);
    });
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        const auto timeline = m_context.timeline();
        m_list->showHosts(timeline && hostFacts(*timeline).size() > 1);
        m_list->pages().setSource(eventSourceOf(timeline));
        if (timeline && isComplete(*timeline) && !m_context.hits().text().isEmpty())
            start(m_context.hits().text());
    });
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_list->model().setTimeFormat(m_context.timeFormat()); });
    connect(&context.hits(), &SearchHits::changed, this, &SearchView::showState);
    connect(&context.hits(), &SearchHits::currentChanged, this, [this] {
        const auto current = m_context.hits().current();
        m_list->setCurrent(current ? std::optional<std::uint64_t>(*current) : std::nullopt);
    });
    connect(m_list, &EventList::chosen, this, &SearchView::choose);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        for (QToolButton* button : m_buttons)
            button->setIcon(themedIcon(button->property("icon").toString()));
    });
    showState();
}

QToolButton* SearchView::addButton(const QString& icon, const QString& name, const QString& action)
{
    auto* button = new QToolButton;
    button->setProperty("icon", icon);
    button->setIcon(themedIcon(icon));
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFixedSize(24, 24);
    m_field->addWidget(button);
    m_buttons << button;
    if (!action.isEmpty())
        connect(button, &QToolButton::clicked, this, [this, action] { m_context.trigger(action); });
    return button;
}

void SearchView::start(const QString& text)
{
    m_search.start(m_context.timeline(), text);
    m_list->pages().setNumbers(&m_context.hits().hits());
}

void SearchView::showState()
{
    const SearchHits& hits = m_context.hits();
    m_field->setProblem(hits.problem());
    m_stop->setVisible(!hits.isComplete());
    QString remark;
    if (!hits.text().isEmpty() && hits.problem().isEmpty()) {
        const QString count = countText(qint64(hits.hits().size()));
        remark = hits.isCut() ? tr("first %1 hits").arg(count) : hits.hits().size() == 1 ? tr("1 hit") : tr("%1 hits").arg(count);
        if (!hits.isComplete())
            remark += tr(", %1 % searched").arg(int(hits.share() * 100));
    }
    m_field->setRemark(remark);
    m_list->pages().updateNumbers();
}

void SearchView::choose(quint64 position)
{
    const SearchHits& hits = m_context.hits();
    if (position >= hits.hits().size())
        return;
    const Timestamp at = hits.hits()[position].time;
    m_context.hits().setCurrent(std::size_t(position));
    m_context.time().visit();
    m_context.time().setCursor(at);
    m_context.time().showAt(at);
    if (const auto row = m_list->pages().row(position))
        m_context.setEvent(row);
}

} // namespace helio
