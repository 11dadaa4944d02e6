#include "core/formats/perfetto/clocks.h"

#include "core/base/time.h"
#include "core/formats/perfetto/wire.h"

#include <algorithm>
#include <deque>

namespace helio::perfetto {
namespace {

constexpr std::size_t MostReadings = 64; ///< Largest number of readings that are used in a snapshot.
constexpr std::uint64_t MostSteps = 50'000'000; ///< Largest number of clocks that all path searches of a trace may visit together.

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

void ClockGraph::add(std::span<const ClockReading> snapshot, std::optional<std::uint32_t> sequence)
{
    if (snapshot.size() > MostReadings) {
        m_ignored += snapshot.size() - MostReadings;
        snapshot = snapshot.first(MostReadings);
    }
    std::vector<ClockReading> readings(snapshot.begin(), snapshot.end());
    std::ranges::stable_sort(readings, {}, &ClockReading::clock);
    const auto repeated = std::ranges::unique(readings, {}, &ClockReading::clock);
    m_ignored += repeated.size();
    readings.erase(repeated.begin(), repeated.end());
    std::vector<ClockId> clocks(readings.size());
    std::ranges::transform(readings, clocks.begin(), &ClockReading::clock);
    const auto [found, isNew] = m_groups.try_emplace(std::move(clocks));
    Group& group = found->second;
    if (isNew)
        group.clocks = found->first;
    group.numbers.push_back(m_snapshots++);
    for (const ClockReading& reading : readings) {
        group.times.push_back(reading.time());
        Clock& clock = m_clocks[reading.clock];
        if (isNew)
            clock.groups.push_back(&group);
        if (!sequence)
            continue;
        const auto [last, isFirst] = clock.last.try_emplace(*sequence, reading.time());
        if (reading.time() < last->second && !clock.isBackward) {
            clock.isBackward = true;
            m_backward.push_back(reading.clock);
        }
        last->second = reading.time();
    }
}

/// Returns the readings of two clocks in all snapshots with both, in the order of the file.
std::vector<ClockGraph::Pair> ClockGraph::pairsOf(ClockId from, ClockId to) const
{
    std::vector<Pair> pairs;
    const auto clock = m_clocks.find(from);
    if (clock == m_clocks.end())
        return pairs;
    for (const Group* group : clock->second.groups) {
        if (!group->contains(to))
            continue;
        const std::size_t fromColumn = group->columnOf(from);
        const std::size_t toColumn = group->columnOf(to);
        for (std::size_t i = 0; i < group->numbers.size(); ++i) {
            const std::int64_t* const row = group->times.data() + i * group->clocks.size();
            pairs.push_back({row[fromColumn], row[toColumn], group->numbers[i]});
        }
    }
    std::ranges::sort(pairs, {}, &Pair::number);
    return pairs;
}

/// Returns the readings of two clocks in all snapshots with both, in ascending order of Pair::from.
const std::vector<ClockGraph::Pair>& ClockGraph::sortedPairsOf(ClockId from, ClockId to)
{
    const auto [found, isNew] = m_pairs.try_emplace({from, to});
    if (isNew) {
        found->second = pairsOf(from, to);
        std::ranges::stable_sort(found->second, {}, &Pair::from);
    }
    return found->second;
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
        const auto& groups = clock->second.groups;
        m_steps += groups.size();
        if (std::ranges::any_of(groups, [&](const Group* group) { return group->contains(to); })) {
            cameFrom.emplace(to, at);
            break;
        }
        for (const Group* group : groups) {
            m_steps += group->clocks.size();
            for (const ClockId next : group->clocks)
                if (m_steps < MostSteps && cameFrom.emplace(next, at).second)
                    open.push_back(next);
        }
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
    if (from == to)
        return time;
    const Path& path = pathOf(from, to);
    if (path.empty())
        return {};
    ClockId at = from;
    for (const ClockId next : path) {
        const auto& pairs = sortedPairsOf(at, next);
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
    const auto pairs = pairsOf(from, to);
    if (pairs.empty())
        return {};
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(pairs.front().to) - static_cast<std::uint64_t>(pairs.front().from));
}

void addHostClock(std::string_view message, ClockGraph& clocks, HostClock& relation)
{
    // Readings of the client's and the host's clocks in ns, keyed by clock number.
    using Readings = std::map<std::uint32_t, std::int64_t>;
    struct Exchange {
        Readings client;
        Readings host;
    };
    std::vector<Exchange> exchanges;
    forEachField(message, [&](const WireField& field) {
        if (field.number != 1 || !field.isBytes())
            return;
        Exchange& exchange = exchanges.emplace_back();
        forEachField(field.bytes, [&](const WireField& part) {
            if (part.number == 2 || part.number == 3)
                for (const ClockReading& reading : readClockSnapshot(part.bytes, 0).readings)
                    (part.number == 2 ? exchange.client : exchange.host)[reading.clock.number] = reading.time();
        });
    });
    constexpr std::uint32_t Numbers[] = {ClockId::Boottime, ClockId::Monotonic, ClockId::MonotonicRaw};
    const auto isCommon = [&](std::uint32_t number) {
        return std::ranges::all_of(exchanges, [&](const Exchange& it) { return it.client.contains(number) && it.host.contains(number); });
    };
    const auto* const number = std::ranges::find_if(Numbers, isCommon);
    if (number == std::end(Numbers))
        return;
    for (std::size_t i = 1; i < exchanges.size(); ++i) {
        // A round trip consists of two exchanges, in each of which the client's clocks are read before the host's.
        constexpr std::int64_t LongestRound = 30'000'000'000;
        const std::int64_t times[] = {exchanges[i - 1].client.at(*number), exchanges[i - 1].host.at(*number),
                                      exchanges[i].client.at(*number), exchanges[i].host.at(*number)};
        if (std::ranges::any_of(times, [](std::int64_t it) { return it < 0 || it > std::numeric_limits<std::int64_t>::max() / 2; }))
            continue;
        const auto [client1, host1, client2, host2] = times;
        // The offset is the client's time minus the host's time.
        const std::int64_t least = std::max(client1 - host1, client2 - host2);
        const std::int64_t most = client2 - host1;
        if (client2 < client1 || client2 - client1 > LongestRound || least > most)
            continue;
        const std::int64_t error = (most - least + 1) / 2;
        const std::int64_t offset = least + (most - least) / 2;
        const auto reading = [&](std::uint32_t sequence, std::int64_t time) {
            return ClockReading{{*number, sequence}, static_cast<std::uint64_t>(time)};
        };
        const ClockReading readings[] = {reading(0, client2), reading(ClockId::HostSequence, client2 - offset)};
        clocks.add(readings, {});
        ++relation.rounds;
        relation.error = std::max(relation.error, error);
    }
}

} // namespace helio::perfetto
