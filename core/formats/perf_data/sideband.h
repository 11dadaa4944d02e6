#pragma once

#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/record_walk.h"
#include "core/trace/process/module.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace helio::perf {

/// A jitdump file that a process mapped. Just-in-time compilers map their jitdump file so that the recording contains its path.
struct MappedJitDump {
    std::int32_t pid = -1;
    std::string path;
    HostTimestamp since; ///< Time from which the compiler placed code: the first mapping by the last program that mapped the file.
};

/// Collects the records about processes, their memory and the memory of the kernel.
class Sideband {
public:
    explicit Sideband(ByteOrder order)
        : m_order(order)
    {
    }

    /// Adds a record about a process, its memory or a kernel symbol. Returns false and ignores the record if it is of any other type.
    /// `trailer` is the size of the record's trailer in bytes. `guest` is the guest that wrote the record; NoGuest if the host wrote it.
    /// Records of the host may describe guests, too.
    bool take(const Record& record, HostTimestamp time, std::uint32_t trailer, std::int32_t guest);

    /// Adds the modules "[guest.kernel]" and "[guest.user]" for guest code that no recorded mapping contains.
    void addUnmappedGuestCode();

    /// Sorts the records by time, moves earlier records to `begin`, and sets the build-ids of the modules.
    void finish(HostTimestamp begin, const std::vector<BuildId>& buildIds);

    std::vector<Module> modules; ///< Modules, indexed by ModuleId; the first is the unknown module.
    std::vector<ProcessRecord> records;

    /// Sorts the records by time, and returns the jitdump files that processes of the host mapped, one for each process and path.
    std::vector<MappedJitDump> findJitDumps();

    /// Adds a module for the code that a just-in-time compiler made in the process `pid`. `names` contains the function names of the code.
    ModuleId addJitModule(std::int32_t pid, const std::string& file, std::shared_ptr<const RecordedNames> names);

private:
    void sortRecords();

    struct MappedRange {
        std::int32_t pid = -1;
        std::int32_t guest = NoGuest;
        std::uint64_t address = 0;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        bool isCode = true; ///< True if the memory is executable.
        std::string name;
        std::string buildId;
    };
    void takeMap(const Record& record, BinaryReader cursor, HostTimestamp time, std::int32_t guest);
    void takeComm(const Record& record, BinaryReader cursor, HostTimestamp time, std::int32_t guest);
    void takeForkOrExit(const Record& record, BinaryReader cursor, HostTimestamp time, std::int32_t guest);
    void takeKernelSymbol(BinaryReader cursor, HostTimestamp time);
    void addMap(MappedRange map, Module module, HostTimestamp time);
    ModuleId idOf(Module module);

    ByteOrder m_order;
    std::map<std::string, ModuleId> m_ids;
};

} // namespace helio::perf
