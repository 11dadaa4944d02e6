#pragma once

#include "app/cli/opening.h"
#include "core/compare/process_runs.h"

namespace helio {

/// One side of `compare`.
struct ComparedRuns {
    OpenedExperiment opened;
    std::string program;
    std::vector<ProcessRun> runs;
};

/// The functions of both sides, or both call trees as two-column folded stacks, as the options say. The exit status.
int printSampleDifference(const CommandOptions& options, const ComparedRuns& a, const ComparedRuns& b);

} // namespace helio
