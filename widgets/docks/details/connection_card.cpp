#include "widgets/docks/details/connection_card.h"

#include "core/query/rows/facts.h"
#include "core/timesync/link_times.h"
#include "widgets/controls/field_grid.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/tips/connection_text.h"

#include <QVBoxLayout>

namespace helio {

namespace {

const QString There = QStringLiteral(" \u2192");
const QString Back = QStringLiteral(" \u2190");

/// Returns the number of packets with its noun, e.g. "1 packet" or "12 packets".
QString packetsText(std::uint64_t packets)
{
    return packets == 1 ? ConnectionCard::tr("1 packet") : ConnectionCard::tr("%1 packets").arg(countText(qint64(packets)));
}

} // namespace

ConnectionCard::ConnectionCard(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_packetBox(new QWidget)
    , m_fate(makeLabel({}, 14, 600, "text.primary"))
    , m_packetFields(new FieldGrid)
    , m_title(makeLabel(tr("Connection"), 14, 600, "text.primary"))
    , m_name(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_fields(new FieldGrid)
{
    auto* packet = new QVBoxLayout(m_packetBox);
    packet->setContentsMargins(0, 0, 0, 14);
    packet->setSpacing(8);
    packet->addWidget(m_fate);
    packet->addWidget(new HorizontalRule);
    packet->addWidget(m_packetFields);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 14);
    column->setSpacing(8);
    column->addWidget(m_packetBox);
    column->addWidget(m_title);
    column->addWidget(m_name);
    column->addWidget(new HorizontalRule);
    column->addWidget(m_fields);
    m_name->setWordWrap(true);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    hide();
    const auto again = [this] {
        refresh();
        emit changed();
    };
    connect(&context, &ViewContext::connectionChanged, this, again);
    connect(&context, &ViewContext::linkChanged, this, &ConnectionCard::refresh);
    connect(&context, &ViewContext::timelineChanged, this, &ConnectionCard::refresh);
}

QString ConnectionCard::moment(std::optional<Timestamp> at) const
{
    return at ? timeText(*at, m_context.timeFormat()) : QStringLiteral("\u2013");
}

void ConnectionCard::refresh()
{
    const auto chosen = m_context.connection();
    const bool isShown = chosen && m_context.timeline();
    setVisible(isShown);
    if (!isShown)
        return;
    m_packetBox->setVisible(chosen->packet && !m_context.link());
    if (chosen->packet)
        showPacket(*chosen->packet);
    showConnection(chosen->facts);
}

void ConnectionCard::showPacket(const ConnectionPacket& packet)
{
    m_fate->setText(tr("Packet, %1").arg(fateText(packet)));
    m_packetFields->begin();
    m_packetFields->add(tr("Sent"), moment(packet.sent));
    m_packetFields->add(tr("Received"), moment(packet.received));
    if (packet.latency())
        m_packetFields->add(tr("Transit time"), latencyText(packet));
    m_packetFields->add(tr("Packet"), text(packet.text));
    if (packet.hasSequence) {
        m_packetFields->add(tr("Acknowledged"), QString::number(packet.acknowledgement));
        m_packetFields->add(tr("Flags"), QString::fromStdString(flagsText(packet.flags)));
    }
    m_packetFields->add(tr("Payload"), tr("%1 bytes").arg(countText(packet.payload)));
    m_packetFields->add(tr("Evidence"), fateTip(packet));
    m_packetFields->end();
}

void ConnectionCard::showConnection(const ConnectionFacts& it)
{
    m_name->setText(text(nameOf(*m_context.timeline(), it)));
    m_fields->begin();
    addEnd(tr("From"), it.from);
    addEnd(tr("To"), it.to);
    m_fields->add(tr("Start"), moment(it.range.begin));
    m_fields->add(tr("Duration"), durationText(it.range.duration()));
    if (const auto handshake = it.handshake()) {
        m_fields->add(tr("Handshake"), durationText(*handshake));
        m_fields->add(tr("answered"), durationText(*it.answered), 1);
        m_fields->add(tr("acknowledged"), durationText(*it.acknowledged), 1);
    } else if (it.protocol == "tcp") {
        m_fields->add(tr("Handshake"), tr("incomplete"));
    }
    if (it.ending != ConnectionEnding::None)
        m_fields->add(tr("Closed"), text(wordOf(it.ending)));
    addWay(tr("Sent") + There, it.from, it);
    addWay(tr("Sent") + Back, it.to, it);
    m_fields->end();
}

/// Adds the lines about one end of the connection: host and owner, e.g. "curl 2210 of bash on client", and how the owner was found.
void ConnectionCard::addEnd(const QString& name, const ConnectionEnd& end)
{
    const QString host = text(hostOf(*m_context.timeline(), end));
    QString who = end.tid > 0 ? ownerText(end) : tr("unknown thread");
    if (!end.process.empty() && end.process != end.thread)
        who = tr("%1 of %2").arg(who, text(end.process));
    m_fields->add(name, host.isEmpty() ? tr("not recorded") : tr("%1, %2").arg(host, who));
    if (!end.address.empty())
        m_fields->add(tr("address"), addressText(end), 1);
    if (const QString known = knownText(end.ownerEvidence); !known.isEmpty())
        m_fields->add(tr("identified by"), known, 1);
}

/// Adds the fields of one direction of the connection: what `end` sent, and the transit times of these packets.
void ConnectionCard::addWay(const QString& name, const ConnectionEnd& end, const ConnectionFacts& connection)
{
    const FlowCounts& counts = end.counts;
    const QString packets = packetsText(counts.packets);
    m_fields->add(name, connection.hasLengths ? tr("%1, %2 bytes").arg(packets, countText(qint64(counts.bytes))) : packets);
    if (connection.hasLengths) {
        m_fields->add(tr("payload"), tr("%1 bytes").arg(countText(qint64(counts.payloadBytes))), 1);
        m_fields->add(tr("retransmitted"), countText(qint64(counts.retransmissions)), 1);
    }
    m_fields->add(tr("seen at both ends"), tr("%1 of %2").arg(countText(qint64(counts.matched)), countText(qint64(counts.packets))), 1);
    if (end.median)
        m_fields->add(tr("transit time, p50"), durationText(*end.median) + ' ' + errorBoundText(connection.error), 1);
    if (end.p99)
        m_fields->add(tr("transit time, p99"), durationText(*end.p99) + ' ' + errorBoundText(connection.error), 1);
}

} // namespace helio
