#include "core/latency/intervals/pieces.h"

#include "core/base/side_by_side.h"
#include "core/latency/intervals/state_runs.h"
#include "core/latency/pairs/begin_order.h"
#include "core/latency/pairs/event_pairs.h"
#include "core/latency/pairs/timer_expiries.h"
#include "core/latency/throttling/throttled.h"
#include "core/network/transits.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/thread_rows.h"
#include "core/query/segments/stays.h"
#include "core/timesync/message_ends.h"
#include "core/virtualization/machine_names.h"
#include "core/waits/path/waits.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace helio {
namespace {

/// "Packet part", of "packet-part".
std::string titleOf(std::string kind)
{
    std::ranges::replace(kind, '-', ' ');
    if (!kind.empty())
        kind[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
    return kind;
}

/// What something is called among those of all hosts: with that of its machine or its host, where there are several.
class PlaceNames {
public:
    explicit PlaceNames(const Timeline& timeline)
        : m_timeline(timeline)
        , m_machines(timeline)
    {
    }

    /// Valid until the next call, or as long as `own`.
    std::string_view of(std::string_view own, TrackRef row)
    {
        if (const std::string& machine = m_machines.machineOf(row); !machine.empty())
            return joined(own, " of ", machine);
        if (m_timeline.hosts.size() < 2 || isOfAllTraces(m_timeline, row.store))
            return own;
        return joined(own, " on ", m_timeline.hosts[m_timeline.traces[traceOf(m_timeline, row.store)].host].shownName());
    }

private:
    std::string_view joined(std::string_view own, const char* word, const std::string& place)
    {
        return m_text.assign(own).append(word).append(place);
    }

    const Timeline& m_timeline;
    const MachineNames m_machines;
    std::string m_text;
};

/// The functions that stacks end with, with their modules where several have the same name.
class FunctionTexts {
public:
    FunctionTexts(const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop)
        : m_names(callNamesOf(timeline, stop))
    {
        std::map<std::string_view, int> counts;
        for (const SampledFunction& it : m_names->functions())
            ++counts[it.label()];
        for (const SampledFunction& it : m_names->functions())
            m_texts.push_back(counts[it.label()] > 1 && !it.module.empty() ? it.label() + " (" + it.module + ")" : it.label());
    }

    /// Empty: nothing is known of it but its address.
    std::string_view of(const Segment& call) const
    {
        const std::uint32_t function = m_names->indexOf(call.store, call.recorded.stack());
        return function == 0 || function >= m_texts.size() ? std::string_view() : std::string_view(m_texts[function]);
    }

private:
    std::shared_ptr<const CallNames> m_names;
    std::vector<std::string> m_texts; ///< By function.
};

/// The names of one kind's segments. Those of frames are looked up once each.
class SegmentNames {
public:
    SegmentNames(const std::shared_ptr<const Timeline>& timeline, const SegmentKind& kind, const std::stop_token& stop)
        : m_timeline(*timeline)
        , m_kind(kind)
        , m_places(*timeline)
    {
        if (kind.hasFrames)
            m_functions.emplace(timeline, stop);
    }

    std::string_view of(const Segment& segment)
    {
        const std::string_view own = m_kind.hasFrames ? frame(segment) : nameOf(m_timeline, segment);
        return m_places.of(own.empty() ? m_kind.title : own, segment.row());
    }

private:
    std::string_view frame(const Segment& segment)
    {
        if (const std::string_view function = m_functions ? m_functions->of(segment) : std::string_view(); !function.empty())
            return function;
        const auto [at, isNew] = m_frames.try_emplace({segment.store, segment.recorded.stack()});
        if (isNew)
            at->second = frameText(m_timeline, segment.store, segment.recorded.stack());
        return at->second;
    }

    const Timeline& m_timeline;
    const SegmentKind& m_kind;
    PlaceNames m_places;
    std::optional<FunctionTexts> m_functions; ///< Of calls.
    std::map<std::pair<StoreIndex, StackId>, std::string> m_frames;
};

using Take = std::function<void(const NamedPiece&)>;

void eachMessage(const Timeline& timeline, const PieceChoice& choice, const Take& take, const std::stop_token& stop)
{
    const auto takeOne = [&](const Transit& it) {
        const std::string name = connectionOf(timeline, it);
        take({it.range, endsOf(timeline, it.relation, it.place).from.row, name});
    };
    eachTransit(timeline, choice.kind, choice.range, takeOne, stop);
}

void eachOfRuns(const Timeline& timeline, const StateRun& run, TimeRange window, const Take& take, std::stop_token stop, RunOrder order)
{
    RunNames names(timeline, run);
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, TimeRange range, std::uint32_t value) {
        take({range, row.ref, places.of(names.of(row, value), row.ref)});
    };
    eachRun(timeline, run, rowsOfRun(timeline, run), window, takeOne, std::move(stop), order);
}

void eachWakeupPiece(const Timeline& timeline, TimeRange window, const Take& take, std::stop_token stop)
{
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, TimeRange range) { take({range, row.ref, places.of(row.label, row.ref)}); };
    eachWakeup(timeline, threads(timeline), window, takeOne, std::move(stop));
}

void eachPriorityPiece(const Timeline& timeline, TimeRange window, const Take& take, std::stop_token stop)
{
    PlaceNames places(timeline);
    KnownPriorities priorities(timeline);
    const auto takeOne = [&](const Row& row, TimeRange range) {
        const std::string name = wakeupPriorityText(priorities, row, range);
        take({range, row.ref, places.of(name, row.ref)});
    };
    eachWakeup(timeline, threads(timeline), window, takeOne, std::move(stop));
}

/// By the cause alone: who or what it was differs from wait to wait.
void eachWaitPiece(const Timeline& timeline, TimeRange window, const Take& take, std::stop_token stop)
{
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, const Interval& wait, const WaitCause& cause) {
        take({wait.range, row.ref, places.of(wordOf(cause.kind), row.ref)});
    };
    eachWait(timeline, threads(timeline), window, takeOne, std::move(stop));
}

void eachThrottledPiece(const Timeline& timeline, TimeRange window, const Take& take, std::stop_token stop)
{
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, const Throttled& it) { take({it.range, row.ref, places.of(row.label, row.ref)}); };
    eachThrottled(timeline, window, takeOne, std::move(stop));
}

/// By their begins, which is not how they come. On the thread of the first event, where its row is known.
void eachPairPiece(const std::shared_ptr<const Timeline>& shared, const PieceChoice& choice, const Take& take, const std::stop_token& stop)
{
    const Timeline& timeline = *shared;
    const auto pairs = parseEventPairs(choice.kind);
    if (!pairs)
        return;
    const ThreadRows rows(timeline);
    PlaceNames places(timeline);
    const auto scan = [&](const std::function<void(const EventPair&)>& takePair) {
        eachEventPair(shared, *pairs, choice.range, takePair, stop);
    };
    const auto takeOne = [&](const EventPair& it) {
        const Row* row = rows.find(timeline.traces[it.trace].host, it.tid, it.range.begin);
        take({it.range, row ? row->ref : TrackRef(), row ? places.of(it.value, row->ref) : std::string_view(it.value)});
    };
    forEachByBegin<EventPair>(scan, takeOne, stop);
}

/// By their begins, on the CPU's row.
void eachTimerPiece(const std::shared_ptr<const Timeline>& shared, TimeRange window, const Take& take, const std::stop_token& stop)
{
    const Timeline& timeline = *shared;
    std::map<std::pair<std::uint32_t, std::int32_t>, TrackRef> rows;
    for (const Row& row : cpus(timeline))
        rows.emplace(std::pair(row.host, row.cpu), row.ref);
    PlaceNames places(timeline);
    const auto scan = [&](const std::function<void(const TimerExpiry&)>& takeTimer) { eachTimerExpiry(shared, window, takeTimer, stop); };
    const auto takeOne = [&](const TimerExpiry& it) {
        const auto row = rows.find({timeline.traces[it.trace].host, it.cpu});
        const std::string name = functionText(it);
        take({it.range, row == rows.end() ? TrackRef() : row->second, row == rows.end() ? name : places.of(name, row->second)});
    };
    forEachByBegin<TimerExpiry>(scan, takeOne, stop);
}

} // namespace

std::vector<PieceKind> pieceKinds(const Timeline& timeline)
{
    std::vector<PieceKind> kinds;
    const auto segments = segmentKinds(timeline);
    for (const StateRun& it : stateRuns(timeline))
        if (std::ranges::find(segments, it.id, &SegmentKind::id) == segments.end())
            kinds.push_back({it.id, it.title, it.nameTitle});
    for (const SegmentKind& it : segments)
        if (it.areCalls)
            kinds.insert(kinds.begin(), {it.id, titleOf(it.id) + "s of all functions", "Function"});
        else
            kinds.push_back({it.id, it.title.empty() ? titleOf(it.id) : it.title, it.nameTitle.empty() ? "Name" : it.nameTitle});
    const auto isNew = [&](std::string_view id) { return std::ranges::find(kinds, id, &PieceKind::id) == kinds.end(); };
    if (const std::string wakeups(wakeupKind(timeline)); !wakeups.empty() && isNew(wakeups))
        kinds.push_back({wakeups, titleOf(wakeups) + "s to running", "Thread"});
    if (const std::string byPriority = wakeupPriorityKind(timeline); !byPriority.empty() && isNew(byPriority))
        kinds.push_back({byPriority, titleOf(std::string(wakeupKind(timeline))) + "s to running, by priority", "Priority"});
    if (const std::string timers(TimerKind); isNew(timers) && hasTimerExpiries(timeline))
        kinds.push_back({timers, "Timers from expiry to handler", "Handler"});
    if (const std::string waits(WaitKind); isNew(waits) && hasWaitCauses(timeline))
        kinds.push_back({waits, "Waits of threads by cause", "Cause"});
    if (const std::string throttled(ThrottledKind); isNew(throttled) && mayBeThrottled(timeline))
        kinds.push_back({throttled, "Processes kept off idle CPUs", "Process"});
    for (const std::string& it : transitKinds(timeline))
        if (isNew(it))
            kinds.push_back({it, titleOf(it) + "s", "Connection"});
    return kinds;
}

std::optional<PieceKind> pairKind(const Timeline& timeline, std::string_view text)
{
    const auto pairs = parseEventPairs(text);
    if (!pairs || !checkEventPairs(timeline, *pairs))
        return {};
    const std::string id = textOf(*pairs);
    return PieceKind{id, id, pairs->first.field};
}

namespace {

/// `order`: where that makes a difference.
void eachPieceIn(RunOrder order, const std::shared_ptr<const Timeline>& shared, const PieceChoice& choice, const Take& take,
                 std::stop_token stop)
{
    const Timeline& timeline = *shared;
    const auto segments = findSegmentKind(timeline, choice.kind);
    if (const auto run = segments ? std::nullopt : findStateRun(timeline, choice.kind))
        return eachOfRuns(timeline, *run, choice.range, take, std::move(stop), order);
    if (!segments && !choice.kind.empty() && choice.kind == wakeupKind(timeline))
        return eachWakeupPiece(timeline, choice.range, take, std::move(stop));
    if (!segments && !choice.kind.empty() && choice.kind == wakeupPriorityKind(timeline))
        return eachPriorityPiece(timeline, choice.range, take, std::move(stop));
    if (!segments && choice.kind == TimerKind)
        return eachTimerPiece(shared, choice.range, take, stop);
    if (!segments && choice.kind == WaitKind)
        return eachWaitPiece(timeline, choice.range, take, std::move(stop));
    if (!segments && isEventPairs(choice.kind))
        return eachPairPiece(shared, choice, take, stop);
    if (!segments && choice.kind == ThrottledKind)
        return eachThrottledPiece(timeline, choice.range, take, std::move(stop));
    if (!segments)
        return eachMessage(timeline, choice, take, stop);
    SegmentNames names(shared, *segments, stop);
    const auto takeOne = [&](const Segment& it) {
        if (choice.range.begin <= it.range.begin && it.range.end <= choice.range.end)
            take({it.range, it.row(), names.of(it), &it});
    };
    eachSegment(timeline, choice.kind, choice.range, takeOne, stop);
}

/// On several threads, a row at a time, the longest first.
std::vector<NamedLengths> lengthsOfRuns(const Timeline& timeline, const StateRun& run, TimeRange window, std::size_t buckets,
                                        const std::stop_token& stop)
{
    std::vector<Row> rows = rowsOfRun(timeline, run);
    std::ranges::stable_sort(rows, std::greater(), &Row::intervals);
    std::vector<LengthsByName> sums(threadsWorthwhile(4));
    std::atomic<std::size_t> next = 0;
    sideBySide(sums.size(), [&](std::size_t thread) {
        RunNames names(timeline, run);
        PlaceNames places(timeline);
        const auto takeOne = [&](const Row& row, TimeRange range, std::uint32_t value) {
            sums[thread].add(places.of(names.of(row, value), row.ref), range);
        };
        for (std::size_t i = next++; i < rows.size() && !stop.stop_requested(); i = next++)
            eachRun(timeline, run, {&rows[i], 1}, window, takeOne, stop, RunOrder::ByRow);
    });
    for (std::size_t i = 1; i < sums.size(); ++i)
        sums[0].add(std::move(sums[i]));
    return sums[0].take(buckets);
}

} // namespace

void eachPiece(const std::shared_ptr<const Timeline>& timeline, const PieceChoice& choice,
               const std::function<void(const NamedPiece&)>& take, std::stop_token stop)
{
    eachPieceIn(RunOrder::ByBegin, timeline, choice, take, std::move(stop));
}

std::vector<NamedLengths> pieceLengths(const std::shared_ptr<const Timeline>& timeline, const PieceChoice& choice, std::size_t buckets,
                                       std::stop_token stop)
{
    if (const auto run = findSegmentKind(*timeline, choice.kind) ? std::nullopt : findStateRun(*timeline, choice.kind))
        return lengthsOfRuns(*timeline, *run, choice.range, buckets, stop);
    LengthsByName sums;
    const auto take = [&](const NamedPiece& it) { sums.add(it.name, it.range); };
    eachPieceIn(RunOrder::ByRow, timeline, choice, take, std::move(stop));
    return sums.take(buckets);
}

} // namespace helio
