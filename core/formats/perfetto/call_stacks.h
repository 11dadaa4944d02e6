#pragma once

#include "core/formats/perfetto/sequence.h"
#include "core/trace/process/module.h"
#include "core/trace/process/recorded_names.h"
#include "core/trace/process/sample_view.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::perfetto {

/// Frame of a call stack, with the names that the trace contains.
struct StackFrame {
    std::string_view function; ///< Name of the function; empty if not recorded.
    std::string module; ///< Path of the mapped file; empty if not recorded.
    std::string_view file; ///< Path of the source file; empty if not recorded.
    std::uint32_t line = 0; ///< Line number in `file`; 0 if not recorded.
    std::uint64_t address = 0; ///< Address relative to the module; 0 if not recorded.
};

/// Returns the frames of the call stack with the interning ID `callstack`, outermost first; empty if the sequence has no such call stack.
std::vector<StackFrame> findFrames(const PacketSequence& sequence, std::uint64_t callstack);

/// Call stacks of a trace as a tree. Each node is a call stack; its parent is the call stack of the caller. Node 0 is the empty call stack.
///
/// Memory: the names of each distinct frame once, and 100 bytes for each node.
class CallStacks {
public:
    CallStacks();

    /// Returns the node of the call stack with the interning ID `callstack`; 0 if the sequence has no such call stack. If the tree is full,
    /// isCut() becomes true, and the returned node contains only the outer frames.
    std::uint32_t nodeOf(const PacketSequence& sequence, std::uint64_t callstack);
    bool isCut() const { return m_isCut; }

    std::vector<Module> takeModules() { return std::move(m_modules); }
    std::vector<RecordedFrame> takeTree() { return std::move(m_tree); }

private:
    static constexpr std::size_t MostNodes = std::size_t(1) << 23;

    struct Place { ///< Module of a frame, and number of its name among the module's names.
        ModuleId module = UnknownModule;
        std::uint64_t number = 0;
        auto operator<=>(const Place&) const = default;
    };
    Place placeOf(const StackFrame& frame);
    ModuleId moduleOf(const std::string& path);

    std::shared_ptr<RecordedNames> m_names = std::make_shared<RecordedNames>();
    std::vector<Module> m_modules;
    std::unordered_map<std::string, ModuleId> m_moduleIndex;
    std::unordered_map<std::string, Place> m_places; ///< Place of each frame's name, keyed by module, function, file and line.
    std::vector<RecordedFrame> m_tree;
    std::map<std::pair<std::uint32_t, Place>, std::uint32_t> m_nodes; ///< Nodes of m_tree, keyed by the caller's node and the frame's name.
    /// Cached results of nodeOf(), keyed by the address of the interned call stack in memory.
    std::unordered_map<const char*, std::uint32_t> m_known;
    bool m_isCut = false;
};

} // namespace helio::perfetto
