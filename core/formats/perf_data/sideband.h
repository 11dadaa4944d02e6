#pragma once

#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/record_walk.h"
#include "core/trace/process/module.h"

#include <map>
#include <string>
#include <vector>

namespace helio::perf {

/// Collects what a recording holds about processes, their memory and the kernel's beside its samples.
class Sideband {
public:
    explicit Sideband(ByteOrder order)
        : m_order(order)
    {
    }

    /// Whether the record is of that kind. `trailer`: bytes at its end that are no part of its body.
    bool take(const Record& record, HostTimestamp time, std::uint32_t trailer);

    /// Puts all in order of time, nothing before `begin`, and gives modules their build-ids.
    void finish(HostTimestamp begin, const std::vector<BuildId>& buildIds);

    std::vector<Module> modules; ///< The first is the unknown one.
    std::vector<ProcessRecord> records;

private:
    struct Mapped {
        std::int32_t pid = -1;
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        bool isCode = true; ///< It may be executed.
        std::string name;
        std::string buildId;
    };
    void takeMap(const Record& record, Cursor cursor, HostTimestamp time);
    void takeComm(const Record& record, Cursor cursor, HostTimestamp time);
    void takeLife(const Record& record, Cursor cursor, HostTimestamp time);
    void takeKernelSymbol(Cursor cursor, HostTimestamp time);
    void addMap(Mapped map, Module module, HostTimestamp time);
    ModuleId idOf(Module module);

    ByteOrder m_order;
    std::map<std::string, ModuleId> m_ids;
};

} // namespace helio::perf
