#pragma once

#include "core/query/rows/arrows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

struct Transmission;

constexpr Duration UnknownError = Duration::max();

/// Returns the error bound of the difference between a time at host `a` and a time at host `b`, near the time `at`. 0 if `a` and `b`
/// are the same host; UnknownError if their clocks are unrelated. Adds up the errors of the clocks that are applied to only one of the two
/// hosts; a clock that is applied to both has no effect on the difference.
Duration errorBetween(const Timeline& timeline, std::uint32_t a, std::uint32_t b, Timestamp at);

/// Direction of an arrow in time, compared with the error of the clocks.
enum class LinkOrder : std::uint8_t {
    Forward, ///< The arrow does not go back in time.
    WithinError, ///< The arrow goes back in time by no more than the error bound of the clocks.
    Impossible, ///< The arrow goes back in time by more than the error bound: the clocks or the link are wrong.
    Unknown, ///< The arrow goes back in time, and the clocks are unrelated.
};

/// The hosts of an arrow's ends, and the error of its duration.
struct LinkTimes {
    std::uint32_t fromHost = 0; ///< Index into Timeline::hosts.
    std::uint32_t toHost = 0; ///< Host of the arrow's end, as an index into Timeline::hosts.
    Duration length{}; ///< Duration of the arrow in ns; negative if the arrow goes back in time.
    Duration error{}; ///< Error bound of `length` as errorBetween() returns it.
    LinkOrder order = LinkOrder::Forward;
    bool isRelated = true; ///< True if the hosts' clocks are related, even with an unknown error.

    bool isBetweenHosts() const { return fromHost != toHost; }
};

/// Returns the hosts of an arrow's ends, its duration and its error bound.
/// Cost: about 100 ns.
LinkTimes linkTimes(const Timeline& timeline, const Arrow& arrow);

/// Returns the arrow of the same message with the times by the clocks of this timeline. An arrow without a message is returned unchanged;
/// nullopt if the message does not exist any more. Cost: for an arrow with a message, a search in all links of its correlation.
std::optional<Arrow> updatedArrow(const Timeline& timeline, const Arrow& arrow);

/// Returns the message that an arrow shows; nullptr if it shows none.
const Transmission* messageOf(const Timeline& timeline, const Arrow& arrow);

/// Returns the arrow of message `message` of a correlation, preferably an arrow between threads; nullopt if the message has no arrow.
/// Cost: a search in all links of the correlation.
std::optional<Arrow> arrowOfMessage(const Timeline& timeline, std::size_t relation, std::uint32_t message);

/// True if the thread of an arrow's end is unknown, that is, if the end is at a CPU row or at no row.
bool hasNoThread(const Timeline& timeline, TrackRef end);

/// Returns the recorded header fields of an arrow's message as names and values, in the order of the header; empty if the arrow has no
/// message.
std::vector<std::pair<std::string, std::string>> messageFields(const Timeline& timeline, const Arrow& arrow);

/// Returns the names of the set TCP flags in capitals, for example "SYN ACK".
std::string flagsText(std::uint16_t flags);

} // namespace helio
