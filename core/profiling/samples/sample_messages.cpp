#include "core/profiling/samples/sample_messages.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/timeline_access.h"
#include "core/symbol/symbolizer.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace helio {
namespace {

bool bringsNames(const Timeline& timeline, const CollectedNode& node)
{
    const Module* module = moduleAt(timeline, node.store, node.frame.module);
    return module && module->names;
}

using Severity = Diagnostic::Severity;

constexpr std::uint64_t NotableShare = 20; ///< A share of the samples is notable if it is at least 1 / NotableShare.
constexpr std::uint64_t LeastShare = 100;
constexpr std::size_t MostFiles = 8; ///< Maximum number of files that a message lists.

Severity severityOf(std::uint64_t part, std::uint64_t all) { return part >= all / NotableShare ? Severity::Warning : Severity::Info; }

std::string percent(std::uint64_t part, std::uint64_t all)
{
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", 100.0 * double(part) / double(all));
    return text;
}

} // namespace

MissingSymbols missingSymbols(const StackProfile& profile, const StackNames& names, const Timeline& timeline)
{
    MissingSymbols result;
    std::map<std::string_view, std::uint64_t> modules;
    for (const CollectedStack& stack : profile.stacks) {
        const auto frames = names.framesOf(stack.node);
        if (frames.empty())
            continue;
        const SampledFunction& function = names.functions[static_cast<std::size_t>(frames.front().function)];
        if (function.problem.empty() || function.module.empty() || bringsNames(timeline, profile.nodes[stack.node]))
            continue;
        result.sum += sumOf(stack);
        modules[function.module] += stack.samples;
    }
    for (const auto& [module, samples] : modules)
        result.modules.emplace_back(module);
    std::ranges::stable_sort(result.modules, [&](const std::string& a, const std::string& b) { return modules[a] > modules[b]; });
    return result;
}

std::vector<Message> sampleMessages(const TruncatedStacks& ends, const MissingSymbols& nameless, std::uint64_t samples)
{
    std::vector<Message> all;
    for (const StackTruncation& end : ends.reasons)
        all.push_back({severityOf(end.samples, ends.all), "early-ends", sentenceOf(end, ends.all) + ".", end.samples, {}, {}});
    if (const std::uint64_t part = nameless.sum.samples; part > 0 && part >= samples / LeastShare) {
        const std::string text =
            percent(part, samples) + " of samples are in functions without symbols: " + listOfModules(nameless.modules);
        all.push_back({severityOf(part, samples), "nameless-code", text + ".", part, {}, {}});
    }
    return all;
}

std::optional<Message> symbolFilesMessage(const Timeline& timeline)
{
    const auto files = timeline.symbolizer ? timeline.symbolizer->filesBesideRecordings() : std::vector<std::filesystem::path>();
    if (files.empty())
        return {};
    std::string text = "Symbols were found by build ID beside the recording: ";
    for (std::size_t i = 0; i < std::min(files.size(), MostFiles); ++i)
        text += (i == 0 ? "" : ", ") + files[i].string();
    if (files.size() > MostFiles)
        text += " and " + std::to_string(files.size() - MostFiles) + " more";
    return Message{Severity::Info, "symbol-files", text + ".", files.size(), {}, {}};
}

} // namespace helio
