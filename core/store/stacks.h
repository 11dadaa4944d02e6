#pragma once

#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// A call stack in its store: a node in the tree of stacks. The node is the innermost frame; its ancestors are the callers. Stack 0 is
/// empty.
enum class StackId : std::uint32_t {};
constexpr StackId NoStack{0};

/// Frame of a call stack: an address in a module. Return addresses are stored as recorded, not moved back to the call instruction.
struct StackFrame {
    /// Module of the code: index into the modules of the store, or into the modules of the trace if the store has no modules.
    ModuleId module = UnknownModule;
    /// True if `address` follows the call instruction; false if `address` is the executed instruction itself.
    bool isReturnAddress = false;
    std::uint64_t address = 0; ///< Address in the module; Module::kind defines from where it counts.
    bool operator==(const StackFrame&) const = default;
};

/// Node of the tree of all stacks, in the layout of the store file.
class StackNode {
public:
    StackNode() = default;
    StackNode(StackId parent, StackFrame frame)
        : m_parent(static_cast<std::uint32_t>(parent))
        , m_module(static_cast<std::uint32_t>(frame.module) << 1 | (frame.isReturnAddress ? 1u : 0u))
        , m_address(frame.address)
    {
    }
    StackId parent() const { return StackId{m_parent}; } ///< Stack of the caller; its number is always lower than the number of this stack.
    StackFrame frame() const { return {ModuleId{m_module >> 1}, (m_module & 1) != 0, m_address}; }
    bool operator==(const StackNode&) const = default;

private:
    std::uint32_t m_parent = 0;
    std::uint32_t m_module = 0; ///< Module number, shifted left by one; the lowest bit is StackFrame::isReturnAddress.
    std::uint64_t m_address = 0;
};
static_assert(sizeof(StackNode) == 16 && std::is_trivially_copyable_v<StackNode>);

constexpr std::size_t MaxStackNodes = std::size_t(1) << 26;

/// Tree of a store's call stacks. Samples, and intervals of tracks with ValueKind::Frame, refer to stacks by StackId.
///
/// A value type: copies share the nodes. Immutable.
/// Threads: any thread at once.
class StackTable {
public:
    StackTable(); ///< Makes an empty table.
    explicit StackTable(std::vector<StackNode> nodes);
    /// Makes a table of nodes in memory that `owner` owns. The table keeps `owner` alive.
    StackTable(std::span<const StackNode> nodes, std::shared_ptr<const void> owner)
        : m_owner(std::move(owner))
        , m_nodes(nodes)
    {
    }

    bool isEmpty() const { return m_nodes.size() <= 1; }
    /// All nodes of the tree. Node 0 is NoStack and always exists. A parent has a lower number than its children.
    std::span<const StackNode> nodes() const { return m_nodes; }

private:
    std::shared_ptr<const void> m_owner; ///< Object that owns the nodes' memory; nullptr if the memory is static.
    std::span<const StackNode> m_nodes;
};

/// Empty stack table, for stores without stacks.
const StackTable& noStacks();

/// Records call stacks into a store.
/// Threads: to be used by one thread.
class StackSink {
public:
    virtual ~StackSink() = default;

    /// Returns the stack in which `frame` is called from the stack `caller`. Equal arguments give the same id. Returns `caller` if there
    /// are more than MaxStackNodes stacks.
    virtual StackId stack(StackId caller, StackFrame frame) = 0;
};

/// Sink that discards all stacks.
StackSink& droppedStacks();

/// Records the modules that an analysis finds in events, for traces that do not list their modules themselves (Trace::modules()).
/// Threads: to be used by one thread.
class ModuleSink {
public:
    virtual ~ModuleSink() = default;

    /// Adds a module, without its RecordedNames. Returns the same id for an equal module; UnknownModule if there are more than MaxModules.
    virtual ModuleId add(Module module) = 0;

    /// Adds a code location whose name the recording contains, and returns the address that represents the location in the module. Returns
    /// 0, an address without a name, if there are more than MaxPlaces or if `module` is the unknown module. The caller adds each name only
    /// once. Requires: `module` is a module of this sink whose addresses all come from addPlace().
    virtual std::uint64_t addPlace(ModuleId module, const RecordedName& name) = 0;
};

constexpr std::size_t MaxModules = std::size_t(1) << 20;
constexpr std::size_t MaxPlaces = std::size_t(1) << 24; ///< Maximum number of code locations of all modules together.

/// Sink that discards all modules.
ModuleSink& droppedModules();

} // namespace helio
