#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;
struct TrackRef;

/// Facts about a timeline as a whole.

/// Returns the range of the whole experiment, from the first event to the last one (as packets claim while indexing).
TimeRange rangeOf(const Timeline& timeline);

bool isComplete(const Timeline& timeline);

/// Returns the time up to which the trace's states are known; after the end of everything once the trace is read.
Timestamp knownUntil(const Timeline& timeline, std::uint32_t trace);
/// Returns the time up to which the contents of the track's store are known.
Timestamp knownUntil(const Timeline& timeline, TrackRef track);

/// Returns the trace's own part of rangeOf(): from its first event to its last, as packets claim while indexing. All of rangeOf() if the
/// trace has no event or no times.
TimeRange coveredRange(const Timeline& timeline, std::uint32_t trace);

/// True if times count from the Unix epoch.
bool hasEpoch(const Timeline& timeline);

/// Returns the names of the hosts whose clocks are not synchronized with the other hosts' clocks: times between them mean nothing.
std::vector<std::string> unsynchronizedHosts(const Timeline& timeline);

/// Returns the name to show wherever one of the host's threads or CPUs is named; empty if there is only one host.
std::string hostName(const Timeline& timeline, std::uint32_t host);

/// True if anything in the timeline has a time. Folded stacks have none; questions about them are about all of them.
bool hasTimes(const Timeline& timeline);

/// True if a trace has samples, and with them perhaps call stacks.
bool hasSamples(const Timeline& timeline);

struct HostFacts {
    std::string label;
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint32_t cpus = 0; ///< CPU rows known so far.
    TimeRange range{}; ///< Range covered by the host's traces, including gaps between them.
};
/// Returns the host that a trace was recorded on, as an index into hostFacts().
std::uint32_t hostOf(const Timeline& timeline, std::uint32_t trace);

/// Returns the host whose clock all times are on, as an index into hostFacts().
std::uint32_t referenceHost(const Timeline& timeline);

/// Returns the hosts in the order in which views show them.
std::vector<std::uint32_t> hostsInOrder(const Timeline& timeline);

std::vector<HostFacts> hostFacts(const Timeline& timeline);

} // namespace helio
