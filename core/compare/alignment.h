#pragma once

#include "core/compare/subject.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Relation of the time axes of two timelines: time `a` of A and time `b` of B correspond.
struct Alignment {
    Timestamp a;
    Timestamp b;

    Duration ofA(Timestamp t) const { return t - a; }
    Timestamp toB(Timestamp t) const { return b + (t - a); }
    Timestamp toA(Timestamp t) const { return a + (t - b); }
    bool operator==(const Alignment&) const = default;
};

/// Aligns the two timelines at their first events.
Alignment alignStarts(const Timeline& a, const Timeline& b);

/// Aligns the two sides at the beginnings of their subjects: the start of the program's first run, or the beginning of the thread. Returns
/// nullopt if a side has no such run or thread.
/// Cost: like runsOf().
std::optional<Alignment> alignSubjects(const Timeline& a, const Subject& ofA, const Timeline& b, const Subject& ofB,
                                       std::stop_token stop = {});

/// A row of A and the corresponding row of B, as indices into the lists given to matchRows(); -1 if the row exists on the other side only.
struct RowPair {
    std::int32_t a = -1;
    std::int32_t b = -1;
    bool operator==(const RowPair&) const = default;
};

/// Pairs the rows of one view. Threads correspond if their names and the names of their processes are equal; threads with equal names
/// correspond in their order. CPUs, interrupts and other rows of a host correspond if their ids are equal. Returns all rows of A in their
/// order, then the rows that exist only in B.
std::vector<RowPair> matchRows(std::span<const Row> a, std::span<const Row> b);

/// Pairs of corresponding tracks: the first one of A, the second one of B.
using MatchingTracks = std::vector<std::pair<TrackRef, TrackRef>>;

/// Pairs the rows of the views `viewA` and `viewB` by matchRows(); threads with equal names correspond by the rank of their CPU time in the
/// whole recording: first that of their process, then their own. Returns only pairs of rows that exist on both sides.
/// Cost: like rows() and busyShares() of both timelines.
MatchingTracks findMatchingRows(const Timeline& a, std::string_view viewA, const Timeline& b, std::string_view viewB,
                                std::stop_token stop = {});

/// Cache of the results of findMatchingRows() for the last pair of timelines. Computing a result is slow, because it reads the states of
/// all threads.
/// Threads: any.
class MatchingRowsCache {
public:
    /// Returns the result of findMatchingRows() for these timelines and views, from the cache if possible. A result is not cached if `stop`
    /// was requested meanwhile.
    std::shared_ptr<const MatchingTracks> find(const std::shared_ptr<const Timeline>& a, const std::string& viewA,
                                               const std::shared_ptr<const Timeline>& b, const std::string& viewB,
                                               std::stop_token stop = {});

private:
    std::mutex m_mutex; ///< Guards all members below.
    /// Timelines A and B of the cached results in m_matches. Weak pointers, so that the cache does not keep closed traces open.
    std::weak_ptr<const Timeline> m_a, m_b;
    /// Cached results for m_a and m_b, keyed by the view of A and the view of B.
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const MatchingTracks>> m_matches;
};

} // namespace helio
