#include "widgets/timegraph/time_panels.h"

#include "widgets/theme/themes.h"

#include <QPainter>

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {

namespace {

constexpr int LeastOpen = PanelHeader::Height + 40;
constexpr int UsefulBody = 84; ///< Four rows, or a curve.
constexpr int Highest = 10'000; ///< Pixels, whatever a file says.
constexpr double MostShareOfEvents = 0.25; ///< Of the height, for a panel whose rows have no states.

/// Stands under the header of another, or is that one.
bool isHeadless(const TimePanel* panel) { return panel->headerHeight() == 0; }

} // namespace

TimePanels::TimePanels(QWidget* parent)
    : QWidget(parent)
{
    setMinimumHeight(120);
}

void TimePanels::add(TimePanel* panel)
{
    panel->setParent(this);
    panel->show();
    m_panels.push_back(panel);
    connect(panel, &TimePanel::heightChanged, this, &TimePanels::showAndPlace);
    connect(panel, &TimePanel::moveRequested, this, [this, panel](int by) { move(panel, by); });
    connect(panel->header(), &PanelHeader::resizeBegan, this, [this, panel] {
        if (const TimePanel* it = resizedBy(panel))
            m_heightAtDrag = it->height();
    });
    connect(panel->header(), &PanelHeader::resized, this, [this, panel](int dy) { drag(panel, dy); });
    if (m_headed && !panel->needsTitle())
        giveHeader(panel);
    restore(panel);
    sort();
}

void TimePanels::remove(TimePanel* panel)
{
    std::erase(m_panels, panel);
    m_unwanted.erase(panel);
    if (const auto next = std::ranges::find_if(m_panels, isHeadless); panel == m_headed)
        headBy(next == m_panels.end() ? nullptr : *next);
    if (PanelHeader* header = panel->header(); header->parentWidget() == this)
        delete header; // It was given here, and would stay.
    delete panel;
    if (m_headed)
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
    TimePanel* const there = shown[std::size_t(to)];
    std::erase(m_panels, panel);
    m_panels.insert(std::ranges::find(m_panels, there) + (to > from ? 1 : 0), panel);
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        m_panels[i]->setOrder(int(i));
    sort();
}

/// By their orders; what has nothing above it is not resized by its header.
void TimePanels::sort()
{
    std::ranges::stable_sort(m_panels, {}, &TimePanel::order);
    for (TimePanel* panel : m_panels)
        panel->header()->setResizable(!isHeadless(panel) && panel != m_panels.front());
    showAndPlace();
}

QJsonObject TimePanels::layout() const
{
    QJsonObject all = m_layout; // Panels that are not here now keep theirs.
    for (const TimePanel* panel : m_panels) {
        QJsonObject it{{"shown", isPanelWanted(panel)}, {"collapsed", panel->isCollapsed()}, {"order", panel->order()}};
        if (panel->wantedHeight())
            it["height"] = *panel->wantedHeight();
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
    const QJsonObject it = m_layout[QString::fromStdString(panel->id())].toObject(); // What it does not name is as in a new window.
    const int height = std::clamp(it["height"].toInt(), 0, Highest);
    panel->setWantedHeight(height > 0 ? std::optional(height) : std::nullopt);
    panel->setCollapsed(it["collapsed"].toBool(panel->beginsCollapsed()));
    panel->setOrder(it["order"].toInt(panel->ownOrder()));
    if (it["shown"].toBool(true))
        m_unwanted.erase(panel);
    else
        m_unwanted.insert(panel);
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
    headBy(of);
    showSharedLegend();
    sort();
    return of->header();
}

/// To this, which places it: that of one panel stands for all.
void TimePanels::giveHeader(TimePanel* panel)
{
    PanelHeader* header = panel->giveHeader(this);
    header->setVisible(panel == m_headed);
    connect(header, &PanelHeader::legendChanged, this, &TimePanels::showSharedLegend);
    connect(header, &PanelHeader::chipClicked, this, [this, panel] {
        for (TimePanel* other : m_panels)
            if (panel == m_headed && other != panel && isHeadless(other))
                other->setFocusState(panel->focusState());
    });
}

/// The panel whose header is shown for all; null: none is.
void TimePanels::headBy(TimePanel* panel)
{
    m_headed = panel;
    for (TimePanel* it : m_panels)
        it->header()->setVisible(it == m_headed || !isHeadless(it));
}

void TimePanels::showSharedLegend()
{
    std::vector<LegendChip> others;
    for (const TimePanel* panel : m_panels)
        if (panel != m_headed && isHeadless(panel) && !panel->isHidden() && panel->height() > 0)
            others.insert(others.end(), panel->header()->legend().begin(), panel->header()->legend().end());
    m_headed->header()->setFurtherLegend(std::move(others));
}

void TimePanels::setPanelVisible(TimePanel* panel, bool isVisible)
{
    if (isVisible)
        m_unwanted.erase(panel);
    else
        m_unwanted.insert(panel);
    showAndPlace();
    emit wantedChanged();
}

void TimePanels::showAndPlace()
{
    const auto isUseful = [this](const TimePanel* panel) { return isPanelWanted(panel) && !panel->isVacant(); };
    const TimePanel* sayer = nullptr; // Where no panel has rows, the last one says so.
    if (std::ranges::none_of(m_panels, isUseful))
        for (const TimePanel* panel : m_panels)
            sayer = isPanelWanted(panel) ? panel : sayer;
    for (TimePanel* panel : m_panels)
        panel->setVisible(isUseful(panel) || panel == sayer);
    place();
    if (std::exchange(m_naturalHeight, naturalHeight()) != m_naturalHeight)
        emit naturalHeightChanged();
}

int TimePanels::naturalHeight() const
{
    int all = m_headed ? int(PanelHeader::Height) : 0;
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        all += panel->wantedHeight().value_or(panel->naturalHeight() + (panel->isCollapsed() ? 0 : panel->emptyTextHeight()));
    }
    return all;
}

int TimePanels::usefulHeight() const
{
    int all = m_headed ? int(PanelHeader::Height) : 0;
    for (const TimePanel* panel : m_panels)
        if (!panel->isHidden())
            all += panel->wantedHeight().value_or(
                std::min(panel->naturalHeight() + panel->emptyTextHeight(), panel->headerHeight() + UsefulBody));
    return all;
}

/// The open panel over this one: the one that a drag of the header resizes.
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

/// What a drag of the panel's header resizes: the panel above it; behind the one that takes what is left, the panel itself, the other way.
TimePanel* TimePanels::resizedBy(TimePanel* panel) const
{
    const auto filling = std::ranges::find(m_panels, filler());
    const bool isBehind = filling != m_panels.end() && std::find(filling + 1, m_panels.end(), panel) != m_panels.end();
    return isBehind && !panel->isCollapsed() ? panel : above(panel);
}

void TimePanels::drag(TimePanel* panel, int dy)
{
    if (TimePanel* it = resizedBy(panel))
        it->setWantedHeight(std::clamp(m_heightAtDrag + (it == panel ? -dy : dy), LeastOpen, std::max(LeastOpen, height() - LeastOpen)));
}

/// How high a panel may be that has more rows than there is room for: those that need less have what they need, wherever a person looks,
/// and the others equal parts of what is left.
int TimePanels::equalShare() const
{
    int room = height() - (m_headed ? int(PanelHeader::Height) : 0);
    std::vector<int> needs; // Of those that follow their rows.
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        if (panel->isCollapsed())
            room -= panel->naturalHeight();
        else if (panel->wantedHeight())
            room -= *panel->wantedHeight();
        else
            needs.push_back(std::max(LeastOpen, panel->fullHeight() + panel->emptyTextHeight()));
    }
    std::ranges::sort(needs);
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const int share = room / int(needs.size() - i);
        if (needs[i] > share)
            return share;
        room -= needs[i];
    }
    return height();
}

/// Of a panel that was not dragged: all of its rows, if that is about its share at most, else whole rows.
int TimePanels::ownHeight(const TimePanel& panel, Share share) const
{
    int most = share.height;
    if (panel.hasEventsAlone())
        most = std::min(most, int(height() * MostShareOfEvents));
    most = std::max(LeastOpen, most);
    if (m_headed && &panel != m_headed && isHeadless(&panel)) { // The panel that the header is about comes first.
        most = std::min(most, height() - int(PanelHeader::Height) - m_headed->fullHeight());
        if (most < LeastOpen)
            return 0;
    }
    const int natural = panel.naturalHeight() + panel.emptyTextHeight();
    return natural <= most + (share.isStrict ? 0 : most / 5) ? natural : panel.heightOfWholeRows(most);
}

/// The one that takes what the others leave: the last open one of rows with states, else of rows, else the last open one.
TimePanel* TimePanels::filler() const
{
    const auto rank = [](const TimePanel& panel) {
        return panel.emptyTextHeight() > 0 ? -1 : panel.hasRows() ? panel.hasEventsAlone() ? 1 : 2 : 0;
    };
    TimePanel* found = nullptr;
    for (TimePanel* panel : m_panels)
        if (!panel->isHidden() && !panel->isCollapsed() && (!found || rank(*panel) >= rank(*found)))
            found = panel;
    return found;
}

int TimePanels::wantedHeightOf(const TimePanel& panel, Share share) const
{
    if (panel.isCollapsed())
        return panel.naturalHeight();
    const std::optional<int> wanted = panel.wantedHeight();
    return wanted ? *wanted : ownHeight(panel, share);
}

/// Where somewhat more for the others would leave the one that takes what is left less than it needs of its share, they have theirs alone.
TimePanels::Share TimePanels::shareAround(const TimePanel* last) const
{
    Share share{equalShare()};
    if (!last)
        return share;
    int left = height() - (m_headed ? int(PanelHeader::Height) : 0);
    for (const TimePanel* panel : m_panels)
        if (panel != last && !panel->isHidden())
            left -= wantedHeightOf(*panel, share);
    share.isStrict = left < std::min(share.height, last->naturalHeight() + last->emptyTextHeight());
    return share;
}

void TimePanels::place()
{
    const TimePanel* const last = filler();
    const Share share = shareAround(last);
    int headers = 0; ///< Of the panels still to be placed.
    int behind = 0; ///< What those behind the last one want below their headers.
    bool isBehind = false;
    for (const TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        headers += panel->headerHeight();
        behind += isBehind ? wantedHeightOf(*panel, share) - panel->headerHeight() : 0;
        isBehind = isBehind || panel == last;
    }
    int y = 0;
    if (m_headed) {
        m_headed->header()->setGeometry(0, 0, width(), PanelHeader::Height);
        y = PanelHeader::Height;
    }
    for (TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        headers -= panel->headerHeight();
        const int room = height() - y - headers;
        const int wanted = panel == last ? std::max(room - behind, std::min(room, LeastOpen)) : wantedHeightOf(*panel, share);
        const int high = std::max(panel->headerHeight(), std::min(wanted, room));
        panel->setGeometry(0, y, width(), high);
        y += high;
    }
    if (m_headed)
        showSharedLegend();
    update();
}

void TimePanels::resizeEvent(QResizeEvent*) { place(); }

void TimePanels::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
}

} // namespace helio
