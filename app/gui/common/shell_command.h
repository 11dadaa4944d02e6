#pragma once

#include "core/experiment/experiment.h"
#include "widgets/workspace/shown_command.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace helio {

/// Returns the options with which a command reads traces like the window: offsets, symbols and analysis files, with absolute paths.
QStringList readingOptions(const ExperimentOptions& options, const std::vector<std::filesystem::path>& analyses);

/// Returns a shell command with absolute paths, for example "heliograph stats /home/a/trace --view cpus --symbols /home/a/bin". The
/// input of the command is `traces`, or ShownCommand::file. The command reads the traces like the window: with the same offsets, symbols
/// and analysis files. Requires: shown.words is not empty.
QString makeShellCommand(const ShownCommand& shown, const QStringList& traces, const ExperimentOptions& options,
                         const std::vector<std::filesystem::path>& analyses);

/// Returns a shell command that opens a window, with absolute paths; otherwise like makeShellCommand(). `position`: options for the
/// position in the traces, as words of the command.
QString makeWindowCommand(const QStringList& position, const QStringList& traces, const ExperimentOptions& options,
                          const std::vector<std::filesystem::path>& analyses);

/// Returns a shell command that compares two experiments, with absolute paths; otherwise like makeShellCommand(). `options`: further
/// options of `compare`, as words of the command.
QString makeCompareCommand(const QStringList& a, const QStringList& b, const QStringList& options, const ExperimentOptions& reading,
                           const std::vector<std::filesystem::path>& analyses);

} // namespace helio
