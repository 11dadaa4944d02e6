#pragma once

#include "core/experiment/timeline.h"
#include "core/findings/findings.h"
#include "core/fleet/trace_summary.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace helio::fleet {

/// Returns an empty summary of a recording at a path, with the time, the machine and the versions: the begin of each summary.
TraceSummary beginSummary(const std::string& path);

/// Sets the facts of the recording: what `heliograph info` prints, and the busy share of its CPUs. Requires: the timeline has traces, and
/// all of them are indexed.
void addFacts(TraceSummary& summary, const Timeline& timeline);

/// Sets the digests of scheduling latency, system calls and block requests that the recording has: one for each kind, and one for each of
/// the MostNames names with the largest total time; scheduling latency has no names.
/// Threads: any but the UI thread.
/// Cost: about 0.1 s for a million intervals.
/// Memory: 8 bytes for each interval.
void addLatencies(TraceSummary& summary, const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop = {});
constexpr std::size_t MostNames = 12; ///< Maximum number of names of a kind of intervals that have digests of their own.

/// Sets the findings. `window`: range in which they were found.
void addFindings(TraceSummary& summary, const Findings& findings, const Timeline& timeline, TimeRange window);

} // namespace helio::fleet
