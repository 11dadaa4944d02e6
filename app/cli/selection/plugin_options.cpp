#include "app/cli/selection/plugin_options.h"

#include "app/cli/output/output.h"
#include "app/cli/selection/option_reading.h"
#include "core/plugin/plugin_analysis.h"
#include "core/plugin/plugins.h"

#include <memory>
#include <utility>

namespace helio {

Status usePlugins(const std::vector<std::string>& named, ExperimentOptions& options)
{
    Plugins& plugins = Plugins::ofUser();
    plugins.loadAllowed();
    if (named.empty() && !plugins.isAnyLoaded())
        return Done{};
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    for (const std::string& file : named) {
        const auto kinds = loadPlugin(file);
        if (!kinds)
            return makeUsageError("--plugin", kinds.error().what);
        for (const auto& kind : *kinds)
            if (const auto added = analyses->add(kind); !added)
                return makeUsageError("--plugin", file + ": " + added.error().what);
    }
    plugins.addTo(*analyses);
    options.analyses = std::move(analyses);
    return Done{};
}

void reportRefusedPlugins()
{
    static bool isSaid = false;
    if (std::exchange(isSaid, true))
        return;
    for (const PluginInfo& plugin : listPlugins()) {
        if (plugin.state == PluginState::Loaded || plugin.state == PluginState::Forbidden)
            continue;
        const std::string help = needsUserDecision(plugin.state) ? " (heliograph plugins says how)" : "";
        warn("the plug-in " + plugin.file.string() + " is not loaded: " + plugin.reason + help);
    }
}

} // namespace helio
