#include "core/sql/model/slices.h"

#include "core/event_model/segment_fields.h"
#include "core/event_model/segment_kinds.h"
#include "core/profiling/calls/call_facts.h"
#include "core/profiling/calls/recorded_slice.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/model/interval_numbers.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <xxhash.h>

namespace helio::sql {
namespace {

/// Prefix of the names of system calls in the tables of the field.
constexpr std::string_view SyscallPrefix = "sys_";
constexpr std::string_view SyscallState = "syscall";
constexpr std::string_view PreemptionState = "preemption";
constexpr std::string_view InstantKind = "instants"; ///< Kind of the rows with instants.
constexpr std::string_view NamedTrackKind = "track"; ///< Kind of the rows of tracks that an application named.

/// Returns the stack id of a name below the stack `caller`, which is 0 for outermost calls.
std::int64_t hashOf(std::int64_t caller, std::string_view name)
{
    constexpr std::uint64_t Mask = (std::uint64_t{1} << 53) - 1; // Integers that a double represents, so that JSON keeps them.
    const std::uint64_t hash = XXH3_64bits_withSeed(name.data(), name.size(), static_cast<std::uint64_t>(caller)) & Mask;
    return static_cast<std::int64_t>(std::max<std::uint64_t>(1, hash));
}

/// Returns the segments that begin at exactly `at`, in order.
std::vector<HostSegment> segmentsAt(const SegmentSet& set, SegmentKindId kind, HostTimestamp at)
{
    std::vector<HostSegment> found;
    set.visit(kind, {at, at + Duration(1)}, [&](std::span<const HostSegment> some) {
        for (const HostSegment& segment : some)
            if (segment.begin == at)
                found.push_back(segment);
    });
    return found;
}

} // namespace

Slices::Slices(std::shared_ptr<const RecordedThings> things)
    : m_things(std::move(things))
    , m_firstIds{0}
    , m_cpuTimes(m_things->timeline())
{
    addSegmentSources();
    addCompositeSources();
    addInstantSource();
    for (SliceSource& source : m_sources) {
        source.firstTrackId = m_trackIdEnd;
        m_trackIdEnd += trackCountOf(source);
    }
}

/// Returns the number of ids that the tracks of a source have. Segments may be on each track of their store, or on none.
std::uint32_t Slices::trackCountOf(const SliceSource& source) const
{
    return static_cast<std::uint32_t>(source.segments ? storeAt(m_things->timeline(), source.store).tracks().size() + 1
                                                      : source.rows.size());
}

void Slices::addSegmentSources()
{
    forEachStore(m_things->timeline(), [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto kinds = store.segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if (kinds[i].id == CallCpuTimes) // CPU times of slices of another kind.
                continue;
            SliceSource source;
            source.store = index;
            source.kind = SegmentKindId(static_cast<std::uint8_t>(i));
            source.segments = &kinds[i];
            m_firstIds.push_back(m_firstIds.back() + store.segments().sum(source.kind).count);
            m_sources.push_back(std::move(source));
        }
    });
}

void Slices::addCompositeSources()
{
    for (const CompositeState& state : compositeStates(m_things->timeline())) {
        SliceSource source;
        source.state = state;
        source.rows = rowsWithComposite(m_things->timeline(), state);
        addRows(std::move(source));
    }
}

/// Adds the instants that applications recorded, which are on rows of their own.
void Slices::addInstantSource()
{
    SliceSource source;
    source.areInstants = true;
    source.state.id = InstantKind;
    source.state.title = "Instants";
    source.state.hasSingleValue = true;
    const Timeline& timeline = m_things->timeline();
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size(); ++i) {
            if (tracks[i].kind != InstantKind)
                continue;
            Row row;
            row.ref = {index, TrackId{i}};
            row.label = tracks[i].label;
            row.life = clockOf(timeline, index)(tracks[i].life);
            row.intervals = tracks[i].intervals;
            source.rows.push_back(std::move(row));
        }
    });
    if (!source.rows.empty())
        addRows(std::move(source));
}

void Slices::addRows(SliceSource source)
{
    std::uint64_t intervals = 0;
    for (const Row& row : source.rows) {
        source.rowFirsts.push_back(intervals);
        intervals += row.intervals;
    }
    m_firstIds.push_back(m_firstIds.back() + intervals);
    m_sources.push_back(std::move(source));
}

std::uint64_t Slices::countSegmentsBefore(const SliceSource& source, HostTimestamp at) const
{
    const SegmentSet& set = storeAt(m_things->timeline(), source.store).segments();
    return set.spread(source.kind, {HostTimestamp::min(), at}).sum.count;
}

/// Returns the time at which the segment with a number begins. Requires: there is such a segment.
HostTimestamp Slices::beginOfSegment(const SliceSource& source, std::uint64_t number) const
{
    HostRange range = storeAt(m_things->timeline(), source.store).summary().range;
    range.end += Duration(1);
    while (range.duration() > Duration(1)) {
        const HostTimestamp middle = range.begin + range.duration() / 2;
        (countSegmentsBefore(source, middle) <= number ? range.begin : range.end) = middle;
    }
    return range.begin;
}

SliceRow Slices::rowOf(std::uint32_t source, const HostSegment& segment) const
{
    const ClockTransform& clock = clockOf(m_things->timeline(), m_sources[source].store);
    SliceRow row;
    row.ts = clock(segment.begin);
    row.end = clock(segment.end);
    row.source = source;
    row.track = segment.track == NoTrack ? 0 : static_cast<std::uint32_t>(segment.track) + 1;
    row.name = static_cast<std::uint32_t>(segment.name);
    row.value = segment.value;
    row.hostBegin = segment.begin;
    row.hostEnd = segment.end;
    return row;
}

Segment Slices::segmentOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    const TrackId track = slice.track == 0 ? NoTrack : TrackId{slice.track - 1};
    const HostSegment recorded{slice.hostBegin, slice.hostEnd, slice.value, StringId{slice.name}, track, source.kind};
    return {{slice.ts, slice.end.value_or(slice.ts)}, source.store, recorded};
}

void Slices::appendSegments(std::uint32_t number, TimeRange part, const IntegerRange& trackIds, bool isNumbered, std::vector<SliceRow>& out,
                            const std::stop_token& stop) const
{
    const SliceSource& source = m_sources[number];
    const Timeline& timeline = m_things->timeline();
    const HostRange range = clockOf(timeline, source.store).inverse(part);
    const SegmentSet& set = storeAt(timeline, source.store).segments();
    std::uint64_t count = isNumbered ? countSegmentsBefore(source, range.begin) : 0;
    const std::size_t first = out.size();
    set.visit(
        source.kind, range,
        [&](std::span<const HostSegment> some) {
            for (const HostSegment& segment : some) {
                if (segment.begin < range.begin)
                    continue;
                const std::uint64_t own = count++;
                SliceRow row = rowOf(number, segment);
                if (!trackIds.contains(trackIdOf(row)))
                    continue;
                row.number = own;
                if (isOpen(source, segment))
                    row.end.reset();
                out.push_back(row);
            }
        },
        stop);
    // Several segments may have one begin: the store returns the shortest first, but callers must come before the calls that they contain.
    const auto isBefore = [](const SliceRow& a, const SliceRow& b) { return a.ts != b.ts ? a.ts < b.ts : a.hostEnd > b.hostEnd; };
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), isBefore);
}

/// True if a segment is a call that goes on at the end of the recording.
bool Slices::isOpen(const SliceSource& source, const HostSegment& segment) const
{
    const Timeline& timeline = m_things->timeline();
    if (!source.segments->areCalls || segment.end < storeAt(timeline, source.store).summary().range.end || segment.begin == segment.end)
        return false;
    return endOf(timeline, {clockOf(timeline, source.store)({segment.begin, segment.end}), source.store, segment}) == CallEnd::StillOpen;
}

std::function<void(TimeRange, std::vector<SliceRow>&)> Slices::reader(const IntegerRange& trackIds, bool isNumbered, std::stop_token stop,
                                                                      SliceKinds kinds) const
{
    struct Walk {
        std::uint32_t source;
        std::uint32_t row;
        CompositeStateWalk walk;
    };
    /// A row of instants.
    struct InstantWalk {
        std::uint32_t source;
        std::uint32_t row;
    };
    auto walks = std::make_shared<std::vector<Walk>>();
    std::vector<std::uint32_t> segments;
    std::vector<InstantWalk> instants;
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        const SliceSource& source = m_sources[i];
        const std::uint32_t tracks = trackCountOf(source);
        if (kinds.only.empty() ? arePreemptions(source) && !kinds.includesPreemptions : idOf(source) != kinds.only)
            continue;
        if (source.firstTrackId > trackIds.highest || source.firstTrackId + tracks <= trackIds.lowest)
            continue;
        if (source.segments) {
            segments.push_back(i);
            continue;
        }
        for (std::uint32_t row = 0; row < tracks; ++row)
            if (!trackIds.contains(source.firstTrackId + row))
                continue;
            else if (source.areInstants)
                instants.push_back({i, row});
            else
                walks->push_back({i, row, CompositeStateWalk(m_things->timeline(), source.state, source.rows[row], isNumbered)});
    }
    const auto counts = isNumbered && !instants.empty() ? std::make_shared<RunningCounts>(m_sources[instants.front().source].rows.size())
                                                        : std::shared_ptr<RunningCounts>();
    return [this, walks, segments, instants, counts, trackIds, isNumbered, stop = std::move(stop)](TimeRange part,
                                                                                                   std::vector<SliceRow>& out) {
        for (const std::uint32_t source : segments)
            appendSegments(source, part, trackIds, isNumbered, out, stop);
        for (const InstantWalk& it : instants)
            appendInstants(it.source, it.row, part, counts.get(), out, stop);
        for (Walk& it : *walks) {
            const Row& row = m_sources[it.source].rows[it.row];
            if (!row.life.overlaps(part))
                continue;
            it.walk.forEachIn(
                part,
                [&](TimeRange range, std::uint32_t value, std::uint64_t number) {
                    SliceRow slice;
                    slice.ts = range.begin;
                    slice.end = range.end;
                    slice.source = it.source;
                    slice.track = it.row;
                    slice.name = value;
                    slice.number = m_sources[it.source].rowFirsts[it.row] + number;
                    out.push_back(slice);
                },
                stop);
        }
    };
}

/// Appends the instants of a row that are in `part`. If `counts` is not null, the instants are numbered.
void Slices::appendInstants(std::uint32_t source, std::uint32_t row, TimeRange part, RunningCounts* counts, std::vector<SliceRow>& out,
                            const std::stop_token& stop) const
{
    const Row& shown = m_sources[source].rows[row];
    if (!shown.life.overlaps(part))
        return;
    const Timeline& timeline = m_things->timeline();
    std::uint64_t number = m_sources[source].rowFirsts[row] + (counts ? counts->before(timeline, row, shown.ref, part.begin) : 0);
    for (const Interval& interval : intervals(timeline, shown.ref, part, stop)) {
        if (interval.range.begin < part.begin)
            continue;
        SliceRow slice;
        slice.ts = interval.range.begin;
        slice.end = interval.range.begin;
        slice.source = source;
        slice.track = row;
        slice.name = interval.value;
        slice.number = number++;
        out.push_back(slice);
    }
    if (counts)
        counts->addUpTo(row, part.end, number - m_sources[source].rowFirsts[row]);
}

std::optional<SliceRow> Slices::find(std::int64_t id) const
{
    const auto wanted = static_cast<std::uint64_t>(id);
    if (id < 0 || wanted >= total())
        return {};
    const auto index = static_cast<std::uint32_t>(std::ranges::upper_bound(m_firstIds, wanted) - m_firstIds.begin() - 1);
    const SliceSource& source = m_sources[index];
    const std::uint64_t number = wanted - m_firstIds[index];
    const Timeline& timeline = m_things->timeline();
    std::vector<SliceRow> found;
    if (source.segments) {
        const Timestamp at = clockOf(timeline, source.store)(beginOfSegment(source, number));
        appendSegments(index, {at, at + Duration(1)}, {}, true, found, {});
    } else {
        const auto row = static_cast<std::uint32_t>(std::ranges::upper_bound(source.rowFirsts, number) - source.rowFirsts.begin() - 1);
        const auto first = findInterval(timeline, source.rows[row].ref, number - source.rowFirsts[row]);
        if (!first)
            return {};
        const std::int64_t track = source.firstTrackId + row;
        reader({track, track}, true, {}, {.includesPreemptions = true})({first->range.begin, first->range.begin + Duration(1)}, found);
    }
    const auto it = std::ranges::find(found, number, &SliceRow::number);
    return it != found.end() ? std::optional(*it) : std::nullopt;
}

std::int64_t Slices::trackIdOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    return source.firstTrackId
        + (source.segments ? trackNumberOf(source, slice.track == 0 ? NoTrack : TrackId{slice.track - 1}) : slice.track);
}

/// Returns the number, within its source, of the track that the segments on a row belong to: the calls of a thread, which have a row for
/// each depth, are on one track. 0 stands for segments without a row.
std::uint32_t Slices::trackNumberOf(const SliceSource& source, TrackId row) const
{
    if (row == NoTrack)
        return 0;
    const TrackId track = source.segments->areCalls ? threadTrack(storeAt(m_things->timeline(), source.store), row) : row;
    return static_cast<std::uint32_t>(track == NoTrack ? row : track) + 1;
}

const std::string& Slices::idOf(const SliceSource& source) { return source.segments ? source.segments->id : source.state.id; }

bool Slices::arePreemptions(const SliceSource& source) { return !source.segments && source.state.id == PreemptionState; }

const std::string& Slices::kindOf(const SliceRow& slice) const { return idOf(m_sources[slice.source]); }

std::string_view Slices::fieldsOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    if (!source.segments || !source.segments->hasFields)
        return {};
    return storeAt(m_things->timeline(), source.store).text(StringId{static_cast<std::uint32_t>(slice.value)});
}

TrackRef Slices::rowOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    if (!source.segments)
        return source.rows[slice.track].ref;
    return slice.track == 0 ? TrackRef() : TrackRef{source.store, TrackId{slice.track - 1}};
}

HostId Slices::hostOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    const Timeline& timeline = m_things->timeline();
    return timeline.traces[traceOf(timeline, source.segments ? source.store : source.rows[slice.track].ref.store)].host;
}

std::string Slices::plainNameOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    std::string_view name = nameOf(slice);
    if (source.segments && source.segments->hasFrames) {
        const std::string& function = callNames().functionOf(source.store, StackId{slice.name}).name;
        return !function.empty() ? function : frameText(m_things->timeline(), source.store, StackId{slice.name});
    }
    if (!source.segments && source.state.id == SyscallState)
        name.remove_prefix(SyscallPrefix.size());
    return std::string(name);
}

std::string_view Slices::nameOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    const Timeline& timeline = m_things->timeline();
    if (source.segments)
        return source.segments->hasFrames ? callNameOf(source, slice.name) : storeAt(timeline, source.store).text(StringId{slice.name});
    const Row& row = source.rows[slice.track];
    if (!source.state.hasSingleValue)
        return row.label;
    const bool isSyscall = source.state.id == SyscallState;
    if (const Track* const track = trackOf(timeline, row.ref); track && track->valueKind == ValueKind::Text && !isSyscall)
        return storeAt(timeline, row.ref.store).text(StringId{slice.name});
    m_names.resize(m_sources.size());
    const auto [it, isNew] = m_names[slice.source].try_emplace(static_cast<std::uint64_t>(row.ref.store) << 32 | slice.name);
    if (isNew)
        it->second = (isSyscall ? std::string(SyscallPrefix) : std::string()) + valueText(timeline, row.ref, slice.name);
    return it->second;
}

/// Returns the name of the function that a call stack of the source's store ends in.
const std::string& Slices::callNameOf(const SliceSource& source, std::uint32_t stack) const
{
    return callNames().functionOf(source.store, StackId{stack}).label();
}

const CallNames& Slices::callNames() const
{
    if (!m_callNames)
        m_callNames = callNamesOf(m_things->sharedTimeline());
    return *m_callNames;
}

const std::vector<std::uint16_t>& Slices::depthsIn(StoreIndex store) const
{
    std::vector<std::uint16_t>& depths = m_depths[store];
    if (depths.empty()) {
        const auto nodes = storeAt(m_things->timeline(), store).stacks().nodes();
        depths.resize(nodes.size() + 1);
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            const auto parent = static_cast<std::size_t>(nodes[i].parent());
            depths[i] = static_cast<std::uint16_t>(std::min<std::uint32_t>(UINT16_MAX, depths[parent < i ? parent : 0] + 1u));
        }
    }
    return depths;
}

std::uint32_t Slices::depthOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    if (!source.segments || !source.segments->areCalls)
        return 0;
    const auto& depths = depthsIn(source.store);
    const std::uint32_t depth = slice.name < depths.size() ? depths[slice.name] : 0;
    return depth > 0 ? depth - 1 : 0;
}

std::optional<SliceRow> Slices::parentOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    if (!source.segments || !source.segments->areCalls || depthOf(slice) == 0)
        return {};
    const std::vector<Segment> callers = callersOf(m_things->timeline(), segmentOf(slice));
    return callers.empty() ? std::nullopt : findSegment(callers.front());
}

std::vector<SliceRow> Slices::ancestorsOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    std::vector<SliceRow> ancestors;
    if (!source.segments || !source.segments->areCalls || depthOf(slice) == 0)
        return ancestors;
    for (const Segment& caller : callersOf(m_things->timeline(), segmentOf(slice)))
        if (auto row = findSegment(caller)) {
            if (isOpen(source, caller.recorded))
                row->end.reset();
            ancestors.push_back(*row);
        }
    std::ranges::reverse(ancestors);
    return ancestors;
}

bool Slices::isDescendant(const SliceRow& call, const SliceRow& caller) const
{
    const SliceSource& source = m_sources[caller.source];
    if (call.source != caller.source || !source.segments || !source.segments->areCalls || trackIdOf(call) != trackIdOf(caller)
        || call.hostBegin < caller.hostBegin || call.hostEnd > caller.hostEnd)
        return false;
    const std::uint32_t depth = depthOf(caller);
    std::uint32_t stack = call.name;
    for (std::uint32_t above = depthOf(call); above > depth; --above)
        stack = callerStackOf(source, stack);
    return stack == caller.name && call.name != caller.name;
}

/// Returns the call stack without its last call; 0 for stacks of one call.
std::uint32_t Slices::callerStackOf(const SliceSource& source, std::uint32_t stack) const
{
    const auto nodes = storeAt(m_things->timeline(), source.store).stacks().nodes();
    const auto parent = stack < nodes.size() ? static_cast<std::uint32_t>(nodes[stack].parent()) : 0;
    return parent < stack ? parent : 0;
}

std::int64_t Slices::stackIdOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    return source.segments && source.segments->areCalls ? stackIdOf(source, slice.name) : hashOf(0, nameOf(slice));
}

std::int64_t Slices::parentStackIdOf(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    return source.segments && source.segments->areCalls ? stackIdOf(source, callerStackOf(source, slice.name)) : 0;
}

/// Returns the stack id of a call stack of the source's store; 0 for the empty stack.
std::int64_t Slices::stackIdOf(const SliceSource& source, std::uint32_t stack) const
{
    std::vector<std::int64_t>& ids = m_stackIds[source.store];
    if (ids.empty())
        ids.resize(storeAt(m_things->timeline(), source.store).stacks().nodes().size() + 1);
    if (stack == 0 || stack >= ids.size())
        return 0;
    std::vector<std::uint32_t> unknown; // Innermost first.
    std::uint32_t known = stack;
    for (; known != 0 && ids[known] == 0; known = callerStackOf(source, known))
        unknown.push_back(known);
    std::int64_t id = ids[known];
    for (auto it = unknown.rbegin(); it != unknown.rend(); ++it)
        id = ids[*it] = hashOf(id, callNameOf(source, *it));
    return id;
}

std::optional<SliceRow> Slices::findSegment(const Segment& segment) const
{
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        const SliceSource& source = m_sources[i];
        if (!source.segments || source.store != segment.store || source.kind != segment.recorded.kind)
            continue;
        SliceRow row = rowOf(i, segment.recorded);
        const SegmentSet& set = storeAt(m_things->timeline(), source.store).segments();
        const std::vector<HostSegment> same = segmentsAt(set, source.kind, segment.recorded.begin);
        const auto place = std::ranges::find(same, segment.recorded) - same.begin();
        row.number = countSegmentsBefore(source, segment.recorded.begin) + static_cast<std::uint64_t>(place);
        return row;
    }
    return {};
}

std::optional<std::int64_t> Slices::idOf(const Segment& segment) const
{
    const auto row = findSegment(segment);
    return row ? std::optional(idOf(*row)) : std::nullopt;
}

std::optional<Duration> Slices::cpuTimeOf(const SliceRow& slice) const
{
    const SegmentKind* const kind = m_sources[slice.source].segments;
    return kind && kind->areCalls ? m_cpuTimes.of(segmentOf(slice)) : std::nullopt;
}

bool Slices::mayHaveArguments(const SliceRow& slice) const
{
    const SegmentKind* const kind = m_sources[slice.source].segments;
    return kind ? kind->hasFields || kind->areCalls || !kind->valueTitle.empty() : isSystemCall(slice);
}

bool Slices::isSystemCall(const SliceRow& slice) const
{
    const SliceSource& source = m_sources[slice.source];
    return !source.segments && source.state.id == SyscallState;
}

std::vector<NamedValue> Slices::systemCallFieldsOf(const SliceRow& slice, const std::stop_token& stop) const
{
    if (!m_systemCalls)
        m_systemCalls = std::make_unique<SystemCallReader>(m_things->sharedTimeline());
    const Row& thread = m_sources[slice.source].rows[slice.track];
    auto [fields, exit] = m_systemCalls->read(thread, {slice.ts, slice.end.value_or(slice.ts)}, plainNameOf(slice), stop);
    for (NamedValue& field : exit)
        if (std::ranges::find(fields, field.name, &NamedValue::name) != fields.end())
            field.name.insert(0, "exit.");
    std::ranges::move(exit, std::back_inserter(fields));
    return fields;
}

std::vector<Slices::Argument> Slices::argumentsOf(const SliceRow& slice, const std::stop_token& stop) const
{
    const SliceSource& source = m_sources[slice.source];
    if (!source.segments)
        return {};
    const Timeline& timeline = m_things->timeline();
    std::vector<Argument> arguments;
    if (source.segments->hasFields) {
        const std::string_view fields = fieldsOf(slice);
        for (std::string& name : fieldNames(fields))
            if (const auto value = fieldOf(fields, name); value && !name.empty())
                arguments.push_back({std::move(name), *value});
        return arguments;
    }
    if (!source.segments->areCalls)
        return source.segments->valueTitle.empty() ? std::vector<Argument>()
                                                   : std::vector<Argument>{{source.segments->valueTitle, std::to_string(slice.value)}};
    CallFacts facts;
    facts.call = segmentOf(slice);
    // endOf() of a call without a duration would read all intervals of the row.
    facts.end = slice.hostBegin == slice.hostEnd ? CallEnd::Exit : endOf(timeline, facts.call);
    facts.called.label = std::string(nameOf(slice));
    facts.thread = threadOf(timeline, facts.call);
    if (!m_recordedFields)
        m_recordedFields = std::make_unique<RecordedSliceReader>(m_things->sharedTimeline());
    for (const SliceField& field : m_recordedFields->fieldsOf(facts, stop))
        arguments.push_back({field.name, field.value});
    return arguments;
}

TrackRef Slices::rowOfTrack(const SliceSource& source, std::uint32_t number)
{
    if (!source.segments)
        return source.rows[number].ref;
    return number > 0 ? TrackRef{source.store, TrackId{number - 1}} : TrackRef();
}

TrackRef Slices::rowOfTrack(std::int64_t trackId) const
{
    for (const SliceSource& source : m_sources)
        if (trackId >= source.firstTrackId && trackId < source.firstTrackId + trackCountOf(source))
            return rowOfTrack(source, static_cast<std::uint32_t>(trackId - source.firstTrackId));
    return {};
}

SliceTrack Slices::describe(const SliceSource& source, std::uint32_t number) const
{
    const Timeline& timeline = m_things->timeline();
    SliceTrack track;
    track.id = source.firstTrackId + number;
    track.name = source.segments ? source.segments->title : source.state.title;
    track.type = source.segments ? source.segments->id : source.state.id;
    const TrackRef ref = rowOfTrack(source, number);
    track.host = timeline.traces[traceOf(timeline, source.segments ? source.store : ref.store)].host;
    if (const Track* const shown = trackOf(timeline, ref)) {
        track.thread = m_things->threadOf(ref, clockOf(timeline, ref.store)(shown->life.begin));
        track.cpu = track.thread ? -1 : shown->cpu;
        const bool isOfNone = !track.thread && track.cpu < 0;
        if (isOfNone || shown->kind == NamedTrackKind)
            track.name = shown->label;
        if (isOfNone)
            track.process = m_things->processOf(ref, clockOf(timeline, ref.store)(shown->life.begin));
    }
    return track;
}

std::vector<SliceTrack> Slices::tracks(const std::stop_token& stop) const
{
    std::vector<SliceTrack> tracks;
    for (const SliceSource& source : m_sources) {
        if (arePreemptions(source))
            continue;
        std::vector<bool> isUsed(trackCountOf(source), !source.segments);
        const auto take = [&](std::span<const HostSegment> some) {
            for (const HostSegment& segment : some)
                isUsed[trackNumberOf(source, segment.track)] = true;
        };
        if (source.segments)
            storeAt(m_things->timeline(), source.store)
                .segments()
                .visit(source.kind, {HostTimestamp::min(), HostTimestamp::max()}, take, stop);
        for (std::uint32_t track = 0; track < isUsed.size(); ++track)
            if (isUsed[track])
                tracks.push_back(describe(source, track));
    }
    return tracks;
}

} // namespace helio::sql
