#include "core/profiling/samples/sample_messages.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/timeline_access.h"
#include "core/symbol/symbolizer.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

namespace helio {
namespace {

/// Returns for each node of the profile the number of samples with this node in their stacks, indexed by node.
std::vector<std::uint64_t> samplesThrough(const StackProfile& profile)
{
    std::vector<std::uint64_t> samples(profile.nodes.size());
    for (const CollectedStack& stack : profile.stacks)
        samples[stack.node] += stack.samples;
    for (std::size_t node = samples.size(); node-- > 1;) // Iterate backwards, because callers come before their callees.
        samples[profile.nodes[node].parent] += samples[node];
    return samples;
}

/// Returns the three most frequent reasons why addresses in the stacks have no name, each with the number of distinct addresses.
std::vector<std::pair<std::size_t, std::string>> mostNameless(const StackProfile& profile, const StackNames& names)
{
    std::map<std::string, std::vector<std::uint64_t>> addresses;
    const std::vector<std::uint64_t> samples = samplesThrough(profile);
    for (std::uint32_t node = 1; node < samples.size(); ++node)
        for (const NamedFrame& frame : names.framesOf(node))
            if (const SampledFunction& f = names.functions[static_cast<std::size_t>(frame.function)]; f.name.empty() && samples[node] > 0)
                addresses[f.modulePath.empty() ? f.problem : f.modulePath + ": " + f.problem].push_back(profile.nodes[node].frame.address);
    std::vector<std::pair<std::size_t, std::string>> most;
    for (auto& [why, all] : addresses) {
        std::ranges::sort(all);
        most.emplace_back(std::unique(all.begin(), all.end()) - all.begin(), why);
    }
    std::ranges::sort(most, std::greater());
    most.resize(std::min<std::size_t>(most.size(), 3));
    return most;
}

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

std::vector<std::string> describeLimits(const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                        std::string_view side)
{
    std::vector<std::string> limits;
    for (const std::string& doubt : names.doubts)
        limits.push_back(std::string(side) + doubt);
    if (profile.damaged > 0)
        limits.push_back(std::string(side) + std::to_string(profile.damaged)
                         + " samples could not be read: the store is damaged; rebuild it with heliograph index --force");
    const TruncatedStacks ends = findTruncatedStacks(profile, timeline);
    for (const StackTruncation& end : ends.reasons)
        limits.push_back(std::string(side) + sentenceOf(end, ends.all));
    for (const auto& [count, why] : mostNameless(profile, names))
        limits.push_back(std::string(side) + (count == 1 ? "1 address has" : std::to_string(count) + " addresses have")
                         + " no name: " + why);
    return limits;
}

} // namespace helio
