#pragma once

#include "core/clock/clock_transform.h"
#include "core/clock/fit/clock_line.h"
#include "core/clock/fit/corridor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A message between two hosts, with the times that each host's own clock showed.
struct Passage {
    HostTimestamp here{}; ///< On the clock that is compared,
    Timestamp there{}; ///< and on the one that it is compared with.
    bool isArrival = false; ///< It left there and reached here; else it left here.
};

/// How well messages say how two clocks are related.
enum class FitQuality : std::uint8_t {
    None, ///< No message.
    Failed, ///< They contradict each other: nothing is to be made of them.
    OneWay, ///< All go one way: the clocks are not further apart than that no message arrives before it left, and nobody knows how much
            ///< nearer.
    Approximate, ///< The offset is bounded on both sides, the drift only by what clocks can be.
    Accurate,
};

/// What messages say of a stretch in which both clocks run evenly.
struct FitPiece {
    HostTimestamp from{}; ///< It goes up to the next piece's.
    ClockLine line;
    Duration error{}; ///< Everywhere in it.
};

constexpr std::int64_t MostDriftError = 1'000'000'000'000; ///< In 10^-12: as much as a clock can run.

/// How one clock is related to another, as the messages between them bound it (B5: convex hulls, exactly).
struct ClockFit {
    FitQuality quality = FitQuality::None;
    std::vector<ClockPoint> points; ///< From one clock to the other, with what it is right within. Empty: None and Failed.
    ClockLine line; ///< The single line that fits best, also where there are several pieces.
    std::vector<FitPiece> pieces; ///< Of which one line is not enough; else empty.
    Range<HostTimestamp> span{}; ///< The messages' times on the clock that is compared.
    /// The largest within the span. Duration::max(): not known. Of one line: as long as both clocks run evenly, which no message
    /// contradicts; of pieces wherever they bend.
    Duration error{};
    Duration lineError{}; ///< The same of the single line.
    Duration leastError{};
    /// What the drift of the single line is right within, in 10^-12, as long as both clocks run evenly. None: nobody knows, as of clocks
    /// that bend.
    std::optional<std::int64_t> driftError;
    HostTimestamp surest{}; ///< Where that is.
    std::size_t arrivals = 0; ///< Messages, outliers and all.
    std::size_t departures = 0;
    std::vector<std::uint32_t> outliers; ///< Messages that contradict most others, by their place; they were not obeyed.
};

/// The straight pieces between a clock's points.
std::vector<FitPiece> piecesThrough(const std::vector<ClockPoint>& points);

/// Finds it. The passages may come in any order. Cost: some 100 ns a message, more where they contradict each other.
/// Ends early, as Failed, once `stop` is requested.
ClockFit fitClocks(std::span<const Passage> passages, const std::stop_token& stop = {});

/// The same seen from the other clock. Outliers and counts are those of the same messages.
ClockFit inverse(const ClockFit& fit);

} // namespace helio
