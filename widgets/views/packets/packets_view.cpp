#include "widgets/views/packets/packets_view.h"

#include "core/query/hosts/link_times.h"
#include "core/query/rows/facts.h"
#include "widgets/shell/icons.h"
#include "widgets/shell/table_look.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/views/packets/connection_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {
namespace {

constexpr int FetchDelay = 60; ///< ms
constexpr int Rest = 4; ///< While reading: so many times as long as it took.

QToolButton* makeButton(const char* icon, const QString& tip)
{
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setIcon(themedIcon(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setEnabled(false);
    return button;
}

} // namespace

PacketsView::PacketsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_title(makeLabel({}, 12, 600, "text.primary"))
    , m_count(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_packet(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_filter(new QLineEdit)
    , m_previous(makeButton("back", tr("Previous packet of the connection (P)")))
    , m_next(makeButton("forward", tr("Next packet of the connection (N)")))
    , m_otherEnd(makeButton("split", tr("The other end of this packet (O)")))
    , m_table(new QTreeView)
    , m_missing(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_answer(FreshAnswer::Pace::WhenStill, FetchDelay, [this] { fetch(); })
    , m_packetAnswer(FreshAnswer::Pace::Live, 0, [this] { fetchPackets(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(6);
    makeHead();
    makeTable();
    m_missing->setAlignment(Qt::AlignCenter);
    m_missing->setWordWrap(true);
    m_missing->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_missing->setContentsMargins(24, 0, 24, 24);
    m_missing->hide();
    layout->addWidget(m_missing, 1);
    setFocusProxy(m_table);
    m_answer.setRest({0, Rest});
    connect(&context.time(), &TimeWindow::selectionChanged, &m_answer, &FreshAnswer::soon);
    connect(&context, &ViewContext::timelineChanged, this, &PacketsView::onTimelineChanged);
    connect(&Themes::instance(), &Themes::changed, this, [this] {
        m_previous->setIcon(themedIcon("back"));
        m_next->setIcon(themedIcon("forward"));
        m_otherEnd->setIcon(themedIcon("split"));
    });
}

void PacketsView::makeHead()
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 0, 14, 0);
    head->setSpacing(6);
    head->addWidget(m_title);
    head->addWidget(m_count);
    head->addSpacing(6);
    head->addWidget(m_previous);
    head->addWidget(m_next);
    head->addWidget(m_otherEnd);
    head->addWidget(m_packet, 1);
    m_packet->setMinimumWidth(0);
    m_packet->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head->addWidget(m_filter);
    m_filter->setFixedHeight(22);
    m_filter->setMinimumWidth(200);
    m_filter->setMaximumWidth(240);
    m_filter->setPlaceholderText(tr("Filter: address, host or thread"));
    m_filter->setAccessibleName(tr("Filter of the connections"));
    m_filter->setClearButtonEnabled(true);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_isTaking = true;
        m_model.setFilter(text);
        m_isTaking = false;
        showCount();
    });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(true); });
    connect(m_otherEnd, &QToolButton::clicked, this, [this] {
        if (m_place < m_packets.size())
            goTo(m_packets[m_place], true);
    });
}

void PacketsView::makeTable()
{
    static_cast<QVBoxLayout*>(layout())->addWidget(m_table, 1);
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new ConnectionDelegate(m_table));
    giveTableLook(*m_table);
    makeSortable(*m_table, ConnectionModel::Name, Qt::AscendingOrder);
    m_table->setAccessibleName(tr("Connections"));
    m_table->header()->setMinimumSectionSize(30);
    const std::pair<int, int> widths[] = {{ConnectionModel::Name, 236},  {ConnectionModel::Hosts, 140},    {ConnectionModel::Packets, 90},
                                          {ConnectionModel::Bytes, 124}, {ConnectionModel::Again, 64},     {ConnectionModel::Handshake, 84},
                                          {ConnectionModel::There, 84},  {ConnectionModel::Back, 84},      {ConnectionModel::Error, 102},
                                          {ConnectionModel::Closed, 84}, {ConnectionModel::Who, 200}};
    for (const auto& [column, width] : widths) {
        m_table->header()->setSectionResizeMode(column, QHeaderView::Interactive);
        m_table->header()->resizeSection(column, width);
    }
    m_table->header()->setStretchLastSection(true);
    m_table->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isTaking)
            choose(selected.indexes().front().row());
    });
    connect(m_table, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        const TimeRange range = m_model.connection(index.row()).range;
        m_context.time().visit();
        m_context.time().setVisible(range);
    });
}

void PacketsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

bool PacketsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_N: step(true); return true;
        case Qt::Key_P: step(false); return true;
        case Qt::Key_O: m_otherEnd->click(); return true;
        default: break;
        }
    }
    return PanelGround::eventFilter(watched, event);
}

/// The marks in ruler and overview follow the clocks also while another dock is in front.
void PacketsView::onTimelineChanged()
{
    m_answer.onceAnswered();
    const auto timeline = m_context.timeline();
    if (isVisible() || !m_chosen)
        return;
    if (timeline && hasConnections(*timeline))
        m_packetAnswer.onceAnswered();
    else
        forget();
}

void PacketsView::fetch()
{
    if (!isVisible())
        return;
    const auto timeline = m_context.timeline();
    const TimeRange selection = m_context.time().selection();
    m_title->setText(selection.isEmpty() ? tr("Connections") : tr("Connections in the selected range"));
    if (!timeline) {
        m_answer.cancel();
        return take(nullptr, {});
    }
    const TimeRange range = selection.isEmpty() ? TimeRange{Timestamp::min(), Timestamp::max()} : selection;
    m_answer.post([this, timeline, range](std::stop_token stop) -> LatestJob::Delivery {
        auto found = std::make_shared<std::vector<ConnectionFacts>>(connectionsIn(*timeline, range, stop));
        return [this, timeline, found] { take(timeline, std::move(*found)); };
    });
}

void PacketsView::take(std::shared_ptr<const Timeline> timeline, std::vector<ConnectionFacts> connections)
{
    m_isTaking = true;
    m_model.setConnections(timeline.get(), std::move(connections));
    const int row = m_chosen ? m_model.find(m_chosen->relation, m_chosen->connection) : -1;
    if (row >= 0)
        m_table->setCurrentIndex(m_model.index(row, 0));
    m_isTaking = false;
    showCount();
    showMissing(timeline && isComplete(*timeline));
    if (m_chosen && timeline && hasConnections(*timeline))
        m_packetAnswer.now(); // Clocks may have changed.
    else
        forget();
}

/// Nothing is chosen any more, or what was is gone.
void PacketsView::forget()
{
    m_packetAnswer.cancel();
    m_chosen.reset();
    m_packets.clear();
    m_packet->clear();
    if (m_marks && m_context.moments() == m_marks)
        m_context.setMoments(nullptr);
    m_marks.reset();
    updateButtons();
}

void PacketsView::showCount()
{
    const auto shown = std::size_t(m_model.rowCount());
    m_count->setText(shown == m_model.all() ? countText(qint64(shown)) : tr("%1 of %2").arg(countText(qint64(shown)), countText(qint64(m_model.all()))));
    m_count->setVisible(m_model.all() > 0);
}

/// Why there is nothing, and what would record it.
void PacketsView::showMissing(bool isRead)
{
    const auto timeline = m_context.timeline();
    const bool isNothing = m_model.all() == 0;
    m_missing->setVisible(isNothing);
    m_table->setVisible(!isNothing);
    m_filter->setVisible(!isNothing);
    if (!isNothing)
        return;
    if (!timeline)
        m_missing->setText(tr("No trace is open."));
    else if (hasConnections(*timeline))
        m_missing->setText(tr("No packets in the selected range."));
    else if (!isRead)
        m_missing->setText(tr("The recording is not read to its end."));
    else
        m_missing->setText(tr("No packets were recorded. LTTng's kernel tracer records them, on each of the hosts, with\n\n"
                              "lttng enable-event --kernel net_dev_queue,net_if_receive_skb\n\n"
                              "The add-on modules' inet_sock_local_out and inet_sock_local_in do it for TCP, without addresses."));
}

void PacketsView::choose(int row)
{
    m_chosen = m_model.connection(row);
    m_packetAnswer.now();
}

void PacketsView::fetchPackets()
{
    const auto timeline = m_context.timeline();
    if (!timeline || !m_chosen)
        return;
    m_packetAnswer.post([this, timeline, chosen = *m_chosen](std::stop_token stop) -> LatestJob::Delivery {
        auto found = std::make_shared<std::vector<ConnectionPacket>>(packetsOf(*timeline, chosen, stop));
        return [this, found] { takePackets(std::move(*found)); };
    });
}

/// Ruler and overview show when they were.
void PacketsView::takePackets(std::vector<ConnectionPacket> packets)
{
    m_packets = std::move(packets);
    m_place = m_packets.size();
    std::vector<Timestamp> moments;
    for (const ConnectionPacket& it : m_packets)
        moments.push_back(it.at());
    m_marks = std::make_shared<const std::vector<Timestamp>>(std::move(moments));
    m_context.setMoments(m_marks);
    m_packet->setText(tr("%1 packets, marked in time").arg(countText(qint64(m_packets.size()))));
    updateButtons();
}

void PacketsView::updateButtons()
{
    m_previous->setEnabled(!m_packets.empty());
    m_next->setEnabled(!m_packets.empty());
    m_otherEnd->setEnabled(m_place < m_packets.size() && m_packets[m_place].sent && m_packets[m_place].received);
}

void PacketsView::step(bool isForward)
{
    if (m_packets.empty())
        return;
    const Timestamp cursor = m_context.time().cursor();
    const bool isThere = m_place < m_packets.size() && (m_packets[m_place].sent == cursor || m_packets[m_place].received == cursor);
    if (isThere) { // From the one that was gone to, whichever of its ends.
        if (isForward ? m_place + 1 == m_packets.size() : m_place == 0)
            return m_context.say(isForward ? tr("No packet of this connection comes after it.") : tr("No packet of this connection comes before it."));
        m_place += isForward ? 1 : std::size_t(-1);
    } else {
        const auto at = std::ranges::lower_bound(m_packets, cursor, {}, &ConnectionPacket::at);
        const auto place = std::size_t(at - m_packets.begin());
        m_place = isForward ? std::min(place, m_packets.size() - 1) : place > 0 ? place - 1 : 0;
    }
    goTo(m_packets[m_place], false);
}

void PacketsView::goTo(const ConnectionPacket& packet, bool isOtherEnd)
{
    const bool isAtReceiver = isOtherEnd && packet.received && m_context.time().cursor() != *packet.received;
    const Timestamp at = isAtReceiver ? *packet.received : packet.at();
    const TrackRef row = isAtReceiver ? packet.to : packet.row();
    m_context.time().visit();
    if (row.isValid())
        m_context.time().setRow(row);
    m_context.time().setCursor(at);
    m_context.time().showAt(at);
    const auto timeline = m_context.timeline();
    if (const auto arrow = timeline && m_chosen && packet.message ? arrowOfMessage(*timeline, m_chosen->relation, *packet.message) : std::nullopt)
        m_context.setLink(std::make_shared<const Arrow>(*arrow));
    m_packet->setText(tr("%1 of %2: %3").arg(countText(qint64(m_place + 1)), countText(qint64(m_packets.size())),
                                             QString::fromStdString(packet.text)));
    m_packet->setToolTip(m_packet->text());
    updateButtons();
}

} // namespace helio
