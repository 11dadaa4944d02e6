#pragma once

#include "core/plugin/plugins.h"
#include "core/query/rows/rows.h"
#include "widgets/workspace/analysis_list.h"

#include <QMap>
#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// True if the analysis belongs to a plug-in and the user switched it off. `switches` maps ids of analyses to on or off.
bool isPluginOff(const AnalysisKind& kind, const QMap<QString, bool>& switches);

/// Returns the entries for the plug-ins in a window's list of analyses: first an entry for each plug-in analysis in `base`, then an entry
/// for each plug-in file that has no analysis in `base`. The entry of a file says why the file's analysis is missing. `timeline` is the
/// open timeline, or nullptr.
/// Threads: UI thread.
/// Cost: one call of Plugins::found().
std::vector<AnalysisEntry> pluginEntries(const Analyses& base, const Plugins& plugins, const QMap<QString, bool>& switches,
                                         const Timeline* timeline);

/// Returns `base` with the analyses of the plug-in folders replaced by the currently allowed ones.
std::shared_ptr<const Analyses> withAllowedPlugins(const Analyses& base, const Plugins& plugins);

} // namespace helio
