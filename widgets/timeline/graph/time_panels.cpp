#include "widgets/timeline/graph/time_panels.h"

#include <QScrollBar>

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {

namespace {

constexpr int Highest = 10'000; ///< Maximum height in pixels that a session file may set.

} // namespace

TimePanels::TimePanels(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollBar(Qt::Vertical, this))
{
    setMinimumHeight(120);
    m_scroll->setCursor(Qt::ArrowCursor);
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
    if (m_headed && !panel->needsTitle())
        giveHeader(panel);
    restore(panel);
    sort();
}

void TimePanels::remove(TimePanel* panel)
{
    std::erase(m_panels, panel);
    m_unwanted.erase(panel);
    if (const auto next = std::ranges::find_if(m_panels, &TimePanel::isHeadless); panel == m_headed)
        setHeaderPanel(next == m_panels.end() ? nullptr : *next);
    if (PanelHeader* header = panel->header(); header->parentWidget() == this)
        delete header; // The header is a child of this widget and would stay.
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

/// Sorts the panels by order. A header at the top cannot resize a panel.
void TimePanels::sort()
{
    std::ranges::stable_sort(m_panels, {}, &TimePanel::order);
    for (TimePanel* panel : m_panels)
        panel->header()->setResizable(!panel->isHeadless() && panel != m_panels.front());
    showAndPlace();
}

QJsonObject TimePanels::layout() const
{
    QJsonObject all = m_layout; // Panels that do not exist now keep their layout.
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
    // Panels that the layout does not name are as in a new window.
    const QJsonObject it = m_layout[QString::fromStdString(panel->id())].toObject();
    const int height = std::clamp(it["height"].toInt(), 0, Highest);
    panel->setWantedHeight(height > 0 ? std::optional(height) : std::nullopt);
    panel->setCollapsed(it["collapsed"].toBool(panel->beginsCollapsed()));
    panel->setOrder(it["order"].toInt(panel->ownOrder()));
    if (it["shown"].toBool(true))
        m_unwanted.erase(panel);
    else
        m_unwanted.insert(panel);
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

/// Reparents the panel's header to this widget. Only the header of m_headed is shown.
void TimePanels::giveHeader(TimePanel* panel)
{
    PanelHeader* header = panel->giveHeader(this);
    header->setVisible(panel == m_headed);
    connect(header, &PanelHeader::legendChanged, this, &TimePanels::showSharedLegend);
    connect(header, &PanelHeader::chipClicked, this, [this, panel] {
        for (TimePanel* other : m_panels)
            if (panel == m_headed && other != panel && other->isHeadless())
                other->setFocusState(panel->focusState());
    });
}

/// Sets the panel whose header is shown for all; nullptr for none.
void TimePanels::setHeaderPanel(TimePanel* panel)
{
    m_headed = panel;
    for (TimePanel* it : m_panels)
        it->header()->setVisible(it == m_headed || !it->isHeadless());
}

void TimePanels::showSharedLegend()
{
    std::vector<LegendChip> others;
    for (const TimePanel* panel : m_panels)
        if (panel != m_headed && panel->isHeadless() && !panel->isHidden() && panel->height() > 0)
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
    const TimePanel* sayer = nullptr; // If no panel has data, the last one is shown with its empty text.
    if (std::ranges::none_of(m_panels, isUseful))
        for (const TimePanel* panel : m_panels)
            sayer = isPanelWanted(panel) ? panel : sayer;
    for (TimePanel* panel : m_panels)
        panel->setVisible(isUseful(panel) || panel == sayer);
    place();
    if (std::exchange(m_naturalHeight, naturalHeight()) != m_naturalHeight)
        emit naturalHeightChanged();
}

/// Returns the open panel above this one, which a drag of the header resizes.
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

/// Returns the panel that a drag of the panel's header resizes: the panel above it. Behind the panel that fills the remaining height, it
/// is the panel itself, in the opposite direction.
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

} // namespace helio
