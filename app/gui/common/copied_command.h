#pragma once

#include "core/experiment/experiment.h"
#include "widgets/workspace/shown_command.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace helio {

/// The command as a shell takes it, from any folder: "heliograph stats /home/a/trace --view cpus --symbols /home/a/bin". Input are
/// `traces`, or ShownCommand::file. The command reads the traces as the window does: with its offsets, symbols and these files of analyses.
/// Requires: shown.words is not empty.
QString copiedCommand(const ShownCommand& shown, const QStringList& traces, const ExperimentOptions& options,
                      const std::vector<std::filesystem::path>& analyses);

} // namespace helio
