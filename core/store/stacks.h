#pragma once

#include "core/trace/process/module.h"

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// A call stack in its store: the frame that it ends with, and through its parent the callers. 0: no frames.
enum class StackId : std::uint32_t {};
constexpr StackId NoStack{0};

/// One frame of a call stack: an address in a module. Return addresses are kept as they are recorded.
struct StackFrame {
    ModuleId module = UnknownModule; ///< Of the store's modules where it has any, else of the trace's.
    bool isReturnAddress = false; ///< The call is the instruction before `address`. False: what was executed itself.
    std::uint64_t address = 0; ///< As Module::kind says.
    bool operator==(const StackFrame&) const = default;
};

/// A frame in the tree of all stacks. As in the file.
class StackNode {
public:
    StackNode() = default;
    StackNode(StackId parent, StackFrame frame)
        : m_parent(static_cast<std::uint32_t>(parent))
        , m_module(static_cast<std::uint32_t>(frame.module) << 1 | (frame.isReturnAddress ? 1u : 0u))
        , m_address(frame.address)
    {
    }
    StackId parent() const { return StackId{m_parent}; } ///< The caller's; always a lower number.
    StackFrame frame() const { return {ModuleId{m_module >> 1}, (m_module & 1) != 0, m_address}; }
    bool operator==(const StackNode&) const = default;

private:
    std::uint32_t m_parent = 0;
    std::uint32_t m_module = 0; ///< And in the lowest bit: a return address.
    std::uint64_t m_address = 0;
};
static_assert(sizeof(StackNode) == 16 && std::is_trivially_copyable_v<StackNode>);

constexpr std::size_t MaxStackNodes = std::size_t(1) << 26;

/// The call stacks of a store, as a tree: what samples and intervals whose values are frames name by StackId.
///
/// A value: copies share the nodes. Immutable; any thread.
class StackTable {
public:
    StackTable(); ///< No stacks.
    explicit StackTable(std::vector<StackNode> nodes);
    /// Nodes that lie elsewhere: as long as `owner`.
    StackTable(std::span<const StackNode> nodes, std::shared_ptr<const void> owner)
        : m_owner(std::move(owner))
        , m_nodes(nodes)
    {
    }

    bool isEmpty() const { return m_nodes.size() <= 1; }
    /// Nodes 1 to nodes().size() - 1; node 0 is NoStack, and always there. A node's parent is a lower number.
    std::span<const StackNode> nodes() const { return m_nodes; }

private:
    std::shared_ptr<const void> m_owner; ///< Null: the nodes are there for ever.
    std::span<const StackNode> m_nodes;
};

/// Of a store without stacks.
const StackTable& noStacks();

/// The write side. One thread.
class StackSink {
public:
    virtual ~StackSink() = default;

    /// The stack that has `frame` on top of `caller`: the same for the same two. `caller` itself where there are too many (MaxStackNodes).
    virtual StackId stack(StackId caller, StackFrame frame) = 0;
};

/// Takes stacks and keeps none.
StackSink& droppedStacks();

} // namespace helio
