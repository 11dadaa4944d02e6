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

/// Subject of one side of a comparison: the runs of a program, a thread, or one call of a thread.
struct Subject {
    std::string program;
    TrackRef thread; ///< Row of the compared thread: its row of states, or one of its rows of calls. If valid, `program` is ignored.

    bool operator==(const Subject&) const = default;
};

/// Returns the call on the subject's row that has exactly the range `within`; nullopt if there is no such call or the row has no calls.
/// Cost: like callAt().
std::optional<Segment> callOf(const Timeline& timeline, const Subject& subject, TimeRange within);

/// Returns the name of the called function as it is shown in rows.
/// Threads: any but the UI thread, because symbols are read.
/// Cost: like readFrameNames(), the first time.
std::string readCallName(const Timeline& timeline, const Segment& call, std::stop_token stop = {});

/// Returns the time ranges of the subject inside `within`, in order of start times: each run of the program, or the lifetime of the thread.
/// The thread's row is its row of states if states were recorded. A call counts as a complete run of its thread.
std::vector<ProcessRun> runsOf(const Timeline& timeline, const Subject& subject, TimeRange within, std::stop_token stop = {});

/// Returns a filter for the samples of the runs: of all threads of the program's processes, or of the thread alone. Accepts no samples if
/// `runs` is empty.
SampleFilter samplesOf(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs);

/// Returns the time of the first sample with a function of that name in its call stack; nullopt if there is no such sample.
/// Threads: any but the UI thread.
/// Cost: collects and names the samples that pass the filter.
std::optional<Timestamp> findFirstSample(const Timeline& timeline, std::string_view function, const SampleFilter& filter,
                                         std::stop_token stop = {});

/// Function names for the stacks of both sides, adjusted so that the call trees can be compared.
struct SideNames {
    StackNames a;
    StackNames b;
    bool omitsInlined = false; ///< True if inlined functions are left out on both sides. Their time then belongs to their callers.
    /// Side whose recording or symbols do not name inlined functions: true for A, false for B. Only meaningful if omitsInlined.
    bool isOfA = false;
};

/// Names the stacks of both sides.
///
/// If the names of only one side mark inlined functions (from DWARF, or by marks of perf script), equal code would have different frames on
/// the two sides, so inlined functions are left out on both sides. Exception: if the side without marks has most of these functions as
/// separate functions, its program was built without inlining. The frames correspond then, and nothing is left out.
///
/// Threads, cost: like nameStacks() of each side, twice for one side if inlined functions are left out.
SideNames nameSides(const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b,
                    QueryProgress* progress = nullptr, std::stop_token stop = {});

/// Returns all samples of the subject in its runs; none if `runs` is empty. The ranges, threads and processes of `filter` are replaced.
///
/// Threads, cost: like collectStacks().
StackProfile collectRuns(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, SampleFilter filter,
                         QueryProgress* progress = nullptr, std::stop_token stop = {});

/// Returns true if A and B are one text file in which each stack has two counts: the first for A, the second for B.
bool areCountColumns(const Timeline& a, const Timeline& b);

/// Returns the kinds of samples to compare, for A and for B. If A and B are the two columns of one text file (areCountColumns()), returns
/// the kinds of these columns. Otherwise returns the first kind of A that B also has, and the matching kind of B. Kinds match if they
/// have the same name, or if both measure CPU time. If no kinds match, returns the first kind of each side. A side without samples gets a
/// kind with an empty name.
std::pair<SampleKind, SampleKind> comparedKinds(const Timeline& a, const Timeline& b);

} // namespace helio
