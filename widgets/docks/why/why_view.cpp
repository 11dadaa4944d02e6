#include "widgets/docks/why/why_view.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/path.h"
#include "core/waits/path/path_causes.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/table_style.h"
#include "widgets/docks/why/cause_bar.h"
#include "widgets/docks/why/step_model.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/path_choice.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int WhyFetchDelay = 120; ///< Delay in ms before the query, because keys move the cursor step by step.
constexpr int MostLines = 16; ///< Maximum number of visible steps; further steps are reached by scrolling.
constexpr int EdgeWidth = 3;

QString shareOf(Duration part, Duration whole)
{
    return whole.count() > 0 ? QStringLiteral("%1 %").arg(100.0 * double(part.count()) / double(whole.count()), 0, 'f', 2) : QString();
}

/// Returns a note about the error bound of times on other hosts.
QString surenessWords(const std::vector<WaitStep>& steps)
{
    const auto least = std::ranges::max_element(steps, {}, &WaitStep::error);
    return least == steps.end() || errorWords(*least).isEmpty() ? QString()
                                                                : WhyView::tr("; times of other hosts: %1").arg(errorWords(*least));
}

} // namespace

WhyView::WhyView(ViewContext& context, QWidget* parent)
    : ScrollPage(parent)
    , m_context(context)
    , m_edge(new QWidget)
    , m_conclusion(makeLabel({}, 15, 600, "text.primary"))
    , m_place(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_buttons(new QWidget)
    , m_model(new StepModel(this))
    , m_steps(new QTreeView)
    , m_causesTitle(makeLabel(tr("By cause"), 12, 600, "text.primary"))
    , m_bar(new CauseBar)
    , m_causes(new FieldGrid)
    , m_answer(DebouncedQuery::Pace::Debounce, WhyFetchDelay, [this] { fetch(); })
{
    QVBoxLayout* layout = content();
    layout->setSpacing(8);
    m_edge->setFixedWidth(EdgeWidth);
    m_edge->setAutoFillBackground(true);
    for (QLabel* label : {m_conclusion, m_place}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* card = new QHBoxLayout;
    card->setSpacing(9);
    card->addWidget(m_edge);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(m_conclusion);
    words->addWidget(m_place);
    card->addLayout(words, 1);
    layout->addLayout(card);
    auto* line = new QHBoxLayout(m_buttons);
    line->setContentsMargins(0, 2, 0, 2);
    line->setSpacing(8);
    auto* zoom = new QPushButton(tr("Zoom to wait"));
    zoom->setDefault(true);
    auto* path = new QPushButton(tr("Critical path"));
    path->setToolTip(tr("Show the critical path of this wait in a panel above the others"));
    auto* copy = new QPushButton(tr("Copy text"));
    for (QPushButton* button : {zoom, path, copy})
        line->addWidget(button);
    line->addStretch(1);
    layout->addWidget(m_buttons);
    showModel(*m_steps, *m_model, tr("Steps of the wait"), new StepDelegate(m_steps));
    m_steps->header()->setSectionResizeMode(StepModel::What, QHeaderView::Stretch);
    for (const int column : {StepModel::When, StepModel::Length})
        m_steps->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    setFocusProxy(m_steps);
    layout->addWidget(m_steps);
    for (QWidget* part : {static_cast<QWidget*>(m_causesTitle), static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_causes)})
        layout->addWidget(part);
    layout->addStretch(1);
    connect(zoom, &QPushButton::clicked, this, [this] {
        if (m_why)
            m_context.time().jump({.visible = m_why->wait});
    });
    connect(path, &QPushButton::clicked, this, [this] {
        if (m_why)
            PathChoice::of(m_context).setQuestion(PathRequest{m_thread, m_why->wait});
    });
    connect(copy, &QPushButton::clicked, this, [this] { helio::copyText(copyText()); });
    onChosen(*m_steps, this, [this](const QModelIndex& index) { goTo(WaitStep(m_model->line(index.row()))); });
    for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::rowChanged})
        connect(&context.time(), signal, this, [this] {
            m_isKept = false;
            m_answer.soon();
        });
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        if (!m_context.timeline())
            return forget();
        m_answer.queueQuery();
    });
    connect(&context, &ViewContext::timeFormatChanged, &m_answer, &DebouncedQuery::soon);
    connect(&Themes::instance(), &Themes::changed, this, [this] { showCauses(); });
    take({}, {}, {});
}

void WhyView::showEvent(QShowEvent* event)
{
    ScrollPage::showEvent(event);
    m_answer.now();
}

void WhyView::fetch()
{
    if (!isVisible() || m_isKept) // A hidden view does not query: showEvent() will.
        return;
    const auto timeline = m_context.timeline();
    const Timestamp at = m_context.time().cursor();
    const TrackRef row = m_context.time().row();
    if (!timeline || !row.isValid()) {
        m_answer.cancel();
        return take({}, {}, tr("Select a thread and place the cursor where it is not running."));
    }
    m_answer.post([this, timeline, row, at](std::stop_token stop) -> LatestTask::Delivery {
        const TrackRef thread = findPathThread(*timeline, row, at);
        auto why = std::make_shared<Why>(thread.isValid() ? explainWait(timeline, thread, at, stop) : Why());
        if (stop.stop_requested())
            return {};
        const auto of = rowOf(*timeline, row);
        const bool isThread = of && (of->tid >= 0 || of->role == TrackRole::Thread);
        return [this, why, thread, at, isThread, timeline] {
            m_thread = thread;
            m_at = at;
            const QString nothing = thread.isValid()
                ? tr("The thread is running here, or does not exist yet. Place the cursor where it waits.")
                : !isThread ? tr("This row is not a thread. Select a thread and place the cursor where it is not running.")
                            : tr("Wait cause not recorded. Record a kernel trace with lttng enable-event -k "
                                 "sched_switch,sched_waking,irq_*,timer_hrtimer_* and --syscall --all");
            take(timeline, std::move(*why), nothing);
        };
    });
}

/// Clears the explanation, because another trace was opened or all were closed: its rows may be other rows.
void WhyView::forget()
{
    m_answer.cancel();
    m_thread = {};
    m_isKept = false;
    take({}, {}, {});
}

void WhyView::take(std::shared_ptr<const Timeline> timeline, std::optional<Why> why, const QString& nothing)
{
    m_timeline = std::move(timeline);
    m_why = std::move(why);
    const bool isThere = this->why() != nullptr;
    m_conclusion->setText(isThere ? text(m_why->conclusion) : QString());
    m_conclusion->setVisible(isThere);
    const QString who = isThere ? text(threadWords(*m_timeline, m_thread)) : QString();
    m_place->setText(
        isThere ? tr("%1, from %2 to %3")
                      .arg(who, timeText(m_why->wait.begin, m_context.timeFormat()), timeText(m_why->wait.end, m_context.timeFormat()))
                + surenessWords(m_why->steps)
                : nothing);
    for (QWidget* part : {m_buttons, static_cast<QWidget*>(m_steps), static_cast<QWidget*>(m_causesTitle), static_cast<QWidget*>(m_bar),
                          static_cast<QWidget*>(m_causes)})
        part->setVisible(isThere);
    m_model->setSteps(m_timeline, isThere ? m_why->steps : std::vector<WaitStep>(), isThere ? m_why->main.step : 0, m_context.timeFormat());
    m_steps->setFixedHeight(m_steps->header()->sizeHint().height() + StepDelegate::Height * std::clamp(m_model->rowCount(), 1, MostLines)
                            + 2);
    m_edge->setVisible(isThere);
    showCauses();
}

void WhyView::showCauses()
{
    if (!why())
        return;
    QPalette edge = m_edge->palette(); // The left edge has the colour of the main cause.
    edge.setColor(QPalette::Window, theme().lookOf(stateOf(m_why->main.kind)).color);
    m_edge->setPalette(edge);
    std::vector<CauseBar::Part> parts;
    for (const PathCause& sum : causesOf(*m_timeline, m_why->path)) {
        const auto it = std::ranges::find(parts, sum.kind, &CauseBar::Part::kind);
        if (it == parts.end())
            parts.push_back({sum.kind, sum.total});
        else
            it->total += sum.total;
    }
    std::ranges::stable_sort(parts, std::greater(), &CauseBar::Part::total);
    m_causes->begin();
    Duration all{};
    for (const CauseBar::Part& part : parts) {
        all += part.total;
        m_causes->add(theme().lookOf(stateOf(part.kind)).legend,
                      tr("%1   %2").arg(shareOf(part.total, m_why->wait.duration()), durationText(part.total)));
    }
    m_causes->add(tr("Total"), all == m_why->wait.duration() ? tr("%1").arg(durationText(all)) : durationText(all));
    m_causes->end();
    m_bar->setParts(std::move(parts));
}

/// Goes to a step. The explanation is kept, so that the user can go from step to step.
void WhyView::goTo(const WaitStep& step)
{
    m_context.time().jump({.row = step.row, .cursor = step.range.begin});
    m_isKept = true;
    m_answer.cancel();
    m_context.focusRows();
}

ShownCommand WhyView::shownCommand() const
{
    if (!why())
        return ShownCommand::none(tr("No wait is shown."));
    return pathCommand(*m_timeline, m_context.time(), {m_thread, {}}, {"--why", QString::number(nanoseconds(m_at))});
}

QString WhyView::copyText() const
{
    if (!why())
        return {};
    QString all = text(m_why->conclusion) + '\n';
    for (const WaitStep& step : m_why->steps)
        all += QString(2 * step.depth, ' ')
            + tr("%1  %2  %3%4\n")
                  .arg(timeText(step.range.begin, m_context.timeFormat()) + (errorWords(step).isEmpty() ? "" : ' ' + errorWords(step)),
                       durationText(step.range.duration()), text(step.words),
                       step.event.empty() ? QString()
                                          : tr(", until %1 at %2").arg(text(step.event), timeText(step.eventAt, m_context.timeFormat())));
    return all;
}

} // namespace helio
