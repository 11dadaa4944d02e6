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

/// What is compared on one side: the runs of a program, one thread, or one call of it.
struct Subject {
    std::string program;
    TrackRef thread; ///< Where valid, this thread, whatever its program: its row of states, or one of its calls.

    bool operator==(const Subject&) const = default;
};

/// The call that a range is: one on the subject's row, as long as the range. Nothing: the row is of no calls, or the range is none of them.
/// Cost: as callAt().
std::optional<Segment> callOf(const Timeline& timeline, const Subject& subject, TimeRange within);

/// The function that was called, as rows name it. Threads: any but the UI's: reads symbols. Cost: as readFrameNames(), the first time.
std::string nameOfCall(const Timeline& timeline, const Segment& call, std::stop_token stop = {});

/// The stretches of time that the subject fills within a range, by begin: each run of the program, or the thread's life there, whose row is
/// that of its states where these were recorded. A call is a whole run of its thread.
std::vector<ProcessRun> runsOf(const Timeline& timeline, const Subject& subject, TimeRange within, std::stop_token stop = {});

/// The samples of those runs: of all threads of a program's processes, or of the thread alone. Nothing passes where there are no runs.
SampleFilter samplesOf(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs);

/// When the first sample was taken whose call stack holds a function of that name; nothing where none does.
/// Threads: any but the UI's. Cost: as collecting and naming the samples that pass the filter.
std::optional<Timestamp> firstSampleIn(const Timeline& timeline, std::string_view function, const SampleFilter& filter,
                                       std::stop_token stop = {});

} // namespace helio
