#include "core/query/rows/frame_text.h"

#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace helio {
namespace {

/// True for memory in which only a just-in-time compiler places code, e.g. "//anon". False for "[heap]", "/SYSV00000000" and "anon", which
/// are not executable.
bool isCompiledInto(std::string_view path)
{
    constexpr std::string_view Names[] = {"//anon", "/anon_hugepage", "/dev/zero", "anon_inode:", "/tmp/perf-", "[anon"};
    return path.empty() || std::ranges::any_of(Names, [&](std::string_view name) { return path.starts_with(name); });
}

/// Returns the innermost frame of a stack; nullopt if the stack does not exist.
std::optional<StackFrame> frameOf(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    if (stack == NoStack || static_cast<std::size_t>(stack) >= nodes.size())
        return {};
    return nodes[static_cast<std::size_t>(stack)].frame();
}

/// Returns the address to look up for a frame: for a return address, an address inside the preceding call instruction.
std::uint64_t addressIn(const StackFrame& frame) { return frame.address - (frame.isReturnAddress && frame.address > 0 ? 1 : 0); }

std::string knownName(Symbolizer& symbolizer, const Module& module, const StackFrame& frame)
{
    std::string name = symbolizer.knownName(module, addressIn(frame));
    // Look up the address itself if the name belongs to the padding before a kernel function (__pfx_...). The padding contains no calls, so
    // the address is no return address: the function after the padding was interrupted at its first instruction.
    return frame.isReturnAddress && name.starts_with("__pfx_") ? symbolizer.knownName(module, frame.address) : name;
}

bool hasFrames(const Store& store, std::string_view view)
{
    return std::ranges::any_of(store.tracks(),
                               [view](const Track& track) { return track.view == view && track.valueKind == ValueKind::Frame; });
}

struct ModuleWeight {
    FrameModule module;
    std::uint64_t samples = 0; ///< Number of samples with an innermost frame in the module.
    std::uint64_t stacks = 0;
};
using ModuleWeights = std::map<std::string, ModuleWeight>; ///< Weights of modules, keyed by their short names.

/// Adds counts[id] to the weight of the module with the ModuleId `id`, for each module of the store `index`. `count` is the member of
/// ModuleWeight to be increased.
void addCounts(const Timeline& timeline, StoreIndex index, const std::vector<std::uint64_t>& counts, std::uint64_t ModuleWeight::*count,
               ModuleWeights& weights)
{
    for (std::size_t id = 1; id < counts.size(); ++id)
        if (counts[id] > 0) {
            const Module& module = *moduleAt(timeline, index, ModuleId(id));
            ModuleWeight& weight = weights[shortName(module)];
            weight.module = {shortName(module), module.isKernel()};
            weight.*count += counts[id];
        }
}

void addStacks(const Timeline& timeline, StoreIndex index, const Store& store, ModuleWeights& weights, const std::stop_token& stop)
{
    std::vector<std::uint64_t> byModule(modulesOf(timeline, index).size());
    for (const StackNode& node : store.stacks().nodes())
        if (const auto id = static_cast<std::size_t>(node.frame().module); id < byModule.size() && !stop.stop_requested())
            ++byModule[id];
    addCounts(timeline, index, byModule, &ModuleWeight::stacks, weights);
}

void addSamples(const Timeline& timeline, StoreIndex index, const Store& store, ModuleWeights& weights, const std::stop_token& stop)
{
    const auto nodes = store.stacks().nodes();
    std::vector<std::uint64_t> byModule(modulesOf(timeline, index).size());
    const SampleSet& samples = store.samples();
    for (std::size_t kind = 0; kind < samples.kinds().size(); ++kind)
        samples.visit(
            SampleKindId(kind), {HostTimestamp::min(), HostTimestamp::max()},
            [&](std::span<const HostSample> some) {
                for (const HostSample& sample : some) {
                    const auto stack = static_cast<std::size_t>(sample.stack);
                    if (sample.stack == NoStack || stack >= nodes.size())
                        continue;
                    if (const auto id = static_cast<std::size_t>(nodes[stack].frame().module); id < byModule.size())
                        ++byModule[id];
                }
            },
            stop);
    addCounts(timeline, index, byModule, &ModuleWeight::samples, weights);
}

std::vector<FrameModule> heaviestFirst(ModuleWeights& weights)
{
    weights.erase(std::string());
    std::vector<ModuleWeight> most;
    for (auto& [name, weight] : weights)
        most.push_back(std::move(weight));
    std::ranges::stable_sort(most, [](const ModuleWeight& a, const ModuleWeight& b) {
        return a.samples != b.samples ? a.samples > b.samples : a.stacks > b.stacks;
    });
    std::vector<FrameModule> modules;
    for (ModuleWeight& weight : most)
        modules.push_back(std::move(weight.module));
    return modules;
}

std::string hexText(std::uint64_t number)
{
    std::array<char, 18> text{'0', 'x'};
    const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), number, 16).ptr;
    return {text.data(), end};
}

} // namespace

std::string placeIn(const Module& module, const std::string& shown, std::uint64_t address)
{
    const bool isFromBegin = module.isKernel() && module.begin != 0 && address >= module.begin;
    return shown + '+' + hexText(isFromBegin ? address - module.begin : address);
}

std::string shortName(const Module& module)
{
    switch (module.kind) {
    case Module::Kind::Unknown: return {};
    case Module::Kind::Anonymous: return isCompiledInto(module.path) ? std::string(JitModule) : module.path;
    case Module::Kind::Vdso: return "[vdso]";
    default: break;
    }
    const std::size_t slash = module.path.rfind('/');
    return slash == std::string::npos || slash + 1 == module.path.size() ? module.path : module.path.substr(slash + 1);
}

std::string frameText(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto frame = frameOf(timeline, store, stack);
    if (!frame)
        return {};
    const Module* const module = moduleAt(timeline, store, frame->module);
    if (module && module->names)
        return std::string(module->names->at(frame->address).function);
    const std::uint64_t address = addressIn(*frame);
    if (!module || module->kind == Module::Kind::Unknown)
        return hexText(address);
    if (std::string name = timeline.symbolizer ? knownName(*timeline.symbolizer, *module, *frame) : std::string(); !name.empty())
        return name;
    if (module->isLoadRelative && module->begin != 0)
        return hexText(module->begin + address);
    return placeIn(*module, shortName(*module), address);
}

std::string recordedFunction(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto frame = frameOf(timeline, store, stack);
    const Module* const module = frame ? moduleAt(timeline, store, frame->module) : nullptr;
    return module && module->names ? std::string(module->names->at(frame->address).function) : std::string();
}

std::string frameModuleText(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto frame = frameOf(timeline, store, stack);
    const Module* const module = frame ? moduleAt(timeline, store, frame->module) : nullptr;
    return module ? shortName(*module) : std::string();
}

bool isKernelFrame(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto frame = frameOf(timeline, store, stack);
    const Module* const module = frame ? moduleAt(timeline, store, frame->module) : nullptr;
    return module && module->isKernel();
}

std::string unnamedReason(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto frame = frameOf(timeline, store, stack);
    const Module* const module = frame ? moduleAt(timeline, store, frame->module) : nullptr;
    if (!frame || (module && module->names))
        return {};
    if (!module || module->kind == Module::Kind::Unknown)
        return "No known file is mapped at this address.";
    if (!timeline.symbolizer)
        return {};
    const Symbol symbol = timeline.symbolizer->resolve(*module, addressIn(*frame), false);
    if (!symbol.frames.empty() && !symbol.frames.back().function.empty())
        return {};
    const ModuleSymbols symbols = timeline.symbolizer->symbolsOf(*module);
    return symbols.problem == SymbolProblem::None ? "No symbol covers this address." : withoutPlaces(symbols.explanation);
}

std::vector<FrameModule> frameModules(const Timeline& timeline, std::string_view view, std::stop_token stop)
{
    ModuleWeights weights;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (hasFrames(store, view))
            addStacks(timeline, index, store, weights, stop);
    });
    return heaviestFirst(weights);
}

std::vector<FrameModule> heaviestModules(const Timeline& timeline, std::stop_token stop)
{
    ModuleWeights weights;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (store.stacks().isEmpty())
            return;
        addStacks(timeline, index, store, weights, stop);
        addSamples(timeline, index, store, weights, stop);
    });
    return heaviestFirst(weights);
}

std::vector<StackOwner> stackOwners(const Timeline& timeline)
{
    std::vector<StackOwner> owners;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (!store.stacks().isEmpty())
            owners.push_back(ownerOf(timeline, {index, TrackId{0}}));
    });
    return owners;
}

void readFrameNames(const Timeline& timeline, std::string_view view, std::stop_token stop)
{
    if (!timeline.symbolizer)
        return;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (!hasFrames(store, view))
            return;
        std::vector<bool> isRead(modulesOf(timeline, index).size());
        for (const StackNode& node : store.stacks().nodes()) {
            const StackFrame frame = node.frame();
            const auto id = static_cast<std::size_t>(frame.module);
            if (id == 0 || id >= isRead.size() || isRead[id] || stop.stop_requested())
                continue;
            isRead[id] = true;
            if (const Module& module = *moduleAt(timeline, index, frame.module); !module.names)
                timeline.symbolizer->resolve(module, frame.address, false);
        }
    });
}

} // namespace helio
