#pragma once

#include "app/cli/commands/compared_sides.h"
#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/sample_options.h"
#include "core/compare/tree_difference.h"
#include "core/profiling/export/call_tree_text.h"

namespace helio {

/// Samples of both sides that are compared, and how. Ownership: the options outlive the object.
struct ComparedSamples {
    const SelectionOptions& selection;
    const SampleOptions& samples;
    const DifferenceOptions& difference;
    CallTreeOptions tree;
    bool hasTimeOffCpu = true; ///< If only time on a CPU was sampled, adds frames for the time off a CPU.
    bool isScaled = true; ///< Amounts are scaled to the basis; otherwise shown as counted.
};

/// Call stacks of both sides in one tree.
struct SampleDifference {
    DifferenceTree tree;
    DifferenceBasis basis;
    SampleKind kindA;
    SampleKind kind; ///< Kind of the samples of side B.
    std::vector<std::string> limits; ///< Limits of the numbers that the user has to know; see describeLimits().
    std::vector<std::string> notes; ///< Changes that made the sides comparable.
    std::string subject; ///< The program, or the function whose calls are compared; empty if all samples were compared.
    bool isOfCalls = false; ///< Runs are calls, not processes.
    bool isOfAllThreads = false; ///< CPU time of several threads, which is not a part of the wall time.
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    std::string subtitle; ///< For example "4395 samples of 1 run in A, 18127 of 4 in B"; without runs if all samples are compared.
};
Result<SampleDifference> sampleDifference(const ComparedSamples& options, const ComparedSides& sides);

/// Name of the root of a differential flame graph, for example "solver, per process".
std::string rootName(const SampleDifference& difference);

/// Appearance of a differential flame graph.
/// Ownership: the options outlive the object.
struct DifferencePicture {
    const DifferenceOptions& difference;
    std::uint32_t width = 1600; ///< Width in pixels.
    bool isIcicle = false;
    bool isInverted = false; ///< The call tree is inverted: callers are children.
};

/// Writes the differential flame graph of both sides as SVG that zooms in a browser.
void writeDifference(const DifferencePicture& picture, const SampleDifference& difference, const TextSink& write);

} // namespace helio
