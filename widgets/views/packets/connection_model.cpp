#include "widgets/views/packets/connection_model.h"

#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {
namespace {

QString orDash(std::optional<Duration> known) { return known ? durationText(*known) : QStringLiteral("\u2013"); }

/// "12 → 7 ←": what went there and back.
QString bothWays(std::uint64_t there, std::uint64_t back)
{
    return countText(qint64(there)) + QStringLiteral(" \u2192 ") + countText(qint64(back)) + QStringLiteral(" \u2190");
}

QString whoText(const ConnectionEnd& end)
{
    if (end.tid <= 0)
        return QStringLiteral("?");
    return end.thread.empty() ? QString::number(end.tid) : text(end.thread) + ' ' + QString::number(end.tid);
}

QString knownText(OwnerKnownBy known)
{
    switch (known) {
    case OwnerKnownBy::Nothing: return {};
    case OwnerKnownBy::Woken: return ConnectionModel::tr("packets that came in woke it");
    case OwnerKnownBy::Connected: return ConnectionModel::tr("it asked to connect");
    case OwnerKnownBy::Accepted: return ConnectionModel::tr("it accepted the connection");
    case OwnerKnownBy::Sent: return ConnectionModel::tr("it sent packets");
    }
    return {};
}

} // namespace

void ConnectionModel::setConnections(const Timeline* timeline, std::vector<ConnectionFacts> connections)
{
    beginResetModel();
    m_hosts = timeline ? hostHeadings(*timeline) : std::vector<HostHeading>();
    m_all = std::move(connections);
    order();
    endResetModel();
}

const HostHeading* ConnectionModel::hostOf(const ConnectionEnd& end) const
{
    return end.host < m_hosts.size() ? &m_hosts[end.host] : nullptr;
}

void ConnectionModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text;
    order();
    endResetModel();
}

int ConnectionModel::find(std::uint32_t relation, std::uint32_t connection) const
{
    const auto is = [&](std::size_t place) { return m_all[place].relation == relation && m_all[place].connection == connection; };
    const auto found = std::ranges::find_if(m_shown, is);
    return found != m_shown.end() ? int(found - m_shown.begin()) : -1;
}

int ConnectionModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_shown.size()); }
int ConnectionModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

/// What is not known sorts behind all that is. By name: in the order of time.
void ConnectionModel::order()
{
    m_shown.clear();
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const auto holds = [&](int column) { return textOf(m_all[i], column).contains(m_filter, Qt::CaseInsensitive); };
        if (m_filter.isEmpty() || holds(Name) || holds(Hosts) || holds(Who) || holds(Closed))
            m_shown.push_back(i);
    }
    const auto known = [](std::optional<Duration> duration) { return duration ? duration->count() : -1; };
    const auto number = [&](std::size_t place) -> std::int64_t {
        const ConnectionFacts& it = m_all[place];
        switch (m_sorted) {
        case Packets: return std::int64_t(it.from.counts.packets + it.to.counts.packets);
        case Bytes: return std::int64_t(it.from.counts.bytes + it.to.counts.bytes);
        case Again: return std::int64_t(it.from.counts.again + it.to.counts.again);
        case Handshake: return known(it.handshake());
        case There: return known(it.from.median);
        case Back: return known(it.to.median);
        case Error: return it.error.count();
        default: return std::int64_t(place); // They are in the order of time.
        }
    };
    const bool isText = m_sorted == Hosts || m_sorted == Closed || m_sorted == Who;
    std::vector<QString> texts(isText ? m_all.size() : 0); // Once each: comparing is many times as often.
    for (const std::size_t place : m_shown)
        if (isText)
            texts[place] = textOf(m_all[place], m_sorted);
    std::ranges::stable_sort(m_shown, [&](std::size_t a, std::size_t b) {
        if (isText)
            return m_isDescending ? texts[b] < texts[a] : texts[a] < texts[b];
        return m_isDescending ? number(b) < number(a) : number(a) < number(b);
    });
}

QString ConnectionModel::textOf(const ConnectionFacts& it, int column) const
{
    switch (column) {
    case Name: {
        const QString protocol = it.protocol.empty() ? QString() : text(it.protocol) + ' ';
        return protocol + nameOf(it.from) + QStringLiteral(" \u2192 ") + nameOf(it.to);
    }
    case Hosts: {
        const auto host = [&](const ConnectionEnd& end) { return hostOf(end) ? text(hostOf(end)->name) : QStringLiteral("?"); };
        return host(it.from) + QStringLiteral(" \u2192 ") + host(it.to);
    }
    case Packets: return bothWays(it.from.counts.packets, it.to.counts.packets);
    case Bytes: return bothWays(it.from.counts.bytes, it.to.counts.bytes);
    case Again: {
        const bool isNone = it.from.counts.again + it.to.counts.again == 0;
        return isNone ? QStringLiteral("\u2013") : bothWays(it.from.counts.again, it.to.counts.again);
    }
    case Handshake: return orDash(it.handshake());
    case There: return orDash(it.from.median);
    case Back: return orDash(it.to.median);
    case Error: {
        const bool isKnown = (it.from.median || it.to.median) && it.error != Duration::max();
        return isKnown ? QStringLiteral("\u00b1") + durationText(it.error) : QStringLiteral("\u2013");
    }
    case Closed: return text(wordOf(it.ending));
    case Who: return whoText(it.from) + QStringLiteral(" \u2192 ") + whoText(it.to);
    default: return {};
    }
}

QString ConnectionModel::nameOf(const ConnectionEnd& end) const
{
    return !end.address.empty() ? text(end.address) : hostOf(end) ? text(hostOf(end)->name) : QStringLiteral("?");
}

QString ConnectionModel::endTip(const ConnectionEnd& end) const
{
    const QString host = hostOf(end) ? text(hostOf(end)->name) : tr("not recorded");
    const QString who = end.tid > 0 ? whoText(end) + ": " + knownText(end.knownBy) : tr("nobody knows which thread");
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;</td><td>%2&nbsp;</td><td>%3</td></tr>")
        .arg(text(end.address).toHtmlEscaped(), host.toHtmlEscaped(), who.toHtmlEscaped());
}

QString ConnectionModel::tipOf(const ConnectionFacts& it) const
{
    const auto way = [&](const ConnectionEnd& end, const QString& arrow) {
        return QStringLiteral("<tr><td>%1</td><td>p50 %2&nbsp;</td><td>p99 %3</td></tr>").arg(arrow, orDash(end.median), orDash(end.p99));
    };
    return QStringLiteral("<b>%1</b><table>%2%3%4%5</table>")
        .arg(textOf(it, Name).toHtmlEscaped(), endTip(it.from), endTip(it.to), way(it.from, QStringLiteral("\u2192")),
             way(it.to, QStringLiteral("\u2190")));
}

QVariant ConnectionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ConnectionFacts& it = connection(index.row());
    const bool isText = index.column() == Name || index.column() == Hosts || index.column() == Closed || index.column() == Who;
    switch (role) {
    case Qt::DisplayRole: return textOf(it, index.column());
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole: return theme().color(index.column() == Name ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole: return tipOf(it);
    default: return {};
    }
}

QVariant ConnectionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    static const char* const names[] = {"Connection", "Hosts",      "packets", "bytes",  "again",  "handshake",
                                        "p50 \u2192", "p50 \u2190", "error",   "closed", "Threads"};
    static const char* const tips[] = {"In the order of time",
                                       "Of both ends",
                                       "Sent there and back",
                                       "Sent there and back, headers included",
                                       "Sent once more",
                                       "From the first packet of the handshake to its last",
                                       "Half of the packets there took at most so long",
                                       "Half of the packets back took at most so long",
                                       "What these times are right within",
                                       "How it ended",
                                       "Who had it at both ends"};
    const bool isText = section == Name || section == Hosts || section == Closed || section == Who;
    switch (role) {
    case Qt::DisplayRole: return tr(names[section]);
    case Qt::ToolTipRole: return tr(tips[section]);
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isText ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::InitialSortOrderRole: return int(isText ? Qt::AscendingOrder : Qt::DescendingOrder); // The most is what one looks for.
    default: return {};
    }
}

void ConnectionModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_sorted = std::clamp(column, 0, ColumnCount - 1);
    m_isDescending = order == Qt::DescendingOrder;
    this->order();
    endResetModel();
}

} // namespace helio
