#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/timeline_input.h"
#include "widgets/timeline/graph/time_panels.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int UsefulBody = 84; ///< Height of four rows, or of a curve.
constexpr int LeastBody = 60; ///< Height of three rows; a lower panel is of no use, so the panels are scrolled.
constexpr int StackScrollWidth = 10;
constexpr int WheelPixels = 60; ///< Pixels per notch.
constexpr double MostShareOfEvents = 0.25; ///< Maximum share of the height for a panel whose rows have events only.

} // namespace

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
        if (m_headed && !panel->isHeadless() && !panel->isHidden())
            all += usefulHeightOf(*panel);
    return all;
}

int TimePanels::usefulHeightOf(const TimePanel& panel)
{
    return panel.wantedHeight().value_or(std::min(panel.naturalHeight() + panel.emptyTextHeight(), panel.headerHeight() + UsefulBody));
}

/// Returns the maximum height of a panel with more rows than fit: panels that need less get what they need in any visible range, and the
/// others get equal parts of the rest.
int TimePanels::equalShare() const
{
    int room = contentHeight() - topHeight();
    std::vector<int> needs; // Needs of panels whose height follows their rows.
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

/// Returns the height of a panel that was not dragged: all of its rows if they exceed its share by a fifth at most, otherwise whole rows.
int TimePanels::ownHeight(const TimePanel& panel, Share share) const
{
    int most = share.height;
    if (panel.hasOnlyEvents())
        most = std::min(most, int(contentHeight() * MostShareOfEvents));
    most = std::max(TimePanel::LeastHeight, most);
    if (m_headed && &panel != m_headed && panel.isHeadless()) { // The panel of the shared header comes first.
        most = std::min(most, contentHeight() - int(PanelHeader::Height) - m_headed->fullHeight());
        if (most < TimePanel::LeastHeight)
            return 0;
    }
    const int natural = panel.naturalHeight() + panel.emptyTextHeight();
    return natural <= most + (share.isStrict ? 0 : most / 5) ? natural : panel.heightOfWholeRows(most);
}

/// Returns the panel that fills the remaining height: the last open one with states, preferably one whose rows need more than the share in
/// any visible range; otherwise the last open one with rows; otherwise the last open one.
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

/// Makes the share strict if a little more for the other panels would leave the filling panel less than its share or its rows.
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
    if (m_headed) {
        m_headed->header()->setGeometry(0, 0, width(), PanelHeader::Height);
        m_headed->header()->raise(); // Panels scroll below the header.
        showSharedLegend();
    }
    m_scroll->raise();
    update();
}

void TimePanels::placeInRoom()
{
    const TimePanel* const last = fillingPanel();
    const Share share = shareAround(last);
    int headers = 0; ///< Total height of the headers of panels still to be placed.
    int behind = 0; ///< Height that panels behind `last` want below their headers.
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

/// Places the panels if they are scrolled: no panel fills a rest, each is as high as its rows need.
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

/// Panels scroll below this height.
int TimePanels::topHeight() const { return m_headed ? int(PanelHeader::Height) : 0; }

/// Returns the height in which a panel shows something, in whole rows. Panels below a shared header get none before its panel shows all of
/// its rows.
int TimePanels::leastHeightOf(const TimePanel& panel) const
{
    const int least = panel.headerHeight() + LeastBody;
    if (m_headed && panel.isHeadless() && &panel != m_headed && !panel.wantedHeight() && m_headed->fullHeight() > LeastBody)
        return 0;
    if (panel.isCollapsed())
        return panel.naturalHeight();
    const int useful = usefulHeightOf(panel);
    return useful <= least ? useful : panel.wantedHeight() ? least : panel.heightOfWholeRows(least);
}

/// Returns the height of a panel while panels are scrolled. A dragged panel has its own height, limited to the height of the view.
int TimePanels::scrolledHeightOf(const TimePanel& panel) const
{
    const int least = leastHeightOf(panel);
    const int most = std::max(least, height() - topHeight());
    return panel.isCollapsed() || !panel.wantedHeight() ? least : std::clamp(*panel.wantedHeight(), least, most);
}

/// Returns the height that the panels are laid out in: that of the widget, or more if it is too low for each panel to show something.
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
    const QSignalBlocker blocker(m_scroll); // The caller places the panels anyway.
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
    const int end = panel->y() + panel->height() - height(); // The panel's end at the end of the view; its begin has priority.
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
