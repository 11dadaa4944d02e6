#pragma once

#include "app/cli/commands/compared_sides.h"
#include "app/cli/selection/difference_options.h"
#include "app/cli/selection/sample_options.h"
#include "core/compare/tree_difference.h"
#include "core/profiling/export/call_tree_text.h"

namespace helio {

/// Which samples of both sides are compared, and what is made of them. The options outlive it.
struct ComparedSamples {
    const SelectionOptions& selection;
    const SampleOptions& samples;
    const DifferenceOptions& difference;
    CallTreeOptions tree;
    bool hasTimeOffCpu = true; ///< Frames of the time off a CPU stand beside those sampled, where time on a CPU was sampled alone.
    bool isScaled = true; ///< Else amounts are shown as counted, whatever the basis.
};

/// The call stacks of both sides as one tree.
struct SampleDifference {
    DifferenceTree tree;
    DifferenceBasis basis;
    SampleKind kindA;
    SampleKind kind; ///< Of B.
    std::vector<std::string> limits; ///< What a person has to know before believing it; see limitsOf().
    std::vector<std::string> notes; ///< What was done to make the sides comparable.
    std::string subject; ///< The program, or the function whose calls these are. Empty: all samples were compared.
    bool isOfCalls = false; ///< Runs are calls, not processes.
    bool isOfAllThreads = false; ///< CPU time of several threads, which is no part of the wall time.
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    std::string subtitle; ///< "4395 samples of 1 run in A, 18127 of 4 in B"; of all samples without runs.
};
Result<SampleDifference> sampleDifference(const ComparedSamples& options, const ComparedSides& sides);

/// "solver, per process": what the root of a differential flame graph is called.
std::string rootName(const SampleDifference& difference);

/// What a differential flame graph looks like. The options outlive it.
struct DifferencePicture {
    const DifferenceOptions& difference;
    std::uint32_t width = 1600; ///< In pixels.
    bool isIcicle = false;
    bool isInverted = false; ///< The tree is.
};

/// The differential flame graph of both sides as SVG that zooms in a browser.
void writeDifference(const DifferencePicture& picture, const SampleDifference& difference, const TextSink& write);

} // namespace helio
