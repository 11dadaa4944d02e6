#pragma once

#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An experiment that a command works on.
struct OpenedExperiment {
    std::unique_ptr<Experiment> experiment;
    std::shared_ptr<const Timeline> timeline;
    TimeRange window{}; ///< --begin to --end; by default all, the last event included.
    bool hasProblems = false; ///< A trace could not be read (it was said): the exit status shows it.
};

/// What openExperiment() may be asked for beside the traces.
struct OpeningOptions {
    bool needsStates = true; ///< Else the traces are opened and nothing is indexed.
    std::string side; ///< Stands before what is said: "A: ".
    std::vector<std::string> wanted{}; ///< Ids of views, analyses or kinds of segments that are asked for: what makes them runs.
    bool wantsAll = false; ///< All analyses that apply run, also those that come with the program and run only when they are asked for.
};

/// Opens the traces and indexes them, with progress on a terminal. What went wrong with single traces, and what of them is lost or
/// damaged, is said on standard error; the error is only for what leaves nothing to work on. The selection says which window.
Result<OpenedExperiment> openExperiment(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                        const SelectionOptions& selection = {}, const OpeningOptions& opening = {});

/// Adds the rows with states that relations make for who shows them: those of virtual machines, in a view, or all. Errors: Cancelled.
Status addMadeRows(OpenedExperiment& opened, const std::string& view = {});

/// The exit status that an error stands for, after saying it.
int failWith(const Error& error);

} // namespace helio
