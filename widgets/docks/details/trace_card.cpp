#include "widgets/docks/details/trace_card.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/recording_groups.h"
#include "widgets/controls/field_grid.h"
#include "widgets/theme/themes.h"

#include <QVBoxLayout>

#include <algorithm>

namespace helio {

TraceCard::TraceCard(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel({}, 14, 600, "text.primary"))
    , m_facts(new FieldGrid)
    , m_ways(new FieldGrid)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 14);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(new HorizontalRule);
    layout->addWidget(m_facts);
    layout->addSpacing(14);
    layout->addWidget(makeLabel(tr("Nothing selected"), 13, 600, "text.primary"));
    layout->addWidget(m_ways);
    m_ways->begin();
    m_ways->add(tr("State"), tr("Click a state for cause, waker and breakdown"));
    m_ways->add(tr("Row"), tr("Click a name for a thread summary"));
    m_ways->add(tr("Range"), tr("Drag to select a range; all docks follow"));
    m_ways->add(tr("Event"), tr("Click a line in the Events dock for all its fields"));
    m_ways->end();
    connect(&context, &ViewContext::timelineChanged, this, &TraceCard::refresh);
    connect(&context, &ViewContext::timeFormatChanged, this, &TraceCard::refresh);
    refresh();
}

void TraceCard::refresh()
{
    const auto timeline = m_context.timeline();
    const auto hosts = timeline ? hostFacts(*timeline) : std::vector<HostFacts>();
    m_title->setText(!timeline                                             ? tr("No trace open")
                         : hosts.size() == 1                               ? tr("Trace")
                         : std::ranges::any_of(hosts, &HostFacts::isNamed) ? tr("Trace, %1 hosts").arg(hosts.size())
                                                                           : tr("%1 recordings").arg(hosts.size()));
    m_facts->begin();
    if (timeline && hasTimes(*timeline)) {
        const TimeRange range = axisRange(*timeline);
        m_facts->add(tr("From"), timeText(range.begin, m_context.timeFormat()));
        m_facts->add(tr("To"), timeText(range.end, m_context.timeFormat()));
        m_facts->add(tr("Duration"), durationText(range.duration()));
        if (range != rangeOf(*timeline))
            m_facts->add(tr("Not shown"), tr("Recordings of other times"));
    }
    for (const std::uint32_t place : timeline ? hostsInOrder(*timeline) : std::vector<std::uint32_t>()) {
        const HostFacts& host = hosts[place];
        QStringList parts;
        if (host.cpus > 0)
            parts << (host.cpus == 1 ? tr("1 CPU") : tr("%1 CPUs").arg(host.cpus));
        parts << tr("%1 events").arg(countText(qint64(host.events)));
        if (host.lostEvents > 0)
            parts << tr("%1 lost").arg(countText(qint64(host.lostEvents)));
        m_facts->add(host.label.empty() ? tr("Host") : QString::fromStdString(host.label), parts.join(QStringLiteral(", ")));
    }
    m_facts->end();
}

} // namespace helio
