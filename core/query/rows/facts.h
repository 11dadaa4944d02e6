#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;
struct TrackRef;

/// Returns the range of the whole experiment, from the first event to the last event. While traces are indexed, returns the range that the
/// headers of CTF packets declare.
TimeRange rangeOf(const Timeline& timeline);

bool isComplete(const Timeline& timeline);

/// Returns the time up to which the trace's states are known; Timestamp::max() if the trace is completely indexed.
Timestamp knownUntil(const Timeline& timeline, std::uint32_t trace);
/// Returns the time up to which the track's store is indexed.
Timestamp knownUntil(const Timeline& timeline, TrackRef track);

/// Returns the range of one trace, from its first event to its last event (during indexing, as the headers of CTF packets declare). Returns
/// rangeOf() if the trace has no event or no times.
TimeRange coveredRange(const Timeline& timeline, std::uint32_t trace);

/// True if the experiment's times count from the Unix epoch.
bool hasEpoch(const Timeline& timeline);

/// Returns the names of the hosts with clocks that are not synchronized with the clocks of other hosts; time differences between
/// these hosts are meaningless.
std::vector<std::string> unsynchronizedHosts(const Timeline& timeline);

/// Returns the name of a host, which views show next to names of its threads and CPUs; empty if there is only one host.
std::string hostName(const Timeline& timeline, std::uint32_t host);

/// True if any trace has times. False if all traces are folded stacks, which have no times; queries then ignore time ranges.
bool hasTimes(const Timeline& timeline);

/// True if any trace has samples, with or without call stacks.
bool hasSamples(const Timeline& timeline);

struct HostFacts {
    std::string label;
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint32_t cpus = 0; ///< Number of CPUs with rows indexed so far, in any recording of the host.
    TimeRange range{}; ///< Range covered by the host's traces, including gaps between them.
    bool isNamed = false; ///< True if the hostname is recorded.
};
/// Returns the host that a trace was recorded on, as an index into hostFacts().
std::uint32_t hostOf(const Timeline& timeline, std::uint32_t trace);

/// Returns the reference host as an index into hostFacts(). The time axis shows the clock of this host.
std::uint32_t referenceHost(const Timeline& timeline);

/// Returns the hosts in the order of views: the user's order, or the order of opening with guests directly below their hypervisors.
std::vector<std::uint32_t> hostsInOrder(const Timeline& timeline);

std::vector<HostFacts> hostFacts(const Timeline& timeline);

} // namespace helio
