#pragma once

#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/record_walk.h"
#include "core/trace/process/module.h"

#include <map>
#include <string>
#include <vector>

namespace helio::perf {

/// Collects the records about processes, their memory and the memory of the kernel.
class Sideband {
public:
    explicit Sideband(ByteOrder order)
        : m_order(order)
    {
    }

    /// Adds a record about a process, its memory or a kernel symbol. Returns false and ignores the record if it is of any other type.
    /// `trailer` is the size of the record's trailer in bytes.
    bool take(const Record& record, HostTimestamp time, std::uint32_t trailer);

    /// Sorts the records by time, moves earlier records to `begin`, and sets the build-ids of the modules.
    void finish(HostTimestamp begin, const std::vector<BuildId>& buildIds);

    std::vector<Module> modules; ///< Modules, indexed by ModuleId; the first is the unknown module.
    std::vector<ProcessRecord> records;

private:
    struct MappedRange {
        std::int32_t pid = -1;
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        bool isCode = true; ///< True if the memory is executable.
        std::string name;
        std::string buildId;
    };
    void takeMap(const Record& record, BinaryReader cursor, HostTimestamp time);
    void takeComm(const Record& record, BinaryReader cursor, HostTimestamp time);
    void takeForkOrExit(const Record& record, BinaryReader cursor, HostTimestamp time);
    void takeKernelSymbol(BinaryReader cursor, HostTimestamp time);
    void addMap(MappedRange map, Module module, HostTimestamp time);
    ModuleId idOf(Module module);

    ByteOrder m_order;
    std::map<std::string, ModuleId> m_ids;
};

} // namespace helio::perf
