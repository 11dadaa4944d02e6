#pragma once

#include "app/cli/commands/compared_sides.h"
#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/sample_options.h"
#include "core/compare/tree_difference.h"
#include "core/profiling/export/call_tree_text.h"

namespace helio {

/// Selection of the samples of both sides to compare, and settings of the comparison.
/// Ownership: the options outlive the object.
struct ComparedSamples {
    const SelectionOptions& selection;
    const SampleOptions& samples;
    const DifferenceOptions& difference;
    CallTreeOptions tree;
    bool hasTimeOffCpu = true; ///< True to add frames for the time off a CPU if only time on a CPU was sampled.
    bool isScaled = true; ///< True to scale amounts to the basis of the comparison, e.g. per process; false to show amounts as counted.
};

/// Comparison of the call stacks of both sides, as one tree.
struct SampleDifference {
    DifferenceTree tree;
    DifferenceBasis basis;
    SampleKind kindA;
    SampleKind kind; ///< Kind of the samples of side B.
    std::vector<std::string> limits; ///< Sentences that say why the amounts may be incomplete or wrong; see describeLimits().
    /// Sentences about adjustments that made the sides comparable, e.g. that inlined functions count for their callers.
    std::vector<std::string> notes;
    std::string subject; ///< Compared program, or function whose calls are compared; empty if all samples were compared.
    bool isOfCalls = false; ///< True if each compared run is a call of a function; false if each run is a process.
    bool isOfAllThreads = false; ///< True if amounts are the CPU time of several threads, which may exceed the wall time.
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    /// Subtitle of the picture, for example "4395 samples of 1 run in A, 18127 of 4 in B"; without runs if all samples are compared.
    std::string subtitle;
};
Result<SampleDifference> sampleDifference(const ComparedSamples& options, const ComparedSides& sides);

/// Returns the name of the root frame of a differential flame graph, for example "solver, per process".
std::string rootName(const SampleDifference& difference);

/// Settings of the picture of a differential flame graph.
/// Ownership: the options outlive the object.
struct DifferencePicture {
    const DifferenceOptions& difference;
    std::uint32_t width = 1600; ///< Width of the picture in pixels.
    bool isIcicle = false;
    bool isInverted = false; ///< True for an inverted call tree, in which callers are children.
};

/// Writes the differential flame graph of both sides as SVG that can be zoomed in a browser.
void writeDifference(const DifferencePicture& picture, const SampleDifference& difference, const TextSink& write);

} // namespace helio
