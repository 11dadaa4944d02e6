#pragma once

#include "core/query/rows/arrows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

struct Transmission; // core/correlation/transmissions.h

constexpr Duration UnknownError = Duration::max();

/// What times of two hosts are right within beside each other, about a moment of the experiment: 0 on one host, UnknownError where nothing
/// relates their clocks. Of two that were compared by way of a third one, what both have from there does not count.
Duration errorBetween(const Timeline& timeline, std::uint32_t a, std::uint32_t b, Timestamp at);

/// Whether an arrow goes forward in time.
enum class LinkOrder : std::uint8_t {
    Forward,
    WithinError, ///< It goes back, by no more than the clocks may be wrong.
    Impossible, ///< It goes back, by more: the clocks, or what made it, are wrong.
    Unknown, ///< It goes back, and nothing relates the clocks.
};

/// The hosts of an arrow's ends, and how sure its length is.
struct LinkTimes {
    std::uint32_t from = 0; ///< Index in Timeline::hosts.
    std::uint32_t to = 0;
    Duration length{}; ///< Below 0: it goes back.
    Duration error{}; ///< As errorBetween().
    LinkOrder order = LinkOrder::Forward;
    bool isRelated = true; ///< Something relates the hosts' clocks, also where nobody knows how sure that is.

    bool isAcross() const { return from != to; }
};

/// Cost: some 100 ns.
LinkTimes linkTimes(const Timeline& timeline, const Arrow& arrow);

/// The arrow of a message at the times that its hosts' clocks give it in this timeline; any other as it is. Nothing: it is not there any
/// more. Cost: of a message's, as a look at all of its relation's.
std::optional<Arrow> asItIsNow(const Timeline& timeline, const Arrow& arrow);

/// The message that an arrow was made of. Null: none.
const Transmission* messageOf(const Timeline& timeline, const Arrow& arrow);

/// The arrow of a message, by its relation and its place among that one's: that between threads, where they are known. Nothing: there is
/// none. Cost: as a look at all of the relation's.
std::optional<Arrow> arrowOfMessage(const Timeline& timeline, std::size_t relation, std::uint32_t message);

/// An end of which nobody knows which thread it was: it is at a CPU, or nowhere.
bool isOfNoThread(const Timeline& timeline, TrackRef end);

/// What its header says of an arrow's message, as far as recorded: name and value, in the order of the header. Empty: it has none.
std::vector<std::pair<std::string, std::string>> messageFields(const Timeline& timeline, const Arrow& arrow);

/// "SYN ACK".
std::string flagsText(std::uint16_t flags);

} // namespace helio
