#pragma once

#include "core/compare/process_runs.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
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

/// Names of both sides' stacks, made alike so that their call trees can be compared.
struct SideNames {
    StackNames a;
    StackNames b;
    bool omitsInlined = false; ///< True if inlined functions are no frames, on both sides: their time belongs to their callers.
    bool isOfA = false; ///< With omitsInlined: true if it is A's recording or symbols that name no inlined functions, false if it is B's.
};

/// Names the stacks of both sides. If one side's names mark inlined functions (from DWARF, or by marks of perf script) and the other side's
/// names do not, the same code would have different frames. Then inlined functions are left out on both sides. They stay if the other side
/// has most of them as functions of their own: it was built without inlining, and the frames are the same anyway.
///
/// Threads and cost: like nameStacks() of each side, twice for one side if inlined functions are left out.
SideNames nameSides(const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b,
                    QueryProgress* progress = nullptr, std::stop_token stop = {});

/// Returns the samples of all that the subject did in its runs; none without runs. Ranges, threads and processes of `filter` are replaced.
///
/// Threads and cost: like collectStacks().
StackProfile collectRuns(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, SampleFilter filter,
                         QueryProgress* progress = nullptr, std::stop_token stop = {});

/// True if A and B are the same text with two counts for each stack: one is A, the other one B.
bool areCountColumns(const Timeline& a, const Timeline& b);

/// Returns the kinds of samples to compare: the two columns if areCountColumns(). Otherwise the first kind of A that B has too, with the
/// same name or as CPU time with another name; if the sides share none, the first kind of each. A side without samples has an empty name.
std::pair<SampleKind, SampleKind> comparedKinds(const Timeline& a, const Timeline& b);

} // namespace helio
