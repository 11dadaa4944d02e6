#pragma once

#include "core/experiment/experiment.h"

#include <QString>

#include <filesystem>
#include <vector>

namespace helio {

class FleetWindow;

/// Opens a window with a catalogue of traces, which deletes itself when closed. A trace that the user opens there gets a main window of its
/// own; two traces get a comparison window. `options` has no analyses from files; `files` are analysis files that the user named.
FleetWindow* showFleet(const QString& catalogue, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files);

} // namespace helio
