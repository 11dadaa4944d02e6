#pragma once

#include "core/base/flat_index.h"
#include "core/store/file/spool.h"
#include "core/store/stacks.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

/// Collects the call stacks of a store that is being built, each once, as a tree.
/// Threads: to be used by one thread. Cost: 44 to 68 bytes of memory a node.
class StackRecorder final : public StackSink {
public:
    StackId stack(StackId caller, StackFrame frame) override;

    std::size_t nodes() const { return m_nodes.size(); } ///< Number of nodes, including node 0.
    bool isEmpty() const { return m_nodes.size() <= 1; }

    /// Returns the stacks so far. Cost: a copy.
    StackTable picture() const { return isEmpty() ? StackTable() : StackTable(m_nodes); }
    void write(const Spool::Out& out) const { out(std::as_bytes(std::span(m_nodes))); }

private:
    std::vector<StackNode> m_nodes = std::vector<StackNode>(1);
    /// Callee that was last requested for each node, because the same one is mostly requested again; 0 if none.
    std::vector<std::uint32_t> m_lastCallee = std::vector<std::uint32_t>(1);
    FlatIndex m_index; ///< Finds nodes by content; node 0 is not in it.
};

/// Collects the modules of a store that is being built, each once.
/// Threads: to be used by one thread.
class ModuleRecorder final : public ModuleSink {
public:
    ModuleId add(Module module) override;
    std::uint64_t addPlace(ModuleId module, const RecordedName& name) override;

    bool isEmpty() const { return m_modules.empty(); }
    /// Returns the modules by ModuleId, the unknown one first; empty if none was added. Their names are copies.
    std::vector<Module> all() const;
    void write(const Spool::Out& out) const;

private:
    std::vector<Module> m_modules;
    std::unordered_map<std::uint32_t, RecordedNames> m_names; ///< Keyed by ModuleId.
    std::size_t m_places = 0;
    std::unordered_multimap<std::size_t, ModuleId> m_byHash;
};

} // namespace helio
