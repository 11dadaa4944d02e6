#pragma once

#include "core/compare/subject.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

/// Correlation of the time axes of two timelines: time `a` of A and time `b` of B are the same moment.
struct Alignment {
    Timestamp a;
    Timestamp b;

    Duration ofA(Timestamp t) const { return t - a; }
    Timestamp toB(Timestamp t) const { return b + (t - a); }
    Timestamp toA(Timestamp t) const { return a + (t - b); }
    bool operator==(const Alignment&) const = default;
};

/// Aligns the first events of both timelines.
Alignment alignStarts(const Timeline& a, const Timeline& b);

/// Aligns the begins of what is compared on each side: the first run of the program, or the life of the thread. Returns nothing if a side
/// has none.
/// Cost: like runsOf().
std::optional<Alignment> alignSubjects(const Timeline& a, const Subject& ofA, const Timeline& b, const Subject& ofB,
                                       std::stop_token stop = {});

/// Two corresponding rows of A and B, as indices into the matched lists; -1 if the row exists on the other side only.
struct RowPair {
    std::int32_t a = -1;
    std::int32_t b = -1;
    bool operator==(const RowPair&) const = default;
};

/// Pairs the rows of one view. CPUs, interrupts and other rows of a host correspond if their ids are equal. Threads correspond if their
/// names and the names of their processes are equal; threads with equal names correspond in their order. Returns all rows of A in their
/// order, then the rows that only B has.
std::vector<RowPair> matchRows(std::span<const Row> a, std::span<const Row> b);

/// Returns the row of `there` that corresponds to a row of `here`, both in the same view; invalid if there is none.
/// Cost: like rows() of both timelines.
TrackRef findMatchingRow(const Timeline& here, TrackRef row, const Timeline& there, std::string_view view, std::stop_token stop = {});

} // namespace helio
