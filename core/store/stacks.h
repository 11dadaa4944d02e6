#pragma once

#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// A call stack in its store, as a node of the tree of stacks: the node holds the innermost frame, its ancestors hold the callers. 0 is the
/// empty stack.
enum class StackId : std::uint32_t {};
constexpr StackId NoStack{0};

/// One frame of a call stack: an address in a module. Return addresses are kept as they are recorded.
struct StackFrame {
    ModuleId module = UnknownModule; ///< In the modules of the store if it has any, otherwise in those of the trace.
    bool isReturnAddress = false; ///< True if `address` follows the call instruction; false if `address` is the executed instruction
                                  ///< itself.
    std::uint64_t address = 0; ///< Module::kind tells what the address counts from.
    bool operator==(const StackFrame&) const = default;
};

/// A frame in the tree of all stacks, in the layout of the file.
class StackNode {
public:
    StackNode() = default;
    StackNode(StackId parent, StackFrame frame)
        : m_parent(static_cast<std::uint32_t>(parent))
        , m_module(static_cast<std::uint32_t>(frame.module) << 1 | (frame.isReturnAddress ? 1u : 0u))
        , m_address(frame.address)
    {
    }
    StackId parent() const { return StackId{m_parent}; } ///< Stack of the caller; its number is always lower than the node's own.
    StackFrame frame() const { return {ModuleId{m_module >> 1}, (m_module & 1) != 0, m_address}; }
    bool operator==(const StackNode&) const = default;

private:
    std::uint32_t m_parent = 0;
    std::uint32_t m_module = 0; ///< Module number, shifted left by one; the lowest bit is StackFrame::isReturnAddress.
    std::uint64_t m_address = 0;
};
static_assert(sizeof(StackNode) == 16 && std::is_trivially_copyable_v<StackNode>);

constexpr std::size_t MaxStackNodes = std::size_t(1) << 26;

/// The call stacks of a store, as a tree. Samples, and intervals of tracks with ValueKind::Frame, refer to them by StackId.
///
/// A value: copies share the nodes. Immutable.
/// Threads: any.
class StackTable {
public:
    StackTable(); ///< An empty table.
    explicit StackTable(std::vector<StackNode> nodes);
    /// A table over nodes in other memory, which `owner` keeps alive.
    StackTable(std::span<const StackNode> nodes, std::shared_ptr<const void> owner)
        : m_owner(std::move(owner))
        , m_nodes(nodes)
    {
    }

    bool isEmpty() const { return m_nodes.size() <= 1; }
    /// All nodes. Node 0 is NoStack and always exists. A parent has a lower number than its children.
    std::span<const StackNode> nodes() const { return m_nodes; }

private:
    std::shared_ptr<const void> m_owner; ///< Keeps the nodes alive; nullptr if they are static.
    std::span<const StackNode> m_nodes;
};

/// The stacks of a store without any: an empty table.
const StackTable& noStacks();

/// Records call stacks into a store.
/// Threads: to be used by one thread.
class StackSink {
public:
    virtual ~StackSink() = default;

    /// Returns the stack with `frame` called from `caller`; the same id for the same arguments. Returns `caller` if there are more than
    /// MaxStackNodes stacks.
    virtual StackId stack(StackId caller, StackFrame frame) = 0;
};

/// A sink that drops all stacks.
StackSink& droppedStacks();

/// Records the modules that an analysis finds in events, for traces that do not list their modules themselves (Trace::modules()).
/// Threads: to be used by one thread.
class ModuleSink {
public:
    virtual ~ModuleSink() = default;

    /// Adds a module without its names. Returns the same id for an equal module; UnknownModule if there are more than MaxModules.
    virtual ModuleId add(Module module) = 0;

    /// Adds a code location of a module for which the recording itself gives a name, and returns the address that stands for it. Returns 0,
    /// which has no name, if there are more than MaxPlaces or the module is the unknown one. The caller adds each name once. Requires: a
    /// module of this sink in which all addresses come from addPlace().
    virtual std::uint64_t addPlace(ModuleId module, const RecordedName& name) = 0;
};

constexpr std::size_t MaxModules = std::size_t(1) << 20;
constexpr std::size_t MaxPlaces = std::size_t(1) << 24; ///< Limit for all modules together.

/// A sink that drops all modules.
ModuleSink& droppedModules();

} // namespace helio
