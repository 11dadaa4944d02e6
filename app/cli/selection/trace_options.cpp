#include "app/cli/selection/trace_options.h"

#include "app/cli/output/output.h"
#include "app/cli/selection/option_list.h"
#include "app/timesync/sync_file.h"
#include "core/experiment/clock_settings.h"
#include "core/experiment/trace_opener.h"
#include "core/plugin/plugin_analysis.h"
#include "core/plugin/plugins.h"
#include "core/query/filters/time_text.h"

#include <memory>
#include <utility>

namespace helio {

namespace {

/// Parses TRACE=NS, optionally with a unit, for example TRACE=-10us. Splits at the last `=`, because paths may contain `=`.
Status readOffset(const std::string& text, std::map<std::string, Duration>& offsets)
{
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return makeUsageError("--offset", "\"" + text + "\" is not TRACE=NANOSECONDS");
    std::string_view amount = std::string_view(text).substr(equals + 1);
    const auto unsignedAmount = amount.starts_with('+') ? amount.substr(1) : amount;
    const auto ns = readNumber(unsignedAmount);
    const auto duration = ns ? ns : parseDuration(amount);
    if (!duration)
        return makeUsageError("--offset", "\"" + std::string(amount) + "\" is not a number of nanoseconds");
    offsets[text.substr(0, equals)] = Duration(*duration);
    return Done{};
}

/// Returns the clocks of a --sync file, relative to the host `reference`. Converts the clocks if the file names another reference host. If
/// the file names none, or if `reference` is empty, returns the clocks unchanged.
Result<ClockSettings> clocksIn(const std::filesystem::path& file, const std::string& reference)
{
    auto clocks = readSyncFile(file);
    if (!clocks || reference.empty() || clocks->reference.empty())
        return clocks;
    if (auto turned = onClockOf(reference, *clocks))
        return *turned;
    return Error{Error::Kind::Usage,
                 "--reference: " + file.string() + " does not relate the clock of \"" + reference + "\" to that of \"" + clocks->reference
                     + "\", the reference of its other clocks"};
}

} // namespace

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
        const std::string help = needsUserDecision(plugin.state) ? " (see heliograph plugins)" : "";
        warn("the plug-in " + plugin.file.string() + " is not loaded: " + plugin.reason + help);
    }
}

void addTraces(OptionList& options, std::vector<std::filesystem::path>& traces)
{
    options.list("TRACE", traces, "", "Trace folders, files or archives, opened as one experiment");
}

std::string missingTrace(const std::vector<std::filesystem::path>& traces) { return traces.empty() ? "a TRACE is missing" : ""; }

void SideOptions::addTo(OptionList& options)
{
    options.list("--a", a, "TRACE...", "Side A: trace folders, files or archives, one experiment");
    options.list("--b", b, "TRACE...", "Side B; not needed for folded stacks with two counts");
}

std::string SideOptions::missing() const { return a.empty() ? "--a TRACE... or --b TRACE... is missing" : ""; }

void ReadingOptions::addTo(OptionList& options)
{
    SymbolOptions& symbols = experiment.symbols;
    OptionList clocks = options.group("Clocks"), names = options.group("Symbols"), analyses = options.group("Analyses"),
               work = options.group("Processing"), input = options.group("Input");
    input.value("--input-format", m_given.format, "NAME", "Read every TRACE as this format (default: its content decides)");
    clocks.repeated("--offset", m_given.offsets, "TRACE=NS", "Add NS nanoseconds to all times in TRACE (units allowed: -10us)");
    clocks.value("--sync", m_given.syncFile, "FILE", "Clock file, as written by `heliograph sync --json`");
    clocks.value("--reference", m_given.reference, "HOST", "Show all times on this host's clock (default: the first TRACE's host)");
    clocks.flag("--no-sync", m_given.noSync, "Use recorded times without clock correction");
    work.value("--jobs", experiment.jobs, "N", "Number of threads (default: 0, one for each core)");
    work.value("--store-dir", experiment.storeDirectory, "DIR", "Folder for trace stores (default: $XDG_CACHE_HOME/heliograph)");
    names.repeated("--symbols", symbols.directories, "PATH", "Also search this folder, or read this text of nm");
    names.value("--kallsyms", symbols.kallsyms, "FILE", "Symbols of the recorded kernel: a copy of its /proc/kallsyms");
    names.value("--guest-kallsyms", symbols.guestKallsyms, "PATH", "Symbols of a guest's kernel, or folder with PID/proc/kallsyms");
    names.value("--sysroot", symbols.sysroot, "DIR", "Folder that holds the files of the recorded machine");
    names.flag("--debuginfod", symbols.usesDebuginfod, "Download missing symbols via debuginfod (DEBUGINFOD_URLS)");
    analyses.repeated("--analysis", analysisFiles, "FILE", "Also run the analyses of this XML file");
    analyses.repeated("--plugin", m_given.plugins, "FILE", "Load a plug-in: native code that runs with your permissions");
    work.flag("--quiet", isQuiet, "Print no progress and no warnings");
}

/// Checks that the folders and files of the symbol options exist.
/// Errors: Usage if one of them does not exist.
Status ReadingOptions::checkSymbols() const
{
    const SymbolOptions& symbols = experiment.symbols;
    std::error_code ignored;
    for (const auto& folder : symbols.directories)
        if (!std::filesystem::exists(folder, ignored))
            return makeUsageError("--symbols", "no such folder or file: \"" + folder.string() + '"');
    if (!symbols.sysroot.empty() && !std::filesystem::is_directory(symbols.sysroot, ignored))
        return makeUsageError("--sysroot", "no such folder: \"" + symbols.sysroot.string() + '"');
    if (!symbols.kallsyms.empty() && !std::filesystem::exists(symbols.kallsyms, ignored))
        return makeUsageError("--kallsyms", "no such file: \"" + symbols.kallsyms.string() + '"');
    if (!symbols.guestKallsyms.empty() && !std::filesystem::exists(symbols.guestKallsyms, ignored))
        return makeUsageError("--guest-kallsyms", "no such file or folder: \"" + symbols.guestKallsyms.string() + '"');
    return Done{};
}

/// Finds the format that the user named.
/// Errors: Usage, with a list of the formats.
Status ReadingOptions::readFormat()
{
    std::string words;
    for (const TraceFormat* format : m_given.format.empty() ? std::span<const TraceFormat* const>() : builtinTraceFormats()) {
        const std::string word = wordOf(*format);
        if (word == m_given.format)
            experiment.format = format;
        words += (words.empty() ? "" : ", ") + word;
    }
    return words.empty() || experiment.format ? Status(Done{})
                                              : makeUsageError("--input-format", '"' + m_given.format + "\" is not one of " + words);
}

Status ReadingOptions::read()
{
    if (const auto done = readFormat(); !done)
        return done;
    if (const auto done = checkSymbols(); !done)
        return done;
    experiment.synchronize = !m_given.noSync;
    for (const std::string& offset : m_given.offsets)
        if (const auto done = readOffset(offset, experiment.offsets); !done)
            return done;
    if (!m_given.syncFile.empty()) {
        auto clocks = clocksIn(m_given.syncFile, m_given.reference);
        if (!clocks)
            return clocks.error();
        experiment.clocks = std::move(*clocks);
    }
    if (!m_given.reference.empty())
        experiment.clocks.reference = m_given.reference;
    return usePlugins(m_given.plugins, experiment);
}

} // namespace helio
