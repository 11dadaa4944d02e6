#include "core/query/pieces/pieces.h"

#include "core/base/side_by_side.h"
#include "core/query/hosts/message_ends.h"
#include "core/query/machines/machine_names.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/thread_rows.h"
#include "core/query/segments/event_pairs.h"
#include "core/query/segments/state_runs.h"
#include "core/query/segments/stays.h"
#include "core/query/throttling/throttled.h"
#include "core/query/traffic/transits.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <functional>
#include <map>
#include <utility>

namespace helio {
namespace {

constexpr TimeRange Ever{Timestamp::min(), Timestamp::max()};

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

/// The names of one kind's segments. Those of frames are looked up once each.
class SegmentNames {
public:
    SegmentNames(const Timeline& timeline, const SegmentKind& kind)
        : m_timeline(timeline)
        , m_kind(kind)
        , m_places(timeline)
    {
    }

    std::string_view of(const Segment& segment)
    {
        const std::string_view own = m_kind.hasFrames ? frame(segment) : nameOf(m_timeline, segment);
        return m_places.of(own.empty() ? m_kind.title : own, segment.row());
    }

private:
    std::string_view frame(const Segment& segment)
    {
        const auto [at, isNew] = m_frames.try_emplace({segment.store, segment.recorded.stack()});
        if (isNew)
            at->second = frameText(m_timeline, segment.store, segment.recorded.stack());
        return at->second;
    }

    const Timeline& m_timeline;
    const SegmentKind& m_kind;
    PlaceNames m_places;
    std::map<std::pair<StoreIndex, StackId>, std::string> m_frames;
};

void eachMessage(const Timeline& timeline, std::string_view kind, const std::function<void(const NamedPiece&)>& take,
                 const std::stop_token& stop)
{
    const auto takeOne = [&](const Transit& it) {
        const std::string name = connectionOf(timeline, it);
        take({it.range, endsOf(timeline, it.relation, it.place).from.row, name});
    };
    eachTransit(timeline, kind, Ever, takeOne, stop);
}

void eachOfRuns(const Timeline& timeline, const StateRun& run, const std::function<void(const NamedPiece&)>& take, std::stop_token stop,
                RunOrder order)
{
    RunNames names(timeline, run);
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, TimeRange range, std::uint32_t value) {
        take({range, row.ref, places.of(names.of(row, value), row.ref)});
    };
    eachRun(timeline, run, rowsOfRun(timeline, run), Ever, takeOne, std::move(stop), order);
}

void eachWakeupPiece(const Timeline& timeline, const std::function<void(const NamedPiece&)>& take, std::stop_token stop)
{
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, TimeRange range) { take({range, row.ref, places.of(row.label, row.ref)}); };
    eachWakeup(timeline, threads(timeline), Ever, takeOne, std::move(stop));
}

void eachThrottledPiece(const Timeline& timeline, const std::function<void(const NamedPiece&)>& take, std::stop_token stop)
{
    PlaceNames places(timeline);
    const auto takeOne = [&](const Row& row, const Throttled& it) { take({it.range, row.ref, places.of(row.label, row.ref)}); };
    eachThrottled(timeline, Ever, takeOne, std::move(stop));
}

/// By their begins, which is not how they come. On the thread of the first event, where its row is known.
void eachPairPiece(const Timeline& timeline, std::string_view kind, const std::function<void(const NamedPiece&)>& take,
                   const std::stop_token& stop)
{
    const auto pairs = parseEventPairs(kind);
    if (!pairs)
        return;
    std::vector<EventPair> all;
    const std::shared_ptr<const Timeline> borrowed(std::shared_ptr<const Timeline>(), &timeline); // Whoever asks keeps it.
    eachEventPair(
        borrowed, *pairs, Ever, [&](EventPair pair) { all.push_back(std::move(pair)); }, stop);
    std::ranges::stable_sort(all, {}, [](const EventPair& it) { return it.range.begin; });
    const ThreadRows rows(timeline);
    PlaceNames places(timeline);
    for (const EventPair& it : all) {
        if (stop.stop_requested())
            return;
        const Row* row = rows.find(timeline.traces[it.trace].host, it.tid, it.range.begin);
        take({it.range, row ? row->ref : TrackRef(), row ? places.of(it.value, row->ref) : std::string_view(it.value)});
    }
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
        if (!it.areCalls)
            kinds.push_back({it.id, it.title.empty() ? titleOf(it.id) : it.title, it.nameTitle.empty() ? "Name" : it.nameTitle});
    const auto isNew = [&](std::string_view id) { return std::ranges::find(kinds, id, &PieceKind::id) == kinds.end(); };
    if (const std::string wakeups(wakeupKind(timeline)); !wakeups.empty() && isNew(wakeups))
        kinds.push_back({wakeups, titleOf(wakeups) + "s to running", "Thread"});
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
void eachPieceIn(RunOrder order, const Timeline& timeline, std::string_view kind, const std::function<void(const NamedPiece&)>& take,
                 std::stop_token stop)
{
    const auto segments = findSegmentKind(timeline, kind);
    if (const auto run = segments ? std::nullopt : findStateRun(timeline, kind))
        return eachOfRuns(timeline, *run, take, std::move(stop), order);
    if (!segments && !kind.empty() && kind == wakeupKind(timeline))
        return eachWakeupPiece(timeline, take, std::move(stop));
    if (!segments && isEventPairs(kind))
        return eachPairPiece(timeline, kind, take, stop);
    if (!segments && kind == ThrottledKind)
        return eachThrottledPiece(timeline, take, std::move(stop));
    if (!segments)
        return eachMessage(timeline, kind, take, stop);
    SegmentNames names(timeline, *segments);
    eachSegment(
        timeline, kind, Ever,
        [&](const Segment& it) {
            take({it.range, it.row(), names.of(it)});
        },
        stop);
}

} // namespace

void eachPiece(const Timeline& timeline, std::string_view kind, const std::function<void(const NamedPiece&)>& take, std::stop_token stop)
{
    eachPieceIn(RunOrder::ByBegin, timeline, kind, take, std::move(stop));
}

namespace {

/// On several threads, a row at a time, the longest first.
std::vector<NamedLengths> lengthsOfRuns(const Timeline& timeline, const StateRun& run, const std::stop_token& stop)
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
            eachRun(timeline, run, {&rows[i], 1}, Ever, takeOne, stop, RunOrder::ByRow);
    });
    for (std::size_t i = 1; i < sums.size(); ++i)
        sums[0].add(std::move(sums[i]));
    return sums[0].take();
}

} // namespace

std::vector<NamedLengths> pieceLengths(const Timeline& timeline, std::string_view kind, std::stop_token stop)
{
    if (const auto run = findSegmentKind(timeline, kind) ? std::nullopt : findStateRun(timeline, kind))
        return lengthsOfRuns(timeline, *run, stop);
    LengthsByName sums;
    const auto take = [&](const NamedPiece& it) { sums.add(it.name, it.range); };
    eachPieceIn(RunOrder::ByRow, timeline, kind, take, std::move(stop));
    return sums.take();
}

std::vector<std::int64_t> lengthsOfPieces(const Timeline& timeline, std::string_view kind, std::string_view name, std::stop_token stop)
{
    std::vector<std::int64_t> lengths;
    const auto take = [&](const NamedPiece& it) {
        if (it.name == name)
            lengths.push_back(lengthOf(it.range).count());
    };
    eachPieceIn(RunOrder::ByRow, timeline, kind, take, std::move(stop));
    return lengths;
}

} // namespace helio
