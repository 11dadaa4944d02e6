#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/compare/process_runs.h"

#include <string>
#include <vector>

namespace helio {

/// One side of `compare`.
struct ComparedRuns {
    OpenedExperiment opened;
    std::string program; ///< Compared program; empty if all samples are compared.
    std::vector<ProcessRun> runs;
};

/// Both opened sides with the runs of the compared program. The program is given by the options; without an option, it is the first of
/// commonPrograms().
struct ComparedSides {
    ComparedRuns a;
    ComparedRuns b;
    bool hasProblems = false;
};
/// Opens both sides and finds the runs of the compared program.
/// Errors: a side cannot be opened, or the program did not run on it.
Result<ComparedSides> openSides(const SideOptions& traces, const ReadingOptions& reading, const SelectionOptions& selection,
                                bool usesAllSamples);

} // namespace helio
