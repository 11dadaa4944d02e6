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

/// A module that was mapped to an address range of one process during a time range.
struct ModuleMapping {
    std::uint64_t begin = 0; ///< First address of the mapping; `end` is the address after its last byte.
    std::uint64_t end = 0;
    HostRange life{};
    ModuleId module = UnknownModule;
};

/// Finds the mapping at an address and a time, even if addresses were reused often. A value type.
///
/// Threads: one thread at a time writes, or any threads read.
/// Cost, for n mappings: construction takes n log n steps; a query takes (log n)^2 steps; memory is about 60 bytes per mapping, more if
/// address ranges overlap partly.
class MappingTimeline {
public:
    MappingTimeline() = default;
    explicit MappingTimeline(std::vector<ModuleMapping> all);

    /// Returns the mapping at the address and time; nullptr if nothing was mapped. Of several mappings, returns the one that began last. A
    /// mapping still counts at its end time.
    const ModuleMapping* at(std::uint64_t address, HostTimestamp at) const;
    /// Returns the first mapping whose addresses include `address` and whose time range begins after `at`; nullptr if there is none.
    const ModuleMapping* after(std::uint64_t address, HostTimestamp at) const;
    /// Returns the last mapping at the address that ended before `at`; nullptr if there is none.
    const ModuleMapping* before(std::uint64_t address, HostTimestamp at) const;

private:
    /// Node of the segment tree over addresses: the mappings that cover all addresses of the node.
    struct Node {
        std::vector<std::uint32_t> byBegin; ///< Indices into m_all, sorted by the start of the mapping's time range (byEnd: by its end).
        std::vector<std::uint32_t> byEnd;
        /// Binary tree over byBegin: for each node, the latest end of a time range below it. Node 1 is the root.
        std::vector<HostTimestamp> latest;
    };

    void add(std::uint32_t life);
    void finish(Node& node) const;
    static std::optional<std::size_t> findLastReaching(const Node& tree, std::size_t count, HostTimestamp at);
    template <typename Take> void forEachNode(std::uint64_t address, const Take& take) const;

    std::vector<ModuleMapping> m_all;
    std::vector<std::uint64_t> m_edges; ///< Addresses at which mappings begin or end, ascending.
    /// Segment tree, stored in an array. A leaf is the address range between two neighbouring elements of m_edges. The children of node i
    /// are the nodes 2 i and 2 i + 1.
    std::vector<Node> m_nodes;
};

/// Id of the analysis that finds the files that traced programs mapped, and of the kind of its segments. A segment lasts from the
/// mapping of a file until its unmapping. Its track stands for the process and the program that mapped the file (a process has one track
/// per program that it executes). Its value is a ModuleId of the analysis's store; Module::begin and size are the address range in memory.
constexpr std::string_view MappingsAnalysis = "mappings";
constexpr std::string_view MappingSegments = "mapping";

/// The files that traced programs mapped over time, read from the store of the mappings analysis.
///
/// Threads: to be used by one thread.
/// Cost: find() does binary searches, even if many files were mapped at the address.
class MappedFiles {
public:
    /// Makes an object without mapped files.
    MappedFiles() = default;
    /// Ownership: `store` must outlive the object.
    explicit MappedFiles(const Store& store);

    struct ModuleAddress {
        ModuleId module = UnknownModule; ///< Index of the mapped module in modules(); UnknownModule if no file was mapped at the address.
        std::uint64_t address = 0; ///< Offset from the address where the module was loaded; without a module, the queried address.
        /// End of the time range for which the result is valid. The range begins at the queried time.
        HostTimestamp until = HostTimestamp::max();
        /// Number of the program that has the module mapped; without a module, number of the program that was running. The programs that a
        /// process executes are numbered from 0.
        std::uint32_t program = 0;
    };
    /// Returns the module at an address of a process at a time. If nothing was mapped at that time, returns the module mapped there next,
    /// or else the module mapped there before: a program may run code of a file before the event that reports the mapping, and after the
    /// event that reports the unmapping. Mappings of earlier programs of the process are ignored.
    ModuleAddress find(const ProcessId& id, std::uint64_t address, HostTimestamp at) const;

    /// Returns the number of the program that a process executes at a time, as far as the trace shows. The programs that a process executes
    /// are numbered from 0.
    std::uint32_t programAt(const ProcessId& id, HostTimestamp at) const;
    /// Returns the latest time at which the process may have replaced `program` by its next program; HostTimestamp::max() if there is no
    /// later program.
    HostTimestamp programEnd(const ProcessId& id, std::uint32_t program) const;

    /// Returns the mapped modules, the unknown module first; empty if no files are mapped.
    std::span<const Module> modules() const { return m_modules; }

private:
    std::span<const Module> m_modules;
    struct Process {
        MappingTimeline lives;
        std::vector<HostTimestamp> programs; ///< Beginning of each program that the process executed, except the first program.
    };
    std::map<ProcessId, Process> m_processes;
};

} // namespace helio
