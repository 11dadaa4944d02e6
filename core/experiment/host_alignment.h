#pragma once

#include "core/experiment/timeline.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Sets the clock of each host and trace from the comparisons that correlators made and the user's choices. A host's clock is chained along
/// the path with the smallest error bound to the reference host. Hosts without a path to it are aligned with the first host that they are
/// connected to, whose times stay raw. Does not move links: call retimeLinks() for that.
/// Cost: small; no trace or store is read.
void alignHosts(Timeline& timeline);

/// The host whose clock the times of `host` are on: the reference host; without a path to it, the first host that `host` is connected to;
/// `host` itself if it is connected to no host.
std::uint32_t rootOf(const Timeline& timeline, std::uint32_t host);
/// True if times of both hosts are comparable, as the last call of assessClocks() decided.
bool areComparable(const Timeline& timeline, std::uint32_t a, std::uint32_t b);

/// Moves the links that correlators found to the current clocks.
/// Cost: proportional to the number of links.
void retimeLinks(Timeline& timeline);

/// Looks the host up in `choice`, by its id and then by its label; nullptr if it has no entry.
template <typename Value> const Value* findOverride(const TimelineHost& host, const std::map<std::string, Value>& choice)
{
    for (const std::string* name : {&host.id, &host.label})
        if (const auto found = choice.find(*name); found != choice.end())
            return &found->second;
    return nullptr;
}

/// Index into Timeline::hosts; empty if no host has this label or id.
std::optional<std::uint32_t> findHostByName(const Timeline& timeline, std::string_view labelOrId);

/// The time range of the host's traces on its own clock, from the first to the last event; of traces that are not indexed, the range that
/// their packets claim. Empty at 0 if the packets have no times.
HostRange hostRange(const Timeline& timeline, std::uint32_t host);

/// The middle of hostRange(), on the host's own clock: the moment for which clock offsets are stated.
HostTimestamp middleOfHost(const Timeline& timeline, std::uint32_t host);

/// The messages that measure how good a host's clock is.
struct ClockEvidence {
    const HostComparison* compared = nullptr; ///< Comparison with the messages; nullptr if there is none. Lives as long as the timeline.
    std::size_t relation = 0; ///< Index in Timeline::relations of the correlation that has the messages.
    std::uint32_t neighbour = 0; ///< The other host of the comparison.
};

/// Returns the messages that show how good a host's clock is. If the clock was found from messages: the messages between it and the first
/// host of TimelineHost::path. If the user or a file set the clock: the messages of the best comparison with a host that has a clock with
/// the same reference. Empty for the reference host, for raw times, and if there are no messages.
ClockEvidence findClockEvidence(const Timeline& timeline, std::uint32_t host);

/// For each host with a clock set by the user or a file, counts how many of its findClockEvidence() arrive before they were sent
/// (TimelineHost::early).
/// Cost: about 10 ns per message.
void countCausalityViolations(Timeline& timeline);

} // namespace helio
