#include "core/compare/alignment.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <map>
#include <ranges>
#include <string>

namespace helio {
namespace {

/// Returns a key for each row: its host, its kind, its names or id, and a counter that distinguishes rows whose other properties are equal.
std::vector<std::string> keysOf(std::span<const Row> rows)
{
    std::map<std::pair<std::uint32_t, std::int32_t>, std::string> processes; // Names of processes, keyed by host and PID.
    for (const Row& row : rows)
        if (row.role == TrackRole::Thread && row.tid == row.pid)
            processes.emplace(std::pair(row.host, row.pid), row.label);
    std::vector<std::string> keys;
    std::map<std::string, int> seen;
    for (const Row& row : rows) {
        std::string key = std::to_string(row.host) + '\t' + row.kind + '\t';
        if (row.role == TrackRole::Thread)
            key += processes[{row.host, row.pid}] + '\t' + row.label;
        // Rows without a track are groups of rows. Their ids are not in the key, because the names of hosts and recordings differ between A
        // and B; groups correspond by their order.
        else if (row.ref.isValid())
            key += row.id;
        key += '\t' + std::to_string(seen[key]++);
        keys.push_back(std::move(key));
    }
    return keys;
}

/// Returns the rows of a view. Threads come before all other rows, sorted by the CPU time of their process, then by their own, both in the
/// whole recording; threads with equal times and other rows keep their order.
std::vector<Row> busiestFirst(const Timeline& timeline, std::string_view view, const std::stop_token& stop)
{
    struct Times {
        double process = 0;
        double thread = 0;
        auto operator<=>(const Times&) const = default;
    };
    std::vector<Row> all = rows(timeline, view);
    std::vector<TrackRef> threads;
    for (const Row& row : all)
        if (row.role == TrackRole::Thread && row.ref.isValid())
            threads.push_back(row.ref);
    std::map<TrackRef, Times> times;
    for (const auto& [thread, busy] : busyShares(timeline, threads, rangeOf(timeline), stop))
        times[thread].thread = busy.share;
    std::map<std::pair<std::uint32_t, std::int32_t>, double> processes; // CPU time of processes, keyed by host and PID.
    for (const Row& row : all)
        if (const auto time = times.find(row.ref); time != times.end())
            processes[{row.host, row.pid}] += time->second.thread;
    for (const Row& row : all)
        if (const auto time = times.find(row.ref); time != times.end())
            time->second.process = processes[{row.host, row.pid}];
    const auto isThread = [](const Row& row) { return row.role == TrackRole::Thread && row.ref.isValid(); };
    const auto end = std::ranges::stable_partition(all, isThread).begin();
    const auto timesOf = [&](const Row& row) { return times[row.ref]; };
    std::ranges::stable_sort(std::ranges::subrange(all.begin(), end), std::ranges::greater(), timesOf);
    return all;
}

} // namespace

Alignment alignStarts(const Timeline& a, const Timeline& b) { return {rangeOf(a).begin, rangeOf(b).begin}; }

std::optional<Alignment> alignSubjects(const Timeline& a, const Subject& ofA, const Timeline& b, const Subject& ofB, std::stop_token stop)
{
    const auto inA = runsOf(a, ofA, rangeOf(a), stop);
    const auto inB = runsOf(b, ofB, rangeOf(b), stop);
    if (inA.empty() || inB.empty())
        return {};
    return Alignment{inA.front().range.begin, inB.front().range.begin};
}

std::vector<RowPair> matchRows(std::span<const Row> a, std::span<const Row> b)
{
    std::map<std::string, std::int32_t> inB;
    const auto keysB = keysOf(b);
    for (std::size_t i = 0; i < keysB.size(); ++i)
        inB.emplace(keysB[i], static_cast<std::int32_t>(i));
    std::vector<RowPair> pairs;
    const auto keysA = keysOf(a);
    std::vector<bool> isTaken(b.size(), false);
    for (std::size_t i = 0; i < keysA.size(); ++i) {
        const auto match = inB.find(keysA[i]);
        pairs.push_back({static_cast<std::int32_t>(i), match == inB.end() ? -1 : match->second});
        if (match != inB.end())
            isTaken[static_cast<std::size_t>(match->second)] = true;
    }
    for (std::size_t i = 0; i < b.size(); ++i)
        if (!isTaken[i])
            pairs.push_back({-1, static_cast<std::int32_t>(i)});
    return pairs;
}

MatchingTracks findMatchingRows(const Timeline& a, std::string_view viewA, const Timeline& b, std::string_view viewB, std::stop_token stop)
{
    const std::vector<Row> ofA = busiestFirst(a, viewA, stop);
    const std::vector<Row> ofB = busiestFirst(b, viewB, stop);
    MatchingTracks matches;
    if (stop.stop_requested())
        return matches;
    for (const RowPair& pair : matchRows(ofA, ofB)) {
        if (pair.a < 0 || pair.b < 0)
            continue;
        const TrackRef inA = ofA[static_cast<std::size_t>(pair.a)].ref, inB = ofB[static_cast<std::size_t>(pair.b)].ref;
        if (inA.isValid() && inB.isValid())
            matches.emplace_back(inA, inB);
    }
    return matches;
}

std::shared_ptr<const MatchingTracks> MatchingRowsCache::find(const std::shared_ptr<const Timeline>& a, const std::string& viewA,
                                                              const std::shared_ptr<const Timeline>& b, const std::string& viewB,
                                                              std::stop_token stop)
{
    const std::pair views(viewA, viewB);
    const auto areOf = [&] { return m_a.lock() == a && m_b.lock() == b; };
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_matches.find(views); known != m_matches.end() && areOf())
            return known->second;
    }
    auto found = std::make_shared<const MatchingTracks>(findMatchingRows(*a, viewA, *b, viewB, stop));
    if (stop.stop_requested())
        return found;
    const std::lock_guard lock(m_mutex);
    if (!areOf())
        m_matches.clear();
    m_a = a;
    m_b = b;
    return m_matches[views] = found;
}

} // namespace helio
