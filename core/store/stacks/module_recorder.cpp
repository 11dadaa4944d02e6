#include "core/store/stacks/module_recorder.h"

#include "core/store/stacks/stack_section.h"

namespace helio {

ModuleId ModuleRecorder::add(Module module)
{
    module.names.reset();
    if (m_modules.empty())
        m_modules.emplace_back();
    const auto [first, last] = m_byPath.equal_range(module.path);
    for (auto it = first; it != last; ++it)
        if (m_modules[static_cast<std::size_t>(it->second)] == module)
            return it->second;
    if (m_modules.size() >= MaxModules)
        return UnknownModule;
    const ModuleId id{static_cast<std::uint32_t>(m_modules.size())};
    m_byPath.emplace(module.path, id);
    m_modules.push_back(std::move(module));
    return id;
}

void ModuleRecorder::write(const Spool::Out& out) const
{
    ByteWriter bytes;
    encodeModules(m_modules, bytes);
    out(bytes.bytes());
}

} // namespace helio
