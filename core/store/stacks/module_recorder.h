#pragma once

#include "core/store/file/spool.h"
#include "core/store/modules.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

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
