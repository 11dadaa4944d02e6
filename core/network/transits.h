#pragma once

#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// The way of one message, a packet, from where it was sent to where it came in, on the experiment's clock.
struct Transit {
    TimeRange range; ///< As the clocks have it: it may end before it begins.
    Duration error{}; ///< What its length is right within, as both hosts' clocks are known from each other. Duration::max(): not known.
    std::uint32_t relation = 0; ///< Index in Timeline::relations.
    std::uint32_t place = 0; ///< In its Transmissions::all.

    bool goesBack() const { return range.end < range.begin; }
    /// It ends before it begins by more than the clocks' error: the match is wrong, or a clock.
    bool isBeyondError() const;
};

/// Requires: the transit is of the timeline.
const Transmissions& messagesOf(const Timeline& timeline, const Transit& transit);
const Transmission& messageOf(const Timeline& timeline, const Transit& transit);

/// What the messages of relations are called, each once: "packet", and where some were cut or joined on their way "packet-part".
std::vector<std::string> transitKinds(const Timeline& timeline);

/// Hands over the messages of a kind whose begin and end both lie in the range, those that were sent first first. Ends early once `stop` is
/// requested. Cost: as sorting them, some 300 ns each.
void eachTransit(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const Transit&)>& take,
                 std::stop_token stop = {});

/// "tcp 10.0.1.1:1234 > 10.0.1.2:8080"; where addresses are not recorded between the hosts: "tcp client > web".
std::string connectionOf(const Timeline& timeline, const Transmissions& messages, const Transmission& message);
std::string connectionOf(const Timeline& timeline, const Transit& transit);
/// "client > web".
std::string hostsOf(const Timeline& timeline, const Transit& transit);

/// What is known of it beside its times, in order; values as text. Flags of TCP by name, joined by "|".
std::vector<std::pair<std::string, std::string>> fieldsOf(const Timeline& timeline, const Transit& transit);

/// "syn|ack".
std::string tcpFlagsText(std::uint16_t flags);

} // namespace helio
