#pragma once

#include "core/trace/process/module.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace helio {

/// Memory map of one process or of the kernel: a set of mappings that do not overlap.
class AddressSpace {
public:
    /// Adds a mapping. An older mapping that overlaps the new one keeps only its parts before and after the new one.
    void add(const Mapping& mapping);
    /// Adds memory without a file. It does not replace compiled code: just-in-time compilers map memory before they write code into it, and
    /// the kernel also records a mapping whenever they change its protection.
    void addAnonymous(const Mapping& mapping);
    /// Adds code that a just-in-time compiler placed into anonymous memory.
    void addCompiledCode(const Mapping& mapping);
    /// Returns the mapping at the address; nullptr if nothing is mapped there.
    const Mapping* find(std::uint64_t address) const;
    /// Returns the last mapping that begins at or before the address; nullptr if there is none.
    const Mapping* lastAt(std::uint64_t address) const;
    std::size_t size() const { return m_mappings.size() + m_compiled.size(); }
    std::vector<Mapping> all() const;

private:
    using Mappings = std::map<std::uint64_t, Mapping>; ///< Mappings by begin address.
    static void clear(Mappings& mappings, std::uint64_t begin, std::uint64_t end);

    Mappings m_mappings;
    Mappings m_compiled; ///< Compiled code; it hides the parts of m_mappings that it overlaps.
};

/// Address of code within a module; Module::kind defines from where it counts.
struct ModuleAddress {
    ModuleId module = UnknownModule;
    std::uint64_t address = 0;
};

/// Memory maps of all processes after the latest process record that take() processed.
/// Cost: find() looks up the process, then the address in its map.
class AddressSpaces {
public:
    explicit AddressSpaces(std::span<const Module> modules)
        : m_modules(modules)
    {
    }

    void take(const ProcessRecord& record);

    /// Process id of the kernel's memory map, which is the same for all processes.
    static constexpr std::int32_t KernelPid = -1;

    /// Returns the module and the address in it (as Module::kind defines); the unchanged address with UnknownModule if nothing is mapped
    /// there. The record of an exec comes while execve(), called by the old program, still runs. After an exec, addresses that the new
    /// program does not map are therefore looked up in the old program's map, until the first address of the new program is found.
    ModuleAddress find(std::int32_t pid, std::uint64_t address);

    /// Like find(), for a process of the guest `guest`. If neither the process nor the kernel of this guest has a mapping at the address,
    /// looks it up in the kernel's map of AnyGuest, as perf does.
    ModuleAddress findInGuest(std::int32_t guest, std::int32_t pid, std::uint64_t address);

    /// Returns the memory map of a process that runs on the host itself; nullptr if the process has no map. The pointer is valid until the
    /// next call of take().
    const AddressSpace* spaceOf(std::int32_t pid);

private:
    /// Key of a memory map: the guest and the process ID in one number.
    using Key = std::int64_t;
    static Key keyOf(std::int32_t guest, std::int32_t pid) { return std::int64_t{guest} * (std::int64_t{1} << 32) + pid; }

    AddressSpace& ownSpace(Key key);
    void addMapping(Key key, const Mapping& mapping);
    void leave(Key key);
    const AddressSpace* spaceAt(Key key);
    const Mapping* findUserMapping(Key key, std::uint64_t address);
    const Mapping* findKernelMapping(Key key, std::uint64_t address);
    const Mapping* kernelBefore(const AddressSpace& space, std::uint64_t address) const;
    ModuleAddress addressIn(const Mapping* mapping, std::uint64_t address) const;

    std::span<const Module> m_modules;
    /// Memory maps, keyed by guest and process. After a fork, two processes share one map until one of them changes it.
    std::unordered_map<Key, std::shared_ptr<AddressSpace>> m_spaces;
    /// Memory maps of programs that exec replaced, keyed by guest and process. A map is kept until find() finds an address in the new
    /// program.
    std::unordered_map<Key, std::shared_ptr<AddressSpace>> m_left;
    /// Maximum total number of mappings that are copied after forks. A forked process that maps something needs its own copy of the shared
    /// map. Beyond the maximum, its map begins empty, because a damaged recording could otherwise demand any amount of memory.
    static constexpr std::size_t MostCopied = 20'000'000;
    std::size_t m_copied = 0;
    Key m_lastKey = 0; ///< Key of m_last, the cached map of the last lookup: consecutive samples often belong to one process.
    const AddressSpace* m_last = nullptr;
};

} // namespace helio
