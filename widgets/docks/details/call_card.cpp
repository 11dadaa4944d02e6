#include "widgets/docks/details/call_card.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/value_label.h"
#include "widgets/docks/details/call_time_card.h"
#include "widgets/docks/details/event_fields.h"
#include "widgets/docks/details/rank_axis.h"
#include "widgets/docks/details/thread_card.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/lanes/value_colors.h"
#include "widgets/workspace/go_to.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr std::size_t MostCallers = 40;
constexpr std::size_t MostArguments = 60; ///< Maximum number of lines of a slice's arguments.

/// Returns the source location of a function, e.g. "fullstack.py:88"; empty if unknown.
QString sourceText(const SourceLine& source)
{
    if (source.file.empty())
        return {};
    const QString file = QFileInfo(text(source.file)).fileName();
    return source.line > 0 ? QStringLiteral("%1:%2").arg(file).arg(source.line) : file;
}

/// Returns a note for a call without a known duration; empty if the duration is known.
QString endText(CallEnd end, Duration seen)
{
    switch (end) {
    case CallEnd::StillOpen: return CallCard::tr("still open when the trace ends; duration %1").arg(atLeastText(seen));
    case CallEnd::NotSeen: return CallCard::tr("exit not recorded; duration unknown");
    default: return {};
    }
}

/// Returns the title for the time at which the bar of the call ends.
QString endTitle(CallEnd end)
{
    switch (end) {
    case CallEnd::StillOpen: return CallCard::tr("Trace ends");
    case CallEnd::NotSeen: return CallCard::tr("Drawn to");
    default: return CallCard::tr("End");
    }
}

/// Returns the look of the call's bar on its row.
StateAppearance lookOf(const Timeline& timeline, const Segment& call)
{
    StateAppearance look;
    for (const Interval& bar : intervalAt(timeline, call.row(), call.range.begin))
        look = styleByValue(theme(), timeline, call.row(), bar);
    look.height = 16; // Full height in pixels, because swatches beside titles are squares.
    return look;
}

} // namespace

CallCard::CallCard(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_swatch(new QLabel)
    , m_title(makeLabel({}, 15, 600, "text.primary"))
    , m_duration(makeLabel({}, 15, 600, "text.primary"))
    , m_rank(makeLabel({}, 11.5, 500, "text.primary"))
    , m_place(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_axis(new RankAxis)
    , m_fields(new FieldGrid)
    , m_time(new CallTimeCard)
    , m_buttonPlace(new QVBoxLayout)
    , m_callersTitle(makeLabel(tr("Called from"), 12, 600, "text.primary"))
    , m_callers(new FieldGrid)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 14);
    layout->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    hideFromScreenReaders(*m_swatch);
    head->addWidget(m_swatch);
    head->addWidget(m_title, 1);
    head->addWidget(m_duration);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(22, 0, 0, 0);
    second->setSpacing(10);
    second->addWidget(m_rank, 1);
    second->addWidget(m_place);
    layout->addLayout(head);
    layout->addLayout(second);
    layout->addWidget(m_axis);
    layout->addWidget(m_time);
    layout->addLayout(m_buttonPlace);
    for (QWidget* part : {static_cast<QWidget*>(m_fields), static_cast<QWidget*>(m_callersTitle), static_cast<QWidget*>(m_callers)})
        layout->addWidget(part);
    for (QLabel* label : {m_title, m_rank, m_place})
        label->setTextFormat(Qt::PlainText); // Function names may contain angle brackets, which must not be parsed as HTML.
    m_title->setWordWrap(true);
    m_rank->setWordWrap(true);
    connect(m_callers, &FieldGrid::linkActivated, this, [this](const QString& number) {
        const auto index = std::size_t(number.toUInt());
        if (!m_facts || index >= m_facts->callers.size())
            return;
        goToCall(m_context, m_facts->callers[index].call);
        m_context.focusRows();
    });
    hide();
}

void CallCard::setCall(std::optional<CallFacts> facts, std::vector<SliceField> recorded)
{
    const bool isOther = !facts || !m_facts || facts->call != m_facts->call;
    m_facts = std::move(facts);
    m_recorded = std::move(recorded);
    if (isOther)
        m_ranking.reset();
    setVisible(m_facts.has_value());
    refresh();
}

void CallCard::setRanking(const CallRanking& standing)
{
    m_ranking = standing;
    refresh();
}

void CallCard::refresh()
{
    const auto timeline = m_context.timeline();
    if (!m_facts || !timeline)
        return;
    const CalledFunction& called = m_facts->called;
    m_swatch->setPixmap(swatchPixmap(lookOf(*timeline, m_facts->call), 12, devicePixelRatioF()));
    m_title->setText(text(called.label));
    m_duration->setText(m_facts->end == CallEnd::StillOpen ? atLeastText(m_facts->time.whole) : durationText(m_facts->time.whole));
    m_place->setText(called.function.module.empty() ? QString() : tr("in %1").arg(text(called.function.module)));
    showRank();
    m_time->setTime(m_facts->time);
    if (m_ranking)
        m_time->setTypical(m_ranking->typical);
    m_fields->begin();
    addFields();
    m_fields->end();
    m_callersTitle->setVisible(!m_facts->callers.empty());
    m_callers->begin();
    addCallers();
    m_callers->end();
}

/// Shows the rank of the call, or a note if the call has no recorded exit.
void CallCard::showRank()
{
    const std::optional<CallRank> rank = m_ranking ? m_ranking->rank : std::nullopt;
    const QString end = endText(m_facts->end, m_facts->time.whole);
    m_rank->setText(!end.isEmpty() ? end : rank ? rankText(*rank, m_facts->time.whole) : QString());
    m_axis->setVisible(rank && rank->lengths.least < rank->lengths.most);
    if (rank)
        m_axis->setRank(*rank, m_facts->time.whole);
}

void CallCard::addFields()
{
    const Row& thread = m_facts->thread;
    const CallTime& time = m_facts->time;
    const auto moment = [this](Timestamp at) { return timeText(at, m_context.timeFormat()); };
    const bool isOfTrack = isApplicationTrack(thread);
    m_fields->add(isOfTrack ? tr("Track") : tr("Thread"), tr("%1, depth %2").arg(text(thread.label)).arg(m_facts->callers.size() + 1));
    if (thread.shownTid() >= 0)
        m_fields->add(tr("TID"),
                      thread.pid >= 0 && thread.pid < FirstMadeId ? tr("%1, PID %2").arg(thread.tid).arg(thread.pid)
                                                                  : QString::number(thread.tid));
    m_fields->add(tr("Start"), moment(m_facts->call.range.begin));
    m_fields->add(endTitle(m_facts->end), moment(m_facts->call.range.end));
    m_fields->add(tr("Self"), tr("%1, %2").arg(durationText(time.self), shareText(time.self, time.whole)));
    if (!isOfTrack || time.onCpu) // Asynchronous operations belong to no thread, so no recording has their time on a CPU.
        m_fields->add(tr("CPU"),
                      time.onCpu ? tr("%1, %2").arg(durationText(*time.onCpu), shareText(*time.onCpu, time.whole))
                                 : tr("unknown; record a kernel trace at the same time"));
    if (time.stolen > Duration::zero())
        m_fields->add(tr("Steal time"), tr("%1, %2").arg(durationText(time.stolen), shareText(time.stolen, time.whole)));
    if (const QString source = sourceText(m_facts->called.source); !source.isEmpty())
        m_fields->add(tr("Defined at"), source);
    else if (!m_facts->called.function.problem.empty())
        m_fields->add(tr("Symbols"), text(withoutPlaces(m_facts->called.function.problem)));
    addRecorded();
}

/// Adds the fields of the events that begin and end the call to the card, e.g. categories and arguments.
void CallCard::addRecorded()
{
    for (const SliceField& field : m_recorded) {
        if (field.name == CpuTimeField) // Shown as CPU time.
            continue;
        const bool isArguments = field.name == "args";
        const QString name = field.name == "cat" ? tr("Category") : isArguments ? tr("Arguments") : text(field.name);
        const QString title = isArguments && field.isAtEnd ? tr("At the end") : name;
        const std::vector<FieldLine> arguments = isArguments ? argumentLines(text(field.value)) : std::vector<FieldLine>();
        m_fields->add(title, arguments.empty() ? text(field.value) : QString());
        for (std::size_t i = 0; i < std::min(MostArguments, arguments.size()); ++i)
            m_fields->add(arguments[i].name, arguments[i].value, arguments[i].depth + 1);
        if (const auto left = qint64(arguments.size()) - qint64(MostArguments); left > 0)
            m_fields->add({}, left == 1 ? tr("1 more argument") : tr("%1 more arguments").arg(countText(left)));
    }
}

void CallCard::addCallers()
{
    const std::size_t shown = std::min(MostCallers, m_facts->callers.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const CallFacts::Caller& it = m_facts->callers[i];
        const QString source = sourceText(it.called.source);
        m_callers->add(durationText(lengthOf(it.call.range)),
                       text(it.called.label) + (source.isEmpty() ? QString() : QStringLiteral("  ") + source), 0, QString::number(i));
    }
    if (shown < m_facts->callers.size())
        m_callers->add({}, tr("%1 more callers").arg(countText(qint64(m_facts->callers.size() - shown))));
}

} // namespace helio
