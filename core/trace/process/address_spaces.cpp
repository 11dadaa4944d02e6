#include "core/trace/process/address_spaces.h"

#include <algorithm>
#include <iterator>

namespace helio {
namespace {

/// Returns the first address after the mapping; the largest address if the sum overflows.
std::uint64_t endOf(const Mapping& m) { return m.size > ~m.address ? ~std::uint64_t(0) : m.address + m.size; }

} // namespace

void AddressSpace::add(const Mapping& mapping)
{
    if (mapping.size == 0)
        return;
    const std::uint64_t begin = mapping.address;
    const std::uint64_t end = endOf(mapping);
    auto it = m_mappings.upper_bound(begin);
    if (it != m_mappings.begin())
        --it;
    while (it != m_mappings.end() && it->second.address < end) {
        const Mapping old = it->second;
        const std::uint64_t oldEnd = endOf(old);
        if (oldEnd <= begin) {
            ++it;
            continue;
        }
        it = m_mappings.erase(it);
        if (old.address < begin)
            m_mappings[old.address] = {old.address, begin - old.address, old.fileOffset, old.module, old.isCode};
        if (oldEnd > end)
            it = m_mappings.insert_or_assign(end, Mapping{end, oldEnd - end, old.fileOffset + (end - old.address), old.module, old.isCode})
                     .first;
    }
    m_mappings[begin] = mapping;
}

const Mapping* AddressSpace::lastAt(std::uint64_t address) const
{
    const auto it = m_mappings.upper_bound(address);
    return it == m_mappings.begin() ? nullptr : &std::prev(it)->second;
}

const Mapping* AddressSpace::find(std::uint64_t address) const
{
    const Mapping* last = lastAt(address);
    return last && address - last->address < last->size ? last : nullptr;
}

AddressSpace& AddressSpaces::ownSpace(std::int32_t pid)
{
    m_last = nullptr;
    std::shared_ptr<AddressSpace>& space = m_spaces[pid];
    if (!space)
        space = std::make_shared<AddressSpace>();
    else if (space.use_count() > 1) {
        m_copied += space->size();
        space = m_copied <= MostCopied ? std::make_shared<AddressSpace>(*space) : std::make_shared<AddressSpace>();
    }
    return *space;
}

const AddressSpace* AddressSpaces::spaceOf(std::int32_t pid)
{
    if (m_last && m_lastPid == pid)
        return m_last;
    const auto it = m_spaces.find(pid);
    m_lastPid = pid;
    return m_last = it == m_spaces.end() ? nullptr : it->second.get();
}

void AddressSpaces::leave(std::int32_t pid)
{
    m_last = nullptr;
    m_left.erase(pid);
    if (const auto space = m_spaces.find(pid); space != m_spaces.end()) {
        m_left.emplace(pid, std::move(space->second));
        m_spaces.erase(space);
    }
}

void AddressSpaces::take(const ProcessRecord& record)
{
    switch (record.kind) {
    case ProcessRecord::Kind::Map: ownSpace(record.pid).add(record.mapping); break;
    case ProcessRecord::Kind::Exec: leave(record.pid); break;
    case ProcessRecord::Kind::Fork:
        // Copy no map: a new thread shares the memory map of its process, and the kernel's map is never copied.
        if (record.pid == record.parentPid || record.pid == KernelPid)
            break;
        m_last = nullptr;
        m_left.erase(record.pid);
        if (const auto parent = m_spaces.find(record.parentPid); parent != m_spaces.end()) {
            const std::shared_ptr<AddressSpace> shared = parent->second;
            m_spaces[record.pid] = shared;
        } else {
            m_spaces.erase(record.pid);
        }
        break;
    case ProcessRecord::Kind::Comm:
    case ProcessRecord::Kind::Exit: break;
    }
}

std::vector<Mapping> AddressSpace::all() const
{
    std::vector<Mapping> mappings;
    for (const auto& [address, mapping] : m_mappings)
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
    const bool isKernel = id < m_modules.size() && m_modules[id].kind == Module::Kind::Kernel;
    return isKernel && address - before->address < Largest ? before : nullptr;
}

const Mapping* AddressSpaces::findUserMapping(std::int32_t pid, std::uint64_t address)
{
    const AddressSpace* const space = spaceOf(pid);
    const Mapping* const mapping = space ? space->find(address) : nullptr;
    const auto left = m_left.empty() ? m_left.end() : m_left.find(pid);
    if (left == m_left.end())
        return mapping;
    if (!mapping)
        return left->second->find(address);
    m_left.erase(left);
    return mapping;
}

ModuleAddress AddressSpaces::find(std::int32_t pid, std::uint64_t address)
{
    const Mapping* mapping = nullptr;
    if (pid != KernelPid) {
        mapping = findUserMapping(pid, address);
    } else if (const AddressSpace* const kernel = spaceOf(pid)) {
        mapping = kernel->find(address);
        if (!mapping)
            mapping = kernelBefore(*kernel, address);
    }
    if (!mapping || static_cast<std::size_t>(mapping->module) >= m_modules.size())
        return {UnknownModule, address};
    const Module::Kind kind = m_modules[static_cast<std::size_t>(mapping->module)].kind;
    const bool isInFile = kind == Module::Kind::File || kind == Module::Kind::Vdso;
    return {mapping->module, isInFile ? address - mapping->address + mapping->fileOffset : address};
}

} // namespace helio
