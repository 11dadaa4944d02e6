#include "widgets/docks/details/thread_card.h"

#include "widgets/controls/field_grid.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int SumDelay = 150; ///< Delay in ms before the sums are computed, so that changes in quick succession cause only one computation.
constexpr std::size_t MostCpus = 8;

} // namespace

QString shareText(Duration part, Duration whole)
{
    const double percent = whole.count() > 0 ? 100.0 * double(part.count()) / double(whole.count()) : 0;
    return percent > 0 && percent < 0.05 ? QStringLiteral("<0.1 %") : QStringLiteral("%1 %").arg(percent, 0, 'f', 1);
}

ThreadCard::ThreadCard(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel({}, 13, 600, "text.primary"))
    , m_scope(makeLabel({}, 11, 400, "text.secondary"))
    , m_fields(new FieldGrid)
    , m_times(new FieldGrid)
    , m_answer(DebouncedQuery::Pace::Debounce, SumDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 14);
    layout->setSpacing(8);
    for (QWidget* part :
         {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_fields), static_cast<QWidget*>(m_scope), static_cast<QWidget*>(m_times)})
        layout->addWidget(part);
    TimeWindow& time = context.time();
    connect(&time, &TimeWindow::rowChanged, &m_answer, &DebouncedQuery::now);
    connect(&time, &TimeWindow::visibleChanged, &m_answer, &DebouncedQuery::soon);
    connect(&time, &TimeWindow::selectionChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::soon);
    connect(m_fields, &FieldGrid::linkActivated, this, [this](const QString&) {
        if (m_life && m_life->parent)
            m_context.time().setRow(m_life->parent->ref);
    });
    setVisible(false);
    m_answer.now();
}

void ThreadCard::fetch()
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    const TimeRange range = m_context.time().focus();
    if (!timeline || !row.isValid()) {
        m_answer.cancel();
        return take({}, range);
    }
    if (parentWidget() && !parentWidget()->isVisible())
        return;
    m_answer.post([this, timeline, row, range](std::stop_token stop) -> LatestTask::Delivery {
        auto life = threadSummary(*timeline, row, range, stop);
        if (stop.stop_requested())
            return {};
        return [this, life = std::move(life), range] { take(life, range); };
    });
}

void ThreadCard::take(std::optional<ThreadSummary> life, TimeRange range)
{
    m_life = std::move(life);
    m_range = range;
    setVisible(m_life.has_value());
    refresh();
    emit changed();
}

void ThreadCard::refresh()
{
    if (!m_life)
        return;
    const Row& row = m_life->row;
    const auto moment = [this](Timestamp at) { return timeText(at, m_context.timeFormat()); };
    m_title->setText(row.shownTid() >= 0 ? QStringLiteral("%1  %2").arg(text(row.label)).arg(row.tid) : text(row.label));
    m_fields->begin();
    m_fields->add(tr("Lifetime"), durationText(row.life.duration()));
    m_fields->add(tr("From"), moment(row.life.begin));
    m_fields->add(tr("To"), moment(row.life.end));
    if (row.pid >= 0 && row.pid < FirstMadeId)
        m_fields->add(tr("PID"), QString::number(row.pid));
    if (const auto& parent = m_life->parent)
        m_fields->add(parent->pid == row.pid ? tr("Process") : tr("Parent"),
                      parent->shownTid() >= 0 ? QStringLiteral("%1  %2").arg(text(parent->label)).arg(parent->tid) : text(parent->label), 0,
                      QStringLiteral("parent"));
    m_fields->end();
    const bool isSelected = !m_context.time().selection().isEmpty();
    m_scope->setText(isSelected ? tr("In the selected range, %1").arg(durationText(m_range.duration()))
                                : tr("In the visible range, %1").arg(durationText(m_range.duration())));
    m_times->begin();
    addStates();
    m_times->end();
}

void ThreadCard::addStates()
{
    const Duration whole = m_life->row.life.clippedTo(m_range).duration();
    if (m_life->sampled.samples > 0)
        m_times->add(tr("On CPU"),
                     tr("about %1, %2 (%3 samples)")
                         .arg(shareText(std::min(m_life->sampled.onCpu(), whole), whole),
                              durationText(std::min(m_life->sampled.onCpu(), whole)), countText(qint64(m_life->sampled.samples))));
    else
        for (const ThreadSummary::State& it : m_life->states)
            m_times->add(theme().lookOf(it.kind).legend,
                         tr("%1, %2, %3 ×").arg(durationText(it.total), shareText(it.total, whole), countText(qint64(it.count))));
    if (m_life->states.empty())
        m_times->add(tr("In this range"), tr("The thread did not exist."));
    Duration ran{};
    for (const ThreadSummary::OnCpu& it : m_life->cpus)
        ran += it.total;
    for (std::size_t i = 0; i < std::min(MostCpus, m_life->cpus.size()); ++i) {
        const ThreadSummary::OnCpu& it = m_life->cpus[i];
        m_times->add(tr("CPU %1").arg(it.cpu), tr("%1, %2 of its CPU time").arg(durationText(it.total), shareText(it.total, ran)));
    }
    if (!m_life->cpus.empty())
        m_times->add(tr("Migrations"), countText(qint64(m_life->migrations)));
    if (m_life->events > 0)
        m_times->add(tr("Events"), countText(qint64(m_life->events)));
}

} // namespace helio
