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

/// Frame of a call stack, as the trace names it.
struct StackFrame {
    std::string_view function; ///< Empty if not recorded.
    std::string module; ///< Path of the mapped file; empty if not recorded.
    std::string_view file; ///< Source file; empty if not recorded.
    std::uint32_t line = 0; ///< Line in `file`; 0 if not recorded.
    std::uint64_t address = 0; ///< Address relative to the module; 0 if not recorded.
};

/// Returns the frames of an interned call stack, outermost first; empty if the sequence does not contain it.
std::vector<StackFrame> findFrames(const PacketSequence& sequence, std::uint64_t callstack);

/// Call stacks of a trace as a tree: a stack is a node whose parent is the stack of the caller; node 0 is the empty stack.
///
/// Memory: each distinct frame once, and 100 bytes for each node.
class CallStacks {
public:
    CallStacks();

    /// Returns the node of an interned call stack; 0 if the sequence does not contain it. Sets isCut() if the tree is full: outer frames
    /// are then kept.
    std::uint32_t nodeOf(const PacketSequence& sequence, std::uint64_t callstack);
    bool isCut() const { return m_isCut; }

    std::vector<Module> takeModules() { return std::move(m_modules); }
    std::vector<RecordedFrame> takeTree() { return std::move(m_tree); }

private:
    static constexpr std::size_t MostNodes = std::size_t(1) << 23;

    struct Place { ///< Module and number of a frame's name.
        ModuleId module = UnknownModule;
        std::uint64_t number = 0;
        auto operator<=>(const Place&) const = default;
    };
    Place placeOf(const StackFrame& frame);
    ModuleId moduleOf(const std::string& path);

    std::shared_ptr<RecordedNames> m_names = std::make_shared<RecordedNames>();
    std::vector<Module> m_modules;
    std::unordered_map<std::string, ModuleId> m_moduleIndex;
    std::unordered_map<std::string, Place> m_places; ///< Keyed by module, function, file and line.
    std::vector<RecordedFrame> m_tree;
    std::map<std::pair<std::uint32_t, Place>, std::uint32_t> m_nodes; ///< Keyed by caller and frame.
    std::unordered_map<const char*, std::uint32_t> m_known; ///< Nodes by the position of the interned call stack in memory.
    bool m_isCut = false;
};

} // namespace helio::perfetto
