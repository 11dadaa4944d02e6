#include "widgets/timeline/panels/graph_row_source.h"

#include "core/counters/rates.h"
#include "core/query/rows/queued_times.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/panels/view_text.h"

#include <QCoreApplication>
#include <QString>

#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace helio {

namespace {

QString said(const char* text) { return QCoreApplication::translate("MachineWords", text); }

QString knownText(const RowNote& note) { return note.isByHand() ? said("set by hand") : said("identified by %1").arg(text(note.known)); }

/// Returns the tooltip of a virtual machine or a vCPU: where it runs and how that is known, e.g. "web runs in process 171 of nest: set by
/// hand". Empty if the note has no such information.
QString machineTooltip(const Timeline& timeline, const Row& row, const RowNote& note)
{
    const bool isMachine = row.role == TrackRole::Group;
    if (note.known.empty())
        return isMachine && !note.source.isValid() ? said("It is unknown whose guest %1 is").arg(text(note.title)) : QString();
    const QString name = text(note.title);
    // A note whose inner trace is the guest itself means that the process and the thread that run the guest on its host are unknown.
    if (note.inner == std::int32_t(note.trace))
        return said("%1, identified by %2; the thread that runs it on its host is unknown").arg(name, text(note.known));
    const QString host = text(timeline.hosts[row.host].shownName());
    const QString process = row.pid >= 0 ? said("process %1 of %2").arg(row.pid).arg(host) : said("a process of %1").arg(host);
    const QString where = row.tid >= 0 ? said("thread %1, %2").arg(row.tid).arg(process) : process;
    return said("%1 runs in %2: %3").arg(name, where, knownText(note));
}

/// Makes the list of drawn rows from the rows of a query: omits some rows, and adds groups.
class Arranger {
public:
    Arranger(const Timeline& timeline, std::string_view view)
        : m_timeline(timeline)
        , m_rows(rows(timeline, view))
        , m_moved(m_rows.size(), -1)
    {
        for (const auto& [recorded, shown] : guestRowPairs(timeline))
            m_overlays.emplace(recorded, shown);
        for (const auto& [below, above] : rowsBelow(timeline))
            m_covers.emplace(above, below);
        const TrackView shown = viewDescription(timeline, view);
        if (!shown.group.empty())
            for (const TrackView& other : offeredViews(timeline))
                if (other.group == shown.group && other.shape == TrackView::Shape::Curves)
                    m_utilization.merge(utilizationSeries(timeline, other.id));
    }

    ViewRows arrange()
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            Row row = std::move(m_rows[i]);
            const std::int32_t parent = row.parent >= 0 && std::size_t(row.parent) < i ? m_moved[std::size_t(row.parent)] : -1;
            if (row.band == TrackDrawing::Line && parent >= 0) {
                // Only the first row of numbers becomes a line, because a row has room for one.
                if (RowLine& line = m_result.beside[std::size_t(parent)].line; !line.track.isValid())
                    line = {row.ref, row.kind};
                continue;
            }
            if (parent != m_stack)
                endStack();
            if (parent != m_stack && isOfGroup(row, parent)) {
                beginStack(parent, row);
                m_moved[i] = parent;
                continue;
            }
            const bool isOverAll = row.role == TrackRole::Interrupt && row.cpu < 0;
            row.parent = isOverAll ? group(parent, row) : parent;
            m_moved[i] = put(std::move(row));
        }
        endStack();
        return std::move(m_result);
    }

private:
    std::int32_t put(Row row)
    {
        m_result.beside.push_back(besideOf(row));
        m_result.rows.push_back(std::move(row));
        return std::int32_t(m_result.rows.size() - 1);
    }

    RowAnnotations besideOf(const Row& row) const
    {
        RowAnnotations beside;
        if (const auto note = row.ref.isValid() ? noteOf(m_timeline, row.ref) : std::nullopt) {
            beside.title = text(note->title);
            beside.isThread = note->source.isValid();
            if (const auto inner = row.role == TrackRole::Group ? findGuestHost(m_timeline, row.ref) : std::nullopt)
                beside.badge = std::int32_t(*inner);
            if (note->isByHand())
                beside.remark = QCoreApplication::translate("GraphRows", "by hand");
            beside.tip = machineTooltip(m_timeline, row, *note);
        }
        if (const auto overlay = m_overlays.find(row.ref); overlay != m_overlays.end())
            beside.overlay = overlay->second;
        if (row.valueKind == ValueKind::Text && row.role == TrackRole::Other)
            beside.queued = queuedTimesOf(m_timeline, row.ref);
        if (const auto cover = m_covers.find(row.ref); cover != m_covers.end())
            beside.cover = cover->second;
        if (const auto series = m_utilization.find(row.ref); series != m_utilization.end())
            beside.utilization = series->second;
        return beside;
    }

    bool isOfGroup(const Row& row, std::int32_t parent) const
    {
        return row.valueKind == ValueKind::Frame && parent >= 0 && m_result.rows[std::size_t(parent)].role == TrackRole::Group;
    }

    /// Makes the group row of a call stack the row of the stack's outermost frames, so that these need no row of their own.
    void beginStack(std::int32_t group, const Row& outermost)
    {
        Row& row = m_result.rows[std::size_t(group)];
        row.ref = outermost.ref;
        row.id = outermost.id;
        row.life = outermost.life;
        row.intervals = outermost.intervals;
        row.valueKind = outermost.valueKind;
        m_stack = group;
    }

    /// Appends the row with the states of the stack's thread.
    void endStack()
    {
        const std::int32_t stack = std::exchange(m_stack, NoStackRow);
        if (stack == NoStackRow)
            return;
        if (!m_threads)
            m_threads.emplace(m_timeline, TimeRange{});
        Row& row = m_result.rows[std::size_t(stack)];
        const TrackRef states = m_threads->rowOf(row.ref, row.life);
        if (!states.isValid() || !m_shownStates.insert(states).second)
            return;
        Row strip = *rowOf(m_timeline, states); // The row is never missing, because `states` is the row of a thread.
        strip.parent = stack;
        strip.id = row.id + "/states";
        // If the name of the stack's row only repeats its parent's name, the row gets the name of the thread instead.
        if (row.parent >= 0 && row.label == m_result.rows[std::size_t(row.parent)].label)
            row.label = strip.label;
        put(std::move(strip));
    }

    std::int32_t group(std::int32_t parent, const Row& row)
    {
        if (parent >= 0 && m_result.rows[std::size_t(parent)].role == TrackRole::Cpu)
            return parent;
        if (const auto it = m_groups.find(parent); it != m_groups.end())
            return it->second;
        Row group;
        group.parent = parent;
        group.kind = SummedGroup;
        group.id = "group:interrupts:" + std::to_string(parent);
        group.label = "Interrupts";
        group.host = row.host;
        group.trace = row.trace;
        return m_groups[parent] = put(std::move(group));
    }

    /// Value of m_stack while no call stack is being added. Not -1, which is the parent of rows at the top level.
    static constexpr std::int32_t NoStackRow = -2;

    const Timeline& m_timeline;
    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_moved;
    std::int32_t m_stack = NoStackRow; ///< Index of the row of the call stack whose depths are being added.
    /// Finds the row with the states of a call stack's thread; nullopt until a call stack needs it.
    std::optional<ThreadCpuTimes> m_threads;
    std::set<TrackRef> m_shownStates;
    /// Track that is drawn over the bars of a row (GraphRow::overlay), keyed by the track of the row.
    std::map<TrackRef, TrackRef> m_overlays;
    std::map<TrackRef, TrackRef> m_covers; ///< Values of GraphRow::cover, by the track of the row over which they are drawn.
    std::map<TrackRef, UtilizationSeries> m_utilization;
    std::map<std::int32_t, std::int32_t> m_groups; ///< Indexes of the added rows "Interrupts", by the index of their parent.
    ViewRows m_result;
};

constexpr std::size_t FewestFolded = 10; ///< Minimum number of rows in a fold.
constexpr int FoldedShare = 20; ///< A process or thread is short-lived if it lives at most 1/FoldedShare of the recording's duration.

bool isShortLived(const Row& row, TimeRange recorded)
{
    return row.role == TrackRole::Thread && row.tid >= 0 && row.ref.isValid() && row.life.begin > recorded.begin
        && row.life.end < recorded.end && row.life.duration() <= recorded.duration() / FoldedShare;
}

/// Makes the row of a fold with `count` rows. `first`: first row in the fold. `parent`: parent of the fold; nullptr if the fold is at the
/// top level.
Row makeFold(const Row& first, const Row* parent, std::size_t count)
{
    const bool areProcesses = first.tid == first.pid;
    const char* const words =
        areProcesses ? QT_TRANSLATE_N_NOOP("GraphRows", "%1 (%n processes)") : QT_TRANSLATE_N_NOOP("GraphRows", "%1 (%n threads)");
    Row fold;
    fold.kind = FoldGroup;
    fold.id = "fold:" + std::to_string(first.trace) + '/' + (parent ? parent->id : std::string()) + '/' + first.label
        + (areProcesses ? "" : "/threads");
    fold.label = QCoreApplication::translate("GraphRows", words, nullptr, int(count)).arg(text(first.label)).toStdString();
    fold.tid = first.tid; // Sort key of the fold when rows are sorted by TID.
    fold.host = first.host;
    fold.trace = first.trace;
    return fold;
}

/// Collects the rows of short-lived processes and threads in folds; see ViewRows.
ViewRows foldShortLived(ViewRows all, TimeRange recorded)
{
    // Key of a possible fold: index of the parent row, name, and true for processes.
    using Name = std::tuple<std::int32_t, std::string_view, bool>;
    std::map<Name, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < all.rows.size(); ++i)
        if (const Row& row = all.rows[i]; isShortLived(row, recorded))
            found[{row.parent, row.label, row.tid == row.pid}].push_back(i);
    std::erase_if(found, [](const auto& same) { return same.second.size() < FewestFolded; });
    if (found.empty())
        return all;
    std::vector<const std::vector<std::size_t>*> foldOf(all.rows.size(), nullptr);
    for (const auto& [name, rows] : found)
        for (const std::size_t i : rows)
            foldOf[i] = &rows;
    ViewRows folded;
    std::vector<std::int32_t> moved(all.rows.size(), -1);
    std::map<const std::vector<std::size_t>*, std::int32_t>
        folds; // Index in `folded` of the row that stands for a list of rows in `found`.
    const auto put = [&](Row row, RowAnnotations beside) {
        folded.rows.push_back(std::move(row));
        folded.beside.push_back(std::move(beside));
        return std::int32_t(folded.rows.size() - 1);
    };
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        Row row = all.rows[i]; // Copied instead of moved, because the keys of `found` are views of the rows' labels.
        const std::int32_t parent = row.parent >= 0 && std::size_t(row.parent) < i ? moved[std::size_t(row.parent)] : -1;
        row.parent = parent;
        if (const auto* const fold = foldOf[i]) {
            const auto [known, isNew] = folds.try_emplace(fold, -1);
            if (isNew) {
                Row group = makeFold(row, parent >= 0 ? &folded.rows[std::size_t(parent)] : nullptr, fold->size());
                group.parent = parent;
                known->second = put(std::move(group), {});
            }
            row.parent = known->second;
        }
        moved[i] = put(std::move(row), std::move(all.beside[i]));
    }
    return folded;
}

/// Returns the rows whose sum a collapsed row shows: the threads of a process, or the interrupts of a group. nullptr if the row shows only
/// its own bars, e.g. for a CPU, whose bars already include everything below.
std::shared_ptr<const LaneSources> sourcesOf(const RowTree& tree, const TreeRow& it)
{
    const Row& top = tree.rows()[std::size_t(it.index)];
    if (!it.hasChildren || it.isOpen || (top.role != TrackRole::Thread && top.kind != SummedGroup && top.kind != FoldGroup))
        return {};
    LaneSources sources;
    std::string_view firstKind;
    std::vector<std::int32_t> pending{it.index};
    while (!pending.empty()) {
        const Row& row = tree.rows()[std::size_t(pending.back())];
        const auto children = tree.rowSet()->children(pending.back());
        pending.pop_back();
        if (row.ref.isValid() && sources.empty())
            firstKind = row.kind;
        if (row.ref.isValid())
            sources.push_back({row.ref, row.kind == firstKind ? std::uint8_t(0) : SecondKindStates});
        pending.insert(pending.end(), children.rbegin(), children.rend());
    }
    std::ranges::stable_sort(sources, {}, &LaneSource::firstState);
    return sources.empty() ? nullptr : std::make_shared<const LaneSources>(std::move(sources));
}

/// Requests of a collapsed disk, which are drawn as lanes in its row. The rows below a disk are its queues, and the rows below a queue are
/// its slots; a slot has one request at a time.
struct ShownLanes {
    std::vector<TrackRef> lanes; ///< Tracks of the slots of the disk's queue that are shown, one per lane; at most MostShownLanes.
    /// Tracks with the times for which requests were queued, indexed like `lanes`; invalid if there is none.
    std::vector<TrackRef> grounds;
    /// Number of slots of the disk's queue that have no lane, because the row has room for only MostShownLanes lanes.
    std::size_t hidden = 0;
};

/// Returns the slots of the disk's last queue as lanes, and the times for which the requests of each slot were queued. The last queue is
/// the driver's queue; if no request was issued, it is the queue of waiting requests.
ShownLanes lanesOf(const RowTree& tree, const TreeRow& it, const std::vector<RowAnnotations>& beside)
{
    ShownLanes shown;
    const auto queues = tree.rowSet()->children(it.index);
    if (it.isOpen || tree.rows()[std::size_t(it.index)].kind != LanesGroup || queues.empty())
        return shown;
    const auto requests = tree.rowSet()->children(queues.back());
    for (const std::int32_t slot : requests.first(std::min(requests.size(), MostShownLanes))) {
        shown.lanes.push_back(tree.rows()[std::size_t(slot)].ref);
        shown.grounds.push_back(std::size_t(slot) < beside.size() ? beside[std::size_t(slot)].queued : TrackRef());
    }
    shown.hidden = requests.size() - shown.lanes.size();
    return shown;
}

/// Returns the track with the states of the stack's thread; invalid if they were not recorded.
TrackRef workerOf(const RowTree& tree, std::int32_t stack)
{
    const auto children = tree.rowSet()->children(stack);
    const Row* const last = children.empty() ? nullptr : &tree.rows()[std::size_t(children.back())];
    return last && last->valueKind != ValueKind::Frame ? last->ref : TrackRef();
}

/// Sets shape, name and numbers of the row of a call stack.
void showStack(const RowTree& tree, const TreeRow& it, GraphRow& graph)
{
    const std::vector<Row>& rows = tree.rows();
    const Row& row = rows[std::size_t(it.index)];
    graph.hiddenDepths = it.hiddenDepths;
    if (it.hiddenRow >= 0)
        graph.line = {rows[std::size_t(it.hiddenRow)].ref, "callees"};
    const bool isBelow = isBelowStack(rows, row);
    if (row.valueKind == ValueKind::Frame)
        graph.drawnAs = isBelow ? RowShape::Frame : RowShape::FirstFrame;
    else if (isBelow)
        graph.drawnAs = RowShape::Strip;
    if (!isBelow) {
        if (row.valueKind != ValueKind::Frame)
            return;
        if (row.shownTid() >= 0)
            graph.id = QString::number(row.tid);
        graph.shareTrack = workerOf(tree, it.index);
        graph.hasShare = graph.shareTrack.isValid();
        return;
    }
    const Row& stack = rows[std::size_t(row.parent)];
    graph.place = text(stack.label) + (stack.shownTid() >= 0 ? QStringLiteral(" %1").arg(stack.tid) : QString());
    if (row.valueKind == ValueKind::Frame)
        graph.place = QCoreApplication::translate("GraphRows", "%1, depth %2").arg(graph.place, text(row.label));
    graph.name.clear();
    graph.id.clear();
    graph.hasShare = false;
}

std::vector<GraphRow> shownAs(const RowTree& tree, std::span<const TreeRow> rows, const std::vector<RowAnnotations>& beside)
{
    std::vector<GraphRow> result;
    result.reserve(rows.size());
    for (const TreeRow& it : rows) {
        const Row& row = tree.rows()[std::size_t(it.index)];
        GraphRow graph;
        graph.ref = row.ref;
        const RowAnnotations known = std::size_t(it.index) < beside.size() ? beside[std::size_t(it.index)] : RowAnnotations();
        graph.line = known.line;
        graph.name = shownName(row);
        const bool isThread = row.role == TrackRole::Thread || known.isThread;
        graph.isFold = row.kind == FoldGroup;
        if (graph.isFold) {
            const auto children = tree.rowSet()->children(it.index);
            graph.shortName = QStringLiteral("%1 \u00d7%2").arg(shownName(tree.rows()[std::size_t(children.front())])).arg(children.size());
        } else if (row.shownTid() >= 0)
            graph.id = QString::number(row.tid);
        graph.place = known.title;
        graph.source = it.index;
        graph.depth = it.depth;
        graph.hasChildren = it.hasChildren;
        graph.isOpen = it.isOpen;
        ShownLanes shown = lanesOf(tree, it, beside);
        graph.utilization = known.utilization;
        graph.isHost = isHostRow(row);
        graph.isThread = row.role == TrackRole::Thread;
        graph.isCpu = row.role == TrackRole::Cpu;
        graph.hasShare = row.role == TrackRole::Cpu || isThread || known.utilization || graph.isFold;
        graph.isHeading = graph.isHost || (row.role == TrackRole::Group && row.intervals == 0 && shown.lanes.empty());
        graph.isStrong = it.hasChildren && !graph.isCpu && !graph.isFold && row.kind != SummedGroup && row.valueKind != ValueKind::Frame;
        graph.cpu = row.cpu;
        graph.trace = row.trace;
        graph.host = row.host;
        graph.badge = known.badge;
        graph.overlay = known.overlay;
        graph.cover = it.isOpen ? TrackRef() : known.cover;
        graph.remark = known.remark;
        graph.tip = known.tip;
        graph.sources = sourcesOf(tree, it);
        graph.lanes = std::move(shown.lanes);
        graph.laneGrounds = std::move(shown.grounds);
        if (!graph.lanes.empty() && shown.hidden > 0)
            graph.remark = QCoreApplication::translate("GraphRows", "+%1 more").arg(shown.hidden);
        showStack(tree, it, graph);
        result.push_back(std::move(graph));
    }
    return result;
}

} // namespace

ViewRows makeViewRows(const Timeline& timeline, std::string_view view, bool foldsShortLived)
{
    ViewRows found = Arranger(timeline, view).arrange();
    return foldsShortLived ? foldShortLived(std::move(found), timeline.range) : found;
}

std::string findLinkView(const Timeline& timeline, std::string_view view, const GraphRows& rows)
{
    bool hasThreads = false;
    for (int i = 0; i < rows.count() && !hasThreads; ++i)
        hasThreads = rows[i].drawnAs == RowShape::Strip;
    return hasThreads ? findViewWithRole(timeline, TrackRole::Thread) : std::string(view);
}

std::vector<GraphRow> makeGraphRows(const RowTree& tree, const std::vector<RowAnnotations>& beside)
{
    return shownAs(tree, tree.visible(), beside);
}

std::vector<GraphRow> makePinnedGraphRows(const RowTree& tree, const std::vector<RowAnnotations>& beside)
{
    std::vector<TreeRow> rows;
    for (const std::int32_t index : tree.pinned())
        rows.push_back({index, 0, false, false});
    std::vector<GraphRow> shown = shownAs(tree, rows, beside);
    for (GraphRow& row : shown) {
        if (row.place.isEmpty())
            continue;
        if (!row.hasFrames() && row.drawnAs == RowShape::Normal) {
            row.name = row.place;
            continue;
        }
        row.name = row.place; // A pinned row is shown without its stack, so it needs its full name.
        row.drawnAs = row.hasFrames() ? RowShape::FirstFrame : RowShape::Normal;
    }
    return shown;
}

} // namespace helio
