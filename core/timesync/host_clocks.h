#pragma once

#include "core/clock/fit/clock_line.h"
#include "core/experiment/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// How one host's clock is related to the reference's: what is listed of it.
struct HostClockFacts {
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    std::string label; ///< As command lines and files name it.
    std::string name; ///< As views do.
    std::vector<std::uint32_t> traces; ///< Index in Timeline::traces.
    ClockMethod method = ClockMethod::None;
    FitQuality quality = FitQuality::None;
    ClockLine line; ///< The single one that fits best; its moment is where it is surest.
    Duration offset{}; ///< The reference's time less the host's, in the middle of the host's traces.
    Duration error{}; ///< Of the line, everywhere in the host's traces. Duration::max(): not known.
    /// What its times are right within, everywhere in its traces: of the pieces, where there are several. Duration::max(): not known.
    Duration bound{};
    Duration leastError{}; ///< The same where it is surest.
    std::optional<std::int64_t> driftError; ///< Of the line, in 10^-12. None: not known.
    std::size_t matches = 0; ///< Messages exchanged with the host before it on the path,
    std::size_t matchesTo = 0; ///< to this one,
    std::size_t matchesFrom = 0; ///< and from it.
    std::size_t outliers = 0; ///< Of them: those that contradict the others.
    std::string messages; ///< What these messages are called: "packets". Empty: it does not come from messages.
    bool isFromFile = false; ///< All this is as a file of clocks says it.
    std::vector<std::uint32_t> path; ///< From the reference to this one, both included. Empty: no way leads there.
    std::vector<FitPiece> pieces; ///< Where one line is not enough.
};

/// Of all hosts, in the timeline's order.
std::vector<HostClockFacts> hostClocks(const Timeline& timeline);

/// Of a bound: "3.21 ms", "194 µs" of 193.303; three digits, of seconds six, and never less than it. Requires: it is not negative.
std::string roughText(Duration duration);

/// How much faster (+) a clock runs, in ppm, and what that is right within: "60.41 ± 1.23"; "41.2" where that is not known.
std::string driftText(const HostClockFacts& clock);

std::string_view wordOf(ClockMethod method); ///< "packets"
std::string_view wordOf(FitQuality quality); ///< "one-way"
ClockMethod methodOf(std::string_view word); ///< Manual: it is no method's.
FitQuality qualityOf(std::string_view word); ///< None: it is no quality's.

/// The host on the way to it, the reference aside, whose clock a person set: how sure that is nobody knows.
std::optional<std::uint32_t> setByHandBefore(const Timeline& timeline, const HostClockFacts& clock);
/// The same of a hand that did not say how right that is.
bool isUnsureByHand(const Timeline& timeline, const HostClockFacts& clock);

/// Of a clock that was set by hand, or comes from a file: "224 of 428 packets arrive before they were sent". Empty: no more of them than
/// contradict each other anyway.
std::string earlyText(const Timeline& timeline, std::uint32_t host);

/// In plain words: "web: 4.412 s ahead of client, drift 49.7 ppm, sure to 628 µs (193 µs at best), from 428 packets".
std::string sentenceOf(const Timeline& timeline, const HostClockFacts& clock);

} // namespace helio
