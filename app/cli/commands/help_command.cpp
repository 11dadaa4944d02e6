#include "app/cli/command.h"
#include "app/cli/command_parser.h"
#include "app/cli/manual/manual.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/suggestion.h"

#include <algorithm>

namespace helio {
namespace {

enum class HelpFormat { Text, Markdown, Man };

struct HelpOptions {
    std::string command; ///< Command whose help is printed; empty for the help of the program.
    HelpFormat format = HelpFormat::Text;

    void addTo(OptionList& options)
    {
        options.value("COMMAND", command, "", "Command to explain (default: list all commands)");
        options.value("--format", m_format, "F", "text, or markdown or man for all commands (default: text)");
    }
    std::string missing() const { return {}; }
    Status read()
    {
        const auto isNamed = [&](const Command* it) { return it->name == command; };
        if (!command.empty() && std::ranges::none_of(commands(), isNamed))
            return makeUsageError("help", '"' + command + "\" is not a command" + suggest());
        if (m_format.empty())
            return Done{};
        const auto chosen = readChoice<HelpFormat>(
            "--format", m_format, {{"text", HelpFormat::Text}, {"markdown", HelpFormat::Markdown}, {"man", HelpFormat::Man}});
        if (!chosen)
            return chosen.error();
        format = *chosen;
        if (format != HelpFormat::Text && !command.empty())
            return makeUsageError("--format", m_format + " prints the help of all commands; leave out " + command);
        return Done{};
    }

private:
    std::string suggest() const
    {
        std::vector<std::string> names;
        for (const Command* const it : commands())
            names.emplace_back(it->name);
        const std::string suggestion = didYouMean(command, names);
        return suggestion.empty() ? "; heliograph help lists all commands" : suggestion;
    }

    std::string m_format;
};

std::string helpText(const HelpOptions& options, CommandParser& parser)
{
    switch (options.format) {
    case HelpFormat::Markdown: return writeMarkdown(makeManual(parser));
    case HelpFormat::Man: return writeManPage(makeManual(parser));
    case HelpFormat::Text: break;
    }
    CLI::App& app = parser.app();
    return options.command.empty() ? app.help() : app.get_subcommand(options.command)->help(app.get_name());
}

int run(const HelpOptions& options)
{
    CommandParser parser;
    Output output;
    output.write(helpText(options, parser));
    output.flush();
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : int(ExitDone);
}

} // namespace

extern const Command helpCommand;
const Command helpCommand{130, "help", "Print help for a command, or for all commands", callOf<HelpOptions, run>,
                          R"(heliograph help latency
heliograph help --format man
)"};

} // namespace helio
