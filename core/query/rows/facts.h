#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;
struct TrackRef;

/// What views ask of a timeline as a whole, without knowing what it is made of.

/// All that is shown: first event's time to last event's time (as packets claim while indexing).
TimeRange rangeOf(const Timeline& timeline);

bool isComplete(const Timeline& timeline);

/// Up to when states of this trace are known. After the end of everything once the trace is read.
Timestamp knownUntil(const Timeline& timeline, std::uint32_t trace);
/// The same of what was derived from it: of the track's store.
Timestamp knownUntil(const Timeline& timeline, TrackRef track);

/// The trace's own part of rangeOf(): from its first event to its last, while indexing as its packets claim. All of it where the trace has
/// no event or no times.
TimeRange coveredRange(const Timeline& timeline, std::uint32_t trace);

/// Whether times are since the Unix epoch.
bool hasEpoch(const Timeline& timeline);

/// The hosts whose clocks nothing relates to the others': times between them mean nothing.
std::vector<std::string> unsynchronizedHosts(const Timeline& timeline);

/// What a host is called in views where there are several hosts, to be named wherever one of its threads or CPUs is; else empty.
std::string hostName(const Timeline& timeline, std::uint32_t host);

/// Whether anything in it has a time: folded stacks have none, and all that is asked of them is about all of them.
bool hasTimes(const Timeline& timeline);

/// Whether a trace has samples, with which it may have call stacks.
bool hasSamples(const Timeline& timeline);

struct HostFacts {
    std::string label;
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint32_t cpus = 0; ///< CPU rows known so far.
    TimeRange range{}; ///< That its traces cover; what lies between two of them, too.
};
/// The host that a trace was recorded on: an index in hostFacts().
std::uint32_t hostOf(const Timeline& timeline, std::uint32_t trace);

/// The host whose clock all times are on: an index in hostFacts().
std::uint32_t referenceHost(const Timeline& timeline);

/// The hosts in the order that views show them in.
std::vector<std::uint32_t> hostsInOrder(const Timeline& timeline);

std::vector<HostFacts> hostFacts(const Timeline& timeline);

} // namespace helio
