#include "widgets/timeline/panels/host_drag_controller.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/timesync/host_headings.h"
#include "widgets/paint/host_badge.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/panels/guest_menu.h"

#include <QApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int Colors = 20;

} // namespace

HostDragController::HostDragController(ViewContext& context, TimeAxis& axis, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_gestures(axis.hosts())
{
    HostGestures& hosts = axis.hosts();
    connect(&hosts, &HostGestures::taken, this, &HostDragController::beginCarry);
    connect(&hosts, &HostGestures::carried, this, &HostDragController::carry);
    connect(&hosts, &HostGestures::dropped, this, &HostDragController::drop);
    connect(&GuestChoices::of(context), &GuestChoices::known, this, [this] { carry(m_over); });
    connect(&hosts, &HostGestures::began, this, &HostDragController::beginDrag);
    connect(&hosts, &HostGestures::moved, this, &HostDragController::drag);
    connect(&hosts, &HostGestures::ended, this, &HostDragController::endDrag);
    connect(&hosts, &HostGestures::menuWanted, this, &HostDragController::showMenu);
    connect(&hosts, &HostGestures::clockWanted, this, [this] { m_context.showView(QStringLiteral("clocks")); });
}

QString HostDragController::nameOf(std::uint32_t host) const { return text(hostName(*m_context.timeline(), host)); }

void HostDragController::beginDrag(std::uint32_t host)
{
    m_from = m_context.timeline();
    if (!m_from)
        return;
    m_dragged = host;
    m_before = m_context.clocks().choice();
    if (host == referenceHost(*m_from)) {
        m_context.say(tr("All times are on %1’s clock; drag another host instead").arg(nameOf(host)));
        return m_from.reset();
    }
    m_context.time().setFrozen(true); // The visible range is frozen, so that the lane stays under the pointer.
}

void HostDragController::drag(Duration later, Duration reach)
{
    if (m_from)
        m_context.clocks().preview(shifted(*m_from, m_before, m_dragged, snapped(later, reach)));
}

/// Returns the shift `later` of the dragged host's clock. If it is at most `reach` away from the shift to the offset that the correlators
/// found, or to offset 0 (times as recorded), returns that shift instead.
Duration HostDragController::snapped(Duration later, Duration reach) const
{
    if (reach == Duration{})
        return later;
    const Duration now = offsetOf(*m_from, m_before, m_dragged);
    for (const ClockSettings& there : {withoutClockOverride(*m_from, m_before, m_dragged), withOffset(*m_from, m_before, m_dragged, {})})
        if (const Duration to = offsetOf(*m_from, there, m_dragged) - now; std::chrono::abs(later - to) <= reach)
            return to;
    return later;
}

void HostDragController::endDrag(bool isKept)
{
    if (!m_from)
        return;
    const QString name = text(hostName(*m_from, m_dragged));
    m_from.reset();
    if (isKept)
        m_context.clocks().keep(tr("offset of %1").arg(name));
    else
        m_context.clocks().dropPreview();
    m_context.time().setFrozen(false);
}

void HostDragController::beginCarry(std::uint32_t host)
{
    m_carriedIn = m_context.timeline();
    m_carried = host;
    m_over = {};
    GuestChoices::of(m_context).ask();
}

/// Returns the virtual machine of the row, or of a row above it; nullptr if there is none, or if the choices are not computed yet.
const GuestChoice* HostDragController::machineAt(TrackRef row) const
{
    const auto all = GuestChoices::of(m_context).ask();
    const auto here = all ? rowOf(*m_carriedIn, row) : std::nullopt;
    if (!here || !noteOf(*m_carriedIn, row))
        return nullptr;
    const GuestChoice* found = nullptr;
    for (const GuestChoice& it : *all)
        if (const std::string id = rowIdOf(it.machine); here->id == id || here->id.starts_with(id + '/'))
            found = &it;
    return found;
}

void HostDragController::carry(TrackRef row)
{
    m_over = row;
    if (!m_carriedIn || m_carriedIn != m_context.timeline())
        return m_gestures.setTarget({});
    const GuestChoice* machine = machineAt(row);
    const bool isElsewhere = machine && machine->host != m_carried;
    m_gestures.setTarget(isElsewhere ? row : TrackRef());
    const QString name = nameOf(m_carried);
    if (isElsewhere)
        m_context.say(tr("Drop here to make %1 the guest in %2").arg(name, text(machine->process)));
    else if (machine)
        m_context.say(tr("%1 itself runs %2, so it cannot be its guest").arg(name, text(machine->process)));
    else
        m_context.say(tr("Drop %1 on the row of its virtual machine").arg(name));
}

void HostDragController::drop(TrackRef row)
{
    const auto timeline = std::exchange(m_carriedIn, nullptr);
    const bool isThere = timeline && timeline == m_context.timeline() && row.isValid();
    m_carriedIn = isThere ? timeline : nullptr;
    const GuestChoice* machine = isThere ? machineAt(row) : nullptr;
    m_carriedIn.reset();
    m_context.say({});
    if (machine)
        setGuestMachine(m_context, *timeline, m_carried,
                        VirtualMachine(machine->machine)); // Copied, because the choices are deleted together with the timeline.
}

void HostDragController::showMenu(std::uint32_t host, const QPoint& at)
{
    QMenu menu;
    fillMenu(menu, host);
    if (!menu.isEmpty())
        menu.exec(at);
}

void HostDragController::fillMenu(QMenu& menu, std::uint32_t host)
{
    const auto timeline = m_context.timeline();
    if (!timeline || host >= timeline->hosts.size())
        return;
    menu.addAction(tr("Rename…"), this, [this, host] { rename(host); });
    addColors(*menu.addMenu(tr("Colour")), host);
    const auto order = hostsInOrder(*timeline);
    menu.addAction(tr("Move up"), this, [this, host] { move(host, -1); })->setEnabled(order.front() != host);
    menu.addAction(tr("Move down"), this, [this, host] { move(host, 1); })->setEnabled(order.back() != host);
    menu.addSeparator();
    addViews(menu, host, tr("Clock…"));
}

void HostDragController::fillMachineMenu(QMenu& menu, std::uint32_t guest)
{
    const auto timeline = m_context.timeline();
    if (!timeline || guest >= timeline->hosts.size())
        return;
    const QString name = nameOf(guest);
    menu.addAction(tr("Rename %1…").arg(name), this, [this, guest] { rename(guest); });
    addColors(*menu.addMenu(tr("Colour of %1").arg(name)), guest);
    addViews(menu, guest, tr("Clock of %1…").arg(name));
    menu.addSeparator();
}

/// Adds the actions that open views of a host: its virtual machine, its clock, its events.
void HostDragController::addViews(QMenu& menu, std::uint32_t host, const QString& clock)
{
    const QString name = nameOf(host);
    addGuestMenu(menu, m_context, host);
    menu.addAction(clock, this, [this] { m_context.showView(QStringLiteral("clocks")); });
    menu.addAction(tr("Show only events of %1").arg(name), this,
                   [this, name] { m_context.filter(text("host == " + quotedText(name.toStdString()))); });
}

void HostDragController::addColors(QMenu& menu, std::uint32_t host)
{
    const auto timeline = m_context.timeline();
    HostHeading heading = hostHeadings(*timeline)[host];
    const int now = heading.color;
    for (int color = 0; color < Colors; ++color) {
        heading.color = color;
        const QString words = color == now ? tr("Colour %1 (current)") : tr("Colour %1");
        menu.addAction(QIcon(hostBadge(heading, theme(), 2)), words.arg(color + 1), this, [this, host, color] {
            HostStyle look = m_context.timeline()->hosts[host].look;
            look.color = color;
            setLook(host, look, tr("colour of %1").arg(nameOf(host)));
        });
    }
}

/// Asks for a new name of the host; an empty name restores the recorded one.
void HostDragController::rename(std::uint32_t host)
{
    constexpr qsizetype Longest = 200;
    bool isOk = false;
    const QString own = text(m_context.timeline()->hosts[host].label);
    const QString name = QInputDialog::getText(QApplication::activeWindow(), tr("Rename host"), tr("Name of %1:").arg(own),
                                               QLineEdit::Normal, nameOf(host), &isOk);
    const auto timeline = m_context.timeline(); // The current timeline, which may be another one than when the menu was opened.
    if (!isOk || !timeline || host >= timeline->hosts.size() || text(timeline->hosts[host].label) != own)
        return;
    HostStyle look = timeline->hosts[host].look;
    const QString given = name.simplified().left(Longest);
    look.name = given == own ? std::string() : given.toStdString();
    setLook(host, look, tr("name of %1").arg(own));
}

void HostDragController::setLook(std::uint32_t host, const HostStyle& look, const QString& what)
{
    HostStyles looks = m_context.clocks().looks();
    looks.hosts[m_context.timeline()->hosts[host].id] = look;
    if (look == HostStyle{})
        looks.hosts.erase(m_context.timeline()->hosts[host].id);
    m_context.clocks().setLooks(std::move(looks), what);
}

void HostDragController::move(std::uint32_t host, int by)
{
    const auto timeline = m_context.timeline();
    std::vector<std::uint32_t> order = hostsInOrder(*timeline);
    const auto at = std::ranges::find(order, host) - order.begin();
    if (at + by < 0 || at + by >= std::ssize(order))
        return;
    std::swap(order[std::size_t(at)], order[std::size_t(at + by)]);
    HostStyles looks = m_context.clocks().looks();
    looks.order.clear();
    for (const std::uint32_t it : order)
        looks.order.push_back(timeline->hosts[it].id);
    m_context.clocks().setLooks(std::move(looks), tr("position of %1").arg(nameOf(host)));
}

} // namespace helio
