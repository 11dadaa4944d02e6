#include "app/cli/command.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/plugin/plugins.h"

#include <algorithm>

namespace helio {
namespace {

/// Options of `plugins`, `plugins allow FILE...` and `plugins forbid FILE...`.
struct PluginsOptions {
    std::vector<std::filesystem::path> words;
    FormatOptions format{"plugins"};

    void addTo(OptionList& options)
    {
        options.list("WHAT", words, "", "`allow FILE...` or `forbid FILE...`; without it: list the installed plug-ins");
        format.addTo(options);
    }
    std::string missing() const
    {
        return words.empty() || (isAction() && words.size() > 1) ? ""
            : isAction()                                         ? "a FILE is missing"
                                                                 : "expected: allow FILE or forbid FILE";
    }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return format.read(); });
    }
    bool isAction() const { return !words.empty() && (words.front() == "allow" || words.front() == "forbid"); }
    bool allows() const { return words.front() == "allow"; }
};

/// Writes a line for each plug-in analysis, and a line without an analysis for each file that is not loaded.
void writeList(const PluginsOptions& options, Output& output)
{
    TableWriter table(output, options.format.output, {"file", "id", "label", "state", "reason"}, TimeStyle());
    for (const PluginInfo& plugin : listPlugins()) {
        const auto line = [&](const PluginAnalysisName& analysis) {
            table.row({plugin.file.string(), analysis.id, analysis.title, wordOf(plugin.state), plugin.reason});
        };
        std::ranges::for_each(plugin.analyses, line);
        if (plugin.analyses.empty())
            line({});
    }
}

/// Prints the folders of plug-ins and how to allow plug-ins; only in text output.
void writeHelp(Output& output)
{
    std::string text = "\nPlug-ins are looked for in";
    for (const auto& folder : Plugins::ofUser().places().folders)
        text += "\n  " + folder.string();
    text += "\nand loaded after you allow them:\n  heliograph plugins allow FILE\n";
    output.buffer() += text;
}

int change(const PluginsOptions& options)
{
    Plugins& plugins = Plugins::ofUser();
    if (options.allows())
        // Load the plug-ins that are already allowed. The analyses of a new plug-in must not have the ids of their analyses.
        plugins.loadAllowed();
    int status = ExitDone;
    for (std::size_t i = 1; i < options.words.size(); ++i) {
        const auto done = options.allows() ? plugins.allow(options.words[i]) : plugins.forbid(options.words[i]);
        status = done ? status : std::max(status, failWith(done.error()));
    }
    return status;
}

int run(const PluginsOptions& options)
{
    if (options.isAction())
        return change(options);
    Plugins::ofUser().loadAllowed();
    Output output;
    writeList(options, output);
    if (options.format.output == OutputFormat::Text)
        writeHelp(output);
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : int(ExitDone);
}

} // namespace

extern const Command pluginsCommand;
const Command pluginsCommand{120,
                             "plugins",
                             "List plug-ins, and allow or forbid them to be loaded",
                             callOf<PluginsOptions, run>,
                             R"(heliograph plugins
heliograph plugins allow ~/.local/share/heliograph/plugins/mine.so
)",
                             R"(A plug-in is native code that runs with your permissions. It has to be allowed again if its file changes.
)"};

} // namespace helio
