#include "widgets/timeline/panels/time_area.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/recording_groups.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/views.h"
#include "core/timesync/link_times.h"
#include "widgets/timeline/graph/axis/ruler.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/timeline/panels/guest_menu.h"
#include "widgets/timeline/panels/host_drag_controller.h"
#include "widgets/timeline/panels/result_panel_view.h"
#include "widgets/timeline/panels/rows_panel.h"
#include "widgets/timeline/panels/steal_edges.h"
#include "widgets/workspace/result_panels.h"

#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {

namespace {

/// True if two versions of a view differ so that the panel must be rebuilt. The text of an empty panel and the tooltip may differ.
bool looksDifferent(TrackView before, const TrackView& now)
{
    before.nothing = now.nothing;
    before.tip = now.tip;
    return before != now;
}

} // namespace

TimeArea::TimeArea(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_axis(context.time(), context.bookmarks(), context.hits())
    , m_overview(new OverviewStrip(m_axis, this))
    , m_ruler(new Ruler(m_axis, this))
    , m_panels(new TimePanels(this))
    , m_hosts(new HostDragController(context, m_axis, this))
    , m_edges(new StealEdges(m_axis, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_ruler);
    layout->addWidget(m_panels, 1);
    connect(m_ruler, &Ruler::contextMenuRequested, this, [this](const QPoint& at, Timestamp time) {
        m_asking.clear();
        emit contextMenuRequested(at, {}, time);
    });
    connect(&context, &ViewContext::timelineChanged, this, &TimeArea::onTimelineChanged);
    connect(&context, &ViewContext::linkChanged, this, &TimeArea::showLink);
    connect(&ResultPanels::of(context), &ResultPanels::changed, this, &TimeArea::updateResultPanels);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_axis.setFormat(m_context.timeFormat()); });
    connect(&context.time(), &TimeWindow::cursorChanged, this, &TimeArea::showFollowed);
    connect(&context.time(), &TimeWindow::rowChanged, this, &TimeArea::showFollowed);
    connect(&context, &ViewContext::rowTimesChanged, this, [this] { m_axis.setRowTimes(m_context.rowTimes()); });
    connect(&context, &ViewContext::momentsChanged, this, [this] { m_axis.setMoments(m_context.moments()); });
    connect(&context, &ViewContext::findingMarksChanged, this, [this] { m_axis.setFindingMarks(m_context.findingMarks()); });
    connect(&m_axis, &TimeAxis::dismissed, this, [this] { m_context.setFindingMarks(nullptr); });
    connect(&context, &ViewContext::lightChanged, this, [this] { m_axis.setLight(m_context.light()); });
    connect(&m_axis, &TimeAxis::arrowChosen, &context,
            [&context](const Arrow& arrow) { context.setLink(std::make_shared<const Arrow>(arrow)); });
    m_axis.setFormat(context.timeFormat());
    recordPanels();
    recordRowFilters();
    updatePanels(basicViews());
    onTimelineChanged();
}

TimeArea::~TimeArea()
{
    delete m_edges;
    delete m_hosts;
    delete m_panels; // The panels refer to the axis, a member, so they are deleted first.
    delete m_ruler;
    delete m_overview;
}

void TimeArea::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWindow();
}

void TimeArea::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitWindow();
}

/// Adapts the width of the label column and the height of the overview strip to the size of the window.
void TimeArea::fitWindow()
{
    constexpr int LowWindow = 720;
    if (window() == this)
        return;
    m_axis.fitLabels(window()->width());
    if (m_overview)
        m_overview->setLow(window()->height() < LowWindow);
}

void TimeArea::onTimelineChanged()
{
    const auto timeline = m_context.timeline();
    if (timeline) {
        auto views = offeredViews(*timeline);
        std::erase_if(views, [this](const TrackView& view) { return view.isAttributeView && !m_asked.contains(view.id); });
        updatePanels(std::move(views));
        m_axis.window().setFull(axisRange(*timeline));
    }
    m_axis.setTimeline(timeline);
    showLink();
}

/// Shows the context's selected link, with its times according to the current clocks.
void TimeArea::showLink()
{
    const auto timeline = m_context.timeline();
    const auto link = m_context.link();
    m_axis.setShownArrow(timeline && link ? updatedArrow(*timeline, *link) : std::nullopt);
}

void TimeArea::setAsked(const std::string& view, bool isAsked)
{
    if (isAsked ? !m_asked.insert(view).second : m_asked.erase(view) == 0)
        return;
    onTimelineChanged();
}

/// Adds and removes panels according to the views. A view whose description changed, e.g. because its file was edited, gets a new panel.
/// All other panels stay as they are.
void TimeArea::updatePanels(std::vector<TrackView> views)
{
    const auto isIn = [](const std::vector<TrackView>& all, const TrackView& view) {
        return std::ranges::any_of(all, [&](const TrackView& it) { return it.id == view.id && !looksDifferent(it, view); });
    };
    const QJsonObject layout = m_panels->layout();
    rememberPanelOrder();
    std::vector<TrackView> gone;
    std::ranges::copy_if(m_views, std::back_inserter(gone), [&](const TrackView& view) { return !isIn(views, view); });
    for (const TrackView& view : gone) {
        keepChoices(panel(view.id));
        m_panels->remove(panel(view.id));
        emit panelRemoved(view.id);
    }
    const std::vector<TrackView> before = std::exchange(m_views, views);
    for (TrackView& view : views)
        if (isIn(before, view))
            updateEmptyTexts(view);
        else
            addPanel(std::move(view));
    const auto cameAgain = [&](const TrackView& view) { return std::ranges::find(m_views, view.id, &TrackView::id) != m_views.end(); };
    if (std::ranges::any_of(gone, cameAgain))
        m_panels->restoreLayout(layout); // Restores the layout of panels that were replaced.
    m_panels->sortTiesBy(m_places);
}

/// Updates m_places, the order of the panels. A removed panel stays in the list after the panel that was above it, so that it returns to
/// its position if an analysis runs again.
void TimeArea::rememberPanelOrder()
{
    std::vector<std::string> places;
    for (const TimePanel* panel : m_panels->panels())
        places.push_back(panel->id());
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (std::ranges::find(places, m_places[i]) == places.end())
            places.insert(i == 0 ? places.begin() : std::ranges::find(places, m_places[i - 1]) + 1, m_places[i]);
    m_places = std::move(places);
}

/// Stores the panel's choices for the next panel of the same view.
void TimeArea::keepChoices(const TimePanel* panel)
{
    if (const auto* choices = dynamic_cast<const SavedViewState*>(panel))
        m_kept[QString::fromStdString(panel->id())] = choices->save();
}

void TimeArea::updateEmptyTexts(const TrackView& view)
{
    TimePanel* shown = panel(view.id);
    if (auto* rows = dynamic_cast<RowsPanel*>(shown))
        rows->setEmptyText(view.nothing);
    else if (auto* curves = dynamic_cast<CurvesPanel*>(shown))
        curves->setEmptyText(view.nothing);
}

void TimeArea::addPanel(TrackView view)
{
    const QString tip = QString::fromStdString(view.tip);
    TimePanel* panel = view.shape == TrackView::Shape::Curves ? static_cast<TimePanel*>(new CurvesPanel(m_axis, std::move(view), m_panels))
                                                              : new RowsPanel(m_context, m_axis, std::move(view), m_panels);
    connectPanel(panel);
    if (!isBuiltinView(panel->id()))
        panel->keepTitle(tip);
    recordChoices(panel);
    m_panels->add(panel);
    const QJsonValue kept = m_kept[QString::fromStdString(panel->id())];
    if (auto* choices = dynamic_cast<SavedViewState*>(panel); choices && kept.isObject()) {
        const ChangeHistory::Pause pause(m_context.changes()); // Kept choices are no change that the user makes now.
        choices->restore(kept.toObject());
    }
    emit panelAdded(panel);
}

void TimeArea::connectPanel(TimePanel* panel)
{
    connect(panel, &TimePanel::contextMenuRequested, this, [this, panel](const QPoint& at, TrackRef row, Timestamp time) {
        m_asking = panel;
        emit contextMenuRequested(at, row, time);
    });
    connect(panel, &TimePanel::eventStepRequested, this, &TimeArea::eventStepRequested);
    connect(panel, &TimePanel::shownTracesChanged, this, &TimeArea::reportShownTraces);
}

/// Adds, updates and removes the panels with results of queries.
void TimeArea::updateResultPanels()
{
    const ResultPanels& wanted = ResultPanels::of(m_context);
    for (TimePanel* panel : std::vector<TimePanel*>(m_panels->panels())) {
        const auto* shown = qobject_cast<ResultPanelView*>(panel);
        if (!shown)
            continue;
        const std::string id = shown->id();
        if (const ResultPanel* its = wanted.find(QString::fromStdString(id)); its && its->isChart == shown->isChart())
            continue;
        rememberPanelOrder();
        m_panels->remove(panel);
        emit panelRemoved(id);
    }
    for (const ResultPanel& it : wanted.panels()) {
        if (auto* shown = qobject_cast<ResultPanelView*>(panel(it.id.toStdString()))) {
            shown->show(it);
            continue;
        }
        auto* added = new ResultPanelView(m_context, m_axis, it, m_panels);
        connectPanel(added);
        m_panels->add(added);
        m_panels->sortTiesBy(m_places);
        emit panelAdded(added);
    }
}

/// Records the user's changes to the stack of panels, for undo.
void TimeArea::recordPanels()
{
    connect(m_panels, &TimePanels::moved, this, [this](TimePanel* panel, const QStringList& before) {
        const auto order = [this](const QStringList& ids) { return [this, ids] { m_panels->setPanelOrder(ids); }; };
        const QStringList after = m_panels->panelIds();
        m_context.record({.text = tr("Move panel %1").arg(panel->name()),
                          .undo = order(before),
                          .redo = order(after),
                          .mergeKey = "move/" + QString::fromStdString(panel->id()),
                          .before = before,
                          .after = after});
    });
    connect(m_panels, &TimePanels::shownOnRequest, this, [this](TimePanel* panel, bool isVisible) {
        const auto show = [this, id = panel->id()](bool isShown) {
            return [this, id, isShown] {
                if (TimePanel* its = m_panels->find(id))
                    m_panels->setPanelVisible(its, isShown);
            };
        };
        m_context.record({.text = (isVisible ? tr("Show panel %1") : tr("Hide panel %1")).arg(panel->name()),
                          .undo = show(!isVisible),
                          .redo = show(isVisible)});
    });
}

/// Records whether idle rows are shown, for undo.
void TimeArea::recordRowFilters()
{
    connect(&m_axis, &TimeAxis::restingChanged, this, [this] {
        const bool hides = m_axis.hidesResting();
        const auto set = [this](bool to) { return [this, to] { m_axis.setHidesResting(to); }; };
        m_context.record({.text = hides ? tr("Hide idle rows") : tr("Show idle rows"), .undo = set(!hides), .redo = set(hides)});
    });
    connect(&m_axis, &TimeAxis::onlyPathChanged, this, [this] {
        const bool hides = m_axis.showsOnlyPath();
        const auto set = [this](bool to) { return [this, to] { m_axis.setShowsOnlyPath(to); }; };
        m_context.record(
            {.text = hides ? tr("Hide rows off the path") : tr("Show rows off the path"), .undo = set(!hides), .redo = set(hides)});
    });
}

/// Records the user's changes to what a panel shows, for undo. The changes apply to a later panel of the same view, too.
void TimeArea::recordChoices(TimePanel* panel)
{
    const QString id = QString::fromStdString(panel->id());
    const auto apply = [this, id](const QJsonObject& choices) { return [this, id, choices] { applyChoices(id, choices); }; };
    connect(panel->header(), &PanelHeader::filterEdited, this, [this, id, apply](const QString& before, const QString& after) {
        const QString text = after.trimmed().isEmpty() ? tr("Clear row filter") : tr("Filter rows by “%1”").arg(after.trimmed().left(40));
        m_context.record({.text = text,
                          .undo = apply({{"filter", before}}),
                          .redo = apply({{"filter", after}}),
                          .mergeKey = "filter/" + id,
                          .before = before,
                          .after = after});
    });
    connect(panel, &TimePanel::focusStateChosen, this, [this, id = panel->id()](const QString& before, const QString& after) {
        const auto set = [this, id](const QString& to) {
            return [this, id, to] {
                if (TimePanel* its = m_panels->find(id))
                    m_panels->setFocusState(its, to);
            };
        };
        m_context.record(
            {.text = after.isEmpty() ? tr("Show all states") : tr("Highlight %1").arg(after), .undo = set(before), .redo = set(after)});
    });
    connect(panel->header(), &PanelHeader::filterLeft, this, [this] { m_context.changes().endMerging(); });
    if (auto* rows = qobject_cast<TrackPanel*>(panel))
        connect(rows, &TrackPanel::choicesEdited, this,
                [this, id, apply](const QString& text, const QJsonObject& before, const QJsonObject& after, const QString& mergeKey) {
                    m_context.record({.text = text,
                                      .undo = apply(before),
                                      .redo = apply(after),
                                      .mergeKey = mergeKey.isEmpty() ? mergeKey : id + '/' + mergeKey,
                                      .before = before,
                                      .after = after});
                });
}

/// Applies some choices to a panel; null removes a choice. If the panel does not exist at the moment, it gets the choices when it is added
/// again.
void TimeArea::applyChoices(const QString& panel, const QJsonObject& choices)
{
    auto* shown = dynamic_cast<SavedViewState*>(this->panel(panel.toStdString()));
    QJsonObject all = shown ? shown->save() : m_kept[panel].toObject();
    for (auto it = choices.begin(); it != choices.end(); ++it)
        if (it->isNull())
            all.remove(it.key());
        else
            all[it.key()] = *it;
    if (shown)
        shown->restore(all);
    else
        m_kept[panel] = all;
}

void TimeArea::reportShownTraces()
{
    std::vector<std::uint32_t> all;
    for (const TimePanel* panel : m_panels->panels()) {
        if (!panel->isVisible())
            continue;
        for (const std::uint32_t trace : panel->shownTraces()) {
            if (std::ranges::find(all, trace) == all.end())
                all.push_back(trace);
        }
    }
    emit shownTracesChanged(all);
}

OverviewStrip* TimeArea::overview() const { return m_overview; }

TimePanel* TimeArea::panel(std::string_view id) const { return m_panels->find(id); }

TrackPanel* TimeArea::rowsPanel(std::string_view id) const { return qobject_cast<TrackPanel*>(panel(id)); }

TrackPanel* TimeArea::rowsPanel(TrackRole role) const
{
    const auto view = std::ranges::find(m_views, role, &TrackView::counted);
    return view == m_views.end() ? nullptr : rowsPanel(view->id);
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
    addMachineActions(menu, row);
    if (TrackPanel* panel = panelOf(row))
        panel->addRowActions(menu, row);
}

void TimeArea::addPanelActions(QMenu& menu)
{
    if (m_asking)
        m_asking->fillBodyMenu(menu);
}

/// Adds actions for a row of a virtual machine. The row of the machine itself gets all actions for its guest. The row of a vCPU only gets
/// the choice of the virtual machine that the guest runs in.
void TimeArea::addMachineActions(QMenu& menu, TrackRef row)
{
    const auto timeline = m_context.timeline();
    const auto guest = timeline ? findGuestHost(*timeline, row) : std::nullopt;
    if (!guest)
        return;
    if (rowOf(*timeline, row)->role == TrackRole::Group)
        return m_hosts->fillMachineMenu(menu, *guest);
    addGuestMenu(menu, m_context, *guest);
    menu.addSeparator();
}

QJsonObject TimeArea::save() const
{
    QJsonObject all = m_kept; // The saved state includes the choices of panels that do not exist at the moment.
    for (const TimePanel* panel : m_panels->panels()) {
        if (const auto* choices = dynamic_cast<const SavedViewState*>(panel))
            all[QString::fromStdString(panel->id())] = choices->save();
    }
    return all;
}

void TimeArea::restore(const QJsonObject& kept)
{
    m_kept = kept;
    for (TimePanel* panel : m_panels->panels()) {
        const QJsonValue value = kept[QString::fromStdString(panel->id())];
        if (auto* choices = dynamic_cast<SavedViewState*>(panel); choices && value.isObject())
            choices->restore(value.toObject());
    }
}

void TimeArea::togglePin()
{
    const TrackRef row = m_axis.window().row();
    const std::vector<TrackRef> box = m_axis.boxRows(); // Copied, because pinning may change the box of the axis.
    if (TrackPanel* panel = panelOf(box.empty() ? row : box.front()))
        panel->togglePins(box.empty() ? std::vector<TrackRef>{row} : box);
    else
        m_context.say(tr("No row is selected"));
}

void TimeArea::toggleList()
{
    if (TrackPanel* threads = rowsPanel(TrackRole::Thread))
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
        return m_context.say(tr("At the cursor, the thread has no CPU or the CPU has no thread"));
    window.jump({.row = other, .cursor = window.cursor()});
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
    for (TimePanel* panel : m_panels->panels())
        panel->setRelatedRow(other);
}

TimeGraph* TimeArea::graph() const
{
    const auto* panel = qobject_cast<const GraphPanel*>(m_panels->current());
    return panel ? panel->graph() : nullptr;
}

void TimeArea::focusPanel()
{
    if (const TimePanel* panel = m_panels->current())
        panel->body()->setFocus(Qt::OtherFocusReason);
}

void TimeArea::stepChange(bool forward)
{
    if (TimePanel* panel = m_panels->current())
        panel->stepChange(forward);
}

} // namespace helio
