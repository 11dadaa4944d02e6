#include "core/query/rows/rows.h"

#include "core/query/rows/event_threads.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/timeline_access.h"
#include "core/store/any_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace helio {
namespace {

constexpr const char* HostKind = "host";

/// A track that becomes a row.
struct Member {
    TrackRef ref;
    const Track* track;
    TrackRef above; ///< Parent track. If it is a Member too, it becomes the parent row; else the row is on the top level.
};

/// Builds the rows of a view and appends them below a row, as a tree with sorted siblings. If `isForCorrelators` is false, the rows
/// are the tracks of the trace's own analyses. If `isForCorrelators` is true, the rows are tracks of correlators, from the
/// stores that forEachStoreOf() returns for the trace.
class TreeBuilder {
public:
    /// `known` contains the TIDs of threads with states in any trace of the host. Tracks of these threads that contain only events are left
    /// out, because the rows with states already show the threads. `below` maps a correlator's row to its parent row, which is a row of the
    /// trace.
    TreeBuilder(const Timeline& timeline, std::uint32_t trace, bool isForCorrelators, std::string_view view,
                const std::set<std::int32_t>& known, const std::map<TrackRef, TrackRef>& below, std::vector<Row>& rows)
        : m_timeline(timeline)
        , m_trace(trace)
        , m_rows(rows)
    {
        forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
            if (isOfAllTraces(timeline, index) != isForCorrelators)
                return;
            const auto tracks = store.tracks();
            for (std::uint32_t i = 0; i < tracks.size(); ++i)
                if (tracks[i].view == view && tracks[i].intervals > 0 && !(isForCorrelators && below.contains({index, TrackId{i}})))
                    add({{index, TrackId{i}}, &tracks[i], {index, tracks[i].parent}}, known);
            addGroups(index, tracks);
        });
        for (const auto& [ref, above] : below)
            if (const Track* track = trackOf(timeline, ref);
                !isForCorrelators && track->view == view && track->intervals > 0 && traceOf(timeline, above) == trace)
                add({ref, track, above}, known);
    }

    std::uint32_t trace() const { return m_trace; }
    bool isEmpty() const { return m_members.empty(); }
    bool hasStates() const { return m_hasStates; } ///< False if all rows have only events.

    void appendBelow(std::int32_t parentRow)
    {
        sortMembers();
        m_rows.reserve(m_rows.size() + m_members.size());
        for (const Member& member : m_members)
            m_waiting.insert(member.ref);
        std::unordered_map<TrackRef, std::vector<std::size_t>, TrackRefHash> children;
        std::vector<std::size_t> tops;
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            const TrackRef parent = m_members[i].above;
            if (m_waiting.contains(parent) && parent != m_members[i].ref)
                children[parent].push_back(i);
            else
                tops.push_back(i);
        }
        appendAll(tops, parentRow, children);
        // Tracks of a damaged store may form a cycle, which no top-level row reaches. Append these tracks without a hierarchy.
        for (std::size_t i = 0; i < m_members.size() && !m_waiting.empty(); ++i)
            if (m_waiting.contains(m_members[i].ref))
                append(i, parentRow);
    }

private:
    void add(const Member& member, const std::set<std::int32_t>& known)
    {
        const bool isEvents = isEventThread(m_timeline, member.ref);
        if (isEvents && known.contains(hostTidOf(m_timeline, member.ref)))
            return;
        m_members.push_back(member);
        m_hasStates |= !isEvents;
    }

    /// Adds the groups that contain members. The loop also visits the groups that it has added, so that groups of groups are added
    /// too.
    void addGroups(StoreIndex index, std::span<const Track> tracks)
    {
        std::set<TrackId> found;
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            const auto parent = static_cast<std::size_t>(m_members[i].track->parent);
            if (m_members[i].ref.store != index || parent >= tracks.size() || tracks[parent].role != TrackRole::Group)
                continue;
            if (tracks[parent].view == m_members[i].track->view && found.insert(TrackId(parent)).second)
                m_members.push_back({{index, TrackId(parent)}, &tracks[parent], {index, tracks[parent].parent}});
        }
    }

    void sortMembers()
    {
        std::ranges::sort(m_members, [](const Member& a, const Member& b) {
            return std::tie(a.track->sortKey, a.track->life.begin, a.ref) < std::tie(b.track->sortKey, b.track->life.begin, b.ref);
        });
    }

    /// Appends rows depth first. Avoids recursion, because a chain of processes can be as long as the trace.
    void appendAll(const std::vector<std::size_t>& tops, std::int32_t parentRow,
                   const std::unordered_map<TrackRef, std::vector<std::size_t>, TrackRefHash>& children)
    {
        std::vector<std::pair<std::size_t, std::int32_t>> pending;
        for (auto it = tops.rbegin(); it != tops.rend(); ++it)
            pending.emplace_back(*it, parentRow);
        while (!pending.empty()) {
            const auto [member, parent] = pending.back();
            pending.pop_back();
            append(member, parent);
            const auto own = static_cast<std::int32_t>(m_rows.size() - 1);
            if (const auto below = children.find(m_members[member].ref); below != children.end())
                for (auto it = below->second.rbegin(); it != below->second.rend(); ++it)
                    pending.emplace_back(*it, own);
        }
    }

    void append(std::size_t member, std::int32_t parentRow)
    {
        m_waiting.erase(m_members[member].ref);
        // rowOf() returns a row for every member, because add() accepts only shown tracks.
        m_rows.push_back(*rowOf(m_timeline, m_members[member].ref));
        m_rows.back().parent = parentRow;
    }

    const Timeline& m_timeline;
    std::uint32_t m_trace;
    std::vector<Row>& m_rows;
    std::vector<Member> m_members;
    std::unordered_set<TrackRef, TrackRefHash> m_waiting; ///< Members that do not have a row yet; append() removes them.
    bool m_hasStates = false;
};

std::int32_t appendGroup(std::vector<Row>& rows, std::int32_t parent, std::string kind, const std::string& id, std::string label,
                         std::uint32_t host, std::uint32_t trace)
{
    Row row;
    row.parent = parent;
    row.id = kind + ':' + id;
    row.kind = std::move(kind);
    row.label = std::move(label);
    row.host = host;
    row.trace = trace;
    rows.push_back(std::move(row));
    return static_cast<std::int32_t>(rows.size() - 1);
}

} // namespace

bool isHostRow(const Row& row) { return !row.ref.isValid() && row.kind == HostKind; }

bool isApplicationTrack(const Row& row) { return row.id.starts_with("track:"); }

std::vector<Row> rows(const Timeline& timeline, std::string_view view)
{
    std::vector<Row> all;
    // No view has an empty id. Tracks with an empty view id are attributes and not rows.
    if (view.empty())
        return all;
    std::vector<std::set<std::int32_t>> known(timeline.hosts.size());
    std::size_t stores = 0;
    forEachStore(timeline, [&stores](StoreIndex, const Store&, const TimelineTrace&) { ++stores; });
    for (std::uint32_t host = 0; host < known.size() && stores > 1; ++host)
        known[host] = threadsWithStates(timeline, host);
    static const std::set<std::int32_t> None;
    const std::map<TrackRef, TrackRef> below = rowsBelow(timeline);
    std::map<std::uint32_t, std::vector<TreeBuilder>> byHost;
    for (std::uint32_t t = 0; t < timeline.traces.size(); ++t) {
        const std::uint32_t host = timeline.traces[t].host;
        // Correlators' rows are at the top level, not below a host or trace.
        TreeBuilder(timeline, t, true, view, None, below, all).appendBelow(-1);
        TreeBuilder tree(timeline, t, false, view, host < known.size() ? known[host] : None, below, all);
        if (!tree.isEmpty())
            byHost[host].push_back(std::move(tree));
    }
    for (const std::uint32_t host : hostsInOrder(timeline)) {
        std::vector<TreeBuilder>& trees = byHost[host];
        if (trees.empty())
            continue;
        const std::uint32_t first = trees.front().trace();
        const auto hostRow = timeline.hosts.size() > 1
            ? appendGroup(all, -1, HostKind, timeline.hosts[host].label, timeline.hosts[host].shownName(), host, first)
            : -1;
        // Group the rows by trace only if several traces have rows with states.
        const bool areParted = std::ranges::count_if(trees, &TreeBuilder::hasStates) > 1;
        for (TreeBuilder& tree : trees) {
            const TraceInfo& info = timeline.traces[tree.trace()].trace->info();
            tree.appendBelow(areParted ? appendGroup(all, hostRow, "trace", info.name, info.name, host, tree.trace()) : hostRow);
        }
    }
    return all;
}

std::string findViewWithRole(const Timeline& timeline, TrackRole role)
{
    std::string view;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (view.empty())
            forEachTrack(index, store, role, [&](TrackRef, const Track& track) { view = view.empty() ? track.view : view; });
    });
    return view;
}

namespace {

std::vector<Row> rowsOf(const Timeline& timeline, TrackRole role)
{
    std::vector<Row> all = rows(timeline, findViewWithRole(timeline, role));
    std::erase_if(all, [role](const Row& row) { return row.role != role || !row.ref.isValid(); });
    for (Row& row : all)
        row.parent = -1;
    return all;
}

} // namespace

std::vector<Row> threads(const Timeline& timeline) { return rowsOf(timeline, TrackRole::Thread); }
std::vector<Row> cpus(const Timeline& timeline) { return rowsOf(timeline, TrackRole::Cpu); }

std::size_t countCpus(std::span<const Row> rows)
{
    std::set<std::pair<std::uint32_t, std::int32_t>> numbers; // Host and number of each CPU.
    for (const Row& row : rows)
        if (row.role == TrackRole::Cpu)
            numbers.emplace(row.host, row.cpu);
    return numbers.size();
}

const StateSet& statesOf(const Timeline& timeline, TrackRef ref)
{
    static const StateSet none;
    const Track* track = trackOf(timeline, ref);
    if (!track)
        return none;
    const auto sets = storeOf(timeline, ref)->stateSets();
    const auto index = static_cast<std::size_t>(track->states);
    return index < sets.size() ? sets[index] : none;
}

const StateKind& stateKind(const Timeline& timeline, TrackRef track, State state)
{
    static const StateKind none{"unknown", StateCategory::Unknown, {}};
    const StateSet& set = statesOf(timeline, track);
    const auto index = static_cast<std::size_t>(state);
    return index < set.states.size() ? set.states[index] : none;
}

std::string_view stateName(const Timeline& timeline, TrackRef track, State state) { return stateKind(timeline, track, state).name; }

StateCategory meaningOf(const Timeline& timeline, TrackRef track, State state) { return stateKind(timeline, track, state).meaning; }

StateKind stateThatMeans(const Timeline& timeline, TrackRef track, StateCategory meaning)
{
    const auto& states = statesOf(timeline, track).states;
    const auto found = std::ranges::find(states, meaning, &StateKind::meaning);
    return found != states.end() ? *found : StateKind{std::string(wordOf(meaning)), meaning, {}};
}

namespace {

/// Returns the text of a value that is a track number: "comm (tid)" for a thread, the label for any other track.
std::string trackText(const Store& store, std::uint32_t value)
{
    if (value >= store.tracks().size())
        return {};
    const Track& track = store.tracks()[value];
    return track.role == TrackRole::Thread ? track.label + " (" + std::to_string(track.tid) + ')' : track.label;
}

/// Formats a number with as few digits as are needed to read back the same number.
template <typename Number> std::string numberText(std::optional<Number> number)
{
    if (!number)
        return {};
    if (!std::isfinite(double(*number)))
        return std::isnan(double(*number)) ? "NaN" : *number > 0 ? "Infinity" : "-Infinity";
    std::array<char, 32> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), *number).ptr};
}

std::string anyText(const Store& store, std::uint32_t value)
{
    const std::uint32_t index = AnyValue::indexOf(value);
    switch (AnyValue::kindOf(value)) {
    case AnyValue::Kind::Small: return std::to_string(AnyValue::numberOf(value));
    case AnyValue::Kind::Integer: return numberText(store.integer(index));
    case AnyValue::Kind::Real: return numberText(store.real(index));
    case AnyValue::Kind::Text: return std::string(store.text(StringId{index}));
    }
    return {};
}

} // namespace

ValueKind valueKindOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = trackOf(timeline, ref);
    return track ? track->valueKind : ValueKind::None;
}

std::string valueText(const Timeline& timeline, TrackRef ref, std::uint32_t value)
{
    const Track* track = trackOf(timeline, ref);
    if (!track)
        return {};
    const Store& store = *storeOf(timeline, ref);
    switch (track->valueKind) {
    case ValueKind::None: return {};
    case ValueKind::Text: return std::string(store.text(StringId{value}));
    case ValueKind::Number: return std::to_string(static_cast<std::int32_t>(value));
    case ValueKind::Track: return trackText(store, value);
    case ValueKind::Integer: return numberText(store.integer(value));
    case ValueKind::Real: return numberText(store.real(value));
    case ValueKind::Frame: return frameText(timeline, ref.store, StackId{value});
    case ValueKind::Any: return anyText(store, value);
    }
    return {};
}

TrackRef attributeOf(const Timeline& timeline, TrackRef ref, TrackRole role) { return ticksOf(timeline, ref, role).track; }

std::vector<std::string> namesOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = trackOf(timeline, ref);
    if (!track)
        return {};
    std::vector<std::string> names;
    if (const TrackRef attribute = attributeOf(timeline, ref, TrackRole::Name); attribute.isValid()) {
        const Store& store = *storeOf(timeline, ref);
        const HostRange life = store.tracks()[static_cast<std::size_t>(attribute.track)].life;
        for (const HostInterval& interval : store.intervals(attribute.track, life))
            if (std::string name(store.text(StringId{interval.value})); std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(std::move(name));
    }
    if (std::find(names.begin(), names.end(), track->label) == names.end())
        names.push_back(track->label);
    return names;
}

void spans(const Timeline& timeline, TrackRef ref, TimeRange window, Duration resolution, Spans& out, std::stop_token stop)
{
    out.clear();
    const Store* store = storeOf(timeline, ref);
    if (!store)
        return;
    const ClockTransform& clock = clockOf(timeline, ref.store);
    thread_local HostSpans own;
    own.clear();
    store->spans(ref.track, clock.inverse(window), resolution, own, std::move(stop));
    out.spans.reserve(own.spans.size());
    for (const HostSpan& s : own.spans)
        out.spans.push_back({clock(s.range), s.longest, s.count, s.value, s.mask, s.firstShare, s.state});
    out.shares.assign(own.shares.begin(), own.shares.end());
}

namespace {

/// Queries the track's store with ask(store, clock) and converts the intervals to the experiment's clock; empty if the track does not
/// exist.
template <typename Ask> std::vector<Interval> answered(const Timeline& timeline, TrackRef ref, const Ask& ask)
{
    const Store* store = storeOf(timeline, ref);
    if (!store)
        return {};
    const ClockTransform& clock = clockOf(timeline, ref.store);
    const std::vector<HostInterval> own = ask(*store, clock);
    std::vector<Interval> result;
    result.reserve(own.size());
    for (const HostInterval& i : own)
        result.push_back({clock(i.range), i.state, i.value});
    return result;
}

} // namespace

std::vector<Interval> intervals(const Timeline& timeline, TrackRef ref, TimeRange window, std::stop_token stop)
{
    return answered(timeline, ref, [&](const Store& store, const ClockTransform& clock) {
        return store.intervals(ref.track, clock.inverse(window), std::move(stop));
    });
}

std::vector<Interval> intervalAt(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    return answered(timeline, ref,
                    [&](const Store& store, const ClockTransform& clock) { return store.intervalAt(ref.track, lastNotAfter(clock, at)); });
}

std::vector<Interval> nextInterval(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    return answered(timeline, ref, [&](const Store& store, const ClockTransform& clock) {
        return store.nextInterval(ref.track, lastNotAfter(clock, at));
    });
}

std::vector<Interval> previousInterval(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    return answered(timeline, ref, [&](const Store& store, const ClockTransform& clock) {
        return store.previousInterval(ref.track, lastNotAfter(clock, at));
    });
}

} // namespace helio
