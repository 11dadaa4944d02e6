#pragma once

#include "core/plugin/plugins.h"
#include "core/query/rows/rows.h"
#include "widgets/workspace/analysis_list.h"

#include <QMap>
#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// True if the analysis belongs to a plug-in and the user switched it off. `switches`: by id.
bool isPluginOff(const AnalysisKind& kind, const QMap<QString, bool>& switches);

/// Returns the entries of plug-in analyses for a window's list: first an entry for each plug-in analysis in `base`, then an entry for each
/// file in the plug-in folders that gives `base` no analysis, with the reason why. `timeline`: the open timeline, or nullptr.
/// Threads: UI thread. Cost: that of Plugins::found().
std::vector<AnalysisEntry> pluginEntries(const Analyses& base, const Plugins& plugins, const QMap<QString, bool>& switches,
                                         const Timeline* timeline);

/// Returns `base` with exactly those analyses of the plug-in folders that may run now.
std::shared_ptr<const Analyses> withAllowedPlugins(const Analyses& base, const Plugins& plugins);

} // namespace helio
