#include "widgets/docks/packets/connection_list.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/tips/connection_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace helio {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("connections", text); }

QString orDash(std::optional<Duration> known) { return known ? durationText(*known) : QStringLiteral("\u2013"); }

} // namespace

ConnectionList::ConnectionList(const Timeline& timeline, std::vector<ConnectionFacts> connections)
    : m_hosts(hostHeadings(timeline))
    , m_all(std::move(connections))
{
    for (const TimelineHost& host : timeline.hosts)
        m_labels.push_back(host.label);
    m_searchable.reserve(m_all.size());
    for (std::size_t place = 0; place < m_all.size(); ++place)
        m_searchable.push_back(searchableOf(place));
    m_ranks = {ranksOf(ConnectionColumn::Hosts), ranksOf(ConnectionColumn::Closed), ranksOf(ConnectionColumn::Who)};
}

const HostHeading* ConnectionList::hostOf(const ConnectionEnd& end) const
{
    return end.host < m_hosts.size() ? &m_hosts[end.host] : nullptr;
}

/// Returns the text that the filter is applied to. It includes both names of each host: the shown name and the name in its traces.
QString ConnectionList::searchableOf(std::size_t place) const
{
    const ConnectionFacts& it = m_all[place];
    QStringList texts;
    for (const ConnectionColumn column : {ConnectionColumn::Name, ConnectionColumn::Hosts, ConnectionColumn::Who, ConnectionColumn::Closed})
        texts << textOf(place, column);
    for (const ConnectionEnd* end : {&it.from, &it.to}) {
        texts << text(end->process);
        if (end->host < m_labels.size())
            texts << text(m_labels[end->host]);
    }
    return texts.join('\n').toLower();
}

std::vector<std::uint32_t> ConnectionList::ranksOf(ConnectionColumn column) const
{
    std::vector<QString> texts;
    for (std::size_t place = 0; place < m_all.size(); ++place)
        texts.push_back(textOf(place, column));
    std::vector<std::uint32_t> order(m_all.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
    std::vector<std::uint32_t> ranks(m_all.size());
    for (std::uint32_t i = 1; i < order.size(); ++i)
        ranks[order[i]] = ranks[order[i - 1]] + (texts[order[i - 1]] == texts[order[i]] ? 0 : 1);
    return ranks;
}

std::int64_t ConnectionList::keyOf(std::size_t place, ConnectionColumn column) const
{
    const ConnectionFacts& it = m_all[place];
    const auto known = [](std::optional<Duration> duration) { return duration ? duration->count() : -1; };
    switch (column) {
    case ConnectionColumn::Hosts: return m_ranks[0][place];
    case ConnectionColumn::Closed: return m_ranks[1][place];
    case ConnectionColumn::Who: return m_ranks[2][place];
    case ConnectionColumn::Packets: return std::int64_t(it.from.counts.packets + it.to.counts.packets);
    case ConnectionColumn::Bytes: return std::int64_t(it.from.counts.bytes + it.to.counts.bytes);
    case ConnectionColumn::Again: return std::int64_t(it.from.counts.retransmissions + it.to.counts.retransmissions);
    case ConnectionColumn::Handshake: return known(it.handshake());
    case ConnectionColumn::There: return known(it.from.median);
    case ConnectionColumn::Back: return known(it.to.median);
    case ConnectionColumn::Error: return it.error.count();
    default: return std::int64_t(place); // Connections are stored in time order, so the index is the key.
    }
}

QString ConnectionList::textOf(std::size_t place, ConnectionColumn column) const
{
    const ConnectionFacts& it = m_all[place];
    switch (column) {
    case ConnectionColumn::Name: {
        const QString protocol = it.protocol.empty() ? QString() : text(it.protocol) + ' ';
        return protocol + nameOf(it.from) + QStringLiteral(" \u2192 ") + nameOf(it.to);
    }
    case ConnectionColumn::Hosts: {
        const auto host = [&](const ConnectionEnd& end) { return hostOf(end) ? text(hostOf(end)->name) : QStringLiteral("?"); };
        return host(it.from) + QStringLiteral(" \u2192 ") + host(it.to);
    }
    case ConnectionColumn::Packets: return bothDirectionsText(it.from.counts.packets, it.to.counts.packets);
    case ConnectionColumn::Bytes:
        return it.hasLengths ? bothDirectionsText(it.from.counts.bytes, it.to.counts.bytes) : QStringLiteral("\u2013");
    case ConnectionColumn::Again: {
        const bool isNone = !it.hasLengths || it.from.counts.retransmissions + it.to.counts.retransmissions == 0;
        return isNone ? QStringLiteral("\u2013") : bothDirectionsText(it.from.counts.retransmissions, it.to.counts.retransmissions);
    }
    case ConnectionColumn::Handshake: return orDash(it.handshake());
    case ConnectionColumn::There: return orDash(it.from.median);
    case ConnectionColumn::Back: return orDash(it.to.median);
    case ConnectionColumn::Error: return it.from.median || it.to.median ? errorBoundText(it.error) : QStringLiteral("\u2013");
    case ConnectionColumn::Closed: return text(wordOf(it.ending));
    case ConnectionColumn::Who: return ownerText(it.from) + QStringLiteral(" \u2192 ") + ownerText(it.to);
    }
    return {};
}

QString ConnectionList::nameOf(const ConnectionEnd& end) const
{
    return !end.address.empty() ? text(end.address) : hostOf(end) ? text(hostOf(end)->name) : QStringLiteral("?");
}

QString ConnectionList::endTip(const ConnectionEnd& end) const
{
    const QString host = hostOf(end) ? text(hostOf(end)->name) : tr("not recorded");
    const QString who = end.tid > 0 ? ownerText(end) + ": " + knownText(end.ownerEvidence) : tr("unknown thread");
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;</td><td>%2&nbsp;</td><td>%3</td></tr>")
        .arg(addressText(end).toHtmlEscaped(), host.toHtmlEscaped(), who.toHtmlEscaped());
}

QString ConnectionList::tipOf(std::size_t place) const
{
    const ConnectionFacts& it = m_all[place];
    const auto way = [&](const ConnectionEnd& end, const QString& arrow) {
        return QStringLiteral("<tr><td>%1</td><td>p50 %2&nbsp;</td><td>p99 %3</td></tr>").arg(arrow, orDash(end.median), orDash(end.p99));
    };
    return QStringLiteral("<b>%1</b><table>%2%3%4%5</table>")
        .arg(textOf(place, ConnectionColumn::Name).toHtmlEscaped(), endTip(it.from), endTip(it.to), way(it.from, QStringLiteral("\u2192")),
             way(it.to, QStringLiteral("\u2190")));
}

} // namespace helio
