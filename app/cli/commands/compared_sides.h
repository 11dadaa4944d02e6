#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/compare/process_runs.h"

#include <string>
#include <vector>

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
Result<ComparedSides> openSides(const SideOptions& traces, const ReadingOptions& reading, const SelectionOptions& selection,
                                bool isOfAllSamples);

} // namespace helio
