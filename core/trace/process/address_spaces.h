#pragma once

#include "core/trace/process/module.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace helio {

/// Memory map of one process or of the kernel: mappings that do not overlap.
class AddressSpace {
public:
    /// Adds a mapping. Older mappings that it overlaps are cut: their head and tail stay.
    void add(const Mapping& mapping);
    /// Returns the mapping at the address; nullptr if nothing is mapped there.
    const Mapping* find(std::uint64_t address) const;
    /// Returns the last mapping that begins at or before the address; nullptr if there is none.
    const Mapping* lastAt(std::uint64_t address) const;
    std::size_t size() const { return m_mappings.size(); }
    std::vector<Mapping> all() const;

private:
    std::map<std::uint64_t, Mapping> m_mappings; ///< Mappings by address.
};

/// An address in a module, in the terms of Module::kind.
struct ModuleAddress {
    ModuleId module = UnknownModule;
    std::uint64_t address = 0;
};

/// Memory maps of all processes at the time of the last record taken.
/// Cost: find() looks up the process and then the address.
class AddressSpaces {
public:
    explicit AddressSpaces(std::span<const Module> modules)
        : m_modules(modules)
    {
    }

    void take(const ProcessRecord& record);

    /// Process id of the kernel's memory map, which is the same for all processes.
    static constexpr std::int32_t KernelPid = -1;

    /// Returns the address in its module, in the terms of Module::kind; unchanged, with UnknownModule, if nothing is mapped there. After an
    /// exec, addresses that the new program does not map are looked up in the old program's map, until the first address of the new program
    /// is found: the exec is recorded while execve(), which the old program called, still runs.
    ModuleAddress find(std::int32_t pid, std::uint64_t address);

    /// Returns the memory map of a process; nullptr if it has none. Valid until the next call of take().
    const AddressSpace* spaceOf(std::int32_t pid);

private:
    AddressSpace& ownSpace(std::int32_t pid);
    void leave(std::int32_t pid);
    const Mapping* findUserMapping(std::int32_t pid, std::uint64_t address);
    const Mapping* kernelBefore(const AddressSpace& space, std::uint64_t address) const;

    std::span<const Module> m_modules;
    /// Memory maps by process id. Shared after a fork, until one of the two processes changes its map.
    std::unordered_map<std::int32_t, std::shared_ptr<AddressSpace>> m_spaces;
    /// Memory maps before an exec, by process id, until an address of the new program is found.
    std::unordered_map<std::int32_t, std::shared_ptr<AddressSpace>> m_left;
    /// Maximum number of mappings copied after forks. A process that forks and then maps something needs a copy of its map. Beyond the
    /// maximum, the map begins empty: a damaged recording could otherwise demand any amount of memory.
    static constexpr std::size_t MostCopied = 20'000'000;
    std::size_t m_copied = 0;
    std::int32_t m_lastPid = -1; ///< Process id of the last lookup: samples come from the same process again and again.
    const AddressSpace* m_last = nullptr;
};

} // namespace helio
