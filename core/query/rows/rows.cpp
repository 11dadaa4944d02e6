#include "core/query/rows/rows.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/row_lookup.h"

#include <algorithm>
#include <map>
#include <set>

namespace helio {
namespace {

const Store* storeOf(const Timeline& timeline, TrackRef ref)
{
    if (ref.trace >= timeline.traces.size())
        return nullptr;
    const Store* store = timeline.traces[ref.trace].store.get();
    return store && static_cast<std::size_t>(ref.track) < store->tracks().size() ? store : nullptr;
}

const Track* trackOf(const Timeline& timeline, TrackRef ref)
{
    const Store* store = storeOf(timeline, ref);
    return store ? &store->tracks()[static_cast<std::size_t>(ref.track)] : nullptr;
}

/// Puts one store's tracks of a view below a row, as a tree, siblings in order.
class TreeBuilder {
public:
    /// Threads that only events tell of are left out where another trace tells their states.
    TreeBuilder(const Timeline& timeline, std::uint32_t trace, std::string_view view, const std::set<std::int32_t>& told,
                std::vector<Row>& rows)
        : m_timeline(timeline)
        , m_trace(trace)
        , m_tracks(timeline.traces[trace].store->tracks())
        , m_rows(rows)
    {
        for (std::uint32_t i = 0; i < m_tracks.size(); ++i)
            if (m_tracks[i].view == view && m_tracks[i].intervals > 0)
                if (const bool isEvents = isEventThread(timeline, {trace, TrackId{i}});
                    !isEvents || !told.contains(m_tracks[i].tid) || !isNumberedByHost(m_tracks[i])) {
                    m_members.push_back(i);
                    m_hasStates |= !isEvents;
                }
        m_isMember.resize(m_tracks.size());
        for (const std::uint32_t i : m_members)
            m_isMember[i] = true;
    }

    bool isEmpty() const { return m_members.empty(); }
    bool hasStates() const { return m_hasStates; } ///< Not only threads that nothing but events is known of.

    void appendBelow(std::int32_t parentRow)
    {
        sortMembers();
        m_rows.reserve(m_rows.size() + m_members.size());
        std::map<std::uint32_t, std::vector<std::uint32_t>> children;
        std::vector<std::uint32_t> tops;
        for (const std::uint32_t i : m_members) {
            const auto parent = static_cast<std::uint32_t>(m_tracks[i].parent);
            if (parent < m_tracks.size() && m_isMember[parent] && parent != i)
                children[parent].push_back(i);
            else
                tops.push_back(i);
        }
        appendAll(tops, parentRow, children);
        // What a damaged store ties into a ring hangs from no top: shown flat rather than lost.
        for (const std::uint32_t i : m_members)
            if (m_isMember[i])
                append(i, parentRow);
    }

private:
    void sortMembers()
    {
        std::sort(m_members.begin(), m_members.end(), [&](std::uint32_t a, std::uint32_t b) {
            const Track& x = m_tracks[a];
            const Track& y = m_tracks[b];
            return std::tie(x.sortKey, x.life.begin, a) < std::tie(y.sortKey, y.life.begin, b);
        });
    }

    /// Depth first, without recursion: a chain of processes can be as long as the trace.
    void appendAll(const std::vector<std::uint32_t>& tops, std::int32_t parentRow,
                   const std::map<std::uint32_t, std::vector<std::uint32_t>>& children)
    {
        std::vector<std::pair<std::uint32_t, std::int32_t>> pending;
        for (auto it = tops.rbegin(); it != tops.rend(); ++it)
            pending.emplace_back(*it, parentRow);
        while (!pending.empty()) {
            const auto [track, parent] = pending.back();
            pending.pop_back();
            append(track, parent);
            const auto own = static_cast<std::int32_t>(m_rows.size() - 1);
            if (const auto below = children.find(track); below != children.end())
                for (auto it = below->second.rbegin(); it != below->second.rend(); ++it)
                    pending.emplace_back(*it, own);
        }
    }

    void append(std::uint32_t index, std::int32_t parentRow)
    {
        m_isMember[index] = false;
        m_rows.push_back(*rowOf(m_timeline, {m_trace, TrackId{index}})); // There is one: it is a member.
        m_rows.back().parent = parentRow;
    }

    const Timeline& m_timeline;
    std::uint32_t m_trace;
    std::span<const Track> m_tracks;
    std::vector<Row>& m_rows;
    std::vector<std::uint32_t> m_members;
    std::vector<bool> m_isMember; ///< And not yet appended.
    bool m_hasStates = false;
};

std::int32_t appendGroup(std::vector<Row>& rows, std::int32_t parent, std::string kind, const std::string& id, std::string label,
                         std::uint32_t host)
{
    Row row;
    row.parent = parent;
    row.id = kind + ':' + id;
    row.kind = std::move(kind);
    row.label = std::move(label);
    row.host = host;
    rows.push_back(std::move(row));
    return static_cast<std::int32_t>(rows.size() - 1);
}

} // namespace

std::vector<Row> rows(const Timeline& timeline, std::string_view view)
{
    std::vector<Row> all;
    if (view.empty()) // The tracks without a view are no rows.
        return all;
    std::vector<std::set<std::int32_t>> told(timeline.hosts.size());
    for (std::uint32_t host = 0; host < told.size() && timeline.traces.size() > 1; ++host)
        told[host] = toldThreads(timeline, host);
    static const std::set<std::int32_t> None;
    std::map<std::uint32_t, std::vector<TreeBuilder>> byHost;
    std::map<std::uint32_t, std::vector<std::uint32_t>> traces;
    for (std::uint32_t t = 0; t < timeline.traces.size(); ++t) {
        if (!timeline.traces[t].store)
            continue;
        const std::uint32_t host = timeline.traces[t].host;
        TreeBuilder tree(timeline, t, view, host < told.size() ? told[host] : None, all);
        if (tree.isEmpty())
            continue;
        byHost[timeline.traces[t].host].push_back(std::move(tree));
        traces[timeline.traces[t].host].push_back(t);
    }
    for (auto& [host, trees] : byHost) {
        const auto hostRow =
            timeline.hosts.size() > 1 ? appendGroup(all, -1, "host", timeline.hosts[host].label, timeline.hosts[host].label, host) : -1;
        const bool areParted = std::ranges::count_if(trees, &TreeBuilder::hasStates) > 1; // Else their threads are all others.
        for (std::size_t i = 0; i < trees.size(); ++i) {
            const TraceInfo& info = timeline.traces[traces[host][i]].trace->info();
            trees[i].appendBelow(areParted ? appendGroup(all, hostRow, "trace", info.name, info.name, host) : hostRow);
        }
    }
    return all;
}

std::string viewWith(const Timeline& timeline, TrackRole role)
{
    for (const TimelineTrace& t : timeline.traces)
        for (const Track& track : t.store ? t.store->tracks() : std::span<const Track>())
            if (track.role == role && !track.view.empty())
                return track.view;
    return {};
}

namespace {

std::vector<Row> rowsOf(const Timeline& timeline, TrackRole role)
{
    std::vector<Row> all = rows(timeline, viewWith(timeline, role));
    std::erase_if(all, [role](const Row& row) { return row.role != role || !row.ref.isValid(); });
    for (Row& row : all)
        row.parent = -1;
    return all;
}

} // namespace

std::vector<Row> threads(const Timeline& timeline) { return rowsOf(timeline, TrackRole::Thread); }
std::vector<Row> cpus(const Timeline& timeline) { return rowsOf(timeline, TrackRole::Cpu); }

const StateSet& statesOf(const Timeline& timeline, TrackRef ref)
{
    static const StateSet none;
    const Track* track = trackOf(timeline, ref);
    if (!track)
        return none;
    const auto sets = timeline.traces[ref.trace].store->stateSets();
    const auto index = static_cast<std::size_t>(track->states);
    return index < sets.size() ? sets[index] : none;
}

const StateKind& stateKind(const Timeline& timeline, TrackRef track, State state)
{
    static const StateKind none{"unknown", Meaning::Unknown, {}};
    const StateSet& set = statesOf(timeline, track);
    const auto index = static_cast<std::size_t>(state);
    return index < set.states.size() ? set.states[index] : none;
}

std::string_view stateName(const Timeline& timeline, TrackRef track, State state) { return stateKind(timeline, track, state).name; }

Meaning meaningOf(const Timeline& timeline, TrackRef track, State state) { return stateKind(timeline, track, state).meaning; }

StateKind stateThatMeans(const Timeline& timeline, TrackRef track, Meaning meaning)
{
    const auto& states = statesOf(timeline, track).states;
    const auto found = std::ranges::find(states, meaning, &StateKind::meaning);
    return found != states.end() ? *found : StateKind{std::string(wordOf(meaning)), meaning, {}};
}

std::string valueText(const Timeline& timeline, TrackRef ref, std::uint32_t value)
{
    const Track* track = trackOf(timeline, ref);
    if (!track)
        return {};
    const Store& store = *timeline.traces[ref.trace].store;
    switch (track->valueKind) {
    case ValueKind::None: return {};
    case ValueKind::Text: return std::string(store.text(StringId{value}));
    case ValueKind::Number: return std::to_string(static_cast<std::int32_t>(value));
    case ValueKind::Thread: break;
    }
    if (value >= store.tracks().size())
        return {};
    const Track& thread = store.tracks()[value];
    return thread.label + " (" + std::to_string(thread.tid) + ')';
}

TrackRef attributeOf(const Timeline& timeline, TrackRef ref, TrackRole role)
{
    const Store* store = storeOf(timeline, ref);
    if (!store)
        return {};
    for (const TrackId child : store->childrenOf(ref.track))
        if (store->tracks()[static_cast<std::size_t>(child)].role == role)
            return {ref.trace, child};
    return {};
}

std::vector<std::string> namesOf(const Timeline& timeline, TrackRef ref)
{
    const Track* track = trackOf(timeline, ref);
    if (!track)
        return {};
    std::vector<std::string> names;
    if (const TrackRef attribute = attributeOf(timeline, ref, TrackRole::Name); attribute.isValid()) {
        const Store& store = *timeline.traces[ref.trace].store;
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
    const ClockTransform& clock = timeline.traces[ref.trace].clock;
    thread_local HostSpans own;
    own.clear();
    store->spans(ref.track, clock.inverse(window), resolution, own, std::move(stop));
    out.spans.reserve(own.spans.size());
    for (const HostSpan& s : own.spans)
        out.spans.push_back({clock(s.range), s.longest, s.count, s.value, s.mask, s.firstShare, s.state});
    out.shares.assign(own.shares.begin(), own.shares.end());
}

namespace {

/// What a question to the track's store is answered with, on the experiment's time. Nothing where there is no such track.
template <typename Ask> std::vector<Interval> answered(const Timeline& timeline, TrackRef ref, const Ask& ask)
{
    const Store* store = storeOf(timeline, ref);
    if (!store)
        return {};
    const ClockTransform& clock = timeline.traces[ref.trace].clock;
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
                    [&](const Store& store, const ClockTransform& clock) { return store.intervalAt(ref.track, clock.inverse(at)); });
}

std::vector<Interval> nextInterval(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    return answered(timeline, ref,
                    [&](const Store& store, const ClockTransform& clock) { return store.nextInterval(ref.track, clock.inverse(at)); });
}

std::vector<Interval> previousInterval(const Timeline& timeline, TrackRef ref, Timestamp at)
{
    return answered(timeline, ref,
                    [&](const Store& store, const ClockTransform& clock) { return store.previousInterval(ref.track, clock.inverse(at)); });
}

} // namespace helio
