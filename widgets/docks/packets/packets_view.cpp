#include "widgets/docks/packets/packets_view.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/timesync/link_times.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/host_badge.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"
#include "widgets/workspace/filter_changes.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr int FetchDelay = 60; ///< Delay in ms between a change and the query.
/// Pause between two queries while the trace is being read, as a multiple of the duration of the last query.
constexpr int PauseFactor = 4;
constexpr int WideFrom = 860; ///< Minimum width in pixels for connections and packets side by side.

constexpr int BadgeGap = 5;

/// Paints the badge and the name of a host between the x positions `left` and `right`; "?" if `host` is nullptr, because the host was not
/// recorded. Returns the right edge of the painted text.
double paintHost(QPainter& painter, const HostHeading* host, const QRectF& line, double left, double right)
{
    if (host) {
        paintHostBadge(painter, QPointF(left, std::floor(line.center().y() - BadgeSize / 2.0)), *host, theme());
        left += BadgeSize + BadgeGap;
    }
    const QString name = host ? text(host->name) : QStringLiteral("?");
    const QString shown = cachedElidedText(painter.font(), name, Qt::ElideRight, std::max(0.0, right - left));
    drawPixelCachedText(painter, {left, centredBaseline(painter.font(), line)}, shown);
    return left + cachedTextWidth(painter.font(), shown);
}

/// Delegate that paints the hosts of both ends with their badges, as panels do.
class ConnectionDelegate : public LineDelegate {
public:
    using LineDelegate::LineDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int badges = index.column() == int(ConnectionColumn::Hosts) ? 2 * (BadgeSize + BadgeGap) : 0;
        return LineDelegate::sizeHint(option, index) + QSize(badges, 0);
    }

private:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override
    {
        if (index.column() != int(ConnectionColumn::Hosts))
            return room;
        const auto& model = static_cast<const ConnectionModel&>(*index.model());
        const ConnectionFacts& it = model.connection(index.row());
        const QString arrow = QStringLiteral(" \u2192 ");
        const QRectF line = QRectF(option.rect).adjusted(11, 0, -8, 0);
        painter.setFont(option.font);
        painter.setPen(index.data(Qt::ForegroundRole).value<QColor>());
        const double end = paintHost(painter, model.hostOf(it.from), line, line.left(), line.center().x());
        drawPixelCachedText(painter, {end, centredBaseline(option.font, line)}, arrow);
        paintHost(painter, model.hostOf(it.to), line, end + cachedTextWidth(option.font, arrow), line.right());
        return {};
    }
};

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
    , m_otherEnd(makeButton("split", tr("Other end of this packet (O)")))
    , m_table(new QTreeView)
    , m_list(new PacketTable)
    , m_right(new QWidget)
    , m_parts(new QSplitter(Qt::Horizontal))
    , m_missing(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_answer(DebouncedQuery::Pace::Debounce, FetchDelay, [this] { fetch(); })
    , m_packetAnswer(DebouncedQuery::Pace::Live, 0, [this] { fetchPackets(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(6);
    makeHead();
    makeTable();
    connect(&m_model, &QAbstractItemModel::modelReset, this,
            &PacketsView::showChosen); // Must be connected after the table's own slot for this signal, which clears the current line.
    makeList();
    layout->addWidget(m_parts, 1);
    m_missing->setAlignment(Qt::AlignCenter);
    m_missing->setWordWrap(true);
    m_missing->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_missing->setContentsMargins(24, 0, 24, 24);
    m_missing->hide();
    layout->addWidget(m_missing, 1);
    setFocusProxy(m_table);
    m_answer.setPause({0, PauseFactor});
    connect(&context.time(), &TimeWindow::selectionChanged, &m_answer, &DebouncedQuery::soon);
    connect(&context, &ViewContext::timelineChanged, this, &PacketsView::onTimelineChanged);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_list->packets().setTimeFormat(m_context.timeFormat()); });
    m_list->packets().setTimeFormat(context.timeFormat());
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
    head->addStretch(1);
    head->addWidget(m_filter);
    m_filter->setFixedHeight(22);
    m_filter->setMinimumWidth(200);
    m_filter->setMaximumWidth(240);
    m_filter->setPlaceholderText(tr("Filter: address, host or thread"));
    m_filter->setAccessibleName(tr("Filter connections"));
    m_filter->setClearButtonEnabled(true);
    recordFilterChanges(*m_filter, m_context, tr("connections"));
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_isTaking = true;
        m_model.setFilter(text);
        m_isTaking = false;
        showCount();
    });
}

/// Makes the list of packets of the selected connection, and the buttons that step through them.
void PacketsView::makeList()
{
    auto* lines = new QVBoxLayout(m_right);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(2);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 0, 14, 0);
    head->setSpacing(6);
    for (QToolButton* button : {m_previous, m_next, m_otherEnd})
        head->addWidget(button);
    head->addWidget(m_packet, 1);
    m_packet->setMinimumWidth(0);
    m_packet->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    lines->addLayout(head);
    lines->addWidget(m_list, 1);
    m_list->installEventFilter(this);
    m_right->setMinimumWidth(180);
    m_right->hide();
    m_parts->setHandleWidth(4);
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_table);
    m_parts->addWidget(m_right);
    m_parts->setSizes({100, 100});
    connect(m_list, &PacketTable::chosen, this, [this](std::size_t place) { goTo(place, false); });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(true); });
    connect(m_otherEnd, &QToolButton::clicked, this, [this] {
        if (m_place < m_list->all().size())
            goTo(m_place, true);
    });
}

void PacketsView::makeTable()
{
    m_table->setObjectName("connections");
    showModel(*m_table, m_model, tr("Connections"), new ConnectionDelegate(m_table, DockLines));
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_table->setMinimumWidth(180);
    makeSortable(*m_table, int(ConnectionColumn::Name), Qt::AscendingOrder);
    m_table->header()->setMinimumSectionSize(30);
    // Columns are wide enough for the unit, because "879.572" alone could be µs or ms.
    const int time = int(std::ceil(cachedTextWidth(m_table->font(), QStringLiteral("888.888 \u00b5s")))) + 30;
    setColumnWidths(*m_table, {232, 140, 96, 128, 104, time, time, time, 78, 76, 200});
    m_table->header()->setStretchLastSection(true);
    m_table->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& selected) {
        if (!selected.isEmpty() && !m_isTaking)
            choose(selected.indexes().front().row());
    });
    connect(m_table, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        const TimeRange range = m_model.connection(index.row()).range;
        const Duration margin = range.duration() / 20;
        m_context.time().jump({.visible = TimeRange{range.begin - margin, range.end + margin}});
    });
}

void PacketsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    m_answer.now();
}

/// Puts connections and packets one above the other if the dock is narrow.
void PacketsView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    const Qt::Orientation wanted = width() >= WideFrom || height() < width() / 3 ? Qt::Horizontal : Qt::Vertical;
    if (m_parts->orientation() != wanted)
        m_parts->setOrientation(wanted);
}

bool PacketsView::eventFilter(QObject* watched, QEvent* event)
{
    if ((watched == m_table || watched == m_list) && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_N: step(true); return true;
        case Qt::Key_P: step(false); return true;
        case Qt::Key_O: m_otherEnd->click(); return true;
        default: break;
        }
    }
    return PanelGround::eventFilter(watched, event);
}

/// Updates the connections. Done even while another dock is in front, because the marks in ruler and overview must follow the clocks.
void PacketsView::onTimelineChanged()
{
    m_answer.queueQuery();
    const auto timeline = m_context.timeline();
    if (isVisible() || !m_chosen)
        return;
    if (timeline && hasConnections(*timeline))
        m_packetAnswer.queueQuery();
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
        return take(nullptr, std::make_shared<const ConnectionList>());
    }
    const TimeRange range = selection.isEmpty() ? TimeRange{Timestamp::min(), Timestamp::max()} : selection;
    m_answer.post([this, timeline, range](std::stop_token stop) -> LatestTask::Delivery {
        auto found = std::make_shared<const ConnectionList>(*timeline, collectConnections(*timeline, range, stop));
        return [this, timeline, found] { take(timeline, found); };
    });
}

ShownCommand PacketsView::shownCommand() const
{
    if (!m_filter->text().isEmpty())
        return ShownCommand::none(tr("No command filters connections as this dock does. Clear its filter first."));
    const TimeRange selection = m_context.time().selection();
    return {QStringList{"connections"} + (selection.isEmpty() ? QStringList() : rangeOptions(m_context.time(), selection)), {}, {}};
}

void PacketsView::take(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const ConnectionList> connections)
{
    m_isTaking = true;
    m_model.setConnections(std::move(connections));
    m_isTaking = false;
    showCount();
    explainNoConnections(timeline && isComplete(*timeline));
    if (m_chosen && timeline && hasConnections(*timeline))
        m_packetAnswer.now(); // Packets are queried again, because the clocks may have changed.
    else
        forget();
}

/// Makes the selected connection current again, also after a filter hid it for a while.
void PacketsView::showChosen()
{
    const int row = m_chosen ? m_model.find(m_chosen->relation, m_chosen->connection) : -1;
    if (row < 0)
        return;
    const bool wasTaking = std::exchange(m_isTaking, true);
    m_chosen = m_model.connection(row);
    m_table->setCurrentIndex(m_model.index(row, 0));
    m_isTaking = wasTaking;
    if (m_context.connection())
        m_context.setConnection(std::make_shared<const ChosenConnection>(ChosenConnection{*m_chosen, m_context.connection()->packet}));
}

/// Clears the selection, e.g. because the connection no longer exists.
void PacketsView::forget()
{
    m_packetAnswer.cancel();
    m_chosen.reset();
    m_list->setPackets({}, {}, {});
    m_right->hide();
    m_packet->clear();
    m_context.setConnection({});
    if (m_marks && m_context.moments() == m_marks)
        m_context.setMoments(nullptr);
    m_marks.reset();
    updateButtons();
}

void PacketsView::showCount()
{
    const auto shown = std::size_t(m_model.rowCount());
    m_count->setText(shown == m_model.all() ? countText(qint64(shown))
                                            : tr("%1 of %2").arg(countText(qint64(shown)), countText(qint64(m_model.all()))));
    m_count->setVisible(m_model.all() > 0);
}

/// Explains why there are no connections, and how to record them.
void PacketsView::explainNoConnections(bool isRead)
{
    const auto timeline = m_context.timeline();
    const bool isNothing = m_model.all() == 0;
    m_missing->setVisible(isNothing);
    m_parts->setVisible(!isNothing);
    m_filter->setVisible(!isNothing);
    if (!isNothing)
        return;
    if (!timeline)
        m_missing->setText(tr("No trace is open."));
    else if (hasConnections(*timeline))
        m_missing->setText(tr("No packets in the selected range."));
    else if (!isRead)
        m_missing->setText(tr("The trace has not been read completely."));
    else
        m_missing->setText(tr("No packets were recorded on these hosts. %1\n\nFor TCP, without addresses, the events inet_sock_local_out "
                              "and inet_sock_local_in of LTTng's add-on modules also work.")
                               .arg(QString::fromStdString(adviseRecording(RecordableData::Packets, timeline.get()).sentences())));
}

void PacketsView::choose(int row)
{
    m_chosen = m_model.connection(row);
    m_place = std::size_t(-1);
    m_list->setPackets({}, {}, {});
    m_right->show();
    m_context.setLink({});
    m_context.setConnection(std::make_shared<const ChosenConnection>(ChosenConnection{*m_chosen, {}}));
    m_packetAnswer.now();
}

void PacketsView::fetchPackets()
{
    const auto timeline = m_context.timeline();
    if (!timeline || !m_chosen)
        return;
    m_packetAnswer.post([this, timeline, chosen = *m_chosen](std::stop_token stop) -> LatestTask::Delivery {
        auto found = std::make_shared<std::vector<ConnectionPacket>>(packetsOf(*timeline, chosen, stop));
        return [this, found] { takePackets(std::move(*found)); };
    });
}

/// Shows the selected packet again, with times of the current clocks.
void PacketsView::showAgain(const std::vector<ConnectionPacket>& packets)
{
    const auto shown = m_context.connection();
    if (shown && shown->packet && m_place < packets.size())
        m_context.setConnection(std::make_shared<const ChosenConnection>(ChosenConnection{*m_chosen, packets[m_place]}));
}

/// Shows the packets and marks their times in ruler and overview.
void PacketsView::takePackets(std::vector<ConnectionPacket> packets)
{
    std::vector<Timestamp> moments;
    for (const ConnectionPacket& it : packets)
        moments.push_back(it.at());
    const auto way = [&](const ConnectionEnd& from, const ConnectionEnd& to) {
        const auto name = [&](const ConnectionEnd& end) {
            return m_model.hostOf(end) ? text(m_model.hostOf(end)->name) : QStringLiteral("?");
        };
        return name(from) + QStringLiteral(" \u2192 ") + name(to);
    };
    if (packets.size() != m_list->all().size()) // With an equal count, these are the same packets under other clocks: keep the selection.
        m_place = packets.size();
    showAgain(packets);
    m_list->setPackets(std::move(packets), way(m_chosen->from, m_chosen->to), way(m_chosen->to, m_chosen->from));
    m_right->show();
    m_marks = std::make_shared<const std::vector<Timestamp>>(std::move(moments));
    m_context.setMoments(m_marks);
    showPlace();
}

/// Shows the position and the text of the current packet, or the number of packets if the user has not chosen one.
void PacketsView::showPlace()
{
    const auto& all = m_list->all();
    m_list->choose(m_place);
    const QString count = countText(qint64(all.size()));
    m_packet->setText(m_place < all.size() ? tr("%1 of %2: %3").arg(countText(qint64(m_place + 1)), count, text(all[m_place].text))
                                           : tr("%1 packets, marked on the ruler. Click to go to one.").arg(count));
    m_packet->setToolTip(m_packet->text());
    updateButtons();
}

void PacketsView::updateButtons()
{
    m_previous->setEnabled(!m_list->all().empty());
    m_next->setEnabled(!m_list->all().empty());
    m_otherEnd->setEnabled(m_place < m_list->all().size() && m_list->all()[m_place].sent && m_list->all()[m_place].received);
}

void PacketsView::step(bool isForward)
{
    if (m_list->all().empty())
        return;
    const auto& all = m_list->all();
    const Timestamp cursor = m_context.time().cursor();
    const bool isThere = m_place < all.size() && (all[m_place].sent == cursor || all[m_place].received == cursor);
    if (isThere) { // The cursor is where the packet m_place was sent or received, so the step starts from this packet.
        if (isForward ? m_place + 1 == all.size() : m_place == 0)
            return m_context.say(isForward ? tr("This is the last packet of the connection.")
                                           : tr("This is the first packet of the connection."));
        m_place += isForward ? 1 : std::size_t(-1);
    } else {
        const auto at = std::ranges::lower_bound(all, cursor, {}, &ConnectionPacket::at);
        const auto place = std::size_t(at - all.begin());
        m_place = isForward ? std::min(place, all.size() - 1) : place > 0 ? place - 1 : 0;
    }
    goTo(m_place, false);
}

/// Goes to the departure of a packet, or to its arrival at the other end; Details shows the packet.
void PacketsView::goTo(std::size_t place, bool isOtherEnd)
{
    const ConnectionPacket packet = m_list->all()[place];
    const bool isAtReceiver = isOtherEnd && packet.received && m_context.time().cursor() != *packet.received;
    const Timestamp at = isAtReceiver ? *packet.received : packet.at();
    const TrackRef row = isAtReceiver ? packet.to : packet.row();
    m_place = place;
    m_context.time().jump({.row = row.isValid() ? row : m_context.time().row(), .cursor = at});
    const auto timeline = m_context.timeline();
    const auto arrow = timeline && packet.message ? arrowOfMessage(*timeline, m_chosen->relation, *packet.message) : std::nullopt;
    m_context.setLink(arrow ? std::make_shared<const Arrow>(*arrow) : nullptr);
    m_context.setConnection(std::make_shared<const ChosenConnection>(ChosenConnection{*m_chosen, packet}));
    showPlace();
}

} // namespace helio
