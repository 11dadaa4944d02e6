#include "core/query/rows/frame_text.h"

#include "core/query/rows/composed.h"
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

/// Memory that only a program which compiles has code in: "//anon", but not "[heap]", "/SYSV00000000", or "anon", which may not be
/// executed.
bool isCompiledInto(std::string_view path)
{
    constexpr std::string_view Names[] = {"//anon", "/anon_hugepage", "/dev/zero", "anon_inode:", "/tmp/perf-", "[anon"};
    return path.empty() || std::ranges::any_of(Names, [&](std::string_view name) { return path.starts_with(name); });
}

/// The frame that a stack ends with. Nothing: there is no such stack.
std::optional<StackFrame> frameOf(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    if (stack == NoStack || static_cast<std::size_t>(stack) >= nodes.size())
        return {};
    return nodes[static_cast<std::size_t>(stack)].frame();
}

/// An address inside the call that a return address comes behind.
std::uint64_t addressIn(const StackFrame& frame) { return frame.address - (frame.isReturnAddress && frame.address > 0 ? 1 : 0); }

std::string knownName(Symbolizer& symbolizer, const Module& module, const StackFrame& frame)
{
    std::string name = symbolizer.knownName(module, addressIn(frame));
    // No call lies in the padding before a kernel function: the function was interrupted at its first instruction.
    return frame.isReturnAddress && name.starts_with("__pfx_") ? symbolizer.knownName(module, frame.address) : name;
}

bool hasFrames(const Store& store, std::string_view view)
{
    return std::ranges::any_of(store.tracks(),
                               [view](const Track& track) { return track.view == view && track.valueKind == ValueKind::Frame; });
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
    if (module->isFromLoad && module->begin != 0)
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

std::string whyUnnamed(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto frame = frameOf(timeline, store, stack);
    const Module* const module = frame ? moduleAt(timeline, store, frame->module) : nullptr;
    if (!frame || (module && module->names))
        return {};
    if (!module || module->kind == Module::Kind::Unknown)
        return "No file was known to be mapped at this address.";
    if (!timeline.symbolizer)
        return {};
    const Symbol symbol = timeline.symbolizer->resolve(*module, addressIn(*frame), false);
    if (!symbol.frames.empty() && !symbol.frames.back().function.empty())
        return {};
    const ModuleSymbols symbols = timeline.symbolizer->symbolsOf(*module);
    return symbols.problem == SymbolProblem::None ? "No symbol covers this address." : symbols.explanation;
}

std::vector<FrameModule> frameModules(const Timeline& timeline, std::string_view view, std::stop_token stop)
{
    struct Count {
        FrameModule module;
        std::size_t stacks = 0;
    };
    std::map<std::string, Count> counts;
    eachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (!hasFrames(store, view))
            return;
        std::vector<std::size_t> byModule(modulesOf(timeline, index).size());
        for (const StackNode& node : store.stacks().nodes())
            if (const auto id = static_cast<std::size_t>(node.frame().module); id < byModule.size() && !stop.stop_requested())
                ++byModule[id];
        for (std::size_t id = 1; id < byModule.size(); ++id)
            if (byModule[id] > 0) {
                const Module& module = *moduleAt(timeline, index, ModuleId(id));
                Count& count = counts[shortName(module)];
                count.module = {shortName(module), module.isKernel()};
                count.stacks += byModule[id];
            }
    });
    counts.erase(std::string());
    std::vector<Count> most;
    for (auto& [name, count] : counts)
        most.push_back(std::move(count));
    std::ranges::stable_sort(most, std::greater{}, &Count::stacks);
    std::vector<FrameModule> modules;
    for (Count& count : most)
        modules.push_back(std::move(count.module));
    return modules;
}

void readFrameNames(const Timeline& timeline, std::string_view view, std::stop_token stop)
{
    if (!timeline.symbolizer)
        return;
    eachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (!hasFrames(store, view))
            return;
        std::vector<bool> isRead(modulesOf(timeline, index).size());
        for (const StackNode& node : store.stacks().nodes()) {
            const StackFrame frame = node.frame();
            const auto id = static_cast<std::size_t>(frame.module);
            if (id == 0 || id >= isRead.size() || isRead[id] || stop.stop_requested())
                continue;
            isRead[id] = true;
            timeline.symbolizer->resolve(*moduleAt(timeline, index, frame.module), frame.address, false);
        }
    });
}

} // namespace helio
