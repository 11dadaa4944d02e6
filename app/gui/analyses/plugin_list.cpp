#include "app/gui/analyses/plugin_list.h"

#include "core/experiment/timeline.h"
#include "core/plugin/plugin_analysis.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace helio {

namespace {

namespace fs = std::filesystem;

using Permission = AnalysisEntry::Permission;

QString translated(const char* text) { return QCoreApplication::translate("PluginList", text); }

QString fileText(const fs::path& path) { return QString::fromStdString(path.string()); }

/// Returns the analysis as a plug-in's analysis; nullptr if it does not belong to a plug-in.
const PluginAnalysisKind* pluginKind(const AnalysisKind& kind) { return dynamic_cast<const PluginAnalysisKind*>(&kind); }

/// True if the analysis applies to a trace of the timeline, or may apply to a trace that is still being opened.
bool mayApply(const AnalysisKind& kind, const Timeline& timeline)
{
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& it) { return !it.trace || kind.appliesTo(*it.trace); });
}

/// Returns the list entry of an analysis of a loaded plug-in, which may be inside or outside the plug-in folders.
AnalysisEntry entryOf(const PluginAnalysisKind& kind, const fs::path& file, const QMap<QString, bool>& switches, const Timeline* timeline)
{
    AnalysisEntry entry;
    entry.id = QString::fromStdString(std::string(kind.id()));
    entry.label = QString::fromStdString(kind.title());
    entry.origin = file.empty() ? translated("plug-in (--plugin)") : translated("plug-in");
    entry.plugin = fileText(file.empty() ? kind.file() : file);
    entry.isOn = !isPluginOff(kind, switches);
    entry.applies = !timeline || mayApply(kind, *timeline);
    if (!entry.applies)
        entry.reason = translated("the plug-in does not apply to the open traces");
    return entry;
}

/// Returns the list entry of a plug-in file without a loaded analysis.
AnalysisEntry entryOf(const PluginInfo& plugin)
{
    AnalysisEntry entry;
    entry.id = entry.plugin = fileText(plugin.file);
    entry.label = fileText(plugin.file.filename());
    entry.origin = translated("plug-in");
    entry.permission = Permission::Lacking;
    entry.applies = false;
    entry.reason = !plugin.reason.empty()     ? QString::fromStdString(plugin.reason)
        : plugin.state == PluginState::Loaded ? translated("another analysis has the same ID")
                                              : translated("it was allowed after the start and will be loaded at the next start");
    return entry;
}

} // namespace

bool isPluginOff(const AnalysisKind& kind, const QMap<QString, bool>& switches)
{
    return pluginKind(kind) && !switches.value(QString::fromStdString(std::string(kind.id())), true);
}

std::vector<AnalysisEntry> pluginEntries(const Analyses& base, const Plugins& plugins, const QMap<QString, bool>& switches,
                                         const Timeline* timeline)
{
    const std::vector<PluginInfo> found = plugins.found();
    std::vector<AnalysisEntry> entries;
    std::set<fs::path> listed;
    for (const auto& kind : base.all()) {
        const PluginAnalysisKind* const its = pluginKind(*kind);
        if (!its)
            continue;
        const fs::path file = plugins.fileOf(*kind);
        entries.push_back(entryOf(*its, file, switches, timeline));
        listed.insert(file);
        const auto inFolder = std::ranges::find(found, file, &PluginInfo::file);
        // Read the permission from the plug-in folder: another program may have forbidden the plug-in after this program loaded it.
        if (inFolder != found.end())
            entries.back().permission = inFolder->state == PluginState::Forbidden ? Permission::Lacking : Permission::Given;
    }
    for (const PluginInfo& plugin : found)
        if (!listed.contains(plugin.file))
            entries.push_back(entryOf(plugin));
    return entries;
}

std::shared_ptr<const Analyses> withAllowedPlugins(const Analyses& base, const Plugins& plugins)
{
    auto all = std::make_shared<Analyses>();
    for (const auto& kind : base.all())
        if (plugins.fileOf(*kind).empty())
            (void)all->add(kind); // The call of add() cannot fail, because the ids of the analyses were already unique in `base`.
    plugins.addTo(*all);
    return all;
}

} // namespace helio
