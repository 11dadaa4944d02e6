#include "app/cli/commands/latency_intervals.h"

#include "app/cli/output/field_output.h"
#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "core/event_model/segment_fields.h"
#include "core/latency/intervals/empty_reason.h"
#include "core/network/packet_transits.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <set>
#include <stop_token>
#include <utility>

namespace helio {
namespace {

/// Returns the guest thread as a field, for example "thread=hog (177)"; empty if `thread` is empty.
std::string guestThreadText(const std::string& thread)
{
    std::string text;
    if (!thread.empty())
        appendFieldText(text = "thread=", thread);
    return text;
}

} // namespace

LatencyIntervals::LatencyIntervals(const LatencyOptions& options, std::shared_ptr<const Timeline> timeline, std::vector<std::string> views)
    : m_options(options)
    , m_shared(std::move(timeline))
    , m_timeline(*m_shared)
    , m_views(std::move(views))
    , m_selection(options.table.selection, m_timeline)
{
    auto source = findIntervalSource(m_shared, options.kind, m_views);
    if (!source)
        m_found = source.error();
    else
        m_source = std::move(*source);
    if (!m_source)
        return;
    m_kind = m_source->kind();
    if (m_kind.areSegments && hasVirtualMachines(m_timeline))
        m_machines.emplace(m_timeline);
}

std::optional<std::pair<std::string, std::uint64_t>> LatencyIntervals::parts(TimeRange window) const
{
    for (const std::string& kind : transitKinds(m_timeline)) {
        if (!m_kind.areTransits || kind.size() <= m_options.kind.size() || !kind.starts_with(m_options.kind))
            continue;
        std::uint64_t count = 0;
        forEachTransit(m_timeline, kind, window, [&](const PacketTransit&) { ++count; });
        if (count > 0)
            return std::pair(kind, count);
    }
    return {};
}

/// Subtracts the steal time from an interval. Clears a call's self time, because the steal time of its callees is not known separately.
void LatencyIntervals::excludeStealTime(LatencyInterval& interval, StealTimeClock& clock) const
{
    interval.stolen = m_kind.areWakeups ? clock.ofWait(interval.row.ref, interval.range) : clock.ofThread(interval.row.ref, interval.range);
    if (!interval.call)
        return;
    interval.call->self.reset();
    if (interval.call->onCpu)
        *interval.call->onCpu -= interval.stolen;
}

std::uint64_t LatencyIntervals::each(TimeRange window, const Take& take) const
{
    std::uint64_t count = 0;
    forEachWithoutSteal(window, [&](const LatencyInterval& interval) {
        ++count;
        take(interval);
    });
    if (count > 0 || m_options.table.reading.isQuiet)
        return count;
    if (const std::string lack = missingEvents(m_timeline, m_options.kind); !lack.empty())
        warn("no \"" + m_options.kind + "\" here: " + lack);
    else if (const std::string other = missingField(); !other.empty())
        warn(other);
    else if (!m_options.table.selection.filter)
        warn("no \"" + m_options.kind + "\" in the selection");
    return count;
}

/// Calls `take` for each interval, without its steal time if the options exclude steal time.
void LatencyIntervals::forEachWithoutSteal(TimeRange window, const Take& take) const
{
    if (!m_options.excludesSteal || m_kind.areTransits)
        return forEachNamed(window, take);
    StealTimeClock clock(m_timeline);
    bool wasAny = false;
    forEachNamed(window, [&](const LatencyInterval& interval) {
        LatencyInterval without = interval;
        excludeStealTime(without, clock);
        wasAny |= without.stolen > Duration::zero();
        take(without);
    });
    if (!wasAny && !m_options.table.reading.isQuiet)
        warn("--without-stolen: no steal time is known for these; heliograph vm --vcpus shows which guests are "
             "open with their hosts");
}

/// Calls `take` for each interval, with the host or virtual machine added to its name if the options require it. Names of packets stay
/// unchanged, because they already contain the hosts.
void LatencyIntervals::forEachNamed(TimeRange window, const Take& take) const
{
    const bool isOfMachines = m_machines && m_options.shows != LatencyOptions::Shows::List;
    if ((!m_options.isGroupedByHost && !isOfMachines) || m_kind.areTransits)
        return forEach(window, take);
    std::string name;
    forEach(window, [&](const LatencyInterval& interval) {
        LatencyInterval named = interval;
        if (isOfMachines && !interval.machine.empty()) {
            name.assign(interval.name).append(" of ").append(interval.machine);
            named.name = name;
        } else if (m_options.isGroupedByHost && !interval.isOfAllTraces && interval.row.host < m_timeline.hosts.size()) {
            name.assign(interval.name).append(interval.name.empty() ? "on " : " on ").append(m_timeline.hosts[interval.row.host].label);
            named.name = name;
        }
        take(named);
    });
}

void LatencyIntervals::forEach(TimeRange window, const Take& take) const
{
    // Cached rows, keyed by the address of the row that the interval source passes. A std::map, because CachedRow::facts points to
    // CachedRow::row, so that elements must not move.
    std::map<const Row*, CachedRow> known;
    const bool isSummedUp = m_options.shows == LatencyOptions::Shows::Summary || m_options.shows == LatencyOptions::Shows::Histogram;
    IntervalRequest request{window, isSummedUp ? IntervalOrder::ByRow : IntervalOrder::ByBegin, m_options.isGroupedByHost};
    request.accepts = [&](const Row& row) {
        known.erase(&row); // Remove an entry of another row: the source may have freed that row and reused its address.
        CachedRow& it = known[&row];
        cacheRow(it, row);
        if (m_machines && !m_machines->machineOf(row.ref).empty())
            cacheMachine(it, row.ref);
        if (m_options.kind.starts_with("state:"))
            it.facts.state = m_kind.title;
        return it.isChosen;
    };
    RecordedCpuTimes recorded(m_timeline);
    std::optional<ThreadCpuTimes> clocks;
    if (m_kind.areCalls)
        clocks.emplace(m_timeline, TimeRange{Timestamp::min(), Timestamp::max()});
    const auto takeOne = [&](const SourceInterval& it) {
        const auto found = known.find(&it.row);
        if (found == known.end())
            return;
        CachedRow& row = found->second;
        if (m_selection.selects(row.facts, m_kind.areNamedByThread ? std::string_view() : it.name, it.range, it.fields))
            take(printed(it, row, clocks ? &*clocks : nullptr, recorded));
    };
    const std::uint64_t leftOut = m_source->forEach(request, takeOne, commandStop());
    if (leftOut > 0 && !m_options.table.reading.isQuiet)
        warn(std::to_string(leftOut) + " pairs are ignored: events were lost between their first and last event");
    if (const std::string names = m_source->sampledEvents(); !names.empty() && !m_options.table.reading.isQuiet)
        warn("pairs with sampled events are ignored: " + names);
}

LatencyInterval LatencyIntervals::printed(const SourceInterval& it, CachedRow& known, ThreadCpuTimes* clocks,
                                          RecordedCpuTimes& recorded) const
{
    LatencyInterval interval{it.range, it.name, known.row};
    interval.fields = it.fields;
    interval.error = it.error;
    interval.isUnfinished = it.isUnfinished;
    if (!it.segment)
        return interval;
    if (m_kind.hasFields) {
        interval.isOfAllTraces = isOfAllTraces(m_timeline, it.segment->store);
        return interval;
    }
    if (!m_kind.valueTitle.empty())
        interval.value = it.segment->recorded.value;
    if (it.function) {
        interval.call = CallPart{it.function->module, {}, {}};
        if (clocks) {
            interval.call->self = Duration(it.segment->recorded.value);
            if (const TrackRef states = clocks->rowThroughout(it.segment->row(), it.range); states.isValid() && clocks->hasCpuTimes(states))
                interval.call->onCpu = clocks->onCpu(states, it.range);
            else
                interval.call->onCpu = recorded.of(*it.segment);
            interval.call->lacksCpuTime = !interval.call->onCpu && recorded.areRecordedWith(*it.segment);
        }
        return interval;
    }
    if (known.inside)
        known.fields = guestThreadText((*known.inside)(it.range.begin));
    interval.fields = known.fields;
    interval.machine = known.machine;
    return interval;
}

bool LatencyIntervals::isInView(const Row& row) const
{
    return m_options.table.view.empty() || viewOf(m_timeline, row.ref) == m_options.table.view;
}

void LatencyIntervals::cacheRow(CachedRow& it, Row row) const
{
    it.row = std::move(row);
    it.isChosen = isInView(it.row) && m_selection.isChosen(it.row);
    it.facts = m_selection.factsOf(it.row);
}

/// Adds the virtual machine of a vCPU's row to the cached row. Intervals of a vCPU are on its host thread and belong to both its host and
/// its guest.
void LatencyIntervals::cacheMachine(CachedRow& it, TrackRef row) const
{
    it.machine = m_machines->machineOf(row);
    if (const TrackRef inside = m_machines->guestThreadsOf(row); inside.isValid() && m_options.shows == LatencyOptions::Shows::List)
        it.inside.emplace(m_timeline, inside);
    if (auto thread = helio::rowOf(m_timeline, m_machines->shownFor(row)))
        cacheRow(it, std::move(*thread));
    if (const auto guest = m_machines->guestOf(row); guest && !it.isChosen) {
        Row inside = it.row;
        inside.host = *guest;
        it.isChosen = isInView(it.row) && m_selection.isChosen(inside);
    }
}

} // namespace helio
