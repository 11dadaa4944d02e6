#include "widgets/docks/details/details_view.h"

#include "core/latency/throttling/throttled.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/segments.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/value_label.h"
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
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/value_colors.h"
#include "widgets/timeline/graph/rows/row_calls.h"
#include "widgets/workspace/path_choice.h"
#include "widgets/workspace/result_panels.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

/// Delay in ms between a change of the selection and the query: while a key is held, the selection changes faster than the user can read.
constexpr int FetchDelay = 15;

/// True if the value names the state for the user (StateFlag::NamedByValue), so that titles show the value instead of the state's name.
bool isNamedByValue(const StateKind& state, const QString& value) { return state.style.has(StateFlag::NamedByValue) && !value.isEmpty(); }

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
    , m_nothing(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_buttonPlace(new QVBoxLayout)
    , m_buttons(new QWidget)
    , m_fields(new FieldGrid)
    , m_more(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_why(new WaitCard(context))
    , m_similarBox(new QWidget)
    , m_throttling(new QPushButton(tr("CPU throttling")))
    , m_periodicity(new QPushButton(tr("Find periodicity")))
    , m_preemption(new QWidget)
    , m_preempted(makeLabel({}, 13, 600, "text.primary"))
    , m_taken(new StealCard)
    , m_exitsTitle(makeLabel({}, 11.5, 600, "text.secondary"))
    , m_exits(new FieldGrid)
    , m_call(new CallCard(context))
    , m_path(new QPushButton(tr("Critical path")))
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
    , m_resultBox(new QWidget)
    , m_resultFields(new FieldGrid)
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
{
    makeStateBox();
    makeButtons();
    auto* event = new QVBoxLayout(m_eventBox);
    event->setContentsMargins(0, 0, 0, 0);
    event->setSpacing(8);
    event->addWidget(m_eventTitle); // The call stack comes before the fields, which only have the addresses of the same stack.
    event->addWidget(m_eventSample);
    event->addWidget(m_eventFields);
    auto* result = new QVBoxLayout(m_resultBox);
    result->setContentsMargins(0, 8, 0, 14);
    result->setSpacing(8);
    result->addWidget(new HorizontalRule);
    result->addWidget(makeLabel(tr("Row of the query result"), 12, 600, "text.primary"));
    result->addWidget(m_resultFields);
    for (QWidget* part : {static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_link), static_cast<QWidget*>(m_connection), m_stateBox,
                          static_cast<QWidget*>(m_machine), static_cast<QWidget*>(m_call), static_cast<QWidget*>(m_sampleBox), m_eventBox,
                          m_resultBox, static_cast<QWidget*>(m_thread)})
        content()->addWidget(part);
    content()->addStretch(1);
    m_path->setToolTip(tr("Show the critical path of this wait as a panel and as a flame graph"));
    m_toEvent->setToolTip(tr("Show the event that started it in the Events dock"));
    m_toSource->setToolTip(tr("Show the function's source in the Source dock"));
    m_place->setTextFormat(Qt::PlainText);
    hideFromScreenReaders(*m_swatch);

    connect(&context.time(), &TimeWindow::cursorChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::rowChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context.time(), &TimeWindow::cursorChanged, this, &DetailsView::showSelectedEvent);
    connect(&context.time(), &TimeWindow::rowChanged, this, &DetailsView::showSelectedEvent);
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
        takeEvent();
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
    connect(m_why, &WaitCard::chosen, this, &DetailsView::goTo);
    connect(m_more, &QLabel::linkActivated, this, [this] {
        m_showsAllFields = !m_showsAllFields;
        showState();
    });
    connect(&context, &ViewContext::explanationRequested, this, &DetailsView::explain);
    connect(&ResultPanels::of(context), &ResultPanels::valuesChanged, this, &DetailsView::showResultRow);
    takeEvent();
    showState();
    showSelectedEvent();
    showResultRow();
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
    head->addWidget(m_duration);
    m_place->setContentsMargins(22, 0, 0, 4);
    for (QLabel* label : {m_title, m_place, m_nothing}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_nothing->hide();
    state->addLayout(head);
    state->addWidget(m_place);
    state->addWidget(m_nothing);
    state->addWidget(m_why);
    auto* similar = new QHBoxLayout(m_similarBox);
    similar->setContentsMargins(0, 0, 0, 0);
    similar->setSpacing(8);
    for (QPushButton* button : {m_throttling, m_periodicity})
        similar->addWidget(button);
    similar->addStretch(1);
    m_similarBox->hide();
    state->addWidget(m_similarBox);
    auto* preemption = new QVBoxLayout(m_preemption);
    preemption->setContentsMargins(0, 0, 0, 0);
    preemption->setSpacing(4);
    preemption->addWidget(makeLabel(tr("Why it was preempted"), 11.5, 600, "text.secondary"));
    preemption->addWidget(m_preempted);
    m_preempted->setTextFormat(Qt::PlainText);
    m_preempted->setWordWrap(true);
    state->addWidget(m_preemption);
    state->addWidget(m_taken);
    state->addWidget(m_exitsTitle);
    state->addWidget(m_exits);
    state->addLayout(m_buttonPlace);
    state->addWidget(m_fields);
    state->addWidget(m_more);
}

void DetailsView::makeButtons()
{
    auto* buttons = new QHBoxLayout(m_buttons);
    buttons->setContentsMargins(0, 4, 0, 4);
    buttons->setSpacing(8);
    for (QPushButton* button : {m_path, m_zoom, m_toSource, m_toEvent})
        buttons->addWidget(button);
    buttons->addStretch(1);
}

void DetailsView::connectButtons()
{
    connect(m_path, &QPushButton::clicked, this, [this] {
        if (const Why* why = m_why->why())
            PathChoice::of(m_context).show({m_why->thread(), why->wait});
    });
    connect(m_throttling, &QPushButton::clicked, this, [this] { showSimilar(false); });
    connect(m_periodicity, &QPushButton::clicked, this, [this] { showSimilar(true); });
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
        takeWhy({}, {}, {}, {});
        showState();
        return endExplaining();
    }
    m_answer.post([this, timeline, row, at = m_context.time().cursor()](std::stop_token stop) -> LatestTask::Delivery {
        const auto found = stateDetails(timeline, row, at, stop);
        const bool isUnknown = found && isUnknownAtRest(found->state);
        const EstimatedCpuTime sampled = isUnknown ? EstimatedCpuTimes(*timeline, found->range, stop).of(row) : EstimatedCpuTime();
        const StateCategory most = sampled.user >= sampled.kernel ? StateCategory::OnCpuUser : StateCategory::OnCpuKernel;
        const auto call = found ? callAt(*timeline, row, found->range.contains(at) ? at : found->range.begin) : std::nullopt;
        const auto names = call ? callNamesOf(timeline, stop) : nullptr;
        const auto facts = call ? std::optional(callFacts(*timeline, *names, *call, stop)) : std::nullopt;
        const auto recorded = facts ? recordedSliceFields(timeline, *facts, stop) : std::vector<SliceField>();
        m_answer.deliver(stop, [this, found, sampled, facts, recorded, state = stateThatMeans(*timeline, row, most)] {
            m_state = found;
            m_sampled = sampled;
            m_sampledState = state;
            m_call->setCall(facts, recorded);
            if (const Why* why = m_why->why(); !why || !found || m_why->thread() != found->track || !found->range.contains(why->wait.begin))
                takeWhy({}, {}, {}, {});
            m_nothing->hide();
            showState();
        });
        // Following the path of a wait may take long, so the state is shown first.
        const bool mayWait = found && found->row.role == TrackRole::Thread;
        auto why = std::make_shared<const Why>(mayWait ? explainWait(timeline, row, at, stop, WaitEvents::Skip) : Why());
        m_answer.deliver(stop, [this, timeline, row, at, why] {
            takeWhy(timeline, row, at, why);
            endExplaining();
        });
        if (!why->conclusion.empty())
            m_answer.deliver(stop, [this, why, similar = findSimilarWaits(timeline, row, at, *why, stop)] {
                if (m_why->why() != why.get())
                    return;
                m_similar = similar;
                showButtons();
            });
        if (call)
            m_answer.deliver(stop, [this, standing = computeRanking(*timeline, *names, *call, stop)] { m_call->setRanking(standing); });
        return [this, at, sample = nearestSample(*timeline, row, at, stop)] { m_sampleBox->setSample(sample, at); };
    });
}

void DetailsView::takeWhy(std::shared_ptr<const Timeline> timeline, TrackRef thread, Timestamp at, std::shared_ptr<const Why> why)
{
    m_why->setWait(std::move(timeline), thread, std::move(why));
    m_whyAt = at;
    m_similar = {};
    showButtons();
}

/// Finds the intervals of the Latency dock that a wait belongs to: the throttled intervals of its process, or the waits with the same
/// kind of cause.
DetailsView::SimilarWaits DetailsView::findSimilarWaits(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at,
                                                        const Why& why, const std::stop_token& stop)
{
    const auto here = intervalAt(*timeline, thread, at);
    const StateCategory meaning = here.empty() ? StateCategory::None : meaningOf(*timeline, thread, here.front().state);
    if (isRunnable(meaning)) {
        const auto process = findThrottledProcess(*timeline, thread, why.wait, stop);
        return process ? SimilarWaits{std::string(ThrottledKind), *process, true} : SimilarWaits();
    }
    if (!isOffCpu(meaning) || !hasWaitCauses(*timeline))
        return {};
    return {std::string(WaitKind), std::string(wordOf(WaitCauseFinder(*timeline).of(thread, here.front()).kind)), false};
}

void DetailsView::showSimilar(bool findsPeriods)
{
    m_context.showDurations({QString::fromStdString(m_similar.kind), QString::fromStdString(m_similar.name), findsPeriods});
}

/// Explains the wait of the selected row's thread at the cursor, or says why that is not possible. If the cursor is at the beginning of the
/// selected range, or the thread does not wait at the cursor, goes to the longest wait in the range first.
void DetailsView::explain()
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    const Timestamp at = m_context.time().cursor();
    if (!timeline)
        return;
    // Goes to the row of the thread, because a row of calls or of a critical path does not show the waits of its thread.
    const TrackRef thread = row.isValid() ? findPathThread(*timeline, row, at) : TrackRef();
    if (thread.isValid() && thread != row)
        m_context.time().jump({.row = thread});
    const TimeRange range = m_context.time().selection();
    if (!thread.isValid() || !range.contains(at))
        return explainAtCursor();
    m_longestJob.post([this, timeline, thread, range, at](std::stop_token stop) -> LatestTask::Delivery {
        const bool waitsHere = at != range.begin && !longestWait(*timeline, thread, {at, at + Duration(1)}, stop).isEmpty();
        const TimeRange longest = waitsHere ? TimeRange() : longestWait(*timeline, thread, range, stop);
        return [this, thread, at, longest] {
            const TimeWindow& time = m_context.time();
            if (!longest.isEmpty() && time.row() == thread && time.cursor() == at)
                m_context.time().jump({.cursor = longest.begin});
            explainAtCursor();
        };
    });
}

void DetailsView::explainAtCursor()
{
    m_isAsked = true;
    m_answer.now();
}

/// Ends a request of the user to explain a wait: shows the wait card, or says why there is no explanation.
void DetailsView::endExplaining()
{
    if (!std::exchange(m_isAsked, false))
        return;
    verticalScrollBar()->setValue(0);
    if (m_why->why())
        return m_why->setFocus(Qt::OtherFocusReason);
    m_nothing->setText(whyUnexplained());
    m_nothing->setVisible(m_state.has_value());
    if (!m_state)
        m_context.say(m_nothing->text());
}

/// Returns the reason why there is no explanation for the selected row at the cursor.
QString DetailsView::whyUnexplained() const
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    const bool isThread = timeline && row.isValid() && findPathThread(*timeline, row, m_context.time().cursor()).isValid();
    if (!isThread && m_state && m_state->start)
        return m_state->start->row.isValid()
            ? tr("This row is not a thread. Its state started with %1 in %2: select that thread to explain its wait.")
                  .arg(m_state->start->event, m_state->start->thread)
            : tr("This row is not a thread. Its state started with %1 in thread %2, whose scheduler states were not recorded.")
                  .arg(m_state->start->event, m_state->start->thread);
    if (!isThread)
        return tr("This row is not a thread. Select a thread and place the cursor where it is not running.");
    const auto isLiving = [&] {
        const auto it = rowOf(*timeline, row);
        return it && it->life.contains(m_context.time().cursor());
    };
    const StateCategory meaning = m_state ? m_state->state.meaning : StateCategory::None;
    if (isOnCpu(meaning))
        return tr("The thread is running here. Place the cursor where it waits.");
    if (meaning == StateCategory::Unknown)
        return tr("The state of the thread is unknown here. Place the cursor where it waits.");
    if (!isOffCpu(meaning) && !isRunnable(meaning))
        return isLiving() ? tr("No state of the thread is recorded here. Place the cursor where it waits.")
                          : tr("The thread does not exist here. Place the cursor where it waits.");
    return tr("No scheduler events of this wait were recorded. %1")
        .arg(QString::fromStdString(adviseRecording(RecordableData::WaitCauses, timeline.get()).sentences()));
}

ShownCommand DetailsView::shownCommand() const
{
    const auto timeline = m_context.timeline();
    if (!timeline)
        return ShownCommand::none(tr("No trace is open."));
    const auto at = [](Timestamp time) {
        return QStringList{"--begin", QString::number(nanoseconds(time)), "--end", QString::number(nanoseconds(time) + 1)};
    };
    if (!m_why->why() && m_state && isNothingChosen()) {
        const std::string_view view = viewOf(*timeline, m_state->track);
        return {QStringList{"states"} + optionWords("--view", QString::fromUtf8(view.data(), qsizetype(view.size())))
                    + optionWords("--row", rowPattern(m_state->row.id)) + hostOptions(*timeline, m_state->row.host)
                    + at(m_state->range.begin),
                {},
                {},
                {}};
    }
    if (const auto event = m_context.selectedEvent(); event && !m_why->why())
        return {QStringList{"events"} + at(event->time), {}, {}, {}};
    if (!m_why->why())
        return ShownCommand::none(tr("Select a state, a call or an event first."));
    return pathCommand(*timeline, m_context.time(), {m_why->thread(), {}}, {"--why", QString::number(nanoseconds(m_whyAt))});
}

void DetailsView::showState()
{
    const bool isCall = m_call->facts().has_value();
    m_stateBox->setVisible(m_state && !isCall && isNothingChosen());
    showEmpty();
    showButtons();
    if (!m_state || isCall)
        return;
    const StateDetails& it = *m_state;
    StateAppearance look = theme().lookOf(it.state);
    const bool isFrame = it.row.valueKind == ValueKind::Frame; // For a call, the title is the function, not the state.
    if (const auto timeline = m_context.timeline(); timeline && isFrame)
        for (const Interval& bar : intervalAt(*timeline, it.track, it.range.begin))
            look = styleByValue(theme(), *timeline, it.track, bar);
    look.height = 16; // The swatch beside a title is a full square, because thin lines could not be distinguished.
    look.drawing = look.drawing == BarPattern::Hatched ? BarPattern::Hatched : BarPattern::Plain;
    m_swatch->setPixmap(swatchPixmap(look, 12, devicePixelRatioF()));
    const bool isValue = isNamedByValue(it.state, it.value);
    m_swatch->setVisible(!isValue); // Hidden if the title is the value, because the colour of the value has no meaning here.
    m_title->setText(isFrame || isValue ? it.value : look.words);
    m_duration->setText(isFrame ? frameDurationText(it.state, it.range.duration()) : durationText(it.range.duration()));
    if (m_sampled.samples > 0)
        showSampled();
    // Only values in states of XML analyses need a title, which valueTitle gives. The values of built-in states are clear without a title,
    // e.g. the system call that a thread is in.
    const QString valueTitle = it.state.meaning == StateCategory::None && !it.value.isEmpty() && !isValue && !isFrame
        ? QString::fromStdString(it.state.style.valueTitle)
        : QString();
    const bool hasPlace = !it.value.isEmpty() && !isValue && valueTitle.isEmpty();
    QStringList place{it.row.shownTid() >= 0 ? tr("%1 (%2)").arg(text(it.row.label)).arg(it.row.tid) : text(it.row.label)};
    if (!it.host.isEmpty())
        place[0] = tr("%1 on %2").arg(place[0], it.host);
    if (isFrame)
        place << look.words;
    else if (hasPlace)
        place << tr("in %1").arg(it.value);
    m_place->setText(place.join(QStringLiteral(", ")));
    showFields(fieldsOf(valueTitle, isFrame));
    m_taken->setTaken(it.taken, it.range.duration());
    showPreemption();
}

/// Shows why a vCPU was preempted, and its exits around that time.
void DetailsView::showPreemption()
{
    const auto& preemption = m_state->preemption;
    m_preemption->setVisible(preemption.has_value());
    m_exitsTitle->setVisible(preemption && !preemption->exits.empty());
    m_exits->setVisible(preemption && !preemption->exits.empty());
    if (!preemption)
        return;
    const StealCulprit& culprit = m_state->taken.by.front();
    const QString by =
        tr("Preempted by %1 for %2 of %3").arg(text(culprit.words), durationText(culprit.total), durationText(m_state->range.duration()));
    m_preempted->setText(
        preemption->idleCpu < 0
            ? by
            : tr("%1, while CPU %2 was idle for %3").arg(by, QString::number(preemption->idleCpu), durationText(preemption->idleFor)));
    m_exitsTitle->setText(tr("VM exits of %1 within 10 ms").arg(text(preemption->vcpu)));
    constexpr std::size_t MostExits = 5;
    m_exits->begin();
    for (std::size_t i = 0; i < std::min(MostExits, preemption->exits.size()); ++i) {
        const ExitStats& exit = preemption->exits[i];
        m_exits->add(text(exit.reason),
                     tr("%1 in the hypervisor, %2")
                         .arg(durationText(exit.total), exit.count == 1 ? tr("once") : tr("%1 times").arg(countText(qint64(exit.count)))),
                     0, {});
    }
    m_exits->end();
}

/// Returns the fields of the state, the most important ones first.
std::vector<DetailsView::Field> DetailsView::fieldsOf(const QString& valueTitle, bool isFrame) const
{
    const StateDetails& it = *m_state;
    std::vector<Field> fields;
    if (!valueTitle.isEmpty())
        fields.push_back({valueTitle, it.value});
    fields.push_back({tr("Start"), moment(it.range.begin)});
    fields.push_back({tr("End"), moment(it.range.end)});
    // The share of the whole interval is omitted: it would contradict the title, which has the share of CPU time.
    if (m_sampled.samples > 0)
        fields.push_back(
            {tr("Sampled CPU time"),
             durationText(m_sampled.onCpu())
                 + (m_sampled.samples == 1 ? tr(" (1 sample)") : tr(" (%1 samples)").arg(countText(qint64(m_sampled.samples))))});
    const auto side = [&](const StateDetails::Neighbour& n) {
        const QString what = isFrame || isNamedByValue(n.state, n.value)
            ? n.value
            : theme().lookOf(n.state).words + (n.value.isEmpty() ? QString() : QStringLiteral("  ") + n.value);
        return what + QStringLiteral(", ") + (isFrame ? frameDurationText(n.state, n.range.duration()) : durationText(n.range.duration()));
    };
    if (it.before)
        fields.push_back({tr("Before"), side(*it.before)});
    if (it.after)
        fields.push_back({tr("After"), side(*it.after)});
    for (std::size_t i = 0; i < it.facts.size(); ++i) {
        const StateDetails::Fact& fact = it.facts[i];
        fields.push_back(
            {fact.name, fact.value.isEmpty() ? moment(fact.at) : fact.value, fact.row.isValid() ? QString::number(i) : QString()});
    }
    if (it.row.pid >= 0 && it.row.pid < FirstMadeId)
        fields.push_back({tr("PID"), QString::number(it.row.pid)});
    const TimeRange visible = m_context.time().visible();
    const TimeRange shown = it.range.clippedTo(visible);
    if (m_sampled.samples == 0 && !visible.isEmpty() && !shown.isEmpty())
        fields.push_back({tr("Share"), tr("%1 of visible range").arg(shareText(shown.duration(), visible.duration()))});
    return fields;
}

void DetailsView::showFields(std::vector<Field> fields)
{
    const std::size_t more = fields.size() > MostFields ? fields.size() - MostFields : 0;
    m_more->setVisible(more > 0);
    setTextWithLinks(*m_more,
                     linkText("fields",
                              m_showsAllFields ? tr("Show fewer fields")
                                  : more == 1  ? tr("Show 1 more field")
                                               : tr("Show %1 more fields").arg(more)));
    if (!m_showsAllFields)
        fields.resize(fields.size() - more);
    m_fields->begin();
    for (const Field& field : fields)
        m_fields->add(field.name, field.value, 0, field.link);
    m_fields->end();
}

/// True if neither a link nor a connection is selected; these have priority over the state at the cursor.
bool DetailsView::isNothingChosen() const { return m_link->isEmpty() && m_connection->isEmpty(); }

void DetailsView::showButtons()
{
    const auto& call = m_call->facts();
    QVBoxLayout* const place = call ? m_call->buttonPlace() : m_buttonPlace;
    if (place->indexOf(m_buttons) < 0)
        place->addWidget(m_buttons);
    m_buttons->setVisible(m_state && isNothingChosen());
    const bool isWait = !call && m_why->why();
    m_path->setVisible(isWait);
    m_similarBox->setVisible(isWait && !m_similar.kind.empty());
    m_throttling->setVisible(m_similar.areThrottled);
    m_throttling->setToolTip(tr("List all times when %1 was throttled, in Latency").arg(QString::fromStdString(m_similar.name)));
    m_periodicity->setToolTip(m_similar.areThrottled ? tr("Search the throttled times for regular repetition")
                                                     : tr("Search all waits with this cause for regular repetition"));
    m_path->setDefault(isWait); // The style draws the default button as the primary button.
    m_zoom->setDefault(!isWait);
    m_zoom->setText(call ? tr("Zoom to call") : tr("Zoom to state"));
    m_zoom->setToolTip(call ? tr("Show only this call (or double-click it)") : tr("Show only this state (or double-click it)"));
    m_toSource->setVisible(call && call->called.function.moduleId != UnknownModule);
    m_path->setIcon(themedIcon("arrows"));
    m_zoom->setIcon(themedIcon("zoom-in"));
    m_toEvent->setIcon(themedIcon("event"));
}

void DetailsView::showEmpty()
{
    m_empty->setVisible(!m_state && isNothingChosen() && !shownEvent() && m_resultBox->isHidden() && m_thread->isEmpty()
                        && m_machine->isEmpty());
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

/// Takes over the selected event, and stores the row and the cursor at its selection. If only the event's time changed, because a clock
/// changed, the stored row and cursor are kept.
void DetailsView::takeEvent()
{
    const auto before = std::exchange(m_event, m_context.selectedEvent());
    const bool isMoved =
        before && m_event && before->trace == m_event->trace && before->index == m_event->index && before->time != m_event->time;
    if (!isMoved)
        m_eventPlace = {m_context.time().row(), m_context.time().cursor()};
}

/// Returns the selected event; nullptr if there is none, or if another row or time was selected after it.
std::shared_ptr<const EventRow> DetailsView::shownEvent() const
{
    const TimeWindow& time = m_context.time();
    const bool isThere = m_event && time.row() == m_eventPlace.row && (time.cursor() == m_eventPlace.at || time.cursor() == m_event->time);
    return isThere ? m_event : nullptr;
}

void DetailsView::showSelectedEvent()
{
    const auto row = shownEvent();
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
    if (row->tid >= 0 && row->tid < FirstMadeId)
        m_eventFields->add(tr("TID"), QString::number(row->tid));
    m_eventFields->add(tr("Stream"), QString::fromStdString(row->stream));
    for (const FieldLine& line : fieldLines(*row))
        m_eventFields->add(line.name, line.value, line.depth);
    m_eventFields->end();
}

void DetailsView::showResultRow()
{
    const ResultPanels::Values& values = ResultPanels::of(m_context).values();
    m_resultBox->setVisible(!values.empty());
    m_resultFields->begin();
    for (const auto& [name, value] : values)
        m_resultFields->add(name, value);
    m_resultFields->end();
    showEmpty();
}

void DetailsView::fetchEventSample()
{
    m_eventSample->setSample({}, {});
    const auto timeline = m_context.timeline();
    const auto event = m_context.selectedEvent();
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
