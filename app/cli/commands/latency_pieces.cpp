#include "app/cli/commands/latency_pieces.h"

#include "app/cli/output/field_output.h"
#include "core/latency/intervals/no_pieces.h"
#include "core/latency/pairs/begin_order.h"
#include "core/latency/pairs/timer_expiries.h"
#include "core/latency/throttling/throttled.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_clock.h"
#include "core/query/rows/thread_rows.h"
#include "core/query/segments/stays.h"
#include "core/waits/path/waits.h"

#include <algorithm>
#include <map>
#include <set>
#include <stop_token>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// What an event says of where it was.
struct EventPlace {
    std::uint32_t trace = 0;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
};

/// That of an event's thread and CPU. Without a known thread: what the event says.
Row rowOf(const EventPlace& place, std::uint32_t host, const Row* thread)
{
    Row row;
    if (thread)
        row = *thread;
    row.trace = place.trace;
    row.host = host;
    row.tid = place.tid;
    row.cpu = place.cpu;
    return row;
}

/// "thread=hog (177)"
std::string insideText(const std::string& thread)
{
    std::string text;
    if (!thread.empty())
        appendEscaped(text = "thread=", thread);
    return text;
}

bool liesIn(TimeRange range, TimeRange window)
{
    return range.begin >= window.begin && range.begin < window.end && range.end <= window.end;
}

} // namespace

LatencyPieces::LatencyPieces(const LatencyOptions& options, std::shared_ptr<const Timeline> timeline, std::vector<std::string> views)
    : m_options(options)
    , m_shared(std::move(timeline))
    , m_timeline(*m_shared)
    , m_views(std::move(views))
    , m_selection(options.table.selection, m_timeline)
{
    const std::string_view kind = options.kind;
    if (const auto found = findSegmentKind(m_timeline, kind)) {
        m_isOfSegments = true;
        m_isOfFunctions = found->hasFrames;
        m_isOfCalls = found->areCalls;
        m_hasFields = found->hasFields;
        m_valueTitle = found->valueTitle;
        if (hasMachines(m_timeline))
            m_machines.emplace(m_timeline);
    } else if ((m_run = findStateRun(m_timeline, kind))) {
    } else if (!kind.empty() && kind == wakeupKind(m_timeline)) {
        m_isOfWakeups = true;
    } else if (!kind.empty() && kind == wakeupPriorityKind(m_timeline)) {
        m_isOfWakeups = m_isByPriority = true;
    } else if (kind == TimerKind && hasTimerExpiries(m_timeline)) {
        m_isOfTimers = true;
    } else if (kind == WaitKind && hasWaitCauses(m_timeline)) {
        m_isOfWaits = true;
    } else if (kind == ThrottledKind && mayBeThrottled(m_timeline)) {
        m_isOfThrottled = true;
    } else if (std::ranges::count(transitKinds(m_timeline), kind) > 0) {
        m_isOfTransits = true;
        m_hasFields = true;
    } else if (isEventPairs(kind)) {
        m_pairs = parseEventPairs(kind);
    } else if (kind.starts_with(OfState)) {
        m_state = kind.substr(OfState.size());
    }
}

std::optional<std::pair<std::string, std::uint64_t>> LatencyPieces::parts(TimeRange window) const
{
    for (const std::string& kind : transitKinds(m_timeline)) {
        if (!m_isOfTransits || kind.size() <= m_options.kind.size() || !kind.starts_with(m_options.kind))
            continue;
        std::uint64_t count = 0;
        eachTransit(m_timeline, kind, window, [&](const Transit&) { ++count; });
        if (count > 0)
            return std::pair(kind, count);
    }
    return {};
}

/// What a call's callees lost is not known apart from what it lost itself.
void LatencyPieces::leaveOutStolen(LatencyPiece& piece, StolenClock& clock) const
{
    piece.stolen = m_isOfWakeups ? clock.ofWait(piece.row.ref, piece.range) : clock.ofThread(piece.row.ref, piece.range);
    if (!piece.call)
        return;
    piece.call->self.reset();
    if (piece.call->onCpu)
        *piece.call->onCpu -= piece.stolen;
}

std::uint64_t LatencyPieces::each(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::uint64_t count = 0;
    eachLeft(window, [&](const LatencyPiece& piece) {
        ++count;
        take(piece);
    });
    if (count > 0 || m_options.table.reading.isQuiet)
        return count;
    if (const std::string lack = missingEvents(m_timeline, m_options.kind); !lack.empty())
        complain("there is no \"" + m_options.kind + "\" here: " + lack);
    else if (const std::string other = missingField(); !other.empty())
        complain(other);
    else if (!m_options.table.selection.filter)
        complain("no \"" + m_options.kind + "\" happened in what is selected");
    return count;
}

/// Without what was stolen of them.
void LatencyPieces::eachLeft(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    if (!m_options.isWithoutStolen || m_isOfTransits)
        return eachNamed(window, take);
    StolenClock clock(m_timeline);
    bool wasAny = false;
    eachNamed(window, [&](const LatencyPiece& piece) {
        LatencyPiece without = piece;
        leaveOutStolen(without, clock);
        wasAny |= without.stolen > Duration::zero();
        take(without);
    });
    if (!wasAny && !m_options.table.reading.isQuiet)
        complain(
            "--without-stolen: as far as is known nothing of these was stolen; vm --vcpus shows which guests are opened with their hosts");
}

/// Messages know their hosts themselves; of all else those of two hosts are two things.
void LatencyPieces::eachNamed(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    const bool isOfMachines = m_machines && m_options.shows != LatencyOptions::Shows::List;
    if ((!m_options.isByHosts && !isOfMachines) || m_isOfTransits)
        return eachOf(window, take);
    std::string name;
    eachOf(window, [&](const LatencyPiece& piece) {
        LatencyPiece named = piece;
        if (isOfMachines && !piece.machine.empty()) {
            name.assign(piece.name).append(" of ").append(piece.machine);
            named.name = name;
        } else if (m_options.isByHosts && !piece.isOfAll && piece.row.host < m_timeline.hosts.size()) {
            name.assign(piece.name).append(piece.name.empty() ? "on " : " on ").append(m_timeline.hosts[piece.row.host].label);
            named.name = name;
        }
        take(named);
    });
}

void LatencyPieces::eachOf(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    if (m_isOfFunctions)
        eachFunctionIn(window, take);
    else if (m_isOfSegments)
        eachSegmentIn(window, take);
    else if (m_run)
        eachRunIn(window, take);
    else if (m_isOfWakeups)
        eachWakeupIn(window, take);
    else if (m_isOfTimers)
        eachTimerIn(window, take);
    else if (m_isOfWaits)
        eachWaitIn(window, take);
    else if (m_isOfThrottled)
        eachThrottledIn(window, take);
    else if (m_isOfTransits)
        eachTransitIn(window, take);
    else if (m_pairs)
        eachPairIn(window, take);
    else
        eachStayIn(window, take);
}

bool LatencyPieces::isInView(const Row& row) const
{
    return m_options.table.view.empty() || viewOf(m_timeline, row.ref) == m_options.table.view;
}

void LatencyPieces::know(KnownRow& it, Row row) const
{
    it.row = std::move(row);
    it.isChosen = isInView(it.row) && m_selection.isChosen(it.row);
    it.facts = m_selection.factsOf(it.row);
}

/// What a vCPU left behind is on its thread, and its host's and its guest's.
void LatencyPieces::knowMachine(KnownRow& it, TrackRef row) const
{
    it.machine = m_machines->machineOf(row);
    if (const TrackRef inside = m_machines->guestThreadsOf(row); inside.isValid() && m_options.shows == LatencyOptions::Shows::List)
        it.inside.emplace(m_timeline, inside);
    if (auto thread = helio::rowOf(m_timeline, m_machines->shownFor(row)))
        know(it, std::move(*thread));
    if (const auto guest = m_machines->guestOf(row); guest && !it.isChosen) {
        Row inside = it.row;
        inside.host = *guest;
        it.isChosen = isInView(it.row) && m_selection.isChosen(inside);
    }
}

void LatencyPieces::eachSegmentIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::map<TrackRef, KnownRow> known; // Facts point to rows: nodes stay where they are.
    eachSegment(m_timeline, m_options.kind, window, [&](const Segment& segment) {
        if (!liesIn(segment.range, window))
            return;
        const auto [at, isNew] = known.try_emplace(segment.row());
        KnownRow& it = at->second;
        if (isNew) {
            know(it, rowOf(m_timeline, segment));
            if (m_machines && !m_machines->machineOf(segment.row()).empty())
                knowMachine(it, segment.row());
        }
        const std::string_view name = nameOf(m_timeline, segment);
        const std::string_view fields = m_hasFields ? fieldsOf(m_timeline, segment) : std::string_view();
        if (!it.isChosen || !m_selection.selects(it.facts, name, segment.range, fields))
            return;
        if (it.inside)
            it.fields = insideText((*it.inside)(segment.range.begin));
        if (m_hasFields)
            take({segment.range, name, it.row, {}, isOfAllTraces(m_timeline, segment.store), fields});
        else
            take({segment.range,
                  name,
                  it.row,
                  m_valueTitle.empty() ? std::nullopt : std::optional(segment.recorded.value),
                  false,
                  it.fields,
                  {},
                  {},
                  it.machine});
    });
}

/// A function without a name is called by its address.
void LatencyPieces::eachFunctionIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    const CallNames names(m_timeline);
    ThreadClocks clocks(m_timeline, {Timestamp::min(), Timestamp::max()});
    std::map<TrackRef, KnownRow> known;
    std::map<std::pair<StoreIndex, StackId>, std::string> nameless;
    eachSegment(m_timeline, m_options.kind, window, [&](const Segment& segment) {
        if (!liesIn(segment.range, window))
            return;
        const auto [at, isNew] = known.try_emplace(segment.row());
        KnownRow& it = at->second;
        if (isNew)
            know(it, rowOf(m_timeline, segment));
        const StackId stack = segment.recorded.stack();
        const SampledFunction& function = names.functionOf(segment.store, stack);
        std::string_view name = function.name;
        if (name.empty()) {
            std::string& text = nameless[{segment.store, stack}];
            name = text = text.empty() ? frameText(m_timeline, segment.store, stack) : text;
        }
        if (!it.isChosen || !m_selection.selects(it.facts, name, segment.range))
            return;
        CallPart call{function.module, {}, {}};
        if (m_isOfCalls) {
            call.self = Duration(segment.recorded.value);
            if (const TrackRef states = clocks.rowAllThrough(segment.row(), segment.range); states.isValid())
                call.onCpu = clocks.onCpu(states, segment.range);
        }
        take({segment.range, name, it.row, m_valueTitle.empty() ? std::nullopt : std::optional(segment.recorded.value), false, {}, call});
    });
}

/// The rows of places in traces, each looked at once: that of the thread that was there, else what the place says.
class LatencyPieces::PlaceRows {
public:
    explicit PlaceRows(const LatencyPieces& pieces)
        : m_pieces(pieces)
        , m_threads(pieces.m_timeline)
    {
    }

    KnownRow& at(const EventPlace& place, Timestamp time)
    {
        const std::uint32_t host = m_pieces.m_timeline.traces[place.trace].host;
        const Row* thread = m_threads.find(host, place.tid, time);
        const auto [it, isNew] = m_known.try_emplace({thread, place.trace, place.tid, place.cpu});
        if (isNew)
            m_pieces.know(it->second, rowOf(place, host, thread));
        return it->second;
    }

private:
    const LatencyPieces& m_pieces;
    ThreadRows m_threads;
    std::map<std::tuple<const Row*, std::uint32_t, std::int32_t, std::int32_t>, KnownRow> m_known;
};

void LatencyPieces::eachPairIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    std::uint64_t leftOut = 0;
    PlaceRows rows(*this);
    const auto scan = [&](const std::function<void(const EventPair&)>& takePair) {
        leftOut = eachEventPair(m_shared, **m_pairs, window, takePair);
    };
    const auto takeOne = [&](const EventPair& pair) {
        KnownRow& it = rows.at({pair.trace, pair.tid, pair.cpu}, pair.range.begin);
        if (it.isChosen && m_selection.selects(it.facts, pair.value, pair.range))
            take({pair.range, pair.value, it.row, {}});
    };
    forEachByBegin<EventPair>(scan, takeOne);
    if (leftOut > 0 && !m_options.table.reading.isQuiet)
        complain(std::to_string(leftOut) + " pairs are left out: events were lost between their first and their last one");
    if (const std::string names = sampledOf(m_timeline, **m_pairs); !names.empty() && !m_options.table.reading.isQuiet)
        complain("pairs with events that were sampled are left out: " + names);
}

void LatencyPieces::eachTimerIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    PlaceRows rows(*this);
    const auto scan = [&](const std::function<void(const TimerExpiry&)>& takeTimer) { eachTimerExpiry(m_shared, window, takeTimer); };
    const auto takeOne = [&](const TimerExpiry& expiry) {
        KnownRow& it = rows.at({expiry.trace, -1, expiry.cpu}, expiry.range.begin);
        const std::string name = functionText(expiry);
        if (it.isChosen && m_selection.selects(it.facts, name, expiry.range))
            take({expiry.range, name, it.row, {}});
    };
    forEachByBegin<TimerExpiry>(scan, takeOne);
}

/// On the sender's thread; one that is not known, as where an interrupt sent it, is none.
void LatencyPieces::eachTransitIn(TimeRange window, const std::function<void(const LatencyPiece&)>& take) const
{
    PlaceRows rows(*this);
    eachTransit(m_timeline, m_options.kind, window, [&](const Transit& transit) {
        const Transmission& message = messageOf(m_timeline, transit);
        KnownRow& it = rows.at({message.fromTrace, message.sender, message.fromCpu}, transit.range.begin);
        if (!it.isChosen)
            return;
        const std::string name = m_options.isByHosts ? hostsOf(m_timeline, transit) : connectionOf(m_timeline, transit);
        std::string fields;
        for (const auto& [key, value] : fieldsOf(m_timeline, transit)) {
            appendEscaped(fields += fields.empty() ? "" : ";", key);
            appendEscaped(fields += '=', value);
        }
        if (!m_selection.selects(it.facts, name, transit.range, fields))
            return;
        take({transit.range, name, it.row, {}, false, fields, {}, transit.error});
    });
}

} // namespace helio
