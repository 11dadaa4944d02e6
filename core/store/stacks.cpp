#include "core/store/stacks.h"

namespace helio {
namespace {

const StackNode NoFrame;

class DroppedStacks final : public StackSink {
public:
    StackId stack(StackId, StackFrame) override { return NoStack; }
};

class DroppedModules final : public ModuleSink {
public:
    ModuleId add(Module) override { return UnknownModule; }
    std::uint64_t addPlace(ModuleId, const RecordedName&) override { return 0; }
};

} // namespace

StackTable::StackTable()
    : m_nodes(&NoFrame, 1)
{
}

StackTable::StackTable(std::vector<StackNode> nodes)
{
    const auto kept = std::make_shared<const std::vector<StackNode>>(std::move(nodes));
    m_nodes = kept->empty() ? std::span(&NoFrame, 1) : std::span(*kept);
    m_owner = kept;
}

const StackTable& noStacks()
{
    static const StackTable none;
    return none;
}

StackSink& droppedStacks()
{
    static DroppedStacks sink; // The sink is stateless, so any thread may use it.
    return sink;
}

ModuleSink& droppedModules()
{
    static DroppedModules sink; // The sink is stateless, so any thread may use it.
    return sink;
}

} // namespace helio
