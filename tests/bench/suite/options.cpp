#include "tests/bench/suite/options.h"

#include "tests/bench/load/load.h"
#include "tests/bench/sections/sections.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace helio::bench {
namespace {

[[noreturn]] void showUsage(std::FILE* to, int status)
{
    fmt::print(to,
               "heliograph_bench [TRACE]: what opening and showing a trace costs, beside babeltrace2 on the same trace.\n"
               "Without TRACE: the recorded big-kernel where that is (HELIOGRAPH_TRACES names the folder), else the sample.\n\n"
               "  --events N          length of the trace made of TRACE (22000000)\n"
               "  --only A,B          these sections, --without A,B: all but these\n"
               "  --repeat N          runs of what is timed, the best counts (3)\n"
               "  --json FILE         the figures as JSON; --compare FILE: against those of an earlier run\n"
               "  --markdown          the table as Markdown\n"
               "  --scratch DIR       where traces and stores are made, and removed\n"
               "  --load              how time and memory grow with threads, streams, processes, names, events; no TRACE\n\nSections:\n");
    for (const Section& section : sections())
        fmt::print(to, "  {:<19} {}\n", section.name, section.what);
    fmt::print(to, "\nLoads:\n");
    for (const Load& load : loads())
        fmt::print(to, "  {:<19} {}\n", load.name, load.unit);
    std::exit(status);
}

[[noreturn]] void refuse(const std::string& what)
{
    fmt::print(stderr, "heliograph_bench: {}\n\n", what);
    showUsage(stderr, 2);
}

std::vector<std::string> namesIn(std::string_view list)
{
    std::vector<std::string> names;
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        names.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

void checkNames(const BenchOptions& options)
{
    const auto check = [&](const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            const auto isIt = [&](const auto& it) { return name == it.name; };
            if (options.measuresLoads && std::ranges::none_of(loads(), isIt))
                refuse("there is no load \"" + name + '"');
            if (!options.measuresLoads && std::ranges::none_of(sections(), isIt))
                refuse("there is no section \"" + name + '"');
        }
    };
    check(options.only);
    check(options.without);
}

template <typename T> T numberIn(std::string_view text)
{
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1)
        refuse('"' + std::string(text) + "\" is not a number from 1 on");
    return number;
}

} // namespace

bool BenchOptions::wants(const std::string& section) const
{
    const auto has = [&](const std::vector<std::string>& names) { return std::find(names.begin(), names.end(), section) != names.end(); };
    return (only.empty() || has(only)) && !has(without);
}

BenchOptions readOptions(int argc, char** argv)
{
    BenchOptions options;
    options.scratch = std::filesystem::temp_directory_path();
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        const auto value = [&]() -> std::string_view {
            if (i + 1 == argc)
                refuse(std::string(name) + " needs a value");
            return argv[++i];
        };
        if (name == "--help" || name == "-h")
            showUsage(stdout, 0);
        else if (name == "--events")
            options.events = numberIn<std::uint64_t>(value());
        else if (name == "--repeat")
            options.repeat = numberIn<int>(value());
        else if (name == "--only")
            options.only = namesIn(value());
        else if (name == "--without")
            options.without = namesIn(value());
        else if (name == "--scratch")
            options.scratch = value();
        else if (name == "--json")
            options.json = value();
        else if (name == "--compare")
            options.before = value();
        else if (name == "--load")
            options.measuresLoads = true;
        else if (name == "--markdown")
            options.asMarkdown = true;
        else if (name.starts_with('-') || !options.trace.empty())
            refuse("what is " + std::string(name) + '?');
        else
            options.trace = name;
    }
    checkNames(options);
    return options;
}

} // namespace helio::bench
