#include "widgets/views/time_area.h"

#include "core/query/facts.h"
#include "widgets/overview/overview_strip.h"
#include "widgets/timegraph/ruler.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/views/panel_kind.h"

#include <QVBoxLayout>

#include <algorithm>

namespace helio {

TimeArea::TimeArea(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_axis(context.time(), context.bookmarks(), context.hits())
    , m_overview(new OverviewStrip(m_axis, this))
    , m_ruler(new Ruler(m_axis, this))
    , m_panels(new TimePanels(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_ruler);
    layout->addWidget(m_panels, 1);
    const auto shelf = builtinPanels();
    std::vector<const PanelKind*> kinds(shelf.begin(), shelf.end());
    std::ranges::sort(kinds, {}, &PanelKind::order);
    for (const PanelKind* kind : kinds) {
        TimePanel* panel = kind->make(context, m_axis, m_panels);
        m_panels->add(panel);
        connect(panel->graph(), &TimeGraph::contextMenuRequested, this, &TimeArea::contextMenuRequested);
        connect(panel->graph(), &TimeGraph::eventStepRequested, this, &TimeArea::eventStepRequested);
        connect(panel->graph(), &TimeGraph::shownTracesChanged, this, &TimeArea::tellShownTraces);
    }
    connect(m_ruler, &Ruler::contextMenuRequested, this,
            [this](const QPoint& at, Timestamp time) { emit contextMenuRequested(at, {}, time); });
    connect(&context, &ViewContext::timelineChanged, this, &TimeArea::onTimelineChanged);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_axis.setFormat(m_context.timeFormat()); });
    m_axis.setFormat(context.timeFormat());
    onTimelineChanged();
}

TimeArea::~TimeArea()
{
    delete m_panels; // they refer to the axis, a member
    delete m_ruler;
    delete m_overview;
}

void TimeArea::onTimelineChanged()
{
    const auto timeline = m_context.timeline();
    if (timeline)
        m_axis.window().setFull(rangeOf(*timeline));
    m_axis.setTimeline(timeline);
}

void TimeArea::tellShownTraces()
{
    std::vector<std::uint32_t> all;
    for (const TimePanel* panel : m_panels->panels()) {
        if (!panel->isVisible())
            continue;
        for (const std::uint32_t trace : panel->graph()->shownTraces()) {
            if (std::ranges::find(all, trace) == all.end())
                all.push_back(trace);
        }
    }
    emit shownTracesChanged(all);
}

TimePanel* TimeArea::panel(std::string_view id) const { return m_panels->find(id); }

TimeGraph* TimeArea::graph() const
{
    const TimePanel* panel = m_panels->current();
    return panel ? panel->graph() : nullptr;
}

void TimeArea::nextState()
{
    if (TimeGraph* it = graph())
        m_axis.window().row().isValid() ? it->nextState() : m_axis.panRight();
}

void TimeArea::previousState()
{
    if (TimeGraph* it = graph())
        m_axis.window().row().isValid() ? it->previousState() : m_axis.panLeft();
}

void TimeArea::followArrow(bool forward)
{
    if (TimeGraph* it = graph())
        it->followArrow(forward);
}

void TimeArea::nextRow()
{
    if (TimeGraph* it = graph())
        it->nextRow();
}

void TimeArea::previousRow()
{
    if (TimeGraph* it = graph())
        it->previousRow();
}

void TimeArea::pageUp()
{
    if (TimeGraph* it = graph())
        it->pageUp();
}

void TimeArea::pageDown()
{
    if (TimeGraph* it = graph())
        it->pageDown();
}

void TimeArea::zoomToState()
{
    if (TimeGraph* it = graph())
        it->zoomToState();
}

} // namespace helio
