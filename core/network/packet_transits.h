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

/// Transit of one message, for example a packet, from its sender to its receiver.
struct PacketTransit {
    /// From departure to arrival on the experiment's clock. Because of clock errors, the arrival may be before the departure.
    TimeRange range;
    Duration error{}; ///< Error bound of the transit's duration, from the errors of the two hosts' clocks; Duration::max() if unknown.
    std::uint32_t relation = 0; ///< Index into Timeline::relations of the correlation that has the message.
    std::uint32_t message = 0; ///< Index of the message in Transmissions::all of the correlation `relation`.

    bool hasNegativeDuration() const { return range.end < range.begin; }
    /// True if the transit ends before it begins by more than the error bound of the clocks: either the match or a clock is wrong.
    bool exceedsErrorBound() const;
};

/// messagesOf() returns all messages of the correlation that has the transit's message; messageOf() returns this message. Require:
/// the transit belongs to the timeline.
const Transmissions& messagesOf(const Timeline& timeline, const PacketTransit& transit);
const Transmission& messageOf(const Timeline& timeline, const PacketTransit& transit);

/// Returns the distinct kinds of messages of all correlations: for example "packet", and "packet-part" if some packets were split or joined
/// in transit.
std::vector<std::string> transitKinds(const Timeline& timeline);

/// Calls `take` for each message of `kind` with a transit in `range`, in the order of departure. Returns early once `stop` is
/// requested.
/// Cost: a sort of the messages, about 300 ns for each message.
void forEachTransit(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const PacketTransit&)>& take,
                    std::stop_token stop = {});

/// Returns the message's connection as text, for example "tcp 10.0.1.1:1234 > 10.0.1.2:8080". If no addresses were recorded, the text
/// has the names of the hosts: "tcp client > web".
std::string connectionOf(const Timeline& timeline, const Transmissions& messages, const Transmission& message);
std::string connectionOf(const Timeline& timeline, const PacketTransit& transit);
/// Returns the sending and the receiving host as text, for example "client > web".
std::string hostsOf(const Timeline& timeline, const PacketTransit& transit);

/// Returns the recorded fields of the message as names and values, in display order, without its times. TCP flags are joined by "
/// ".
std::vector<std::pair<std::string, std::string>> fieldsOf(const Timeline& timeline, const PacketTransit& transit);

/// Returns the names of the set TCP flags, for example "syn|ack".
std::string tcpFlagsText(std::uint16_t flags);

} // namespace helio
