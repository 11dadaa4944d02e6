#pragma once

#include "core/plugin/plugins.h"
#include "core/query/rows/rows.h"
#include "widgets/workspace/analysis_list.h"

#include <QMap>
#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// Whether the analysis is a plug-in's, and a person switched it off; `switches`: by id.
bool isPluginOff(const AnalysisKind& kind, const QMap<QString, bool>& switches);

/// The analyses of plug-ins as a window lists them: each of those in `base`, then each file of the plug-in folders that has none there,
/// with the reason. `timeline`: what is open; null: nothing is. UI thread. Cost: of Plugins::found().
std::vector<AnalysisEntry> pluginEntries(const Analyses& base, const Plugins& plugins, const QMap<QString, bool>& switches,
                                         const Timeline* timeline);

/// `base` with those analyses of the plug-in folders that may run now, and no others of theirs.
std::shared_ptr<const Analyses> withAllowedPlugins(const Analyses& base, const Plugins& plugins);

} // namespace helio
