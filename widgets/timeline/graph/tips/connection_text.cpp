#include "widgets/timeline/graph/tips/connection_text.h"

#include "core/timesync/host_clocks.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/tips/tip_translation.h"

namespace helio {

QString bothDirectionsText(std::uint64_t there, std::uint64_t back)
{
    return countText(qint64(there)) + QStringLiteral(" \u2192 ") + countText(qint64(back)) + QStringLiteral(" \u2190");
}

QString ownerText(const ConnectionEnd& end)
{
    if (end.tid <= 0)
        return QStringLiteral("?");
    return end.thread.empty() ? QString::number(end.tid) : text(end.thread) + ' ' + QString::number(end.tid);
}

QString addressText(const ConnectionEnd& end)
{
    return end.translated.empty() ? text(end.address) : tr("%1, translated to %2").arg(text(end.address), text(end.translated));
}

QString knownText(OwnerEvidence known)
{
    switch (known) {
    case OwnerEvidence::Nothing: return {};
    case OwnerEvidence::Woken: return tr("incoming packets woke it");
    case OwnerEvidence::Connected: return tr("it initiated the connection");
    case OwnerEvidence::Accepted: return tr("it accepted the connection");
    case OwnerEvidence::Sent: return tr("it sent packets");
    }
    return {};
}

QString fateText(const ConnectionPacket& packet)
{
    const QString fate = text(wordOf(packet.fate));
    return packet.isRetransmission ? tr("%1, retransmitted").arg(fate) : fate;
}

QString fateTip(const ConnectionPacket& packet)
{
    const QString again = packet.isRetransmission ? ' ' + tr("It is a retransmission without new bytes.") : QString();
    switch (packet.fate) {
    case PacketFate::Arrived: return tr("Both its sending and its arrival were recorded.") + again;
    case PacketFate::Lost: return tr("Its sending was recorded, but not its arrival, although the other host was recording.") + again;
    case PacketFate::Ambiguous: return tr("Several packets look alike, so it is unknown which of them arrived when.") + again;
    case PacketFate::NotRecorded: return tr("Its sending was recorded; the other host was not recording.") + again;
    case PacketFate::DepartureUnknown: return tr("Its arrival was recorded, but not its sending.") + again;
    }
    return {};
}

QString errorBoundText(Duration error)
{
    return error == Duration::max() ? QStringLiteral("\u00b1 ?") : QStringLiteral("\u00b1") + QString::fromStdString(roughText(error));
}

QString latencyText(const ConnectionPacket& packet)
{
    const auto latency = packet.latency();
    if (!latency)
        return {};
    return packet.error <= Duration(1) ? durationText(*latency) : durationText(*latency) + ' ' + errorBoundText(packet.error);
}

} // namespace helio
