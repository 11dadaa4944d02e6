#include "core/trace/process/address_spaces.h"

#include <algorithm>
#include <iterator>

namespace helio {
namespace {

/// Returns the first address after the mapping; the largest address if the sum overflows.
std::uint64_t endOf(const Mapping& m) { return m.size > ~m.address ? ~std::uint64_t(0) : m.address + m.size; }

/// Returns the last mapping that begins at or before the address; nullptr if there is none.
const Mapping* lastIn(const std::map<std::uint64_t, Mapping>& mappings, std::uint64_t address)
{
    const auto it = mappings.upper_bound(address);
    return it == mappings.begin() ? nullptr : &std::prev(it)->second;
}

} // namespace

/// Removes the mappings in a range; a mapping that is partly in the range keeps its parts before and after the range.
void AddressSpace::clear(Mappings& mappings, std::uint64_t begin, std::uint64_t end)
{
    auto it = mappings.upper_bound(begin);
    if (it != mappings.begin())
        --it;
    while (it != mappings.end() && it->second.address < end) {
        const Mapping old = it->second;
        const std::uint64_t oldEnd = endOf(old);
        if (oldEnd <= begin) {
            ++it;
            continue;
        }
        it = mappings.erase(it);
        if (old.address < begin)
            mappings[old.address] = {old.address, begin - old.address, old.fileOffset, old.module, old.isCode};
        if (oldEnd > end)
            it = mappings.insert_or_assign(end, Mapping{end, oldEnd - end, old.fileOffset + (end - old.address), old.module, old.isCode})
                     .first;
    }
}

void AddressSpace::addAnonymous(const Mapping& mapping)
{
    if (mapping.size == 0)
        return;
    clear(m_mappings, mapping.address, endOf(mapping));
    m_mappings[mapping.address] = mapping;
}

void AddressSpace::add(const Mapping& mapping)
{
    addAnonymous(mapping);
    if (mapping.size > 0 && !m_compiled.empty())
        clear(m_compiled, mapping.address, endOf(mapping));
}

void AddressSpace::addCompiledCode(const Mapping& mapping)
{
    if (mapping.size == 0)
        return;
    clear(m_compiled, mapping.address, endOf(mapping));
    m_compiled[mapping.address] = mapping;
}

const Mapping* AddressSpace::lastAt(std::uint64_t address) const { return lastIn(m_mappings, address); }

const Mapping* AddressSpace::find(std::uint64_t address) const
{
    for (const Mappings* mappings : {&m_compiled, &m_mappings})
        if (const Mapping* last = lastIn(*mappings, address); last && address - last->address < last->size)
            return last;
    return nullptr;
}

AddressSpace& AddressSpaces::ownSpace(Key key)
{
    m_last = nullptr;
    std::shared_ptr<AddressSpace>& space = m_spaces[key];
    if (!space)
        space = std::make_shared<AddressSpace>();
    else if (space.use_count() > 1) {
        m_copied += space->size();
        space = m_copied <= MostCopied ? std::make_shared<AddressSpace>(*space) : std::make_shared<AddressSpace>();
    }
    return *space;
}

const AddressSpace* AddressSpaces::spaceAt(Key key)
{
    if (m_last && m_lastKey == key)
        return m_last;
    const auto it = m_spaces.find(key);
    m_lastKey = key;
    return m_last = it == m_spaces.end() ? nullptr : it->second.get();
}

void AddressSpaces::leave(Key key)
{
    m_last = nullptr;
    m_left.erase(key);
    if (const auto space = m_spaces.find(key); space != m_spaces.end()) {
        m_left.emplace(key, std::move(space->second));
        m_spaces.erase(space);
    }
}

const AddressSpace* AddressSpaces::spaceOf(std::int32_t pid) { return spaceAt(keyOf(NoGuest, pid)); }

void AddressSpaces::addMapping(Key key, const Mapping& mapping)
{
    const auto id = static_cast<std::size_t>(mapping.module);
    const bool isAnonymous = id < m_modules.size() && m_modules[id].kind == Module::Kind::Anonymous;
    if (isAnonymous && m_modules[id].names)
        ownSpace(key).addCompiledCode(mapping);
    else if (isAnonymous)
        ownSpace(key).addAnonymous(mapping);
    else
        ownSpace(key).add(mapping);
}

void AddressSpaces::take(const ProcessRecord& record)
{
    const Key key = keyOf(record.guest, record.pid);
    switch (record.kind) {
    case ProcessRecord::Kind::Map: addMapping(key, record.mapping); break;
    case ProcessRecord::Kind::Exec: leave(key); break;
    case ProcessRecord::Kind::Fork:
        // Copy no map: a new thread shares the memory map of its process, and the kernel's map is never copied.
        if (record.pid == record.parentPid || record.pid == KernelPid)
            break;
        m_last = nullptr;
        m_left.erase(key);
        if (const auto parent = m_spaces.find(keyOf(record.guest, record.parentPid)); parent != m_spaces.end()) {
            const std::shared_ptr<AddressSpace> shared = parent->second;
            m_spaces[key] = shared;
        } else {
            m_spaces.erase(key);
        }
        break;
    case ProcessRecord::Kind::Comm:
    case ProcessRecord::Kind::Exit: break;
    }
}

std::vector<Mapping> AddressSpace::all() const
{
    AddressSpace visible = *this;
    for (const auto& [address, mapping] : m_compiled)
        visible.addAnonymous(mapping);
    std::vector<Mapping> mappings;
    for (const auto& [address, mapping] : visible.m_mappings)
        mappings.push_back(mapping);
    return mappings;
}

/// Returns the kernel's mapping if the address is less than 1 GiB after the mapping's start. The recorded size of the kernel ends with its
/// text; the init text, which contains the outer frames of idle threads, follows after that end.
const Mapping* AddressSpaces::kernelBefore(const AddressSpace& space, std::uint64_t address) const
{
    constexpr std::uint64_t Largest = std::uint64_t(1) << 30;
    const Mapping* before = space.lastAt(address);
    const auto id = before ? static_cast<std::size_t>(before->module) : m_modules.size();
    const bool isKernel =
        id < m_modules.size() && (m_modules[id].kind == Module::Kind::Kernel || m_modules[id].kind == Module::Kind::GuestKernel);
    return isKernel && address - before->address < Largest ? before : nullptr;
}

const Mapping* AddressSpaces::findUserMapping(Key key, std::uint64_t address)
{
    const AddressSpace* const space = spaceAt(key);
    const Mapping* const mapping = space ? space->find(address) : nullptr;
    const auto left = m_left.empty() ? m_left.end() : m_left.find(key);
    if (left == m_left.end())
        return mapping;
    if (!mapping)
        return left->second->find(address);
    m_left.erase(left);
    return mapping;
}

const Mapping* AddressSpaces::findKernelMapping(Key key, std::uint64_t address)
{
    const AddressSpace* const kernel = spaceAt(key);
    const Mapping* const mapping = kernel ? kernel->find(address) : nullptr;
    return kernel && !mapping ? kernelBefore(*kernel, address) : mapping;
}

ModuleAddress AddressSpaces::find(std::int32_t pid, std::uint64_t address)
{
    const Key key = keyOf(NoGuest, pid);
    return addressIn(pid == KernelPid ? findKernelMapping(key, address) : findUserMapping(key, address), address);
}

ModuleAddress AddressSpaces::findInGuest(std::int32_t guest, std::int32_t pid, std::uint64_t address)
{
    const Key key = keyOf(guest, pid);
    const Mapping* mapping = pid == KernelPid ? findKernelMapping(key, address) : findUserMapping(key, address);
    return addressIn(mapping ? mapping : findKernelMapping(keyOf(AnyGuest, KernelPid), address), address);
}

ModuleAddress AddressSpaces::addressIn(const Mapping* mapping, std::uint64_t address) const
{
    if (!mapping || static_cast<std::size_t>(mapping->module) >= m_modules.size())
        return {UnknownModule, address};
    const Module& module = m_modules[static_cast<std::size_t>(mapping->module)];
    const Module::Kind kind = module.kind;
    const bool isInFile = kind == Module::Kind::File || kind == Module::Kind::Vdso || kind == Module::Kind::GuestUser || module.names;
    return {mapping->module, isInFile ? address - mapping->address + mapping->fileOffset : address};
}

} // namespace helio
