#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/compare/process_runs.h"
#include "core/compare/tree_difference.h"
#include "core/query/export/call_tree_text.h"

namespace helio {

/// One side of `compare`.
struct ComparedRuns {
    OpenedExperiment opened;
    std::string program; ///< Empty: all samples are compared, not those of a program.
    std::vector<ProcessRun> runs;
};

/// Both sides of a comparison, opened, with the runs of the program that the options name or of the first of commonPrograms().
struct ComparedSides {
    ComparedRuns a;
    ComparedRuns b;
    bool hasProblems = false;
};
/// An error where a side cannot be opened, or the program did not run there.
Result<ComparedSides> openSides(const CommandOptions& options);

/// The call stacks of both sides as one tree.
struct SampleDifference {
    DifferenceTree tree;
    DifferenceBasis basis;
    SampleKind kindA;
    SampleKind kind; ///< Of B.
    std::vector<std::string> limits; ///< What a person has to know before believing it; see limitsOf().
    std::vector<std::string> notes; ///< What was done to make the sides comparable.
    std::string subtitle; ///< "4395 samples of 1 run in A, 18127 of 4 in B"; of all samples without runs.
};
Result<SampleDifference> sampleDifference(const CommandOptions& options, const ComparedSides& sides);

/// "solver, per process": what the root of a differential flame graph is called.
std::string rootName(const ComparedSides& sides, const DifferenceBasis& basis);

/// The differential flame graph of both sides as SVG that zooms in a browser.
void writeDifference(const CommandOptions& options, const ComparedSides& sides, const SampleDifference& difference, const TextSink& write);

/// The functions of both sides, or both call trees as two-column folded stacks or a differential flame graph, as the options say.
/// The exit status.
int printSampleDifference(const CommandOptions& options, const ComparedSides& sides);

} // namespace helio
