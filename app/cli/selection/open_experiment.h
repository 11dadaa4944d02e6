#pragma once

#include "app/cli/selection/options.h"
#include "core/experiment/experiment.h"

#include <memory>

namespace helio {

/// An experiment that a command works on.
struct OpenedExperiment {
    std::unique_ptr<Experiment> experiment;
    std::shared_ptr<const Timeline> timeline;
    TimeRange window{}; ///< --begin to --end; by default all, the last event included.
    bool hasProblems = false; ///< A trace could not be read (it was said): the exit status shows it.
};

/// Opens the traces and, unless `needsStates` is false, indexes them, with progress on a terminal. What went wrong with single traces,
/// and what of them is lost or damaged, is said on standard error, after `side`; the error is only for what leaves nothing to work on.
Result<OpenedExperiment> openExperiment(const CommandOptions& options, bool needsStates = true, const std::string& side = {});

/// The exit status that an error stands for, after saying it.
int failWith(const Error& error);

} // namespace helio
