#include "widgets/docks/details/link_card.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/value_label.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/tips/link_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace helio {

namespace {

const QString From = QStringLiteral("from");
const QString To = QStringLiteral("to");
const QString FromThread = QStringLiteral("from-thread");
const QString ToThread = QStringLiteral("to-thread");

/// Returns the interrupt context of a link's end, e.g. "softirq net_rx".
QString contextText(const StateText& context)
{
    return context.detail.empty() ? text(context.state) : text(context.state) + ' ' + text(context.detail);
}

QString threadText(const Timeline& timeline, const LinkEnd& end)
{
    const QString who = end.thread.isValid() ? rowName(timeline, end.thread) : LinkCard::tr("thread %1").arg(end.tid);
    return end.process.isValid() ? LinkCard::tr("%1 of %2").arg(who, rowName(timeline, end.process)) : who;
}

} // namespace

LinkCard::LinkCard(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_swatch(new QLabel)
    , m_title(makeLabel({}, 14, 600, "text.primary"))
    , m_length(makeLabel({}, 12, 600, "text.primary"))
    , m_fields(new FieldGrid)
    , m_doubt(makeLabel({}, 11.5, 400, "text.secondary"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 14);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    hideFromScreenReaders(*m_swatch);
    head->addWidget(m_swatch);
    head->addWidget(m_title, 1);
    head->addWidget(m_length);
    column->addLayout(head);
    column->addWidget(new HorizontalRule);
    column->addWidget(m_fields);
    column->addWidget(m_doubt);
    m_doubt->setWordWrap(true);
    hide();
    connect(&context, &ViewContext::linkChanged, this, &LinkCard::fetch);
    connect(&context, &ViewContext::timelineChanged, this, &LinkCard::fetch);
    connect(m_fields, &FieldGrid::linkActivated, this, [this](const QString& end) {
        if (!m_arrow)
            return;
        const bool isFrom = end == From || end == FromThread;
        const bool isThread = end == FromThread || end == ToThread;
        const TrackRef row = isFrom ? m_arrow->from : m_arrow->to;
        goTo({isThread ? m_ends[isFrom ? 0 : 1].thread : row, isFrom ? m_arrow->fromTime : m_arrow->toTime});
    });
}

/// Queries the link again, because clocks may have changed since it was selected.
void LinkCard::fetch()
{
    const auto timeline = m_context.timeline();
    const auto link = m_context.link();
    if (m_isGoingToEnd)
        return;
    if (!timeline || !link) {
        m_job.cancel();
        return take({}, {});
    }
    m_job.post([this, timeline, link](std::stop_token stop) -> LatestTask::Delivery {
        const auto now = updatedArrow(*timeline, *link);
        return [this, now, ends = now ? linkEnds(*timeline, *now, stop) : std::array<LinkEnd, 2>()] { take(now, ends); };
    });
}

void LinkCard::take(std::optional<Arrow> arrow, const std::array<LinkEnd, 2>& ends)
{
    const bool isOther = m_arrow != arrow;
    m_arrow = std::move(arrow);
    m_ends = ends;
    setVisible(m_arrow.has_value());
    showLink();
    if (isOther)
        emit changed();
}

void LinkCard::addEnd(const QString& name, const QString& when, const QString& link, const End& end, std::uint32_t host)
{
    const Timeline& timeline = *m_context.timeline();
    m_fields->add(name, linkEndText(timeline, end.row, host), 0, end.row.isValid() ? link : QString());
    const Duration error = errorBetween(timeline, host, referenceHost(timeline), end.at);
    m_fields->add(when, timeText(end.at, m_context.timeFormat()) + (error == UnknownError ? QStringLiteral(" ± ?") : plusMinus(error)));
}

/// Adds facts about an end without a thread: what its CPU did, and which thread the message belongs to.
void LinkCard::addEndFacts(bool isFrom)
{
    const Timeline& timeline = *m_context.timeline();
    const LinkEnd& end = m_ends[isFrom ? 0 : 1];
    if (const QString context = contextText(end.context); !context.isEmpty())
        m_fields->add(tr("Context"), context);
    if (end.occupant.isValid() || end.wasIdle)
        m_fields->add(tr("Running on the CPU"), end.wasIdle ? tr("none (idle)") : rowName(timeline, end.occupant));
    const QString name = end.isSocketOwner ? tr("Socket owner") : isFrom ? tr("Sender") : tr("Receiver");
    if (end.tid > 0)
        m_fields->add(name, threadText(timeline, end), 0, end.thread.isValid() ? (isFrom ? FromThread : ToThread) : QString());
}

void LinkCard::showLink()
{
    const auto timeline = m_context.timeline();
    if (!m_arrow || !timeline)
        return;
    const LinkKindInfo& kind = kindOf(*timeline, *m_arrow);
    const LinkTimes times = linkTimes(*timeline, *m_arrow);
    StateAppearance look;
    look.color = theme().colorOf(kind);
    look.height = 16;
    m_swatch->setPixmap(swatchPixmap(look, 12, devicePixelRatioF()));
    m_title->setText(text(kind.title.empty() ? kind.id : kind.title));
    m_length->setText(linkDurationText(times));
    m_fields->begin();
    addEnd(tr("From"), tr("Left"), From, {m_arrow->from, m_arrow->fromTime}, times.fromHost);
    addEndFacts(true);
    addEnd(tr("To"), tr("Arrived"), To, {m_arrow->to, m_arrow->toTime}, times.toHost);
    addEndFacts(false);
    const auto fields = messageFields(*timeline, *m_arrow);
    for (const auto& [name, value] : fields)
        m_fields->add(text(name), text(value));
    if (fields.empty() && !m_arrow->detail.empty())
        m_fields->add(kind.detail.empty() ? tr("Detail") : text(kind.detail), text(m_arrow->detail));
    m_fields->end();
    addUncertainty(times);
}

void LinkCard::addUncertainty(const LinkTimes& times)
{
    const QString doubt = m_arrow->message == NoMessage ? QString() : linkDoubtText(*m_context.timeline(), times);
    m_doubt->setText(doubt);
    m_doubt->setVisible(!doubt.isEmpty());
}

/// Goes to one end of the link. The link stays selected, so that the user can go to the other end.
void LinkCard::goTo(const End& end)
{
    const auto link = m_context.link();
    m_isGoingToEnd = true;
    m_context.time().jump({.row = end.row, .cursor = end.at});
    m_isGoingToEnd = false;
    m_context.setLink(link);
    m_context.focusRows();
}

} // namespace helio
