#include "widgets/docks/events/search_view.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/expression_field.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pill.h"
#include "widgets/theme/themes.h"
#include "widgets/workspace/go_to.h"

#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

const std::vector<EventHit> NoHits; ///< Empty list of events, because the hits of a search over states are not events.

bool hasCalls(const Timeline& timeline) { return std::ranges::any_of(segmentKinds(timeline), &SegmentKind::areCalls); }

} // namespace

SearchView::SearchView(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_field(new ExpressionField(tr("Search"), {}))
    , m_list(new EventList)
    , m_states(new StateResults(context))
    , m_stack(new QStackedWidget)
    , m_search(context.hits())
    , m_stateSearch(context.hits())
    , m_kind(new Pill(tr("Events")))
    , m_hint(context, [this](const QString& example) {
        m_field->setHint(tr("Search: a word, %1, or state == \"blocked\" && duration > 10ms").arg(example));
    })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_field);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_states);
    m_kind->setToolTip(tr("What to search"));
    m_kind->setMenu([this](QMenu* menu) {
        addExclusiveAction(menu, tr("Function calls"), showsStates(), [this] { searchIn(Kind::Calls); });
        addExclusiveAction(menu, tr("Events"), !showsStates(), [this] { searchIn(Kind::Events); });
    });
    m_kind->hide();
    m_field->addWidget(m_kind);
    addButton("back", tr("Previous hit (Shift+F3)"), "analyse.previous-hit");
    addButton("forward", tr("Next hit (F3)"), "analyse.next-hit");
    m_stop = addButton("close", tr("Stop searching"), {});
    connect(m_stop, &QToolButton::clicked, this, [this] {
        m_search.stop();
        m_stateSearch.stop();
    });
    connect(addButton("list", tr("Show all events"), {}), &QToolButton::clicked, this, &SearchView::closeRequested);
    setFocusProxy(m_list);
    m_list->pages().setNumbers(&context.hits().hits());
    m_list->pages().setCompleteness([this] { return checkCompleteness(m_context.timeline().get(), m_context.hits()); });

    connect(m_field, &ExpressionField::submitted, this, &SearchView::start);
    connect(&context, &ViewContext::searchRequested, this, [this](const QString& text) {
        m_field->setText(text);
        if (!isHidden())
            m_field->focus();
        start(text);
    });
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        const auto timeline = m_context.timeline();
        m_list->showHosts(timeline && hostFacts(*timeline).size() > 1);
        m_list->pages().setSource(makeEventSource(timeline));
        if (!timeline)
            m_stateSearch.clear();
        const SearchHits& hits = m_context.hits();
        const QString text = hits.awaited().isEmpty() ? hits.text() : hits.awaited();
        if (timeline && isComplete(*timeline) && !text.isEmpty())
            start(text);
    });
    connect(&context, &ViewContext::timeFormatChanged, this, [this] {
        m_list->model().setTimeFormat(m_context.timeFormat());
        m_states->setTimeFormat(m_context.timeFormat());
    });
    connect(&context.hits(), &SearchHits::begun, this, &SearchView::adoptMarks);
    connect(&m_stateSearch, &StateSearch::foundChanged, this, [this] { m_states->setFound(m_stateSearch.found()); });
    connect(&m_stateSearch, &StateSearch::decided, this, &SearchView::decide);
    connect(m_states, &StateResults::chosen, this, &SearchView::goTo);
    connect(&context.hits(), &SearchHits::changed, this, &SearchView::showState);
    connect(&context.hits(), &SearchHits::currentChanged, this, [this] {
        const auto current = m_context.hits().current();
        if (showsStates())
            return selectState(current);
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
    button->setObjectName(icon);
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

ShownCommand SearchView::shownCommand() const
{
    const QString& text = m_context.hits().text();
    if (text.isEmpty())
        return ShownCommand::none(tr("There is no search text."));
    if (showsStates() && m_stateSearch.found() && m_stateSearch.found()->findings.areCalls)
        return ShownCommand::none(tr("No command searches function calls as this dock does."));
    return {QStringList{showsStates() ? "states" : "events"} + optionWords("--filter", text), {}, {}};
}

void SearchView::start(const QString& text)
{
    if (const QString trimmed = text.trimmed(); trimmed != m_started) {
        m_started = trimmed;
        m_chosen.reset();
    }
    const auto timeline = m_context.timeline();
    const auto expression = Expression::parse(m_started.toStdString());
    const bool areStates = timeline && expression && (*expression)->needsDurations();
    const bool mayBeCalls = timeline && expression && !areStates && hasCalls(*timeline);
    m_kind->setVisible(mayBeCalls);
    if (areStates) {
        m_search.stop();
        showKind(true);
        return m_stateSearch.start(timeline, *expression, StateSearch::Target::States);
    }
    if (mayBeCalls && m_chosen != Kind::Events) {
        m_search.stop();
        if (m_chosen)
            showKind(true);
        return m_stateSearch.start(timeline, *expression, m_chosen ? StateSearch::Target::Calls : StateSearch::Target::CallsIfNamed);
    }
    if (expression || m_started.isEmpty()) { // An invalid expression keeps the previous results.
        m_stateSearch.clear();
        showKind(false);
    }
    m_search.start(timeline, text);
}

/// Called when it is known whether the search is for calls. If `areCalls`, the running search for calls continues; otherwise, a search for
/// events starts.
void SearchView::decide(bool areCalls)
{
    if (!areCalls)
        m_stateSearch.clear();
    showKind(areCalls);
    if (areCalls)
        m_context.hits().await(m_started);
    else
        m_search.start(m_context.timeline(), m_started);
}

void SearchView::searchIn(Kind kind)
{
    m_chosen = kind;
    start(m_started);
}

bool SearchView::showsStates() const { return m_stack->currentWidget() == m_states; }

/// Shows the hits of the context, which all views mark. Called after any search replaced the hits. If another view searched for states,
/// shows its expression with an empty list of states, because the list only has results of this view's own searches.
void SearchView::adoptMarks()
{
    const QString text = m_context.hits().text();
    const auto expression = Expression::parse(text.toStdString());
    if (text != m_started && !text.isEmpty() && expression && (*expression)->needsDurations()) {
        m_started = text;
        m_chosen.reset();
        m_kind->hide();
        m_search.stop();
        m_stateSearch.clear();
        m_field->setText(text);
        m_stack->setCurrentWidget(m_states);
    }
    m_list->pages().setNumbers(showsStates() ? &NoHits : &m_context.hits().hits());
}

void SearchView::showKind(bool areStates)
{
    if (areStates == showsStates())
        return;
    m_stack->setCurrentWidget(areStates ? static_cast<QWidget*>(m_states) : m_list);
    m_list->pages().setNumbers(&NoHits);
    m_context.hits().clear();
}

/// Selects the row of the hit that F3 or the user chose. Also selects the call, unless the user selected a range that is not a single call.
void SearchView::selectState(std::optional<std::size_t> hit)
{
    m_states->setCurrent(hit);
    const auto& found = m_stateSearch.found();
    if (!hit || !found || *hit >= found->findings.hits.size())
        return;
    const StateHit& it = found->findings.hits[*hit];
    const bool isFree = stepRange(m_context).isEmpty();
    m_context.time().setRow(it.track);
    if (isFree && valueKindOf(*found->timeline, it.track) == ValueKind::Frame)
        m_context.time().setSelection(it.range);
}

void SearchView::showState()
{
    const SearchHits& hits = m_context.hits();
    m_kind->setText(showsStates() ? tr("Calls") : tr("Events"));
    m_kind->updateGeometry();
    m_field->setProblem(hits.problem());
    m_stop->setVisible(!hits.isComplete());
    QString remark;
    if (!hits.awaited().isEmpty()) {
        remark = tr("searching…");
    } else if (!hits.text().isEmpty() && hits.problem().isEmpty()) {
        const QString count = countText(qint64(hits.hits().size()));
        if (showsStates())
            remark = statesText();
        else
            remark = hits.isCut() ? tr("first %1 hits").arg(count) : hits.hits().size() == 1 ? tr("1 hit") : tr("%1 hits").arg(count);
        if (!hits.isComplete())
            remark += tr(", %1 % searched").arg(int(hits.share() * 100));
    }
    m_field->setRemark(remark);
    if (!showsStates())
        m_list->pages().updateNumbers();
}

QString SearchView::statesText() const
{
    const auto& found = m_stateSearch.found();
    if (!found)
        return tr("%1 marked; Enter lists them here").arg(countText(qint64(m_context.hits().hits().size())));
    const StateFindings& it = found->findings;
    const QString number = countText(qint64(it.all.count));
    const QString count = it.areCalls ? (it.all.count == 1 ? tr("1 call") : tr("%1 calls").arg(number))
        : it.all.count == 1           ? tr("1 state")
                                      : tr("%1 states").arg(number);
    if (it.wasStopped)
        return tr("stopped: %1 so far").arg(count);
    return it.isCut() ? tr("%1; the longest %2 are listed").arg(count, countText(qint64(it.hits.size()))) : count;
}

void SearchView::choose(quint64 position)
{
    goTo(std::size_t(position));
    if (const auto row = m_list->pages().row(position))
        goToEvent(m_context, row);
}

void SearchView::goTo(std::size_t hit)
{
    const SearchHits& hits = m_context.hits();
    if (hit >= hits.hits().size())
        return;
    const Timestamp at = hits.hits()[hit].time;
    const TimeWindow::Step step(m_context.time()); // Combine the change of the current hit and the jump into one entry of the history.
    m_context.hits().setCurrent(hit);
    m_context.time().jump({.cursor = at});
}

} // namespace helio
