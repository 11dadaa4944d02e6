#include "widgets/docks/packets/packet_model.h"

#include "core/timesync/link_times.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/tips/connection_text.h"

namespace helio {
namespace {

const QString Dash = QStringLiteral("\u2013");

QString textOrDash(const QString& text) { return text.isEmpty() ? Dash : text; }

bool isNumber(int column) { return column == PacketModel::Bytes || column == PacketModel::Sequence || column == PacketModel::Latency; }

} // namespace

void PacketModel::setPackets(std::vector<ConnectionPacket> packets)
{
    beginResetModel();
    m_packets = std::move(packets);
    endResetModel();
}

void PacketModel::setWays(const QString& there, const QString& back)
{
    m_there = there;
    m_back = back;
}

void PacketModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    if (!m_packets.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

QString PacketModel::textOf(const ConnectionPacket& it, int column) const
{
    const auto moment = [&](std::optional<Timestamp> at) { return at ? timeText(*at, m_format) : QString(); };
    switch (column) {
    case Sent: return textOrDash(moment(it.sent));
    case Received: return textOrDash(moment(it.received));
    case Way: return it.isBack ? m_back : m_there;
    case Bytes: return it.length > 0 ? countText(it.length) : Dash;
    case Flags: return textOrDash(it.hasSequence ? QString::fromStdString(flagsText(it.flags)) : QString());
    case Sequence: return it.hasSequence ? QString::number(it.sequence) : Dash;
    case Latency: return textOrDash(latencyText(it));
    case Fate: return fateText(it);
    default: return {};
    }
}

QString PacketModel::tipOf(const ConnectionPacket& it) const
{
    return QStringLiteral("<b>%1</b><br>%2").arg(text(it.text).toHtmlEscaped(), fateTip(it).toHtmlEscaped());
}

QVariant PacketModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ConnectionPacket& it = m_packets[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return textOf(it, index.column());
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole: return tipOf(it);
    case Qt::ForegroundRole: {
        const bool isDoubtful = index.column() == Fate && (it.isAgain || it.fate == PacketFate::Lost || it.fate == PacketFate::Ambiguous);
        return theme().color(isDoubtful ? "severity.warning" : index.column() == Sent ? "text.primary" : "text.secondary");
    }
    default: return {};
    }
}

QVariant PacketModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    static const char* const titles[] = {"sent", "way", "latency", "seen as", "bytes", "flags", "seq", "arrived"};
    static const char* const tips[] = {"When it left",
                                       "From which host to which",
                                       "From leaving to coming in, and what that is right within",
                                       "What is known of its way: lost, ambiguous, sent again",
                                       "Headers included",
                                       "Of TCP",
                                       "Of its first byte in the stream",
                                       "When the last of it came in"};
    switch (role) {
    case Qt::DisplayRole: return tr(titles[section]);
    case Qt::ToolTipRole: return tr(tips[section]);
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

} // namespace helio
