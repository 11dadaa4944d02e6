#pragma once

#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An opened experiment, the input of a command.
struct OpenedExperiment {
    /// Shared with KeptExperiments, if the command runs inside a server; null if the timeline is KeptExperiments::timeline().
    std::shared_ptr<Experiment> experiment;
    std::shared_ptr<const Timeline> timeline;
    TimeRange window{}; ///< Range from --begin to --end; by default the whole range, including the last event.
    bool hasProblems = false; ///< True if a trace could not be read. An error was already printed; the exit status must be ExitInput.
};

/// Optional parameters of openExperiment().
struct OpeningOptions {
    bool needsStates = true; ///< If false, the traces are opened but not indexed.
    std::string side; ///< Prefix of messages, e.g. "A: "; empty if there is only one side.
    std::vector<std::string> wanted{}; ///< Ids of requested views, analyses or interval kinds, whose analyses are run.
    bool wantsAll = false; ///< True to run all analyses that apply, including analyses that run only on request.
};

/// Opens and indexes the traces, with progress on a terminal. Prints problems of single traces, lost events and damage to standard error.
/// With KeptExperiments in use, returns their timeline, or a kept experiment if it was opened in the same way, and prints nothing about it
/// again.
/// The selection determines OpenedExperiment::window.
/// Errors: no trace is left to work on, an option is wrong, a file of analyses that the user named cannot be used, or the command was
/// cancelled (commandStop()).
Result<OpenedExperiment> openExperiment(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                        const SelectionOptions& selection = {}, const OpeningOptions& opening = {});

/// Adds the rows with states that correlators make, for example rows of virtual machines; only rows of `view` if it is not empty.
/// Errors: Cancelled.
Status addCorrelatedRows(OpenedExperiment& opened, const std::string& view = {});

/// Prints the error, or passes it to the receiver of a redirected output. Returns the exit status for it.
int failWith(const Error& error);

} // namespace helio
