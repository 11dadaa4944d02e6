#include "app/cli/selection/trace_options.h"

#include "app/cli/selection/option_reading.h"
#include "app/cli/selection/plugin_options.h"
#include "app/timesync/sync_file.h"
#include "core/experiment/clock_overrides.h"
#include "core/query/filters/time_text.h"

namespace helio {
namespace {

/// Reads TRACE=NS, optionally with a unit, for example TRACE=-10us. The last `=` separates, since paths may contain `=`.
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

/// Returns the clocks of the file, converted to the clock of host `reference` if the file has another reference. A file without a reference
/// takes `reference` as its reference.
Result<ClockSettings> clocksIn(const std::filesystem::path& file, const std::string& reference)
{
    auto clocks = readSyncFile(file);
    if (!clocks || reference.empty() || clocks->reference.empty())
        return clocks;
    if (auto turned = onClockOf(reference, *clocks))
        return *turned;
    return Error{Error::Kind::Usage,
                 "--reference: " + file.string() + " does not say how the clock of \"" + reference + "\" is related to that of \""
                     + clocks->reference + "\", which all others in it are on"};
}

} // namespace

void addTraces(OptionList& options, std::vector<std::filesystem::path>& traces)
{
    options.list("TRACE", traces, "", "Folders, files or archives; all are one experiment");
}

std::string missingTrace(const std::vector<std::filesystem::path>& traces) { return traces.empty() ? "a TRACE is missing" : ""; }

void SideOptions::addTo(OptionList& options)
{
    options.list("--a", a, "TRACE...", "What is compared: folders, files or archives, one experiment");
    options.list("--b", b, "TRACE...", "With what. Folded stacks with two counts are both A and B");
}

std::string SideOptions::missing() const { return a.empty() ? "--a TRACE... or --b TRACE... is missing" : ""; }

void ReadingOptions::addTo(OptionList& options)
{
    SymbolOptions& symbols = experiment.symbols;
    options.repeated("--offset", m_given.offsets, "TRACE=NS", "Add to a trace's times, in ns");
    options.value("--sync", m_given.syncFile, "FILE", "How clocks are related, as the command sync writes it with --json");
    options.value("--reference", m_given.reference, "HOST", "The host whose clock all times are on (else the first TRACE's)");
    options.flag("--no-sync", m_given.noSync, "Raw times: no clock corrections");
    options.value("--jobs", experiment.jobs, "N", "Threads (0: as many as cores)");
    options.value("--store-dir", experiment.storeDirectory, "DIR", "Where the stores are kept");
    options.repeated("--symbols", symbols.directories, "DIR", "A folder to look for programs and libraries in, too");
    options.value("--kallsyms", symbols.kallsyms, "FILE", "The recorded kernel's symbols (a copy of its /proc/kallsyms)");
    options.value("--sysroot", symbols.sysroot, "DIR", "Where the recorded machine's files are");
    options.flag("--debuginfod", symbols.usesDebuginfod, "Ask the servers of DEBUGINFOD_URLS for symbols");
    options.repeated("--analysis", analysisFiles, "FILE", "Run the analyses of an XML file, too");
    options.repeated("--plugin", m_given.plugins, "FILE", "Load the analyses of a shared library, which may do whatever this program may");
    options.flag("--quiet", isQuiet, "No progress, no warnings");
}

/// Checks that the folders and files of the symbol options exist.
/// Errors: Usage if one of them does not exist.
Status ReadingOptions::checkSymbols() const
{
    const SymbolOptions& symbols = experiment.symbols;
    std::error_code ignored;
    for (const auto& folder : symbols.directories)
        if (!std::filesystem::is_directory(folder, ignored))
            return makeUsageError("--symbols", "there is no folder \"" + folder.string() + '"');
    if (!symbols.sysroot.empty() && !std::filesystem::is_directory(symbols.sysroot, ignored))
        return makeUsageError("--sysroot", "there is no folder \"" + symbols.sysroot.string() + '"');
    if (!symbols.kallsyms.empty() && !std::filesystem::exists(symbols.kallsyms, ignored))
        return makeUsageError("--kallsyms", "there is no file \"" + symbols.kallsyms.string() + '"');
    return Done{};
}

Status ReadingOptions::read()
{
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
