#include "core/recording/machine.h"

#include "core/base/shell_words.h"

#include <algorithm>
#include <charconv>

namespace helio {
namespace {

constexpr std::string_view LastLine = "end=probe"; ///< Last line of the output of probe.sh.
std::optional<std::int64_t> numberIn(std::string_view text, int base = 10)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Returns the version number in the output of a tool, e.g. "6.1.158" in "perf version 6.1.158"; all of `text` if it has no digit.
std::string versionIn(std::string_view text)
{
    const std::size_t begin = text.find_first_of("0123456789");
    if (begin == std::string_view::npos)
        return std::string(text);
    return std::string(text.substr(begin, text.find_first_of(" )", begin) - begin));
}

void readCapabilities(std::string_view text, MachineFacts& facts)
{
    constexpr int SysAdmin = 21; // Numbers of include/uapi/linux/capability.h.
    constexpr int PerfMon = 38;
    const std::int64_t bits = numberIn(text, 16).value_or(0);
    facts.canTrace = ((bits >> SysAdmin) & 1) != 0 || ((bits >> PerfMon) & 1) != 0;
    facts.isRoot = ((bits >> SysAdmin) & 1) != 0;
}

void addWords(std::string_view text, std::set<std::string>& words)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0)
            words.emplace(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void readLine(std::string_view key, std::string_view value, MachineFacts& facts)
{
    const auto version = [&](RecordingTool tool) -> std::string& { return facts.versions[static_cast<std::size_t>(tool)]; };
    if (key == "host")
        facts.host = value;
    else if (key == "kernel")
        facts.kernel = value;
    else if (key == "cpus")
        facts.cpus = static_cast<unsigned>(std::clamp<std::int64_t>(numberIn(value).value_or(0), 0, 1 << 20));
    else if (key == "uid")
        facts.uid = numberIn(value).value_or(-1);
    else if (key == "user")
        facts.user = value;
    else if (key == "groups")
        facts.isInTracingGroup = value.find(" tracing ") != std::string_view::npos;
    else if (key == "capabilities")
        readCapabilities(value, facts);
    else if (key == "paranoid")
        facts.perfParanoid = static_cast<int>(std::clamp<std::int64_t>(numberIn(value).value_or(2), -1, 4));
    else if (key == "address")
        facts.showsKernelAddresses = value.find_first_of("123456789abcdef") < value.find(' ');
    else if (key == "perf")
        version(RecordingTool::Perf) = versionIn(value);
    else if (key == "lttng")
        version(RecordingTool::Lttng) = versionIn(value);
    else if (key == "trace-cmd")
        version(RecordingTool::TraceCmd) = versionIn(value);
    else if (key == "lttng_modules")
        facts.hasLttngModules = true;
    else if (key == "tracefs")
        facts.tracefs = value;
    else if (key == "events")
        addWords(value, facts.kernelEvents);
    else if (key == "library")
        facts.libraries.emplace(value.substr(0, value.find(' ')), value.substr(std::min(value.find(' '), value.size() - 1) + 1));
    else if (key == "free_kib")
        facts.freeBytes = std::clamp<std::int64_t>(numberIn(value).value_or(-1), -1, std::int64_t{1} << 52) * 1024;
    else if (key == "command")
        facts.commandPath = value;
    else if (key == "instrumented")
        facts.isInstrumented = true;
}

} // namespace

std::string probeScript(const RecordingPreset& preset, const std::string& folder, const std::string& command)
{
    std::vector<std::string> arguments{"set", "--", folder, command};
    arguments.insert(arguments.end(), preset.preloads.begin(), preset.preloads.end());
    return shellLine(arguments) + '\n' + std::string(scriptText("probe.sh"));
}

std::string_view scriptText(std::string_view name)
{
    const auto files = builtinScripts();
    const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
    return found == files.end() ? std::string_view() : found->text;
}

Result<MachineFacts> readMachineFacts(std::string_view output)
{
    MachineFacts facts;
    bool isComplete = false;
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        isComplete = isComplete || line == LastLine;
        if (const std::size_t equals = line.find('='); equals != std::string_view::npos && equals > 0)
            readLine(line.substr(0, equals), line.substr(equals + 1), facts);
    }
    if (!isComplete)
        return Error{Error::Kind::Corrupt, "the machine did not answer completely"};
    facts.canReadTracefs = !facts.kernelEvents.empty();
    // tracefs is part of the kernel, so its version is the kernel's.
    if (!facts.tracefs.empty())
        facts.versions[static_cast<std::size_t>(RecordingTool::Tracefs)] = facts.kernel;
    if (facts.freeBytes < 0)
        facts.freeBytes = -1;
    return facts;
}

} // namespace helio
