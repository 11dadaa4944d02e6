#pragma once

#include "core/store/file/spool.h"
#include "core/store/modules.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

/// Collects modules on the write side, each once. One thread.
class ModuleRecorder final : public ModuleSink {
public:
    ModuleId add(Module module) override;

    bool isEmpty() const { return m_modules.empty(); }
    /// By ModuleId, the unknown one first; empty where none was added.
    const std::vector<Module>& all() const { return m_modules; }
    void write(const Spool::Out& out) const;

private:
    std::vector<Module> m_modules;
    std::unordered_multimap<std::size_t, ModuleId> m_byHash;
};

} // namespace helio
