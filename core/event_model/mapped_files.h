#pragma once

#include "core/base/time.h"
#include "core/event_model/thread_fields.h"
#include "core/store/store.h"
#include "core/trace/process/module.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// A mapping: a module at an address range of one process, with the time range for which it was mapped.
struct ModuleMapping {
    std::uint64_t begin = 0; ///< First address; `end` is the address past the last one.
    std::uint64_t end = 0;
    HostRange life{};
    ModuleId module = UnknownModule;
};

/// Finds the mapping at an address and a time, however often the addresses were reused. A value type.
///
/// Threads: one at a time writes, any read.
/// Cost: construction n log n, and about 60 bytes for each mapping, more if address ranges overlap partly; each query log n * log n.
class MappingTimeline {
public:
    MappingTimeline() = default;
    explicit MappingTimeline(std::vector<ModuleMapping> all);

    /// Returns the mapping at that address and time; of several, the one that began last. The end of a mapping counts as part of it.
    /// nullptr if none.
    const ModuleMapping* at(std::uint64_t address, HostTimestamp at) const;
    /// Returns the mapping that begins first after that time at that address; nullptr if none.
    const ModuleMapping* after(std::uint64_t address, HostTimestamp at) const;
    /// Returns the mapping that ended last before that time at that address; nullptr if none.
    const ModuleMapping* before(std::uint64_t address, HostTimestamp at) const;

private:
    /// A node of the segment tree over addresses: the mappings that cover all addresses of the node.
    struct Node {
        std::vector<std::uint32_t> byBegin; ///< Indices into m_all, sorted by the beginning of the time range; byEnd by its end.
        std::vector<std::uint32_t> byEnd;
        /// A binary tree over byBegin with the latest end of the time range below each node; node 1 is the root.
        std::vector<HostTimestamp> latest;
    };

    void add(std::uint32_t life);
    void finish(Node& stretch) const;
    static std::optional<std::size_t> findLastReaching(const Node& stretch, std::size_t count, HostTimestamp at);
    template <typename Take> void forEachNode(std::uint64_t address, const Take& take) const;

    std::vector<ModuleMapping> m_all;
    std::vector<std::uint64_t> m_edges; ///< Addresses where mappings begin or end, ascending.
    /// A segment tree in an array: a leaf lies between two neighbouring edges; node i covers its children 2 i and 2 i + 1.
    std::vector<Node> m_nodes;
};

/// Id of the analysis that finds the files that traced programs had mapped, and id of the kind of its segments. A segment lasts from when a
/// file was mapped until it was unmapped. It lies on the track of the process and program that mapped it (a process has one track for each
/// program that it executes). Its value is the ModuleId of a module of its store with the address range in memory (Module::begin and size).
constexpr std::string_view MappingsAnalysis = "mappings";
constexpr std::string_view MappingSegments = "mapping";

/// The files that traced programs had mapped over time, read from the store of the mappings analysis.
///
/// Threads: to be used by one thread.
/// Cost: find() does binary searches, however often files were mapped at the address.
class MappedFiles {
public:
    /// No files are mapped.
    MappedFiles() = default;
    /// Ownership: `store` outlives the object.
    explicit MappedFiles(const Store& store);

    struct Place {
        ModuleId module = UnknownModule; ///< Index into modules().
        std::uint64_t address = 0; ///< Offset from where the module was loaded; without a module, the address that was asked for.
        HostTimestamp until = HostTimestamp::max(); ///< End of the time range, from the time asked for, in which this answer holds.
        /// Number of the program that has the module mapped; without a module, of the program that was running. The programs that a process
        /// executes are numbered from 0.
        std::uint32_t program = 0;
    };
    /// Returns what was mapped at an address of a process at a time. If nothing was mapped then, returns what was mapped there later,
    /// or else what had been mapped there before: a program runs code of a file before the event that reports the mapping, and after the
    /// one that reports its end. Mappings of an earlier program of the process are ignored.
    Place find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const;

    /// Returns the number of the program that a process executes at a time, as far as is known.
    std::uint32_t programAt(const ProcessId& id, HostTimestamp at) const;
    /// Returns the latest time at which the process may have begun to execute the program after `program`; HostTimestamp::max() if there is
    /// no later program.
    HostTimestamp programEnd(const ProcessId& id, std::uint32_t program) const;

    /// Returns the modules, the unknown module first; empty if no files are mapped.
    std::span<const Module> modules() const { return m_modules; }

private:
    std::span<const Module> m_modules;
    struct Process {
        MappingTimeline lives;
        std::vector<HostTimestamp> programs; ///< Beginning of each program but the first.
    };
    std::map<ProcessId, Process> m_processes;
};

} // namespace helio
