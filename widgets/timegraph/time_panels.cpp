#include "widgets/timegraph/time_panels.h"

#include "widgets/theme/themes.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int LeastOpen = PanelHeader::Height + 40;
constexpr double MostShare = 0.45; ///< Of the height, for a panel that was not dragged and is not the last.

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
    connect(panel->header(), &PanelHeader::resizeBegan, this, [this, panel] {
        if (const TimePanel* it = above(panel))
            m_heightAtDrag = it->height();
    });
    connect(panel->header(), &PanelHeader::resized, this, [this, panel](int dy) { drag(panel, dy); });
    panel->header()->setResizable(m_panels.size() > 1);
    place();
}

TimePanel* TimePanels::find(std::string_view id) const
{
    const auto it = std::ranges::find_if(m_panels, [&](const TimePanel* p) { return p->id() == id; });
    return it == m_panels.end() ? nullptr : *it;
}

TimePanel* TimePanels::current() const
{
    TimePanel* best = nullptr;
    for (TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        if (panel->isAncestorOf(window()->focusWidget()))
            return panel;
        if (!panel->isCollapsed() && (!best || best->graph()->selectedRow() < 0))
            best = panel;
    }
    return best;
}

PanelHeader* TimePanels::shareHeader(TimePanel* of)
{
    m_headed = of;
    for (TimePanel* panel : m_panels) {
        PanelHeader* header = panel->giveHeader(this);
        header->setResizable(false);
        header->setVisible(panel == of);
        connect(header, &PanelHeader::legendChanged, this, &TimePanels::showSharedLegend);
        if (panel != of)
            connect(of->header(), &PanelHeader::chipClicked, panel, [of, panel] { panel->setFocusState(of->graph()->focusState()); });
    }
    showSharedLegend();
    showAndPlace();
    return of->header();
}

void TimePanels::showSharedLegend()
{
    std::vector<LegendChip> others;
    for (const TimePanel* panel : m_panels)
        if (panel != m_headed)
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
        const bool isEmpty = !panel->isCollapsed() && panel->graph()->rows().count() == 0;
        all += panel->wantedHeight().value_or(panel->naturalHeight() + (isEmpty ? panel->graph()->emptyTextHeight() : 0));
    }
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

void TimePanels::drag(TimePanel* panel, int dy)
{
    if (TimePanel* it = above(panel))
        it->setWantedHeight(std::clamp(m_heightAtDrag + dy, LeastOpen, std::max(LeastOpen, height() - LeastOpen)));
}

/// Of a panel that was not dragged: all of its rows, if that is about its share at most, else whole rows.
int TimePanels::ownHeight(const TimePanel& panel) const
{
    const int most = std::max(LeastOpen, int(height() * MostShare));
    const int natural = panel.naturalHeight();
    return natural <= most + most / 5 ? natural : panel.heightOfWholeRows(most);
}

void TimePanels::place()
{
    TimePanel* last = nullptr;
    int headers = 0; ///< Of the panels still to be placed.
    for (TimePanel* panel : m_panels) {
        if (panel->isHidden())
            continue;
        headers += panel->headerHeight();
        if (!panel->isCollapsed())
            last = panel;
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
        int wanted = panel->naturalHeight();
        const int room = height() - y - headers;
        if (panel == last)
            wanted = room;
        else if (!panel->isCollapsed())
            wanted = panel->wantedHeight().value_or(ownHeight(*panel));
        const int high = std::max(panel->headerHeight(), std::min(wanted, room));
        panel->setGeometry(0, y, width(), high);
        y += high;
    }
    update();
}

void TimePanels::resizeEvent(QResizeEvent*) { place(); }

void TimePanels::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
}

} // namespace helio
