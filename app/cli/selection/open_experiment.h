#pragma once

#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/trace_options.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An opened experiment that a command works on.
struct OpenedExperiment {
    std::unique_ptr<Experiment> experiment;
    std::shared_ptr<const Timeline> timeline;
    TimeRange window{}; ///< Range from --begin to --end; by default the whole range, the last event included.
    bool hasProblems = false; ///< A trace could not be read and the user was told; the exit status reflects it.
};

/// Further parameters of openExperiment().
struct OpeningOptions {
    bool needsStates = true; ///< If false, the traces are opened but not indexed.
    std::string side; ///< Prefix of messages, e.g. "A: "; empty if there is one side.
    std::vector<std::string> wanted{}; ///< Ids of requested views, analyses or interval kinds; the analyses that make them run.
    bool wantsAll = false; ///< Runs all analyses that apply, including those of the program that otherwise run only on request.
};

/// Opens the traces and indexes them, with progress on a terminal. Problems of single traces, lost events and damage are reported on
/// standard error. The selection determines the window.
/// Errors: no trace is left to work on, an option is wrong, or a file of analyses that the user named cannot be used.
Result<OpenedExperiment> openExperiment(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                        const SelectionOptions& selection = {}, const OpeningOptions& opening = {});

/// Adds the state rows that correlators make, for example rows of virtual machines: the rows of `view`, or all rows if it is empty. Errors:
/// Cancelled.
Status addCorrelatedRows(OpenedExperiment& opened, const std::string& view = {});

/// Prints the error and returns the exit status that it stands for.
int failWith(const Error& error);

} // namespace helio
