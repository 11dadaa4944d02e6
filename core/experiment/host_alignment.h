#pragma once

#include "core/experiment/timeline.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Sets the clocks of all hosts and traces, from the user's settings and from the comparisons that correlators made. A host's clock is
/// composed along the path to the reference host with the smallest error bound. A host without such a path is aligned with the first host
/// to which it is connected; the times of that first host stay as recorded. Does not move links; call retimeLinks() for that.
/// Cost: small; reads no trace or store.
void alignHosts(Timeline& timeline);

/// Returns the host that provides the clock for the times of `host`: the reference host; without a path to it, the first host that `host`
/// is connected to, or `host` itself if it is connected to no host.
std::uint32_t rootOf(const Timeline& timeline, std::uint32_t host);
/// True if times of both hosts are comparable, according to the last call of assessClocks().
bool areComparable(const Timeline& timeline, std::uint32_t a, std::uint32_t b);

/// Returns the index of the first trace of the same host with which times of `trace` are not comparable, because both traces have different
/// clocks and neither a correlator nor the user related them; nullopt if there is none.
std::optional<std::uint32_t> findOtherClock(const Timeline& timeline, std::uint32_t trace);

/// Recomputes the times of all links that correlators found, with the current clocks.
/// Cost: proportional to the number of links.
void retimeLinks(Timeline& timeline);

/// Returns the entry of the host in `choice`, looked up by the host's id and then by its label; nullptr if there is no entry.
template <typename Value> const Value* findOverride(const TimelineHost& host, const std::map<std::string, Value>& choice)
{
    for (const std::string* name : {&host.id, &host.label})
        if (const auto found = choice.find(*name); found != choice.end())
            return &found->second;
    return nullptr;
}

/// Returns the index into Timeline::hosts of the host with this label or id; nullopt if no host has it.
std::optional<std::uint32_t> findHostByName(const Timeline& timeline, std::string_view labelOrId);

/// Returns the time range of the host's traces on its own clock, from the first to the last event; for traces that are not indexed, the
/// range that their packets claim. An empty range at 0 if the packets have no times.
HostRange hostRange(const Timeline& timeline, std::uint32_t host);

/// Returns the middle of hostRange(), on the host's own clock. Clock offsets are stated for this time.
HostTimestamp middleOfHost(const Timeline& timeline, std::uint32_t host);

/// Messages that can check a host's clock.
struct ClockEvidence {
    /// Comparison that contains the messages; nullptr if there is none. Valid as long as the timeline exists.
    const HostComparison* compared = nullptr;
    std::size_t relation = 0; ///< Index into Timeline::relations of the correlation that contains the messages.
    std::uint32_t neighbour = 0; ///< Index into Timeline::hosts of the host with which the checked host is compared.
};

/// Returns the messages that can check a host's clock. For a clock computed from messages, these are the messages between the host and the
/// first host of TimelineHost::path. For a clock set by the user or a file, they are the messages of the best comparison with a host that
/// has a clock with the same reference. Empty for the reference host, for raw times, and without messages.
ClockEvidence findClockEvidence(const Timeline& timeline, std::uint32_t host);

/// Sets TimelineHost::early of each host with a clock set by the user or a file: the number of messages of findClockEvidence() that arrive
/// before they were sent.
/// Cost: about 10 ns per message.
void countCausalityViolations(Timeline& timeline);

} // namespace helio
