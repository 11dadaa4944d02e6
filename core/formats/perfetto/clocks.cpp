#include "core/formats/perfetto/clocks.h"

#include "core/base/time.h"
#include "core/formats/perfetto/wire.h"

#include <algorithm>
#include <deque>

namespace helio::perfetto {
namespace {

/// Largest number of clocks that are used in a snapshot; the graph has an edge for each pair of clocks.
constexpr std::size_t MostReadings = 64;
constexpr std::uint64_t MostSteps = 50'000'000; ///< Largest number of edges that all path searches of a trace may visit together.

std::int64_t sum(std::int64_t a, std::int64_t b) { return sumOf(Duration(a), Duration(b)).count(); }

} // namespace

std::string clockName(std::uint32_t number)
{
    switch (number) {
    case ClockId::Realtime: return "realtime";
    case 2: return "realtime-coarse";
    case ClockId::Monotonic: return "monotonic";
    case 4: return "monotonic-coarse";
    case ClockId::MonotonicRaw: return "monotonic-raw";
    case ClockId::Boottime: return "boottime";
    case ClockId::FtraceGlobal: return "ftrace's clock \"global\"";
    default: return "clock " + std::to_string(number);
    }
}

ClockSnapshot readClockSnapshot(std::string_view message, std::uint32_t sequence)
{
    ClockSnapshot snapshot;
    snapshot.isDamaged = !forEachField(message, [&](const WireField& field) {
        if (field.number == 2 && !field.isBytes())
            snapshot.primary = field.uint32();
        if (field.number != 1 || !field.isBytes())
            return;
        ClockReading reading;
        forEachField(field.bytes, [&](const WireField& part) {
            switch (part.number) {
            case 1: reading.clock = ClockId::of(part.uint32(), sequence); break;
            case 2: reading.value = part.value; break;
            case 3: reading.isIncremental = part.value != 0; break;
            case 4: reading.unit = std::max<std::uint64_t>(part.value, 1); break;
            default: break;
            }
        });
        snapshot.readings.push_back(reading);
    });
    return snapshot;
}

void ClockGraph::add(std::span<const ClockReading> snapshot)
{
    if (snapshot.size() > MostReadings) {
        m_ignored += snapshot.size() - MostReadings;
        snapshot = snapshot.first(MostReadings);
    }
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        const ClockReading& from = snapshot[i];
        const auto isSame = [&](const ClockReading& other) { return other.clock == from.clock; };
        if (std::ranges::any_of(snapshot.first(i), isSame)) {
            ++m_ignored;
            continue;
        }
        Clock& clock = m_clocks.try_emplace(from.clock, Clock{{}, from.time(), false}).first->second;
        if (from.time() < clock.last && !clock.isBackward) {
            clock.isBackward = true;
            m_backward.push_back(from.clock);
        }
        clock.last = from.time();
        for (std::size_t k = 0; k < snapshot.size(); ++k)
            if (!isSame(snapshot[k]))
                clock.edges[snapshot[k].clock].pairs.push_back({from.time(), snapshot[k].time()});
    }
}

void ClockGraph::finish()
{
    m_isFinished = true;
    for (auto& [id, clock] : m_clocks)
        for (auto& [to, edge] : clock.edges)
            std::ranges::stable_sort(edge.pairs, {}, &Pair::from);
}

/// Returns the shortest path from one clock to another: all clocks on it except for `from`; empty if no path exists. Paths are cached.
const ClockGraph::Path& ClockGraph::pathOf(ClockId from, ClockId to)
{
    const auto [found, isNew] = m_paths.try_emplace({from, to});
    Path& path = found->second;
    if (!isNew)
        return path;
    std::map<ClockId, ClockId> cameFrom{{from, from}};
    std::deque<ClockId> open{from};
    while (!open.empty() && !cameFrom.contains(to) && m_steps < MostSteps) {
        const ClockId at = open.front();
        open.pop_front();
        const auto clock = m_clocks.find(at);
        if (clock == m_clocks.end() || clock->second.isBackward)
            continue;
        if (clock->second.edges.contains(to)) {
            cameFrom.emplace(to, at);
            break;
        }
        m_steps += clock->second.edges.size();
        for (const auto& [next, edge] : clock->second.edges)
            if (cameFrom.emplace(next, at).second)
                open.push_back(next);
    }
    if (!cameFrom.contains(to))
        return path;
    for (ClockId at = to; at != from; at = cameFrom.at(at))
        path.push_back(at);
    std::ranges::reverse(path);
    return path;
}

std::optional<std::int64_t> ClockGraph::convert(ClockId from, std::int64_t time, ClockId to)
{
    if (!m_isFinished)
        finish();
    if (from == to)
        return time;
    const Path& path = pathOf(from, to);
    if (path.empty())
        return {};
    ClockId at = from;
    for (const ClockId next : path) {
        const auto& pairs = m_clocks.at(at).edges.at(next).pairs;
        auto later = std::ranges::upper_bound(pairs, time, {}, &Pair::from);
        const Pair& pair = later == pairs.begin() ? *later : *std::prev(later);
        // The difference wraps around if it exceeds 64 bits, which happens only in damaged files.
        time = sum(pair.to, static_cast<std::int64_t>(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(pair.from)));
        at = next;
    }
    return time;
}

std::optional<std::int64_t> ClockGraph::firstDifference(ClockId from, ClockId to) const
{
    const auto clock = m_clocks.find(from);
    if (clock == m_clocks.end())
        return {};
    const auto edge = clock->second.edges.find(to);
    if (edge == clock->second.edges.end())
        return {};
    const Pair& first = edge->second.pairs.front();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first.to) - static_cast<std::uint64_t>(first.from));
}

} // namespace helio::perfetto
