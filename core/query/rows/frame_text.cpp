#include "core/query/rows/frame_text.h"

#include "core/query/rows/composed.h"
#include "core/trace/process/recorded_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace helio {
namespace {

/// Memory that only a program which compiles has code in: "//anon", but not "[heap]", "/SYSV00000000", or "anon", which may not be
/// executed.
bool isCompiledInto(std::string_view path)
{
    constexpr std::string_view Names[] = {"//anon", "/anon_hugepage", "/dev/zero", "anon_inode:", "/tmp/perf-", "[anon"};
    return path.empty() || std::ranges::any_of(Names, [&](std::string_view name) { return path.starts_with(name); });
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
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    if (stack == NoStack || static_cast<std::size_t>(stack) >= nodes.size())
        return {};
    const StackFrame frame = nodes[static_cast<std::size_t>(stack)].frame();
    const Module* const module = moduleAt(timeline, store, frame.module);
    if (module && module->names)
        return std::string(module->names->at(frame.address).function);
    const std::uint64_t address = frame.address - (frame.isReturnAddress && frame.address > 0 ? 1 : 0);
    if (!module || module->kind == Module::Kind::Unknown)
        return hexText(address);
    if (timeline.symbolizer)
        if (std::string name = timeline.symbolizer->knownName(*module, address); !name.empty())
            return name;
    if (module->isFromLoad && module->begin != 0)
        return hexText(module->begin + address);
    return placeIn(*module, shortName(*module), address);
}

void readFrameNames(const Timeline& timeline, std::string_view view, std::stop_token stop)
{
    if (!timeline.symbolizer)
        return;
    eachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto isIt = [view](const Track& track) { return track.view == view && track.valueKind == ValueKind::Frame; };
        if (std::ranges::none_of(store.tracks(), isIt))
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
