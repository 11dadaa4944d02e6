#pragma once

#include "core/base/flat_index.h"
#include "core/store/file/spool.h"
#include "core/store/stacks.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

/// Collects the call stacks of a store that is being built, as a tree without duplicates.
/// Threads: to be used by one thread.
/// Cost: 44 to 68 bytes of memory per node.
class StackRecorder final : public StackSink {
public:
    StackId stack(StackId caller, StackFrame frame) override;

    std::size_t nodes() const { return m_nodes.size(); } ///< Number of nodes, including node 0.
    bool isEmpty() const { return m_nodes.size() <= 1; }

    /// Returns the stacks recorded so far.
    /// Cost: copies all nodes.
    StackTable picture() const { return isEmpty() ? StackTable() : StackTable(m_nodes); }
    void write(const Spool::Out& out) const { out(std::as_bytes(std::span(m_nodes))); }

private:
    std::vector<StackNode> m_nodes = std::vector<StackNode>(1);
    /// For each node, the callee that was requested last, because the same callee is usually requested again; 0 if there was no request.
    std::vector<std::uint32_t> m_lastCallee = std::vector<std::uint32_t>(1);
    FlatIndex m_index; ///< Index of the nodes by content; node 0 is not in the index.
};

/// Collects the modules of a store that is being built, without duplicates.
/// Threads: to be used by one thread.
class ModuleRecorder final : public ModuleSink {
public:
    ModuleId add(Module module) override;
    std::uint64_t addPlace(ModuleId module, const RecordedName& name) override;

    bool isEmpty() const { return m_modules.empty(); }
    /// Returns the modules by ModuleId, the unknown module first, with copies of their RecordedNames; empty if no module was added.
    std::vector<Module> all() const;
    void write(const Spool::Out& out) const;

private:
    std::vector<Module> m_modules;
    std::unordered_map<std::uint32_t, RecordedNames> m_names; ///< Recorded names of code, by ModuleId.
    std::size_t m_places = 0;
    std::unordered_multimap<std::size_t, ModuleId> m_byHash;
};

} // namespace helio
