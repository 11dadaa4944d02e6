#include "core/query/rows/inlined_frames.h"

#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"

#include <string_view>

namespace helio {
namespace {

/// Value of Module::referenceName in modules from makeInlinedPart(). In other modules, it is the name of a kernel symbol or empty.
constexpr std::string_view InlinedPart = "(inlined)";

} // namespace

Module makeInlinedPart(const Module& module)
{
    Module part = module;
    part.referenceName = InlinedPart;
    part.names.reset();
    return part;
}

bool isInlinedPart(const Module& module) { return module.referenceName == InlinedPart; }

bool isInlinedFrame(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    if (stack == NoStack || static_cast<std::size_t>(stack) >= nodes.size())
        return false;
    const StackFrame frame = nodes[static_cast<std::size_t>(stack)].frame();
    const Module* const module = moduleAt(timeline, store, frame.module);
    return module && module->names && module->names->at(frame.address).isInlined;
}

} // namespace helio
