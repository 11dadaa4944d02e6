#include "widgets/docks/packets/packet_model.h"

#include "core/timesync/link_times.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/tips/connection_text.h"

namespace helio {
namespace {

const QString Dash = QStringLiteral("\u2013");

QString textOrDash(const QString& text) { return text.isEmpty() ? Dash : text; }

} // namespace

PacketModel::PacketModel()
{
    using Line = ConnectionPacket;
    const auto moment = [this](std::optional<Timestamp> at) { return at ? timeText(*at, m_format) : Dash; };
    const auto tip = [](const Line& it) {
        return QStringLiteral("<b>%1</b><br>%2").arg(text(it.text).toHtmlEscaped(), fateTip(it).toHtmlEscaped());
    };
    const auto column = [&](const QString& title, const QString& titleTip, std::function<QString(const Line&)> shown,
                            bool isNumber = false) { return TableColumn<Line>{title, std::move(shown), isNumber, {}, tip, titleTip}; };
    Columns columns(ColumnCount);
    columns[Sent] = column(tr("Sent"), tr("Time of sending"), [=](const Line& it) { return moment(it.sent); });
    columns[Way] =
        column(tr("Direction"), tr("Sender and receiver"), [this](const Line& it) { return it.isReverse ? m_reverseName : m_forwardName; });
    columns[Latency] = column(
        tr("Latency"), tr("Time from sending to arrival, with its error bound"), [](const Line& it) { return textOrDash(latencyText(it)); },
        true);
    columns[Fate] = column(tr("Status"), tr("What happened to the packet: lost, ambiguous, retransmitted"),
                           [](const Line& it) { return fateText(it); });
    columns[Fate].color = [](const Line& it) {
        const bool isDoubtful = it.isRetransmission || it.fate == PacketFate::Lost || it.fate == PacketFate::Ambiguous;
        return isDoubtful ? QStringLiteral("severity.warning") : QStringLiteral("text.secondary");
    };
    columns[Bytes] = column(
        tr("Bytes"), tr("Size with headers"), [](const Line& it) { return it.length > 0 ? countText(it.length) : Dash; }, true);
    columns[Flags] = column(tr("Flags"), tr("TCP flags"), [](const Line& it) {
        return textOrDash(it.hasSequence ? QString::fromStdString(flagsText(it.flags)) : QString());
    });
    columns[Sequence] = column(
        tr("Seq"), tr("TCP sequence number of the first byte"),
        [](const Line& it) { return it.hasSequence ? QString::number(it.sequence) : Dash; }, true);
    columns[Received] = column(tr("Arrived"), tr("Time when the last byte arrived"), [=](const Line& it) { return moment(it.received); });
    setColumns(std::move(columns));
}

void PacketModel::setDirectionNames(const QString& forwardName, const QString& reverseName)
{
    m_forwardName = forwardName;
    m_reverseName = reverseName;
}

void PacketModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    refreshCells();
}

} // namespace helio
