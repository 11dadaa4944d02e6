#pragma once

#include "core/trace/process/module.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace helio {

/// What is mapped where, in one process or in the kernel: mappings that do not overlap.
class AddressSpace {
public:
    /// What it overlaps is cut: head and tail stay where they were.
    void add(const Mapping& mapping);
    /// Null where nothing is mapped.
    const Mapping* find(std::uint64_t address) const;
    /// The last that begins at or before the address; null where none does.
    const Mapping* lastAt(std::uint64_t address) const;
    std::size_t size() const { return m_mappings.size(); }
    std::vector<Mapping> all() const;

private:
    std::map<std::uint64_t, Mapping> m_mappings; ///< By address.
};

/// An address in a module.
struct ModulePlace {
    ModuleId module = UnknownModule;
    std::uint64_t address = 0;
};

/// The memory of all processes as it was at the time reached. Cost of finding: a look-up by process and one by address.
class AddressSpaces {
public:
    explicit AddressSpaces(std::span<const Module> modules)
        : m_modules(modules)
    {
    }

    void take(const ProcessRecord& record);

    /// Of what is mapped in the kernel, which is the same for all processes.
    static constexpr std::int32_t KernelPid = -1;

    /// The place of an address in its module, as Module::kind says; in the unknown one as it is. After an exec, an address that the new
    /// program does not map is the old program's until the first address of the new one is found: the exec is recorded while execve(),
    /// which the old program called, still runs.
    ModulePlace find(std::int32_t pid, std::uint64_t address);

    /// What is mapped in a process, by address; null where nothing is. Valid until the next record is taken.
    const AddressSpace* spaceOf(std::int32_t pid);

private:
    AddressSpace& ownSpace(std::int32_t pid);
    void leave(std::int32_t pid);
    const Mapping* findUserMapping(std::int32_t pid, std::uint64_t address);
    const Mapping* kernelBefore(const AddressSpace& space, std::uint64_t address) const;

    std::span<const Module> m_modules;
    std::unordered_map<std::int32_t, std::shared_ptr<AddressSpace>> m_spaces; ///< Shared after a fork, until one of the two changes.
    std::unordered_map<std::int32_t, std::shared_ptr<AddressSpace>> m_left; ///< By exec; of the new program nothing was found yet.
    /// Forks that go on to map something copy what they share. Beyond this they begin with nothing: a damaged recording could ask for any
    /// amount of memory.
    static constexpr std::size_t MostCopied = 20'000'000;
    std::size_t m_copied = 0;
    std::int32_t m_lastPid = -1; ///< Samples come from the same process again and again.
    const AddressSpace* m_last = nullptr;
};

} // namespace helio
