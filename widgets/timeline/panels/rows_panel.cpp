#include "widgets/timeline/panels/rows_panel.h"

#include "core/query/events/event_counts.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "widgets/timeline/panels/view_text.h"

#include <algorithm>

namespace helio {

bool isBare(const TrackView& view) { return view.share.find('%') != std::string::npos; }

RowsPanel::RowsPanel(ViewContext& context, TimeAxis& axis, TrackView view, QWidget* parent)
    : TrackPanel(context, axis, view.id, translateViewText(view.title), parent)
    , m_view(std::move(view))
{
    std::vector<ColumnTitle> columns;
    if (!m_view.share.empty())
        columns.push_back({translateViewText(m_view.share), 12, int(RowTree::Column::Share)});
    if (!m_view.number.empty())
        columns.push_back({translateViewText(m_view.number), 86, int(RowTree::Column::Id)});
    header()->setColumns(std::move(columns));
    graph()->setPercentBare(isBare(m_view));
    pinnedGraph()->setPercentBare(isBare(m_view));
    beginAs(m_view);
    if (m_view.canHideIdleRows) {
        setCanHideResting();
        setCanList();
    }
}

QString RowsPanel::subtitle() const
{
    const auto& rows = rowSet().rows();
    const auto isStack = [&](const Row& row) { return row.valueKind == ValueKind::Frame && !isBelowStack(rows, row); };
    if (const auto stacks = qint64(std::ranges::count_if(rows, isStack)); stacks > 0) {
        const auto tracks = qint64(std::ranges::count_if(rows, [&](const Row& row) { return isStack(row) && isApplicationTrack(row); }));
        QStringList parts;
        if (stacks > tracks)
            parts << counted(stacks - tracks);
        if (tracks > 0)
            parts << (tracks == 1 ? QObject::tr("1 track") : QObject::tr("%1 tracks").arg(countText(tracks)));
        return parts.join(QStringLiteral(", ")) + (frames().isLimited() ? QObject::tr(", filtered") : QString());
    }
    if (const auto disks = qint64(std::ranges::count(rows, LanesGroup, &Row::kind)); disks > 0) {
        const auto shown = qint64(shownDiskRows());
        return shown == disks ? counted(disks) : QObject::tr("%1 of %2").arg(countText(shown), countText(disks));
    }
    const bool isOfAll = m_view.canHideIdleRows || m_view.counted == TrackRole::Other;
    const auto all = isOfAll               ? qint64(rowSet().tracks())
        : m_view.counted == TrackRole::Cpu ? qint64(countCpus(rows))
                                           : qint64(std::ranges::count(rows, m_view.counted, &Row::role));
    if (const auto shown = qint64(shownRows()); m_view.canHideIdleRows && shown != all)
        return QObject::tr("%1 of %2").arg(countText(shown), countText(all));
    const auto isOne = [](const Row& row) { return row.ref.isValid() && row.role != TrackRole::Group; };
    return counted(m_view.canHideIdleRows ? qint64(std::ranges::count_if(rows, isOne)) : all);
}

QString RowsPanel::counted(qint64 all) const
{
    return all == 0 ? QString() : QStringLiteral("%1 %2").arg(countText(all), translateViewText(all == 1 ? m_view.one : m_view.many));
}

TrackPanel::EmptyText RowsPanel::emptyText() const
{
    const auto hosts = hostFacts(*axis().timeline());
    const bool hasCpus = std::ranges::any_of(hosts, [](const HostFacts& host) { return host.cpus > 0; });
    if (m_view.counted == TrackRole::Thread && !hasCpus) // Threads are unknown, because the trace has no kernel events.
        return eventCountsText();
    const QString nothing = m_view.nothing.empty() ? QObject::tr("No data for this view was recorded.") : translateViewText(m_view.nothing);
    return {nothing, howToRecord(m_view.id)};
}

/// Returns the text for a trace without events: what its reader found instead, e.g. payloads that it does not read.
TrackPanel::EmptyText RowsPanel::noEventsText() const
{
    constexpr std::size_t Most = 3;
    QStringList reasons;
    const auto found = damages(*axis().timeline());
    for (std::size_t i = 0; i < std::min(found.size(), Most); ++i)
        reasons << QString::fromStdString(found[i].text);
    if (found.size() > Most)
        reasons << QObject::tr("The Messages dock lists %1 more.").arg(countText(qint64(found.size() - Most)));
    return {QObject::tr("This file has no events that can be shown."), reasons.join('\n')};
}

/// Returns the text for a trace whose events have no thread.
TrackPanel::EmptyText RowsPanel::eventCountsText() const
{
    constexpr std::size_t Most = 6;
    const auto counts = eventCounts(*axis().timeline());
    std::uint64_t all = 0;
    QStringList names;
    for (const auto& [name, count] : counts) {
        all += count;
        if (std::size_t(names.size()) < Most)
            names << QObject::tr("%1 × %2").arg(countText(qint64(count)), QString::fromStdString(name));
    }
    if (all == 0)
        return noEventsText();
    if (counts.size() > Most)
        names << QObject::tr("%1 other kinds").arg(countText(qint64(counts.size() - Most)));
    return {QObject::tr("This trace has %1 events, but none says which thread it belongs to. The Events dock lists them.")
                .arg(countText(qint64(all))),
            names.join('\n')};
}

} // namespace helio
