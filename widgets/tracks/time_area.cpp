#include "widgets/tracks/time_area.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/overview/overview_strip.h"
#include "widgets/timegraph/axis/ruler.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/tracks/track_panel.h"
#include "widgets/view/panel_kind.h"

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
        for (const TimeGraph* graph : {panel->graph(), panel->pinnedGraph()}) {
            connect(graph, &TimeGraph::contextMenuRequested, this, &TimeArea::contextMenuRequested);
            connect(graph, &TimeGraph::eventStepRequested, this, &TimeArea::eventStepRequested);
            connect(graph, &TimeGraph::shownTracesChanged, this, &TimeArea::tellShownTraces);
        }
    }
    connect(m_ruler, &Ruler::contextMenuRequested, this,
            [this](const QPoint& at, Timestamp time) { emit contextMenuRequested(at, {}, time); });
    connect(&context, &ViewContext::timelineChanged, this, &TimeArea::onTimelineChanged);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_axis.setFormat(m_context.timeFormat()); });
    connect(&context.time(), &TimeWindow::cursorChanged, this, &TimeArea::showFollowed);
    connect(&context.time(), &TimeWindow::rowChanged, this, &TimeArea::showFollowed);
    connect(&context, &ViewContext::rowTimesChanged, this, [this] { m_axis.setRowTimes(m_context.rowTimes()); });
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

OverviewStrip* TimeArea::overview() const { return m_overview; }

TimePanel* TimeArea::panel(std::string_view id) const { return m_panels->find(id); }

TimePanel* TimeArea::panel(TrackRole role) const
{
    const auto shelf = builtinPanels();
    const auto kind = std::ranges::find(shelf, role, &PanelKind::role);
    return kind == shelf.end() ? nullptr : panel((*kind)->id);
}

TrackPanel* TimeArea::panelOf(TrackRef row) const
{
    for (TimePanel* panel : m_panels->panels())
        if (auto* tracks = qobject_cast<TrackPanel*>(panel); tracks && row.isValid() && tracks->has(row))
            return tracks;
    return nullptr;
}

void TimeArea::addRowActions(QMenu& menu, TrackRef row)
{
    if (TrackPanel* panel = panelOf(row))
        panel->addRowActions(menu, row);
}

QJsonObject TimeArea::save() const
{
    QJsonObject all;
    for (const TimePanel* panel : m_panels->panels()) {
        if (const auto* tracks = qobject_cast<const TrackPanel*>(panel))
            all[QString::fromStdString(panel->id())] = tracks->save();
    }
    return all;
}

void TimeArea::restore(const QJsonObject& kept)
{
    for (TimePanel* panel : m_panels->panels()) {
        const QJsonValue value = kept[QString::fromStdString(panel->id())];
        if (auto* tracks = qobject_cast<TrackPanel*>(panel); tracks && value.isObject())
            tracks->restore(value.toObject());
    }
}

void TimeArea::togglePin()
{
    const TrackRef row = m_axis.window().row();
    if (TrackPanel* panel = panelOf(row))
        panel->togglePin(row);
    else
        m_context.say(tr("No row is selected"));
}

void TimeArea::toggleList()
{
    if (auto* threads = qobject_cast<TrackPanel*>(panel(TrackRole::Thread)))
        threads->setListed(!threads->isListed());
}

void TimeArea::goToCounterpart()
{
    const auto timeline = m_axis.timeline();
    TimeWindow& window = m_axis.window();
    if (!timeline || !window.row().isValid())
        return m_context.say(tr("No row is selected"));
    const TrackRef other = counterpartAt(*timeline, window.row(), window.cursor());
    if (!other.isValid())
        return m_context.say(tr("At the cursor the thread has no CPU, or the CPU no thread"));
    window.visit();
    window.setRow(other);
    window.showAt(window.cursor());
}

void TimeArea::setFollows(bool follows)
{
    m_follows = follows;
    showFollowed();
}

void TimeArea::showFollowed()
{
    const auto timeline = m_axis.timeline();
    const TrackRef row = m_axis.window().row();
    const TrackRef other = m_follows && timeline && row.isValid() ? counterpartAt(*timeline, row, m_axis.window().cursor()) : TrackRef();
    for (const TimePanel* panel : m_panels->panels())
        panel->graph()->setRelatedRow(other);
}

TimeGraph* TimeArea::graph() const
{
    const TimePanel* panel = m_panels->current();
    return panel ? panel->graph() : nullptr;
}

} // namespace helio
