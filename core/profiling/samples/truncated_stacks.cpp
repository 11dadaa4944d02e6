#include "core/profiling/samples/truncated_stacks.h"

#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <functional>
#include <map>

namespace helio {

namespace {

/// Sums up samples by reason of truncation and by module name.
class Sums {
public:
    void add(UnwindEnd why, const std::string& module, std::uint64_t samples)
    {
        m_all += samples;
        if (why != UnwindEnd::Complete)
            m_sums[why][module] += samples;
    }

    TruncatedStacks take() const
    {
        TruncatedStacks ends;
        ends.all = m_all;
        for (const auto& [why, modules] : m_sums) {
            StackTruncation& end = ends.reasons.emplace_back(StackTruncation{why, 0, {}});
            for (const auto& [module, samples] : modules) {
                end.samples += samples;
                if (!module.empty())
                    end.modules.push_back(module);
            }
            std::ranges::stable_sort(end.modules, std::greater{}, [&](const std::string& module) { return modules.at(module); });
            ends.samples += end.samples;
        }
        std::ranges::stable_sort(ends.reasons, std::greater{}, &StackTruncation::samples);
        return ends;
    }

private:
    std::map<UnwindEnd, std::map<std::string, std::uint64_t>> m_sums;
    std::uint64_t m_all = 0;
};

std::string moduleName(const Timeline& timeline, StoreIndex store, ModuleId id)
{
    const Module* module = moduleAt(timeline, store, id);
    return module ? shortName(*module) : std::string();
}

/// Returns advice on how to avoid this reason of truncation; empty if there is no advice, or if the text of the reason gives it.
std::string remedyOf(UnwindEnd why)
{
    switch (why) {
    case UnwindEnd::Truncated: return "record with --call-graph dwarf,65528 to copy as much as possible";
    case UnwindEnd::NoFile: return "add a folder that contains the recorded files with --symbols DIR or File > Symbol paths";
    case UnwindEnd::NoUnwindInfo: return "compile it with -fasynchronous-unwind-tables, or with -fno-omit-frame-pointer and record with -g";
    case UnwindEnd::BadRegisters: return "only stacks of x86-64 and aarch64 programs are unwound; record others with -g";
    case UnwindEnd::NotRecorded: return "raise the limit before recording: sysctl kernel.perf_event_max_stack=512";
    case UnwindEnd::BrokenChain: return "record with --call-graph dwarf, or compile the code with -fno-omit-frame-pointer";
    default: return {};
    }
}

std::string placesOf(const StackTruncation& end)
{
    if (end.why != UnwindEnd::NoFile && end.why != UnwindEnd::NoUnwindInfo && end.why != UnwindEnd::BrokenChain)
        return {};
    return listOfModules(end.modules);
}

std::string withPlaces(std::string text, const StackTruncation& end)
{
    const std::string places = placesOf(end);
    return places.empty() ? text : text + " (" + places + ")";
}

} // namespace

std::string listOfModules(const std::vector<std::string>& modules)
{
    constexpr std::size_t Most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(Most, modules.size()); ++i)
        text += (i == 0 ? "" : ", ") + modules[i];
    return modules.size() > Most ? text + " and " + std::to_string(modules.size() - Most) + " more" : text;
}

TruncatedStacks findTruncatedStacks(const StackProfile& profile, const Timeline& timeline)
{
    Sums sums;
    for (const CollectedStack& stack : profile.stacks) {
        std::uint32_t node = stack.end == UnwindEnd::Complete ? 0 : stack.node;
        // True for the outermost known node. This is the last node of the stack; in a broken chain, it is the node with a caller outside of
        // all modules.
        const auto isLast = [&](std::uint32_t it) {
            const std::uint32_t parent = profile.nodes[it].parent;
            return parent == 0 || (stack.end == UnwindEnd::BrokenChain && profile.nodes[parent].frame.module == UnknownModule);
        };
        while (node != 0 && !isLast(node))
            node = profile.nodes[node].parent;
        const CollectedNode& outermost = profile.nodes[node];
        sums.add(stack.end, node == 0 ? std::string() : moduleName(timeline, outermost.store, outermost.frame.module), stack.samples);
    }
    return sums.take();
}

std::string phraseOf(const StackTruncation& end)
{
    return std::to_string(end.samples) + " because " + withPlaces(std::string(explanationOf(end.why)), end);
}

std::string sentenceOf(const StackTruncation& end, std::uint64_t all)
{
    std::string text = std::to_string(end.samples) + " of " + std::to_string(all) + (end.samples == 1 ? " stacks is" : " stacks are")
        + " truncated: " + withPlaces(std::string(explanationOf(end.why)), end);
    if (const std::string remedy = remedyOf(end.why); !remedy.empty())
        text += "; " + remedy;
    return text;
}

} // namespace helio
