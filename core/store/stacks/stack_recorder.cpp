#include "core/store/stacks/stack_recorder.h"

#include "core/store/stacks/stack_section.h"

#include <functional>

namespace helio {
namespace {

/// Returns a hash of all members that can distinguish modules with the same path. Many modules may have the same path, for example
/// the anonymous memory of each process.
std::size_t hashOf(const Module& module)
{
    std::size_t hash = std::hash<std::string>()(module.path);
    const auto mix = [&](std::uint64_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15u; };
    mix(std::hash<std::string>()(module.buildId));
    mix(static_cast<std::uint32_t>(module.pid));
    mix(module.begin);
    mix(module.size);
    mix(static_cast<std::uint64_t>(module.kind) << 1 | (module.isLoadRelative ? 1 : 0));
    return hash;
}

} // namespace

StackId StackRecorder::stack(StackId caller, StackFrame frame)
{
    const StackNode node(caller, frame);
    const auto parent = static_cast<std::size_t>(caller);
    const std::uint32_t last = parent < m_lastCallee.size() ? m_lastCallee[parent] : 0;
    if (last != 0 && m_nodes[last] == node)
        return StackId{last};
    const std::uint64_t module = std::uint64_t(static_cast<std::uint32_t>(frame.module)) << 1 | (frame.isReturnAddress ? 1 : 0);
    const std::uint64_t hash = mixed(mixed(static_cast<std::uint64_t>(caller), module), frame.address);
    const auto isIt = [&](std::uint32_t i) { return m_nodes[i + 1] == node; };
    if (m_nodes.size() >= MaxStackNodes) {
        const auto known = m_index.find(hash, isIt);
        return known ? StackId{*known + 1} : caller;
    }
    const std::uint32_t index = m_index.findOrAdd(hash, isIt);
    if (index + 1 == m_nodes.size()) {
        m_nodes.push_back(node);
        m_lastCallee.push_back(0);
    }
    if (parent < m_lastCallee.size())
        m_lastCallee[parent] = index + 1;
    return StackId{index + 1};
}

ModuleId ModuleRecorder::add(Module module)
{
    module.names.reset();
    if (m_modules.empty())
        m_modules.emplace_back();
    const std::size_t hash = hashOf(module);
    const auto [first, last] = m_byHash.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (m_modules[static_cast<std::size_t>(it->second)] == module)
            return it->second;
    if (m_modules.size() >= MaxModules)
        return UnknownModule;
    const ModuleId id{static_cast<std::uint32_t>(m_modules.size())};
    m_byHash.emplace(hash, id);
    m_modules.push_back(std::move(module));
    return id;
}

std::uint64_t ModuleRecorder::addPlace(ModuleId module, const RecordedName& name)
{
    if (module == UnknownModule || static_cast<std::size_t>(module) >= m_modules.size())
        return 0; // Do not name the unknown module: the name would apply to all addresses whose module is unknown.
    RecordedNames& names = m_names[static_cast<std::uint32_t>(module)];
    if (names.size() == 0)
        names.add({}); // Reserve number 0. addPlace() returns it for every name beyond the limit MaxPlaces.
    if (m_places >= MaxPlaces)
        return 0;
    ++m_places;
    return names.add(name);
}

std::vector<Module> ModuleRecorder::all() const
{
    std::vector<Module> modules = m_modules;
    for (const auto& [module, names] : m_names)
        modules[module].names = std::make_shared<const RecordedNames>(names);
    return modules;
}

void ModuleRecorder::write(const Spool::Out& out) const
{
    ByteWriter bytes;
    encodeModules(all(), bytes);
    out(bytes.bytes());
}

} // namespace helio
