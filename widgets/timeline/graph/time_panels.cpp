#include "widgets/timeline/graph/time_panels.h"

#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/timeline_input.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace helio {

namespace {

constexpr int Highest = 10'000; ///< Maximum height in pixels that is accepted from a session file.

constexpr int UsefulBody = 84; ///< Useful height of a panel's body in pixels: four rows, or a curve.
/// Minimum useful height of a panel's body in pixels: three rows. If the window is too low to give every panel this height, the stack of
/// panels gets a scroll bar.
constexpr int LeastBody = 60;
/// Maximum height of a panel while the stack of panels has a scroll bar, as a share of the visible height, 0 to 1.
constexpr double MostScrolledShare = 0.4;
/// Minimum height of a panel with more rows than fit, as a share of the visible height, 0 to 1: further panels, for example of analyses,
/// make the stack scroll rather than squeeze the rows.
constexpr double LeastShareOfRows = 0.25;
constexpr int StackScrollWidth = 10;
constexpr int WheelPixels = 60; ///< Pixels scrolled by one notch of the wheel.
/// Maximum height of a panel whose rows have only events, as a share of the height of all panels, 0 to 1.
constexpr double MostShareOfEvents = 0.25;

} // namespace

TimePanels::TimePanels(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollBar(Qt::Vertical, this))
{
    setMinimumHeight(120);
    m_scroll->setCursor(Qt::ArrowCursor);
    m_scroll->setAccessibleName(tr("Scroll panels"));
    connect(m_scroll, &QScrollBar::valueChanged, this, [this] {
        place();
        emit scrolled();
    });
}

void TimePanels::add(TimePanel* panel)
{
    panel->setParent(this);
    panel->show();
    m_panels.push_back(panel);
    connect(panel, &TimePanel::heightChanged, this, &TimePanels::showAndPlace);
    connect(panel, &TimePanel::ensureVisibleRequested, this, [this, panel] { ensurePanelVisible(panel); });
    connect(panel, &TimePanel::moveRequested, this, [this, panel](int by) { move(panel, by); });
    connect(panel->header(), &PanelHeader::resizeBegan, this, [this, panel] {
        if (const TimePanel* it = resizedBy(panel))
            m_heightAtDrag = it->height();
    });
    connect(panel->header(), &PanelHeader::resized, this, [this, panel](int dy) { drag(panel, dy); });
    connect(panel->header(), &PanelHeader::moved, this,
            [this, panel](const QPoint& globalPos) { dragTo(panel, mapFromGlobal(globalPos).y()); });
    connect(panel->header(), &PanelHeader::choiceMade, this, [this](const std::string& id) {
        if (TimePanel* chosen = find(id)) {
            setFront(chosen);
            chosen->setCollapsed(false);
        }
    });
    if (m_headerPanel && !panel->needsTitle())
        giveHeader(panel);
    restore(panel);
    sort();
}

/// Returns the panel that represents the group of `panel`: its id is the group's id, its name is the title of the group, and its entry in
/// m_closedByUser applies to the whole group. Returns `panel` itself if it has no group.
const TimePanel* TimePanels::mainOf(const TimePanel* panel) const
{
    const TimePanel* const main = panel->group().empty() ? nullptr : find(panel->group());
    return main ? main : panel;
}

const TimePanel* TimePanels::frontOf(const TimePanel* panel) const
{
    if (panel->group().empty())
        return panel;
    const auto chosen = m_fronts.find(panel->group());
    const TimePanel* front = nullptr;
    for (const TimePanel* it : m_panels) {
        if (it->group() != panel->group() || it->isVacant())
            continue;
        if (chosen != m_fronts.end() && it->id() == chosen->second)
            return it;
        front = front ? front : it;
    }
    return front ? front : mainOf(panel);
}

void TimePanels::setFront(TimePanel* panel)
{
    auto* const before = const_cast<TimePanel*>(frontOf(panel));
    if (panel->group().empty() || before == panel)
        return;
    const bool hadFocus = before->isAncestorOf(window()->focusWidget()) || before->header()->isAncestorOf(window()->focusWidget());
    m_fronts[panel->group()] = panel->id();
    panel->setOrder(before->order());
    panel->setWantedHeight(before->wantedHeight());
    panel->setCollapsed(before->isCollapsed());
    sort();
    if (hadFocus)
        panel->body()->setFocus();
}

/// Updates the headers of panels in groups: sets the title of the group, and the chips that choose which panel of the group is shown.
void TimePanels::updateSwitches()
{
    for (const TimePanel* panel : m_panels) {
        if (panel->group().empty())
            continue;
        std::vector<PanelChoice> choices;
        for (const TimePanel* it : m_panels)
            if (it->group() == panel->group() && !it->isVacant())
                choices.push_back({it->id(), it->nameInGroup()});
        std::ranges::stable_sort(choices, {}, [&](const PanelChoice& it) { return find(it.id)->ownOrder(); });
        panel->header()->setChoices(std::move(choices), panel->id());
        if (panel->header()->title() != mainOf(panel)->name())
            panel->header()->setTitle(mainOf(panel)->name());
    }
}

void TimePanels::remove(TimePanel* panel)
{
    std::erase(m_panels, panel);
    m_closedByUser.erase(panel);
    if (const auto next = std::ranges::find_if(m_panels, &TimePanel::isHeadless); panel == m_headerPanel)
        setHeaderPanel(next == m_panels.end() ? nullptr : *next);
    if (PanelHeader* header = panel->header(); header->parentWidget() == this)
        delete header; // The shared header is a child of this widget, not of the panel, so it is deleted separately.
    delete panel;
    if (m_headerPanel)
        showSharedLegend();
    sort();
}

void TimePanels::move(TimePanel* panel, int by)
{
    std::vector<TimePanel*> shown;
    std::ranges::copy_if(m_panels, std::back_inserter(shown), [](const TimePanel* it) { return !it->isHidden(); });
    const auto from = std::ranges::find(shown, panel) - shown.begin();
    const auto to = std::clamp<std::ptrdiff_t>(from + by, 0, std::ptrdiff_t(shown.size()) - 1);
    if (from == std::ptrdiff_t(shown.size()) || to == from)
        return;
    const QStringList before = panelIds();
    TimePanel* const there = shown[std::size_t(to)];
    std::erase(m_panels, panel);
    m_panels.insert(std::ranges::find(m_panels, there) + (to > from ? 1 : 0), panel);
    setPanelOrder(panelIds());
    emit moved(panel, before);
}

QStringList TimePanels::panelIds() const
{
    QStringList ids;
    for (const TimePanel* panel : m_panels)
        ids << QString::fromStdString(panel->id());
    return ids;
}

void TimePanels::setPanelOrder(const QStringList& ids)
{
    std::ranges::stable_sort(m_panels, {}, [&](const TimePanel* panel) {
        const qsizetype at = ids.indexOf(QString::fromStdString(panel->id()));
        return at < 0 ? ids.size() : at;
    });
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        m_panels[i]->setOrder(int(i));
    sort();
}

/// Sorts the panels by their order keys. The header at the top gets no resize handle.
void TimePanels::sort()
{
    std::ranges::stable_sort(m_panels, {}, &TimePanel::order);
    for (TimePanel* panel : m_panels) {
        panel->header()->setResizable(!panel->isHeadless() && panel != m_panels.front());
        panel->raise(); // Screen readers read the panels in this order.
    }
    m_scroll->raise();
    showAndPlace();
}

QJsonObject TimePanels::layout() const
{
    QJsonObject all = m_layout; // The saved layout includes panels that do not exist at the moment.
    for (const TimePanel* panel : m_panels) {
        QJsonObject it{{"shown", isPanelWanted(panel)}, {"collapsed", panel->isCollapsed()}, {"order", panel->order()}};
        if (panel->wantedHeight())
            it["height"] = *panel->wantedHeight();
        if (const auto front = m_fronts.find(panel->id()); front != m_fronts.end())
            it["front"] = QString::fromStdString(front->second);
        all[QString::fromStdString(panel->id())] = it;
    }
    return all;
}

void TimePanels::restoreLayout(const QJsonObject& layout)
{
    m_layout = layout;
    for (TimePanel* panel : m_panels)
        restore(panel);
    sort();
    emit wantedChanged();
}

void TimePanels::restore(TimePanel* panel)
{
    // Layout of the panel; empty if it has none, so that the panel is reset to the state of a new window.
    const QJsonObject it = m_layout[QString::fromStdString(panel->id())].toObject();
    const int height = std::clamp(it["height"].toInt(), 0, Highest);
    panel->setWantedHeight(height > 0 ? std::optional(height) : std::nullopt);
    panel->setCollapsed(it["collapsed"].toBool(panel->beginsCollapsed()));
    panel->setOrder(it["order"].toInt(panel->ownOrder()));
    if (const std::string front = it["front"].toString().toStdString(); !front.empty())
        m_fronts[panel->id()] = front;
    else
        m_fronts.erase(panel->id());
    if (it["shown"].toBool(true))
        m_closedByUser.erase(panel);
    else
        m_closedByUser.insert(panel);
}

void TimePanels::sortTiesBy(const std::vector<std::string>& ids)
{
    std::ranges::stable_sort(m_panels, {}, [&](const TimePanel* it) { return std::ranges::find(ids, it->id()) - ids.begin(); });
    sort();
}

TimePanel* TimePanels::find(std::string_view id) const
{
    const auto it = std::ranges::find_if(m_panels, [&](const TimePanel* p) { return p->id() == id; });
    return it == m_panels.end() ? nullptr : *it;
}

TimePanel* TimePanels::current() const
{
    const auto rank = [](const TimePanel* panel) { return panel->showsSelectedRow() ? 2 : panel->hasRows() ? 1 : 0; };
    TimePanel* best = nullptr;
    for (TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        if (panel->isAncestorOf(window()->focusWidget()))
            return panel;
        if (!panel->isCollapsed() && (!best || (rank(best) < 2 && rank(panel) >= rank(best))))
            best = panel;
    }
    return best;
}

PanelHeader* TimePanels::shareHeader(TimePanel* of)
{
    for (TimePanel* panel : m_panels)
        if (panel == of || !panel->needsTitle())
            giveHeader(panel);
    setHeaderPanel(of);
    showSharedLegend();
    sort();
    return of->header();
}

/// Moves the panel's header to this widget. Only the header of m_headerPanel is shown.
void TimePanels::giveHeader(TimePanel* panel)
{
    PanelHeader* header = panel->giveHeader(this);
    header->setVisible(panel == m_headerPanel);
    connect(header, &PanelHeader::legendChanged, this, &TimePanels::showSharedLegend);
    connect(header, &PanelHeader::chipClicked, this, [this, panel] { setFocusState(panel, panel->focusState()); });
}

void TimePanels::setFocusState(TimePanel* panel, const QString& legend)
{
    panel->setFocusState(legend);
    for (TimePanel* other : m_panels)
        if (panel == m_headerPanel && other != panel && other->isHeadless())
            other->setFocusState(legend);
}

/// Sets the panel whose header is shown for all panels; nullptr for none.
void TimePanels::setHeaderPanel(TimePanel* panel)
{
    m_headerPanel = panel;
    for (TimePanel* it : m_panels)
        it->header()->setVisible(it == m_headerPanel || !it->isHeadless());
}

void TimePanels::showSharedLegend()
{
    std::vector<LegendChip> others;
    for (const TimePanel* panel : m_panels)
        if (panel != m_headerPanel && panel->isHeadless() && !panel->isHidden() && panel->height() > 0)
            others.insert(others.end(), panel->header()->legend().begin(), panel->header()->legend().end());
    m_headerPanel->header()->setFurtherLegend(std::move(others));
}

void TimePanels::setPanelVisible(TimePanel* panel, bool isVisible)
{
    const bool isOther = isPanelWanted(panel) != isVisible;
    if (isVisible)
        m_closedByUser.erase(mainOf(panel));
    else
        m_closedByUser.insert(mainOf(panel));
    showAndPlace();
    emit wantedChanged();
    if (isOther)
        emit shownOnRequest(panel, isVisible);
}

void TimePanels::showAndPlace()
{
    updateSwitches();
    const auto isUseful = [this](const TimePanel* panel) { return isPanelWanted(panel) && !panel->isVacant() && frontOf(panel) == panel; };
    // Lowest panel that the user did not close. It is shown, with the text that explains why it is empty, if no panel has data.
    const TimePanel* emptyPanel = nullptr;
    if (std::ranges::none_of(m_panels, isUseful))
        for (const TimePanel* panel : m_panels)
            emptyPanel = isPanelWanted(panel) ? panel : emptyPanel;
    for (TimePanel* panel : m_panels)
        panel->setVisible(isUseful(panel) || panel == emptyPanel);
    place();
    if (std::exchange(m_naturalHeight, naturalHeight()) != m_naturalHeight)
        emit naturalHeightChanged();
}

/// Returns the open panel above `panel`; nullptr if none.
TimePanel* TimePanels::above(TimePanel* panel) const
{
    TimePanel* found = nullptr;
    for (TimePanel* it : m_panels) {
        if (it == panel)
            break;
        if (!it->isHidden() && !it->isCollapsed())
            found = it;
    }
    return found;
}

/// Returns the panel that a drag of the header of `panel` resizes: usually the open panel above it. If `panel` is below the panel that
/// fills the remaining height, `panel` itself is resized, and becomes lower when its header is dragged down.
TimePanel* TimePanels::resizedBy(TimePanel* panel) const
{
    const auto filling = std::ranges::find(m_panels, fillingPanel());
    const bool isBehind = filling != m_panels.end() && std::find(filling + 1, m_panels.end(), panel) != m_panels.end();
    return isBehind && !panel->isCollapsed() ? panel : above(panel);
}

void TimePanels::drag(TimePanel* panel, int dy)
{
    if (TimePanel* it = resizedBy(panel))
        it->setWantedHeight(std::clamp(m_heightAtDrag + (it == panel ? -dy : dy), TimePanel::LeastHeight,
                                       std::max(TimePanel::LeastHeight, height() - TimePanel::LeastHeight)));
}

/// Moves a panel while the user drags its header to `y`: past each panel that has its middle on the way of the pointer.
void TimePanels::dragTo(TimePanel* panel, int y)
{
    std::vector<TimePanel*> shown;
    std::ranges::copy_if(m_panels, std::back_inserter(shown), [](const TimePanel* it) { return !it->isHidden(); });
    const auto at = std::ranges::find(shown, panel);
    // A panel without a header of its own cannot be dragged: the shared header of a comparison stays on top.
    if (at == shown.end() || panel->isHeadless())
        return;
    const auto isBelowMiddle = [y](const TimePanel* it) { return y > it->y() + it->height() / 2; };
    int by = 0;
    for (auto next = at + 1; next != shown.end() && isBelowMiddle(*next); ++next)
        ++by;
    for (auto before = at; before != shown.begin() && !isBelowMiddle(*(before - 1)); --before)
        --by;
    if (by != 0)
        move(panel, by);
}

int TimePanels::naturalHeight() const
{
    int all = topHeight();
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        all += panel->wantedHeight().value_or(panel->naturalHeight() + (panel->isCollapsed() ? 0 : panel->emptyTextHeight()));
    }
    return all;
}

int TimePanels::usefulHeight() const
{
    int all = topHeight();
    for (const TimePanel* panel : m_panels)
        if (!panel->isHidden())
            all += usefulHeightOf(*panel);
    return all;
}

int TimePanels::titledHeight() const
{
    int all = 0;
    for (const TimePanel* panel : m_panels)
        if (m_headerPanel && !panel->isHeadless() && !panel->isHidden())
            all += usefulHeightOf(*panel);
    return all;
}

int TimePanels::usefulHeightOf(const TimePanel& panel)
{
    return panel.wantedHeight().value_or(std::min(panel.naturalHeight() + panel.emptyTextHeight(), panel.headerHeight() + UsefulBody));
}

/// Returns the maximum height of a panel whose rows do not all fit. Panels whose TimePanel::fullHeight() is less than an equal share get
/// their full height; the remaining panels share the rest equally.
int TimePanels::equalShare() const
{
    int room = contentHeight() - topHeight();
    std::vector<int> needs; // Needed heights, in pixels, of the panels that the user did not resize.
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        if (panel->isCollapsed())
            room -= panel->naturalHeight();
        else if (panel->wantedHeight())
            room -= *panel->wantedHeight();
        else
            needs.push_back(std::max(TimePanel::LeastHeight, panel->fullHeight() + panel->emptyTextHeight()));
    }
    std::ranges::sort(needs);
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const int share = room / int(needs.size() - i);
        if (needs[i] > share)
            return share;
        room -= needs[i];
    }
    return contentHeight();
}

/// Returns the height of a panel that the user did not resize. This is the height of all rows if it is at most a fifth more than `share`;
/// otherwise the height of as many whole rows as fit into `share`. If the share is strict, the extra fifth is not allowed.
int TimePanels::ownHeight(const TimePanel& panel, Share share) const
{
    int most = share.height;
    if (panel.hasOnlyEvents())
        most = std::min(most, int(contentHeight() * MostShareOfEvents));
    most = std::max(TimePanel::LeastHeight, most);
    // A panel below the shared header only gets the height that the header's panel leaves.
    if (m_headerPanel && &panel != m_headerPanel && panel.isHeadless()) {
        most = std::min({most, roomBelowThreads(), m_mostRoom});
        if (most < TimePanel::LeastHeight)
            return 0;
    }
    const int natural = panel.naturalHeight() + panel.emptyTextHeight();
    return natural <= most + (share.isStrict ? 0 : most / 5) ? natural : panel.heightOfWholeRows(most);
}

/// Returns the panel that fills the remaining height: the last open one with states, preferably one with rows that need more than the share
/// in any visible range; otherwise the last open one with rows; otherwise the last open one.
TimePanel* TimePanels::fillingPanel() const
{
    const int share = equalShare();
    const auto rank = [share](const TimePanel& panel) {
        if (panel.emptyTextHeight() > 0)
            return -1;
        if (!panel.hasRows() || panel.hasOnlyEvents())
            return panel.hasRows() ? 1 : 0;
        return !panel.wantedHeight() && panel.fullHeight() > share ? 3 : 2;
    };
    TimePanel* found = nullptr;
    int best = 0;
    for (TimePanel* panel : m_panels)
        if (!panel->isHidden() && !panel->isCollapsed() && (!found || rank(*panel) >= best)) {
            found = panel;
            best = rank(*panel);
        }
    return found;
}

int TimePanels::wantedHeightOf(const TimePanel& panel, Share share) const
{
    if (panel.isCollapsed())
        return panel.naturalHeight();
    const std::optional<int> wanted = panel.wantedHeight();
    return wanted ? *wanted : ownHeight(panel, share);
}

/// Returns the height that each panel may have, see equalShare(). Panels may exceed it by a fifth to show their last rows, unless the share
/// is strict. The share is strict if `last`, the panel that fills the remaining height, would otherwise be lower than the share and lower
/// than its rows need.
TimePanels::Share TimePanels::shareAround(const TimePanel* last) const
{
    Share share{equalShare()};
    if (!last)
        return share;
    int left = contentHeight() - topHeight();
    for (const TimePanel* panel : m_panels)
        if (panel != last && !panel->isHidden())
            left -= wantedHeightOf(*panel, share);
    share.isStrict = left < std::min(share.height, last->naturalHeight() + last->emptyTextHeight());
    return share;
}

void TimePanels::place()
{
    updateScrollBar();
    m_scroll->maximum() > 0 ? placeScrolled() : placeInRoom();
    if (m_headerPanel) {
        m_headerPanel->header()->setGeometry(0, 0, width(), PanelHeader::Height);
        m_headerPanel->header()->raise(); // The header covers panels that are scrolled below it.
        showSharedLegend();
    }
    m_scroll->raise();
    update();
    const int room = roomBelowThreads();
    if (m_headerPanel && std::exchange(m_room, room) != room)
        emit roomChanged();
}

int TimePanels::roomBelowThreads() const
{
    return m_headerPanel ? contentHeight() - int(PanelHeader::Height) - m_headerPanel->fullHeight() : std::numeric_limits<int>::max();
}

void TimePanels::setMostRoom(int most)
{
    if (std::exchange(m_mostRoom, most) != most)
        place();
}

void TimePanels::placeInRoom()
{
    const TimePanel* const last = fillingPanel();
    const Share share = shareAround(last);
    int headers = 0; ///< Sum of the header heights of the panels still to be placed.
    int behind = 0; ///< Sum of the heights that the bodies of the panels below `last` need.
    bool isBehind = false;
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        headers += panel->headerHeight();
        behind += isBehind ? wantedHeightOf(*panel, share) - panel->headerHeight() : 0;
        isBehind = isBehind || panel == last;
    }
    int y = topHeight();
    for (TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        headers -= panel->headerHeight();
        const int room = contentHeight() - y - headers;
        const int wanted = panel == last ? std::max(room - behind, std::min(room, TimePanel::LeastHeight)) : wantedHeightOf(*panel, share);
        const int high = std::max(panel->headerHeight(), std::min(wanted, room));
        panel->setGeometry(0, y, width(), high);
        y += high;
    }
}

/// Places the panels while the stack of panels has a scroll bar: each panel is as high as scrolledHeightOf() says, and no panel fills the
/// remaining height.
void TimePanels::placeScrolled()
{
    int y = topHeight() - m_scroll->value();
    for (TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        const int high = scrolledHeightOf(*panel);
        panel->setGeometry(0, y, width(), high);
        y += high;
    }
}

/// Returns the height of the shared header, below which the panels scroll; 0 without one.
int TimePanels::topHeight() const { return m_headerPanel ? int(PanelHeader::Height) : 0; }

/// Returns the minimum useful height of a panel, in whole rows. Panels below a shared header get 0 until the header's panel shows all of
/// its rows.
int TimePanels::leastHeightOf(const TimePanel& panel) const
{
    const int least = panel.headerHeight() + LeastBody;
    if (m_headerPanel && panel.isHeadless() && &panel != m_headerPanel && !panel.wantedHeight() && m_headerPanel->fullHeight() > LeastBody)
        return 0;
    if (panel.isCollapsed())
        return panel.naturalHeight();
    if (panel.wantedHeight())
        return std::min(*panel.wantedHeight(), least);
    if (panel.emptyTextHeight() > 0) // A part of the text explains nothing.
        return panel.naturalHeight() + panel.emptyTextHeight();
    const int share = panel.hasRows() && !panel.hasOnlyEvents() ? int(height() * LeastShareOfRows) : 0;
    const int natural = panel.naturalHeight();
    return natural <= std::max(least, share) ? natural : panel.heightOfWholeRows(std::max(least, share));
}

/// Returns the height of a panel while the stack of panels has a scroll bar: at most MostScrolledShare of the visible height, so that a
/// panel with many rows is not as low as one with few. A height that the user set is limited to the height of the view.
int TimePanels::scrolledHeightOf(const TimePanel& panel) const
{
    const int least = leastHeightOf(panel);
    if (panel.isCollapsed() || least == 0)
        return least;
    if (panel.wantedHeight())
        return std::clamp(*panel.wantedHeight(), least, std::max(least, height() - topHeight()));
    const int most = std::max(least, int(height() * MostScrolledShare));
    return panel.naturalHeight() <= most ? std::max(least, panel.naturalHeight()) : std::max(least, panel.heightOfWholeRows(most));
}

/// Returns the height in which the panels are laid out: the height of the widget, or more if it is too low for every panel to show
/// something.
int TimePanels::contentHeight() const
{
    int least = topHeight(), scrolled = topHeight();
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        least += leastHeightOf(*panel);
        scrolled += scrolledHeightOf(*panel);
    }
    return least > height() ? scrolled : height();
}

void TimePanels::updateScrollBar()
{
    const int top = topHeight();
    const QSignalBlocker blocker(m_scroll); // Send no signals, because the caller places the panels anyway.
    m_scroll->setRange(0, contentHeight() - height());
    m_scroll->setPageStep(std::max(TimePanel::LeastHeight, height() - top));
    m_scroll->setGeometry(width() - StackScrollWidth, top, StackScrollWidth, std::max(0, height() - top));
    const bool isNeeded = m_scroll->maximum() > 0;
    m_scroll->setVisible(isNeeded);
    for (TimePanel* panel : m_panels)
        panel->setScrollMargin(isNeeded ? StackScrollWidth : 0);
}

void TimePanels::ensurePanelVisible(const TimePanel* panel)
{
    const int top = topHeight();
    const int seen = std::min(panel->geometry().bottom() + 1, height()) - std::max(panel->y(), top);
    if (panel->isHidden() || seen >= std::min(panel->height(), TimePanel::LeastHeight))
        return;
    // Distance in pixels between the panel's end and the end of the view. If the panel does not fit into the view, its beginning is shown
    // instead of its end.
    const int end = panel->y() + panel->height() - height();
    m_scroll->setValue(m_scroll->value() + (panel->y() < top ? panel->y() - top : std::min(end, panel->y() - top)));
}

PanelsScrollPosition TimePanels::scrolledTo() const
{
    if (m_scroll->value() == m_scroll->maximum())
        return {{}, m_scroll->maximum() > 0 ? 1.0 : 0.0};
    for (const TimePanel* panel : m_panels)
        if (!panel->isHidden() && panel->y() + panel->height() > topHeight())
            return {panel->id(), double(topHeight() - panel->y()) / panel->height()};
    return {};
}

void TimePanels::scrollTo(const PanelsScrollPosition& place)
{
    const TimePanel* panel = place.panel.empty() ? nullptr : find(place.panel);
    if (place.panel.empty())
        m_scroll->setValue(int(std::lround(place.share * m_scroll->maximum())));
    else if (panel && !panel->isHidden())
        m_scroll->setValue(m_scroll->value() + panel->y() - topHeight() + int(std::lround(place.share * panel->height())));
}

void TimePanels::wheelEvent(QWheelEvent* event)
{
    const int before = m_scroll->value();
    m_scroll->setValue(before - int(std::lround(TimelineInput::scrollNotches(*event) * WheelPixels)));
    event->setAccepted(m_scroll->value() != before);
}

void TimePanels::resizeEvent(QResizeEvent*) { place(); }

void TimePanels::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
}

} // namespace helio
