#pragma once

#include "app/cli/selection/option_list.h"
#include "core/base/result.h"
#include "core/experiment/experiment.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// TRACE...: what is opened as one experiment.
void addTraces(OptionList& options, std::vector<std::filesystem::path>& traces);
std::string missingTrace(const std::vector<std::filesystem::path>& traces); ///< "a TRACE is missing"; empty where there is one.

/// --a and --b: two experiments that are compared.
struct SideOptions {
    std::vector<std::filesystem::path> a;
    std::vector<std::filesystem::path> b; ///< Empty: A may hold both.

    void addTo(OptionList& options);
    std::string missing() const;
};

/// How traces are read: offsets, stores, symbols, analyses. Of every command and the window.
struct ReadingOptions {
    ExperimentOptions experiment;
    std::vector<std::filesystem::path> analysisFiles; ///< Run on every trace.
    bool isQuiet = false; ///< No progress, no warnings.

    void addTo(OptionList& options);
    /// Loads the plug-ins that are named, and those in the plug-in folders that a person allowed.
    Status read();
    bool hasReference() const { return !m_given.reference.empty(); } ///< --reference; else a file of clocks has one, or none is chosen.

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
