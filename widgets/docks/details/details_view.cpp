#include "widgets/docks/details/details_view.h"

#include "core/query/segments/segments.h"
#include "widgets/controls/icons.h"
#include "widgets/docks/details/call_card.h"
#include "widgets/docks/details/connection_card.h"
#include "widgets/docks/details/event_fields.h"
#include "widgets/docks/details/link_card.h"
#include "widgets/docks/details/machine_card.h"
#include "widgets/docks/details/sample_box.h"
#include "widgets/docks/details/steal_card.h"
#include "widgets/docks/details/thread_card.h"
#include "widgets/docks/details/trace_card.h"
#include "widgets/docks/details/wait_card.h"
#include "widgets/paint/state_bar.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/value_colors.h"
#include "widgets/timeline/graph/rows/row_calls.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int FetchDelay = 15; ///< Delay in ms before the query, because a held key moves the cursor faster than the user can read.

CallRanking computeRanking(const Timeline& timeline, const CallNames& names, const Segment& call, std::stop_token stop)
{
    const FunctionCalls all(timeline, names, call);
    CallRanking standing{all.rankOf(call, stop), {}};
    if (const auto typical = all.step(call, CallSelector::Typical, stop))
        standing.typical = callTime(timeline, *typical, stop);
    return standing;
}

} // namespace

DetailsView::DetailsView(ViewContext& context, QWidget* parent)
    : ScrollPage(parent)
    , m_context(context)
    , m_empty(new TraceCard(context))
    , m_link(new LinkCard(context))
    , m_connection(new ConnectionCard(context))
    , m_stateBox(new QWidget)
    , m_swatch(new QLabel)
    , m_title(makeLabel({}, 14, 600, "text.primary"))
    , m_duration(makeLabel({}, 12, 600, "text.primary"))
    , m_place(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_fields(new FieldGrid)
    , m_why(new WaitCard)
    , m_taken(new StealCard)
    , m_call(new CallCard(context))
    , m_zoom(new QPushButton)
    , m_toEvent(new QPushButton(tr("Event")))
    , m_toSource(new QPushButton(tr("Source")))
    , m_sampleBox(new SampleBox(context))
    , m_machine(new MachineCard(context))
    , m_thread(new ThreadCard(context))
    , m_eventBox(new QWidget)
    , m_eventTitle(makeLabel({}, 13, 600, "text.primary"))
    , m_eventSample(new SampleBox(context))
    , m_eventFields(new FieldGrid)
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
{
    makeStateBox();
    setFooter(makeFooter());
    auto* event = new QVBoxLayout(m_eventBox);
    event->setContentsMargins(0, 0, 0, 0);
    event->setSpacing(8);
    event->addWidget(m_eventTitle); // The call stack comes before the fields, which only have the addresses of the same stack.
    event->addWidget(m_eventSample);
    event->addWidget(m_eventFields);
    for (QWidget* part : {static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_link), static_cast<QWidget*>(m_connection), m_stateBox,
                          static_cast<QWidget*>(m_machine), static_cast<QWidget*>(m_call), static_cast<QWidget*>(m_sampleBox), m_eventBox,
                          static_cast<QWidget*>(m_thread)})
        content()->addWidget(part);
    content()->addStretch(1);
    m_zoom->setDefault(true); // The style draws the default button as the primary one.
    m_toEvent->setToolTip(tr("Show the event that started it in the Events dock"));
    m_toSource->setToolTip(tr("Show the function's source in the Source dock"));
    m_place->setTextFormat(Qt::PlainText);

    connect(&context.time(), &TimeWindow::cursorChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::rowChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::visibleChanged, this, [this] { m_state ? showState() : void(); });
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::soon);
    const auto again = [this] {
        showState();
        m_link->refresh();
        m_connection->refresh();
        m_call->refresh();
        m_sampleBox->refresh();
        m_eventSample->refresh();
        m_thread->refresh();
        showSelectedEvent();
    };
    connect(m_link, &LinkCard::changed, this, &DetailsView::showState);
    connect(m_connection, &ConnectionCard::changed, this, &DetailsView::showState);
    connect(m_thread, &ThreadCard::changed, this, &DetailsView::showEmpty);
    connect(m_machine, &MachineCard::changed, this, &DetailsView::showEmpty);
    connect(&context, &ViewContext::timeFormatChanged, this, again);
    connect(&context, &ViewContext::eventChanged, this, [this] {
        showSelectedEvent();
        fetchEventSample();
    });
    connect(&Themes::instance(), &Themes::changed, this, again);
    connectButtons();
    connect(m_fields, &FieldGrid::linkActivated, this, [this](const QString& number) {
        if (!m_state || number.toULongLong() >= m_state->facts.size())
            return;
        const StateDetails::Fact fact = m_state->facts[number.toULongLong()]; // Copied, because the calls below may replace m_state.
        goTo(fact.row, fact.at);
    });
    connect(m_taken, &StealCard::chosen, this, &DetailsView::goTo);
    connect(m_why, &WaitCard::chosen, this, [this](TrackRef row) {
        m_context.time().jump({.row = row});
        m_context.focusRows();
    });
    showState();
    showSelectedEvent();
}

void DetailsView::goTo(TrackRef row, Timestamp at)
{
    m_context.time().jump({.row = row, .cursor = at});
    m_context.focusRows();
}

void DetailsView::makeStateBox()
{
    auto* state = new QVBoxLayout(m_stateBox);
    state->setContentsMargins(0, 0, 0, 14);
    state->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_swatch);
    head->addWidget(m_title, 1);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(22, 0, 0, 4);
    second->setSpacing(10);
    second->addWidget(m_duration);
    second->addWidget(m_place, 1);
    state->addLayout(head);
    state->addLayout(second);
    state->addWidget(new HorizontalRule);
    state->addWidget(m_fields);
    state->addWidget(m_why);
    state->addWidget(m_taken);
}

/// Makes the buttons at the bottom, which stay in view however long the contents are.
QWidget* DetailsView::makeFooter()
{
    auto* footer = new PanelGround;
    auto* buttons = new QHBoxLayout(footer);
    buttons->setContentsMargins(14, 6, 14, 10);
    for (QPushButton* button : {m_zoom, m_toSource, m_toEvent})
        buttons->addWidget(button);
    buttons->addStretch(1);
    return footer;
}

void DetailsView::connectButtons()
{
    connect(m_zoom, &QPushButton::clicked, this, &DetailsView::zoomToState);
    connect(m_toSource, &QPushButton::clicked, this, &DetailsView::openSource);
    connect(m_toEvent, &QPushButton::clicked, this, [this] {
        if (!m_state)
            return;
        m_context.showView("events");
        m_context.time().jump({.cursor = m_state->range.begin});
        m_context.focusRows();
    });
}

void DetailsView::showEvent(QShowEvent* event)
{
    ScrollPage::showEvent(event);
    m_answer.now();
    m_machine->fetchSoon();
    m_thread->fetchSoon();
}

void DetailsView::fetch()
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    if (!isVisible())
        return;
    if (!timeline || !row.isValid()) {
        m_answer.cancel();
        m_state.reset();
        m_call->setCall({});
        m_sampleBox->setSample({}, {});
        return showState();
    }
    m_answer.post([this, timeline, row, at = m_context.time().cursor()](std::stop_token stop) -> LatestTask::Delivery {
        const auto found = stateDetails(timeline, row, at, stop);
        const bool isUnknown = found && isUnknownAtRest(found->state);
        const EstimatedCpuTime sampled = isUnknown ? EstimatedCpuTimes(*timeline, found->range, stop).of(row) : EstimatedCpuTime();
        const StateCategory most = sampled.user >= sampled.kernel ? StateCategory::OnCpuUser : StateCategory::OnCpuKernel;
        const auto call = found ? callAt(*timeline, row, found->range.contains(at) ? at : found->range.begin) : std::nullopt;
        const auto names = call ? callNamesOf(timeline, stop) : nullptr;
        const auto facts = call ? std::optional(callFacts(*timeline, *names, *call, stop)) : std::nullopt;
        m_answer.deliver(stop, [this, found, sampled, facts, state = stateThatMeans(*timeline, row, most)] {
            m_state = found;
            m_sampled = sampled;
            m_sampledState = state;
            m_call->setCall(facts);
            showState();
        });
        if (call)
            m_answer.deliver(stop, [this, standing = computeRanking(*timeline, *names, *call, stop)] { m_call->setRanking(standing); });
        return [this, at, sample = nearestSample(*timeline, row, at, stop)] { m_sampleBox->setSample(sample, at); };
    });
}

void DetailsView::showState()
{
    const bool isCall = m_call->facts().has_value();
    m_stateBox->setVisible(m_state && !isCall && isNothingChosen());
    setFooterShown(m_state.has_value() && isNothingChosen());
    showEmpty();
    showButtons();
    if (!m_state || isCall)
        return;
    const StateDetails& it = *m_state;
    StateAppearance look = theme().lookOf(it.state);
    const bool isFrame = it.row.valueKind == ValueKind::Frame; // For a call, the function is more important than the state.
    if (const auto timeline = m_context.timeline(); timeline && isFrame)
        for (const Interval& bar : intervalAt(*timeline, it.track, it.range.begin))
            look = styleByValue(theme(), *timeline, it.track, bar);
    look.height = 16; // The swatch beside a title is a full square, because thin lines could not be distinguished.
    look.drawing = look.drawing == BarPattern::Hatched ? BarPattern::Hatched : BarPattern::Plain;
    m_swatch->setPixmap(swatchPixmap(look, 12, devicePixelRatioF()));
    // True if the value names the state (StateFlag::NamedByValue): the title then shows the value instead of the state's name.
    const auto isNamed = [](const StateKind& state, const QString& value) {
        return state.style.has(StateFlag::NamedByValue) && !value.isEmpty();
    };
    const bool isValue = isNamed(it.state, it.value);
    m_swatch->setVisible(!isValue); // The swatch would have the colour of the value, which has no meaning here.
    m_title->setText(isFrame || isValue ? it.value : look.words);
    m_duration->setText(isFrame ? frameDurationText(it.state, it.range.duration()) : durationText(it.range.duration()));
    if (m_sampled.samples > 0)
        showSampled();
    // Values of other states need no title: a thread is in a system call, a CPU in a handler. In states of XML analyses, only valueTitle
    // tells the meaning of a value.
    const QString valueTitle = it.state.meaning == StateCategory::None && !it.value.isEmpty() && !isValue && !isFrame
        ? QString::fromStdString(it.state.style.valueTitle)
        : QString();
    const bool hasPlace = !it.value.isEmpty() && !isValue && valueTitle.isEmpty();
    m_place->setText(isFrame ? look.words : hasPlace ? tr("in %1").arg(it.value) : QString());
    m_fields->begin();
    if (!valueTitle.isEmpty())
        m_fields->add(valueTitle, it.value);
    m_fields->add(it.row.tid >= 0 ? tr("Thread") : tr("Row"), QString::fromStdString(it.row.label));
    if (it.row.tid >= 0)
        m_fields->add(tr("TID"), it.row.pid >= 0 ? tr("%1, PID %2").arg(it.row.tid).arg(it.row.pid) : QString::number(it.row.tid));
    else if (it.row.cpu >= 0)
        m_fields->add(tr("CPU"), QString::number(it.row.cpu));
    if (!it.host.isEmpty())
        m_fields->add(tr("Host"), it.host);
    m_fields->add(tr("Start"), moment(it.range.begin));
    m_fields->add(tr("End"), moment(it.range.end));
    const TimeRange visible = m_context.time().visible();
    const TimeRange shown = it.range.clippedTo(visible);
    // The share of the whole interval is omitted: it would contradict the title, which has the share of CPU time.
    if (m_sampled.samples > 0)
        m_fields->add(tr("Sampled CPU time"),
                      durationText(m_sampled.onCpu())
                          + (m_sampled.samples == 1 ? tr(" (1 sample)") : tr(" (%1 samples)").arg(countText(qint64(m_sampled.samples)))));
    else if (!visible.isEmpty() && !shown.isEmpty())
        m_fields->add(tr("Share"), tr("%1 of visible range").arg(shareText(shown.duration(), visible.duration())));
    const auto side = [&](const StateDetails::Neighbour& n) {
        const QString what = isFrame || isNamed(n.state, n.value)
            ? n.value
            : theme().lookOf(n.state).words + (n.value.isEmpty() ? QString() : QStringLiteral("  ") + n.value);
        return what + QStringLiteral(", ") + (isFrame ? frameDurationText(n.state, n.range.duration()) : durationText(n.range.duration()));
    };
    if (it.before)
        m_fields->add(tr("Before"), side(*it.before));
    if (it.after)
        m_fields->add(tr("After"), side(*it.after));
    for (std::size_t i = 0; i < it.facts.size(); ++i) {
        const StateDetails::Fact& fact = it.facts[i];
        m_fields->add(fact.name, fact.value.isEmpty() ? moment(fact.at) : fact.value, 0,
                      fact.row.isValid() ? QString::number(i) : QString());
    }
    m_fields->end();
    m_why->setParts(it.parts);
    m_taken->setTaken(it.taken, it.range.duration());
}

/// True if neither a link nor a connection is selected; these have priority over the state at the cursor.
bool DetailsView::isNothingChosen() const { return m_link->isEmpty() && m_connection->isEmpty(); }

void DetailsView::showButtons()
{
    const auto& call = m_call->facts();
    m_zoom->setText(call ? tr("Zoom to call") : tr("Zoom to state"));
    m_zoom->setToolTip(call ? tr("Show only this call (or double-click it)") : tr("Show only this state (or double-click it)"));
    m_toSource->setVisible(call && call->called.function.moduleId != UnknownModule);
    m_zoom->setIcon(themedIcon("zoom-in"));
    m_toEvent->setIcon(themedIcon("event"));
}

void DetailsView::showEmpty()
{
    m_empty->setVisible(!m_state && isNothingChosen() && !m_context.event() && m_thread->isEmpty() && m_machine->isEmpty());
}

/// Sets the heading of an interval without recorded states, from its samples.
void DetailsView::showSampled()
{
    const Duration whole = m_state->range.duration();
    const double share = whole.count() > 0 ? double(m_sampled.onCpu().count()) / double(whole.count()) : 0;
    const double percent = 100 * std::min(1.0, share);
    const QString shown = percent > 0 && percent < 0.05 ? QStringLiteral("<0.1") : QString::number(percent, 'f', percent < 9.95 ? 1 : 0);
    m_title->setText(tr("On CPU %1 % (sampled)").arg(shown));
    m_swatch->setPixmap(swatchPixmap(theme().lookOf(m_sampledState), 12, devicePixelRatioF()));
}

void DetailsView::showSelectedEvent()
{
    const auto row = m_context.event();
    m_eventBox->setVisible(row != nullptr);
    showEmpty();
    if (!row)
        return;
    m_eventFields->begin();
    m_eventTitle->setText(QString::fromStdString(row->name));
    m_eventFields->add(tr("Event"), tr("#%1").arg(countText(qint64(row->index))));
    if (row->hasTime)
        m_eventFields->add(tr("Time"), moment(row->time));
    if (!row->host.empty())
        m_eventFields->add(tr("Host"), QString::fromStdString(row->host));
    if (!row->traceName.empty())
        m_eventFields->add(tr("Trace"), QString::fromStdString(row->traceName));
    if (row->cpu >= 0)
        m_eventFields->add(tr("CPU"), QString::number(row->cpu));
    if (row->tid >= 0)
        m_eventFields->add(tr("TID"), QString::number(row->tid));
    m_eventFields->add(tr("Stream"), QString::fromStdString(row->stream));
    for (const FieldLine& line : fieldLines(*row))
        m_eventFields->add(line.name, line.value, line.depth);
    m_eventFields->end();
}

void DetailsView::fetchEventSample()
{
    m_eventSample->setSample({}, {});
    const auto timeline = m_context.timeline();
    const auto event = m_context.event();
    if (!timeline || !event)
        return m_eventJob.cancel();
    m_eventJob.post([this, timeline, event](std::stop_token stop) -> LatestTask::Delivery {
        return [this, event, sample = sampleOf(*timeline, *event, stop)] { m_eventSample->setSample(sample, event->time); };
    });
}

void DetailsView::zoomToState()
{
    if (!m_state)
        return;
    const TimeRange range = m_call->facts() ? m_call->facts()->call.range : m_state->range;
    const Duration margin = range.duration() / 20;
    m_context.time().jump({.visible = TimeRange{range.begin - margin, range.end + margin}});
    m_context.focusRows();
}

void DetailsView::openSource()
{
    if (const auto& call = m_call->facts())
        SampleModel::of(m_context).openSource(SampledFunction(call->called.function));
}

} // namespace helio
