#include "widgets/timeline/panels/track_panel.h"

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/queued_times.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/statistics.h"
#include "widgets/async/discard.h"
#include "widgets/theme/module_colors.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/panels/graph_row_source.h"
#include "widgets/timeline/panels/view_text.h"
#include "widgets/workspace/context_settings.h"

#include <QElapsedTimer>
#include <QLineEdit>

#include <set>

namespace helio {

namespace {

constexpr int UsesDelay = 200; ///< Delay in ms between the last move of the visible range and the query of CPU use.
/// Delay in ms after which call stacks lose depths that are no longer needed. New depths are shown without delay.
constexpr int ShrinkDelay = 800;
constexpr std::size_t FewRows = 2000; ///< Maximum number of rows that are arranged on the UI thread, which takes 1 ms.
/// Replaces the shares of guests' rows, as recorded, by the shares of the rows in which steal time is a state of its own, so that steal
/// time does not count as time on a CPU.
void excludeStealTime(const Timeline& timeline, TimeRange window, Shares& shares, const std::stop_token& stop)
{
    for (const auto& [recorded, shown] : guestRowPairs(timeline))
        if (const auto share = shares.find(recorded); share != shares.end())
            for (const auto& [row, without] : busyShares(timeline, std::span(&shown, 1), window, stop))
                share->second = without;
}

/// True if the row has samples, shown as ticks.
bool areSamplesOf(const Timeline& timeline, TrackRef row)
{
    const auto roles = {TrackRole::SamplesUser, TrackRole::SamplesKernel, TrackRole::SamplesOther, TrackRole::SamplesEvents};
    return std::ranges::any_of(roles, [&](TrackRole role) { return ticksOf(timeline, row, role).track.isValid(); });
}

constexpr std::size_t MostModules = 6; ///< Maximum number of modules in the header's legend.
/// Minimum pause between two requests of rows while traces are indexed, as a multiple of the duration of the last request.
constexpr int RowsPauseFactor = 4;

} // namespace

TrackPanel::TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent)
    : GraphPanel(axis, std::move(id), title, parent)
    , m_context(context)
    , m_usesAnswer(DebouncedQuery::Pace::Debounce, UsesDelay, [this] { requestUses(); })
    , m_depthsAnswer(DebouncedQuery::Pace::Debounce, UsesDelay, [this] { requestDepths(); })
{
    m_shrinkTimer.setSingleShot(true);
    m_shrinkTimer.setInterval(ShrinkDelay);
    connect(&m_shrinkTimer, &QTimer::timeout, this, [this] { showDepths(m_wantedDepths); });
    connect(&axis.window(), &TimeWindow::visibleChanged, this, &TrackPanel::scheduleDepths);
    m_rowsTimer.setSingleShot(true);
    connect(&m_rowsTimer, &QTimer::timeout, this, [this] {
        if (m_areRowsOld)
            requestRows();
    });
    connect(&axis, &TimeAxis::timelineChanged, this, &TrackPanel::onTimelineChanged);
    connect(&axis.window(), &TimeWindow::visibleChanged, this, &TrackPanel::scheduleUses);
    connect(&axis.window(), &TimeWindow::rowChanged, this, &TrackPanel::revealSelected);
    connect(graph(), &TimeGraph::rowToggled, this, &TrackPanel::toggle);
    connect(graph(), &TimeGraph::hiddenDepthsWanted, this, &TrackPanel::showDepthsBelow);
    for (const TimeGraph* it : {graph(), pinnedGraph()}) {
        connect(it, &TimeGraph::remark, &context, &ViewContext::say);
        connect(it, &TimeGraph::pinToggled, this, &TrackPanel::togglePin);
    }
    connect(pinnedGraph(), &TimeGraph::rowMoved, this, &TrackPanel::movePinned);
    connect(header()->filter(), &QLineEdit::textChanged, this, [this](const QString& text) {
        m_tree.setFilter(text.trimmed());
        m_reveals = true;
        applyHiding();
        arrange();
    });
    connect(&axis, &TimeAxis::restingChanged, this, [this] {
        applyHiding();
        arrange();
        requestUses();
    });
    connect(&axis, &TimeAxis::lightChanged, this, [this] {
        updatePathRows();
        arrange();
    });
    connect(&axis, &TimeAxis::onlyPathChanged, this, [this] {
        applyHiding();
        m_reveals = true;
        arrange();
    });
    connect(header(), &PanelHeader::pathSwitched, &axis, &TimeAxis::setShowsOnlyPath);
    connect(header(), &PanelHeader::subtitleClicked, this, [this] { this->axis().setHidesResting(!this->axis().hidesResting()); });
    connect(header(), &PanelHeader::listClicked, this, &TrackPanel::setListed);
    connect(header(), &PanelHeader::columnClicked, this, &TrackPanel::sortBy);
    connect(&Themes::instance(), &Themes::changed, this, &TrackPanel::updateLegend);
    connect(&StealTimeSetting::of(context), &StealTimeSetting::changed, this, [this] {
        arrange();
        requestUses();
    });
    connect(&StateFocus::of(context), &StateFocus::changed, this, [this] { setFocusState(StateFocus::of(m_context).legend()); });
    // Queued, so that it runs after the constructor of the derived class.
    QMetaObject::invokeMethod(this, &TrackPanel::onTimelineChanged, Qt::QueuedConnection);
}

void TrackPanel::onTimelineChanged()
{
    if (!axis().timeline()) {
        m_rowsJob.cancel();
        m_rowsTimer.stop();
        m_namesJob.cancel();
        m_modules.clear();
        m_usesAnswer.cancel();
        m_depthsAnswer.cancel();
        m_shrinkTimer.stop();
        m_uses = {};
        m_tree.showAll();
        m_tree.unpinAll();
        setContent(Content::Nothing, {});
        m_areRowsKnown = false;
        m_wantedDepths.reset();
        return takeRows(std::make_shared<RowSet>(), {}, true);
    }
    m_areRowsOld = true;
    if (!m_rowsJob.isBusy() && !m_rowsTimer.isActive())
        requestRows();
}

void TrackPanel::requestRows()
{
    m_areRowsOld = false;
    m_rowsJob.post([this, timeline = axis().timeline(), view = id(), before = m_tree.rowSet(), window = axis().window().visible(),
                    needsUses = needsUses(), canList = m_canList, folds = m_canList && m_folds,
                    excludesStealTime = StealTimeSetting::of(m_context).isCounted()](std::stop_token stop) -> LatestTask::Delivery {
        QElapsedTimer clock;
        clock.start();
        ViewRows found = makeViewRows(*timeline, view, folds);
        const Content content = contentOf(found.rows, *timeline);
        auto legend = legendOf(found.rows, *timeline, content);
        auto rows = std::make_shared<const RowSet>(std::move(found.rows));
        auto beside = std::make_shared<const std::vector<RowAnnotations>>(std::move(found.beside));
        const bool areOthers = !rows->looksLike(*before);
        // Computed together with the rows, so that a row without activity is not shown for a moment and then hidden.
        const CpuUses uses = needsUses ? usesOf(*timeline, *rows, beside, window, excludesStealTime, stop) : CpuUses();
        const CpuUses totals = canList ? usesOf(*timeline, *rows, beside, timeline->range, false, stop) : CpuUses();
        const bool isSampled = hasSampledStacks(*timeline, rows->rows());
        const auto depths =
            isSampled ? std::make_shared<const OccupiedDepths>(countOccupiedDepths(*timeline, *rows, window, stop)) : nullptr;
        return [this, rows, beside, uses, totals = totals.shares, areOthers, content, legend, depths, took = clock.elapsed(),
                isComplete = isComplete(*timeline)] {
            setContent(content, legend);
            m_areRowsKnown = isComplete;
            const bool areUsesOthers = uses.resting && takeUses(uses);
            m_tree.setTotals(totals);
            m_wantedDepths = depths;
            takeRows(rows, beside, areOthers || areUsesOthers || m_tree.sortColumn() == RowTree::Column::Total);
            requestNames();
            if (isComplete && m_areRowsOld)
                return requestRows();
            m_rowsTimer.start(isComplete ? 0 : int(took) * RowsPauseFactor);
        };
    });
}

/// Requests symbol names, which are read in the background; the view shows addresses until then.
void TrackPanel::requestNames()
{
    if (std::ranges::none_of(m_tree.rows(), [](const Row& row) { return row.valueKind == ValueKind::Frame; }))
        return;
    m_namesJob.post([this, timeline = axis().timeline(), view = id()](std::stop_token stop) -> LatestTask::Delivery {
        readFrameNames(*timeline, view, stop);
        std::vector<FrameModule> modules = frameModules(*timeline, view, stop);
        const auto colors = moduleColors(*timeline);
        // The legend prefers the heaviest modules, whose colours are easy to distinguish.
        std::ranges::stable_partition(modules, [&](const FrameModule& it) { return it.isKernel || colors->isDistinct(it.name); });
        modules.resize(std::min(modules.size(), MostModules));
        return [this, modules = std::move(modules), colors] {
            m_modules = modules;
            m_moduleColors = colors;
            updateLegend();
            graph()->valuesChanged();
            pinnedGraph()->valuesChanged();
        };
    });
}

void TrackPanel::takeRows(std::shared_ptr<const RowSet> rows, Besides beside, bool areOthers)
{
    const bool areBesidesOthers = !m_beside || !beside || *m_beside != *beside;
    m_beside = std::move(beside);
    auto before = m_tree.rowSet();
    const TrackRef selected = axis().window().row();
    const bool wasThere = !selected.isValid() || m_tree.find(selected) >= 0;
    const auto depthsBefore = m_tree.occupiedDepths();
    m_tree.setRows(std::move(rows));
    m_tree.setOccupiedDepths(withSelectedDepth(m_wantedDepths));
    updatePathRows();
    const bool areDepthsOthers =
        (m_tree.occupiedDepths() != nullptr) != (depthsBefore != nullptr) || (depthsBefore && *m_tree.occupiedDepths() != *depthsBefore);
    discard(std::move(before), m_tree.rows().size());
    if (const std::int32_t index = wasThere ? -1 : m_tree.find(selected); index >= 0 && !belongsToOtherView(index)) {
        m_tree.reveal(index); // Makes the selected row visible. It may have been selected before it existed, e.g. by a session.
        m_reveals = true;
    }
    if (areOthers || areBesidesOthers || areDepthsOthers)
        arrange();
    else
        updateEmptyText(); // The text for a panel without rows depends on whether indexing has ended.
    scheduleUses();
    scheduleDepths();
}

/// Arranges and shows the rows: up to FewRows rows on this thread, more rows on another thread.
void TrackPanel::arrange()
{
    static const std::vector<RowAnnotations> None;
    const auto made = [](const RowTree& tree, const Besides& beside, Density density) {
        return GraphRows(makeGraphRows(tree, beside ? *beside : None), density);
    };
    const Density density = axis().density();
    if (m_tree.rows().size() <= FewRows) {
        m_arrangeJob.cancel();
        return show(made(m_tree, m_beside, density));
    }
    m_arrangeJob.post([this, tree = m_tree, beside = m_beside, density, made](std::stop_token) -> LatestTask::Delivery {
        auto rows = std::make_shared<GraphRows>(made(tree, beside, density));
        return [this, rows] { show(std::move(*rows)); };
    });
}

void TrackPanel::show(GraphRows rows)
{
    if (m_content == Content::Events || lacksCpuStates()) // Without scheduler events, the CPU shares of the rows are unknown.
        rows.hideShares();
    m_excludesStealTime = StealTimeSetting::of(m_context).isCounted() && rows.hasStealTime();
    m_hasStealTime = rows.hasStealTime();
    if (m_excludesStealTime)
        rows.excludeStealTime();
    header()->setColumnShown(int(RowTree::Column::Share), rows.count() == 0 || rows.hasShares());
    if (axis().timeline())
        graph()->setLinkView(findLinkView(*axis().timeline(), id(), rows));
    graph()->setRows(std::move(rows));
    showPinned();
    showSubtitle();
    showPathSwitch();
    updateEmptyText();
    if (std::exchange(m_reveals, false)) {
        graph()->showRow(graph()->selectedRow());
        if (graph()->selectedRow() >= 0)
            emit ensureVisibleRequested();
    }
    emit rowsArranged();
}

/// True if the rows are threads without any state on a CPU, e.g. because only system calls were recorded.
bool TrackPanel::lacksCpuStates() const
{
    return m_canList && m_areRowsKnown && m_content == Content::States && !m_legend.empty()
        && std::ranges::none_of(m_legend, [](const StateKind& state) { return isOnCpu(state.meaning); });
}

int TrackPanel::shownRows() const
{
    int count = 0;
    const auto isActive = [this](const LaneSource& it) {
        return !hidesResting() || !m_uses.resting || !m_uses.resting->contains(it.track);
    };
    for (int i = 0; i < graph()->rows().count(); ++i)
        if (const GraphRow& row = graph()->rows()[i]; row.isFold && row.sources)
            // A closed fold shows the sum of its rows, so all of them count as displayed.
            count += int(std::ranges::count_if(*row.sources, isActive));
        else
            count += row.ref.isValid();
    return count;
}

int TrackPanel::shownDiskRows() const
{
    int count = 0;
    for (int i = 0; i < graph()->rows().count(); ++i)
        if (const int source = graph()->rows()[i].source; source >= 0)
            count += (*m_tree.rowSet())[source].kind == LanesGroup;
    return count;
}

int TrackPanel::fullHeight() const
{
    const std::size_t all = m_tree.rowSet()->tracks() - (hidesOffPath() ? m_offPathCount : 0);
    const int hidden = isCollapsed() ? 0 : std::max(0, int(all) - shownRows());
    return naturalHeight() + hidden * metricsOf(axis().density(), RowShape::Normal).height;
}

void TrackPanel::showPinned()
{
    static const std::vector<RowAnnotations> None;
    std::vector<GraphRow> rows = makePinnedGraphRows(m_tree, m_beside ? *m_beside : None);
    if (StealTimeSetting::of(m_context).isCounted())
        std::ranges::for_each(rows, &GraphRow::excludeStealTime);
    setPinnedRows(std::move(rows));
}

void TrackPanel::showSubtitle()
{
    header()->setSubtitle(subtitle());
    header()->setRemark(m_excludesStealTime ? tr("excluding steal time") : QString());
    if (m_canHideResting)
        header()->setSubtitleSwitch(axis().hidesResting()
                                        ? tr("Threads that are idle in the visible range are hidden. Click to show all (H)")
                                        : tr("Hide threads that are idle in the visible range (H)"),
                                    axis().hidesResting());
}

void TrackPanel::toggle(int row)
{
    const GraphRow& it = graph()->rows()[row];
    const bool isKnown = it.source >= 0 && std::size_t(it.source) < m_tree.rows().size();
    const std::int32_t index = it.ref.isValid() ? m_tree.find(it.ref) : isKnown ? it.source : -1;
    if (index < 0)
        return; // The rows changed while they were arranged, so the result is dropped.
    if (it.isFold)
        edit((it.isOpen ? tr("Fold %1") : tr("Unfold %1")).arg(it.name), [&] { m_tree.setOpen(index, !it.isOpen); });
    else
        m_tree.setOpen(index, !it.isOpen);
    arrange();
}

void TrackPanel::showDepthsBelow(int row)
{
    const std::int32_t index = m_tree.find(graph()->rows()[row].ref);
    if (index < 0)
        return;
    const std::int32_t stack = m_tree.depthOf(index).first;
    if (m_tree.isOpen(stack))
        m_tree.setMostDepths(stack, 0);
    else
        m_tree.setOpen(stack, true);
    arrange();
}

void TrackPanel::updateEmptyText()
{
    const bool isKnown = m_areRowsKnown && axis().timeline();
    setVacant(isKnown
              && m_tree.rows().empty()
              // A panel with an explanation stays visible, because a panel that is hidden for a moment loses the focus.
              && !explainsEmptyPanel(*axis().timeline(), id()));
    if (!axis().timeline())
        graph()->setEmptyText({}, {});
    else if (m_tree.rows().empty()) {
        const EmptyText text = !isKnown    ? EmptyText{tr("Reading…"), {}}
            : hasTimes(*axis().timeline()) ? emptyText()
                                           : EmptyText{tr("This file has no times, so nothing can be shown over time."),
                                                       tr("The flame graph and the functions show all of its samples.")};
        graph()->setEmptyText(text.what, text.how);
    } else if (header()->filter()->text().isEmpty() && hidesOffPath())
        graph()->setEmptyText(tr("No row on the critical path is active in the visible range."),
                              tr("Click the switch in the header to show the other rows."));
    else if (header()->filter()->text().isEmpty())
        graph()->setEmptyText(tr("No thread activity was recorded in the visible range."),
                              tr("Press H, or click the count in the header, to show all threads."));
    else
        graph()->setEmptyText(
            (hidesResting() ? tr("No active rows match “%1”.") : tr("Nothing matches “%1”.")).arg(header()->filter()->text()),
            tr("%1 rows are hidden. Press Esc in the field to clear the filter.").arg(countText(qint64(m_tree.rows().size()))));
}

QString TrackPanel::howToRecord(std::string_view view) const { return QString::fromStdString(adviseRecordingOf(*axis().timeline(), view)); }

void TrackPanel::scheduleUses()
{
    if (needsUses())
        m_usesAnswer.soon();
}

/// Computes the CPU use of all rows in the time range `window`. Whether a row is inactive is decided by its recorded states, even if its
/// share excludes steal time.
TrackPanel::CpuUses TrackPanel::usesOf(const Timeline& timeline, const RowSet& rows, const Besides& beside, TimeRange window,
                                       bool excludesStealTime, const std::stop_token& stop)
{
    std::vector<TrackRef> tracks;
    for (const Row& row : rows.rows())
        if (row.ref.isValid())
            tracks.push_back(row.ref);
    auto shares = std::make_shared<Shares>();
    auto resting = std::make_shared<std::unordered_set<TrackRef, TrackRefHash>>();
    for (const RowUtilization& use : rowUtilizations(timeline, tracks, window, stop)) {
        shares->emplace(use.row, BusyShare(use.busy, use.isLowerBound));
        if (use.isInactive)
            resting->insert(use.row);
    }
    if (excludesStealTime)
        excludeStealTime(timeline, window, *shares, stop);
    std::vector<std::pair<TrackRef, UtilizationSeries>> utilized;
    for (std::size_t i = 0; beside && i < std::min(beside->size(), rows.rows().size()); ++i)
        if (const auto& series = (*beside)[i].utilization)
            utilized.emplace_back(rows.rows()[i].ref, *series);
    addUtilization(timeline, utilized, window, *shares);
    return {shares, resting};
}

/// Stores the CPU use of the rows. Returns true if the new values may change which rows are shown, or their order.
bool TrackPanel::takeUses(const CpuUses& uses)
{
    // Rows off the path depend on the visible range even if the same rows are idle.
    const bool areOthersShown = hidesResting() && (hidesOffPath() || !m_uses.resting || *m_uses.resting != *uses.resting);
    m_uses = uses;
    m_tree.setShares(uses.shares);
    applyHiding();
    return areOthersShown || m_tree.sortColumn() == RowTree::Column::Share;
}

void TrackPanel::requestUses()
{
    const auto timeline = axis().timeline();
    if (!timeline || !needsUses())
        return;
    m_usesAnswer.post([this, timeline, rows = m_tree.rowSet(), beside = m_beside, window = axis().window().visible(),
                       excludesStealTime = StealTimeSetting::of(m_context).isCounted()](std::stop_token stop) -> LatestTask::Delivery {
        const CpuUses uses = usesOf(*timeline, *rows, beside, window, excludesStealTime, stop);
        if (stop.stop_requested())
            return {};
        return [this, uses] {
            if (takeUses(uses))
                arrange();
        };
    });
}

void TrackPanel::scheduleDepths()
{
    m_shrinkTimer.stop();
    if (m_tree.occupiedDepths())
        m_depthsAnswer.soon();
}

void TrackPanel::requestDepths()
{
    const auto timeline = axis().timeline();
    if (!timeline)
        return;
    m_depthsAnswer.post(
        [this, timeline, rows = m_tree.rowSet(), window = axis().window().visible()](std::stop_token stop) -> LatestTask::Delivery {
            auto depths = std::make_shared<const OccupiedDepths>(countOccupiedDepths(*timeline, *rows, window, stop));
            if (stop.stop_requested())
                return {};
            return [this, rows, depths] {
                if (rows == m_tree.rowSet())
                    takeDepths(depths);
            };
        });
}

/// Shows more depths at once, and fewer depths after a delay, so that rows do not jump while the user moves the visible range.
void TrackPanel::takeDepths(std::shared_ptr<const OccupiedDepths> depths)
{
    m_wantedDepths = depths;
    const auto shown = m_tree.occupiedDepths();
    if (!shown)
        return showDepths(depths);
    auto both = std::make_shared<OccupiedDepths>(*depths);
    for (auto& [stack, count] : *both)
        if (const auto before = shown->find(stack); before != shown->end())
            count = std::max(count, before->second);
    showDepths(both);
    if (*withSelectedDepth(depths) != *m_tree.occupiedDepths())
        m_shrinkTimer.start();
}

void TrackPanel::showDepths(std::shared_ptr<const OccupiedDepths> depths)
{
    depths = withSelectedDepth(std::move(depths));
    const auto shown = m_tree.occupiedDepths();
    if (!depths || (shown && *shown == *depths))
        return;
    m_tree.setOccupiedDepths(std::move(depths));
    arrange();
}

/// Returns `depths`, with more depths for the stack of the selected row if the row would otherwise not be shown because it has no call in
/// the visible range.
std::shared_ptr<const OccupiedDepths> TrackPanel::withSelectedDepth(std::shared_ptr<const OccupiedDepths> depths) const
{
    const std::int32_t index = m_tree.find(axis().window().row());
    const auto [stack, depth] = index >= 0 ? m_tree.depthOf(index) : std::pair(-1, 0);
    const auto known = depths ? depths->find(stack) : OccupiedDepths::const_iterator();
    if (!depths || known == depths->end() || known->second >= depth)
        return depths;
    auto all = std::make_shared<OccupiedDepths>(*depths);
    (*all)[stack] = depth;
    return all;
}

TrackPanel::Content TrackPanel::contentOf(const std::vector<Row>& rows, const Timeline& timeline)
{
    const auto isGroup = [](const Row& row) { return !row.ref.isValid(); };
    if (std::ranges::all_of(rows, isGroup))
        return Content::Nothing;
    if (std::ranges::all_of(rows, [&](const Row& row) { return isGroup(row) || isEventThread(timeline, row.ref); }))
        return Content::Events;
    // Rows with only samples have a single state interval, the unknown state.
    const bool isOfOneState = std::ranges::all_of(rows, [](const Row& row) { return row.intervals <= 1; });
    const auto isSampled = [&](const Row& row) { return !isGroup(row) && areSamplesOf(timeline, row.ref); };
    return isOfOneState && !sampleKinds(timeline).empty() && std::ranges::any_of(rows, isSampled) ? Content::Samples : Content::States;
}

namespace {

/// Adds the severe states (severity >= Shouts) of rows whose state set is not `first`. The legend already covers the set `first`. Less
/// severe states are not added.
void addSevereStatesOfOtherSets(const std::vector<Row>& rows, const Timeline& timeline, const std::string& first,
                                std::vector<StateKind>& legend)
{
    constexpr std::uint8_t Shouts = 3;
    std::vector<std::string> seen{first};
    for (const Row& row : rows) {
        const StateSet& set = statesOf(timeline, row.ref);
        if (!row.ref.isValid() || std::ranges::find(seen, set.id) != seen.end())
            continue;
        seen.push_back(set.id);
        for (const StateKind& state : set.states)
            if (state.style.has(StateFlag::InHeader) && state.style.severity >= Shouts
                && std::ranges::none_of(legend, [&](const StateKind& it) { return it.style.legend == state.style.legend; }))
                legend.push_back(state);
    }
}

/// Removes the states that no row has.
void keepPresent(const std::vector<Row>& rows, const Timeline& timeline, std::vector<StateKind>& legend)
{
    std::set<std::string> missing;
    for (const StateKind& state : legend)
        missing.insert(state.style.legend);
    for (auto row = rows.begin(); row != rows.end() && !missing.empty(); ++row)
        if (row->ref.isValid())
            for (const StateTotal& total : totals(timeline, row->ref, timeline.range))
                missing.erase(stateKind(timeline, row->ref, total.state).style.legend);
    std::erase_if(legend, [&](const StateKind& state) { return missing.contains(state.style.legend); });
}

/// Adds states without an entry of their own if their colour is otherwise unexplained, because the panel lacks the states that usually
/// explain it. Example: "running" in a recording without system calls.
void addUnexplained(const std::vector<Row>& rows, const Timeline& timeline, const StateSet& set, std::vector<StateKind>& legend)
{
    const auto hasColor = [](const std::vector<StateKind>& states, const StateKind& of) {
        return std::ranges::any_of(states, [&](const StateKind& it) { return it.style.color == of.style.color; });
    };
    std::vector<StateKind> usual;
    std::ranges::copy_if(set.states, std::back_inserter(usual), [](const StateKind& it) { return it.style.has(StateFlag::InHeader); });
    std::vector<StateKind> others;
    std::ranges::copy_if(set.states, std::back_inserter(others), [&](const StateKind& it) {
        return !it.style.has(StateFlag::InHeader) && it.style.order < RestingOrder && hasColor(usual, it) && !hasColor(legend, it);
    });
    keepPresent(rows, timeline, others);
    std::ranges::move(others, std::back_inserter(legend));
}

} // namespace

/// Returns the states for the header's legend: the states of the first row that has any, except states in which no row ever is. One row is
/// sufficient, because all rows of a panel have the same states, or states that need no legend.
std::vector<StateKind> TrackPanel::legendOf(const std::vector<Row>& rows, const Timeline& timeline, Content content)
{
    const auto isExplained = [](const StateKind& state) { return state.style.has(StateFlag::InHeader); };
    const auto first = std::ranges::find_if(rows, [&](const Row& row) {
        return row.ref.isValid() && (content == Content::Events || std::ranges::any_of(statesOf(timeline, row.ref).states, isExplained));
    });
    if (first == rows.end())
        return {};
    TrackRef row = first->ref;
    if (const auto ticks = eventTicks(timeline, row); content == Content::Events && !ticks.empty())
        row = ticks.front();
    std::vector<StateKind> legend;
    if (content == Content::Samples)
        for (const StateCategory meaning : {StateCategory::OnCpuUser, StateCategory::OnCpuKernel, StateCategory::Unknown})
            legend.push_back(stateThatMeans(timeline, row, meaning));
    else
        std::ranges::copy_if(statesOf(timeline, row).states, std::back_inserter(legend), isExplained);
    if (content == Content::States) {
        addSevereStatesOfOtherSets(rows, timeline, statesOf(timeline, row).id, legend);
        keepPresent(rows, timeline, legend);
        addUnexplained(rows, timeline, statesOf(timeline, row), legend);
    }
    // Adds the state for times in a disk's queue, which are drawn before the bars of requests.
    for (const Row& it : rows)
        if (const TrackRef queued = it.kind == "disk-slot" ? queuedTimesOf(timeline, it.ref) : TrackRef(); queued.isValid()) {
            legend.push_back(statesOf(timeline, queued).states.front());
            break;
        }
    // In a panel of call stacks, the legend lists modules first. For the threads below the call stacks, it only lists states that are
    // severe or runnable.
    if (first->valueKind != ValueKind::Frame && isBelowStack(rows, *first))
        std::erase_if(legend, [](const StateKind& state) { return state.style.severity == 0 && !isRunnable(state.meaning); });
    // Sorts by StateStyle::order, the stacking order, with inactive states last. For states that a file defines, this restores the order in
    // the file: the state set has the order in which the states occur in the trace.
    const auto rank = [](const StateKind& state) { return std::max(0, int(state.style.order) - StateStyle().order); };
    const auto isInactive = [](const StateKind& state) { return state.style.order >= RestingOrder; };
    std::ranges::stable_sort(legend, [&](const StateKind& a, const StateKind& b) {
        return isInactive(a) && isInactive(b) ? rank(a) > rank(b) : rank(a) < rank(b);
    });
    return legend;
}

void TrackPanel::setContent(Content content, std::vector<StateKind> legend)
{
    if (m_content == content && m_legend == legend)
        return;
    m_legend = std::move(legend);
    updateLegend();
    if (std::exchange(m_content, content) != content)
        emit heightChanged(); // The panel's height depends on its content.
}

void TrackPanel::updateLegend()
{
    std::vector<LegendChip> chips;
    for (const FrameModule& module : m_frames.isByFunction ? std::vector<FrameModule>() : m_modules) {
        StateAppearance look;
        look.color = module.isKernel ? theme().color("flame.kernel") : theme().category(m_moduleColors->categoryOf(module.name));
        look.height = 16;
        chips.push_back({look, QString::fromStdString(module.name)});
    }
    for (const StateKind& state : m_legend) {
        const StateAppearance look = theme().lookOf(state);
        chips.push_back({look, look.legend});
    }
    header()->setLegend(std::move(chips));
}

bool TrackPanel::belongsToOtherView(std::int32_t index) const
{
    const auto [stack, depth] = m_tree.depthOf(index);
    return stack >= 0 && depth == 0;
}

void TrackPanel::revealSelected()
{
    const TrackRef row = axis().window().row();
    if (const int shown = graph()->rows().find(row); !row.isValid() || shown >= 0) {
        graph()->showRow(shown);
        if (row.isValid())
            emit ensureVisibleRequested();
        return;
    }
    const std::int32_t index = m_tree.find(row);
    if (index < 0 || belongsToOtherView(index))
        return showStandIn(row);
    m_tree.reveal(index);
    applyHiding();
    m_reveals = true;
    arrange();
}

/// Scrolls to the row of this view that represents a row of another view, e.g. a thread in its critical path. The selection is unchanged.
void TrackPanel::showStandIn(TrackRef row)
{
    const auto timeline = axis().timeline();
    const TrackRef here = timeline ? findCorrelatorRow(*timeline, id(), {}, row) : TrackRef();
    graph()->showRow(here.isValid() ? graph()->rows().find(here) : -1);
}

} // namespace helio
