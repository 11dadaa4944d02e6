#pragma once

#include "core/compare/process_runs.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/segments/segments.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Subject of a comparison on one side: the runs of a program, one thread, or one call of the thread.
struct Subject {
    std::string program;
    TrackRef thread; ///< If valid, this thread is the subject, whatever its program: its row of states, or one of its rows of calls.

    bool operator==(const Subject&) const = default;
};

/// Returns the call on the subject's row that has exactly this range; nothing if the row has no calls, or no such call.
/// Cost: like callAt().
std::optional<Segment> callOf(const Timeline& timeline, const Subject& subject, TimeRange within);

/// Returns the name of the called function as rows show it.
/// Threads: any but the UI thread, because symbols are read.
/// Cost: like readFrameNames(), the first time.
std::string readCallName(const Timeline& timeline, const Segment& call, std::stop_token stop = {});

/// Returns the ranges of the subject within a range, by begin: each run of the program, or the life of the thread. The row of the thread is
/// the row of its states, if these were recorded. A call counts as a whole run of its thread.
std::vector<ProcessRun> runsOf(const Timeline& timeline, const Subject& subject, TimeRange within, std::stop_token stop = {});

/// Returns a filter for the samples of these runs: of all threads of a program's processes, or of the thread alone. Nothing passes without
/// runs.
SampleFilter samplesOf(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs);

/// Returns the time of the first sample with a function of that name in its call stack; nothing if there is none.
/// Threads: any but the UI thread.
/// Cost: collects and names the samples that pass the filter.
std::optional<Timestamp> findFirstSample(const Timeline& timeline, std::string_view function, const SampleFilter& filter,
                                         std::stop_token stop = {});

} // namespace helio
