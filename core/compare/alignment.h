#pragma once

#include "core/compare/subject.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

/// Which moments of two timelines are the same: each side's zero.
struct Alignment {
    Timestamp a;
    Timestamp b;

    Duration ofA(Timestamp t) const { return t - a; }
    Timestamp toB(Timestamp t) const { return b + (t - a); }
    Timestamp toA(Timestamp t) const { return a + (t - b); }
    bool operator==(const Alignment&) const = default;
};

/// By the first event of each.
Alignment alignedByStart(const Timeline& a, const Timeline& b);

/// By the begin of what is compared on each side, its first run or the thread's life; nothing where one has none. Cost: as runsOf().
std::optional<Alignment> alignedBySubject(const Timeline& a, const Subject& ofA, const Timeline& b, const Subject& ofB,
                                          std::stop_token stop = {});

/// Two rows that are the same in A and B, by their places in what was matched; -1: only in the other.
struct RowPair {
    std::int32_t a = -1;
    std::int32_t b = -1;
    bool operator==(const RowPair&) const = default;
};

/// Pairs the rows of one view. CPUs, interrupts and other rows of the machine go by their ids; threads by the names of their process
/// and of themselves, the first of a name with the first of that name. All of A's rows in their order, then what only B has.
std::vector<RowPair> matchRows(std::span<const Row> a, std::span<const Row> b);

/// The row of `there` that is the same as one of `here`, both of a view; not valid where there is none. Cost: as all rows of both.
TrackRef matchOf(const Timeline& here, TrackRef row, const Timeline& there, std::string_view view, std::stop_token stop = {});

} // namespace helio
