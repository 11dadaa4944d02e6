#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// Loads the named plug-ins and the allowed plug-ins in the plug-in folders, and adds their analyses and the built-in analyses to
/// `options`.
/// Errors: only for named plug-ins. Other plug-ins that cannot be loaded are skipped; listPlugins() has the reason.
Status usePlugins(const std::vector<std::string>& named, ExperimentOptions& options);

/// Prints to standard error which files of the plug-in folders are not loaded, and why. Files that the user has forbidden are not listed.
/// Prints only once per process.
void reportRefusedPlugins();

/// Adds the arguments TRACE..., which are opened as one experiment.
void addTraces(OptionList& options, std::vector<std::filesystem::path>& traces);
/// Returns "a TRACE is missing" if `traces` is empty, else an empty text.
std::string missingTrace(const std::vector<std::filesystem::path>& traces);

/// Options --a and --b: two experiments that are compared.
struct SideOptions {
    std::vector<std::filesystem::path> a;
    std::vector<std::filesystem::path> b; ///< Traces of side B; empty if `a` may contain both sides.

    void addTo(OptionList& options);
    std::string missing() const;
};

/// Options for reading traces: offsets, stores, symbols, analyses. Common to all commands and the window.
struct ReadingOptions {
    ExperimentOptions experiment;
    std::vector<std::filesystem::path> analysisFiles; ///< XML files of analyses, which run on every trace.
    bool isQuiet = false; ///< True to suppress progress and warnings.

    void addTo(OptionList& options);
    /// Loads the named plug-ins, and the plug-ins in the plug-in folders that the user allowed.
    Status read();
    /// True if --reference was given. If it is false, the reference of the --sync file is used, if any.
    bool hasReference() const { return !m_given.reference.empty(); }

private:
    Status readFormat();
    Status checkSymbols() const;

    struct {
        std::vector<std::string> offsets, plugins;
        std::filesystem::path syncFile;
        std::string reference, format;
        bool noSync = false;
    } m_given;
};

} // namespace helio
