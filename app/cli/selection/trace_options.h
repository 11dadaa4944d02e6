#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// Gives traces the built-in analyses, the analyses of the named plug-ins, and the analyses of the allowed plug-ins in the plug-in folders,
/// and loads these plug-ins.
/// Errors: only for named plug-ins; others are left out, and listPlugins() has the reason.
Status usePlugins(const std::vector<std::string>& named, ExperimentOptions& options);

/// Reports on standard error the files of the plug-in folders that are not loaded, with the reason, except forbidden files. Reports once
/// per process.
void reportRefusedPlugins();

/// Adds the arguments TRACE..., which are opened as one experiment.
void addTraces(OptionList& options, std::vector<std::filesystem::path>& traces);
/// Returns "a TRACE is missing", or an empty text if there is one.
std::string missingTrace(const std::vector<std::filesystem::path>& traces);

/// Options --a and --b: two experiments that are compared.
struct SideOptions {
    std::vector<std::filesystem::path> a;
    std::vector<std::filesystem::path> b; ///< Empty if `a` may hold both sides.

    void addTo(OptionList& options);
    std::string missing() const;
};

/// Options for reading traces: offsets, stores, symbols, analyses. Shared by every command and the window.
struct ReadingOptions {
    ExperimentOptions experiment;
    std::vector<std::filesystem::path> analysisFiles; ///< XML files of analyses, which run on every trace.
    bool isQuiet = false; ///< Suppresses progress and warnings.

    void addTo(OptionList& options);
    /// Loads the named plug-ins, and the plug-ins in the plug-in folders that the user allowed.
    Status read();
    /// True if --reference was given. Otherwise the reference comes from the --sync file, or none is set.
    bool hasReference() const { return !m_given.reference.empty(); }

private:
    Status checkSymbols() const;

    struct {
        std::vector<std::string> offsets, plugins;
        std::filesystem::path syncFile;
        std::string reference;
        bool noSync = false;
    } m_given;
};

} // namespace helio
