#include "core/formats/perf_data/sideband.h"

#include "core/formats/perf_data/jit_dump.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace helio::perf {
namespace {

constexpr std::string_view KernelName = "[kernel.kallsyms]";
constexpr std::string_view GuestKernelName = "[guest.kernel.kallsyms";
/// Limit of the size of the kernel's text in bytes. Larger sizes come from old versions of perf, which recorded the distance to the first
/// module instead.
constexpr std::uint64_t LongestText = std::uint64_t{256} << 20;
constexpr std::uint16_t Unregistered = 1; ///< Flag of a KSYMBOL record: the symbol was removed.
constexpr std::uint32_t ProtectionExec = 4; ///< PROT_EXEC of mmap(2).

/// True for memory without a file; code in such memory was generated at run time.
bool isAnonymous(std::string_view name)
{
    constexpr std::array Names{
        std::string_view{"//anon"},      std::string_view{"/dev/zero"}, std::string_view{"/anon_hugepage"}, std::string_view{"/SYSV"},
        std::string_view{"anon_inode:"}, std::string_view{"[heap]"},    std::string_view{"[stack"},         std::string_view{"[anon"},
        std::string_view{"[vsyscall]"},  std::string_view{"[uprobes]"},
    };
    return name.empty() || std::any_of(Names.begin(), Names.end(), [name](std::string_view known) { return name.starts_with(known); });
}

Module::Kind kindOf(std::uint16_t cpuMode, std::string_view name)
{
    switch (cpuMode) {
    case KernelMode: return name.starts_with(KernelName) ? Module::Kind::Kernel : Module::Kind::KernelModule;
    case GuestKernelMode: return name.starts_with(GuestKernelName) ? Module::Kind::GuestKernel : Module::Kind::GuestModule;
    case GuestUserMode: return Module::Kind::GuestUser;
    default: break;
    }
    if (name.starts_with("[vdso"))
        return Module::Kind::Vdso;
    return isAnonymous(name) ? Module::Kind::Anonymous : Module::Kind::File;
}

} // namespace

bool Sideband::take(const Record& record, HostTimestamp time, std::uint32_t trailer, std::int32_t guest)
{
    const auto body = record.body();
    const BinaryReader cursor(body.first(body.size() - std::min<std::size_t>(trailer, body.size())), m_order);
    switch (record.type) {
    case RecordType::Mmap:
    case RecordType::Mmap2: takeMap(record, cursor, time, guest); return true;
    case RecordType::Comm: takeComm(record, cursor, time, guest); return true;
    case RecordType::Fork:
    case RecordType::Exit: takeForkOrExit(record, cursor, time, guest); return true;
    case RecordType::Ksymbol: takeKernelSymbol(cursor, time); return true;
    default: return false;
    }
}

void Sideband::takeMap(const Record& record, BinaryReader cursor, HostTimestamp time, std::int32_t guest)
{
    MappedRange map;
    map.isCode = (record.misc & misc::MmapData) == 0;
    map.pid = cursor.i32();
    cursor.i32();
    map.address = cursor.u64();
    map.size = cursor.u64();
    map.offset = cursor.u64();
    if (record.type == RecordType::Mmap2) {
        if ((record.misc & misc::MmapBuildId) != 0) {
            const std::size_t size = cursor.u8();
            cursor.skip(3);
            const auto id = cursor.bytes(20);
            map.buildId = hexText(id.first(std::min(size, id.size())));
        } else {
            cursor.skip(24);
        }
        map.isCode = (cursor.u32() & ProtectionExec) != 0;
        cursor.skip(4); // Skips the flags of the mapping.
    }
    map.name = cursor.restAsText();
    if (cursor.isCut() || map.size == 0)
        return;
    Module module;
    module.kind = kindOf(record.misc & misc::CpuMode, map.name);
    // If the host recorded a mapping of a guest, its process ID is that of the hypervisor; it is 0 or -1 if perf does not distinguish
    // guests.
    if (module.isGuest())
        map.guest = guest != NoGuest ? guest : std::max(map.pid, AnyGuest);
    addMap(std::move(map), std::move(module), time);
}

void Sideband::addMap(MappedRange map, Module module, HostTimestamp time)
{
    module.path = map.name;
    module.buildId = map.buildId;
    if (module.kind == Module::Kind::Kernel || module.kind == Module::Kind::GuestKernel) {
        // The name ends with a symbol, for example "[kernel.kallsyms]_text". The offset is the address of this symbol and shows where the
        // kernel was loaded.
        const std::size_t end = module.path.find(']');
        module.referenceName = end == std::string::npos ? std::string() : module.path.substr(end + 1);
        module.path.resize(module.path.size() - module.referenceName.size());
        module.reference = map.offset;
        module.textSize = map.size < LongestText ? map.size : 0;
    }
    const bool isGuestKernel = module.kind == Module::Kind::GuestKernel || module.kind == Module::Kind::GuestModule;
    const bool hasOwnAddresses = module.isKernel() || isGuestKernel || module.kind == Module::Kind::Anonymous;
    if (module.isGuest())
        module.pid = map.guest;
    if (module.isKernel() || isGuestKernel) {
        map.pid = -1;
        module.begin = map.address;
        module.size = map.size;
    }
    if (module.kind == Module::Kind::Anonymous) {
        module.pid = map.pid;
        // perf uses the name "//anon" for anonymous data and for anonymous code of a JIT compiler. The data becomes the module "anon", so
        // that it is not mixed with the code.
        if (!map.isCode && map.name.starts_with("//anon"))
            module.path = "anon";
    }
    const bool isCode = map.isCode || module.isKernel() || isGuestKernel;
    ProcessRecord record;
    record.time = time;
    record.kind = ProcessRecord::Kind::Map;
    record.pid = map.pid;
    record.guest = map.guest;
    record.mapping = {map.address, map.size, hasOwnAddresses ? map.address : map.offset, idOf(std::move(module)), isCode};
    records.push_back(std::move(record));
}

void Sideband::takeComm(const Record& record, BinaryReader cursor, HostTimestamp time, std::int32_t guest)
{
    ProcessRecord processRecord;
    processRecord.time = time;
    processRecord.guest = guest;
    processRecord.kind = (record.misc & misc::CommExec) != 0 ? ProcessRecord::Kind::Exec : ProcessRecord::Kind::Comm;
    processRecord.pid = cursor.i32();
    processRecord.tid = cursor.i32();
    processRecord.name = cursor.restAsText();
    if (!cursor.isCut())
        records.push_back(std::move(processRecord));
}

void Sideband::takeForkOrExit(const Record& record, BinaryReader cursor, HostTimestamp time, std::int32_t guest)
{
    ProcessRecord processRecord;
    processRecord.time = time;
    processRecord.guest = guest;
    processRecord.kind = record.type == RecordType::Fork ? ProcessRecord::Kind::Fork : ProcessRecord::Kind::Exit;
    processRecord.pid = cursor.i32();
    processRecord.parentPid = cursor.i32();
    processRecord.tid = cursor.i32();
    processRecord.parentTid = cursor.i32();
    if (!cursor.isCut())
        records.push_back(std::move(processRecord));
}

void Sideband::takeKernelSymbol(BinaryReader cursor, HostTimestamp time)
{
    MappedRange map;
    map.address = cursor.u64();
    map.size = cursor.u32();
    cursor.u16();
    const std::uint16_t flags = cursor.u16();
    map.name = cursor.restAsText();
    if (cursor.isCut() || (flags & Unregistered) != 0 || map.size == 0)
        return;
    Module module;
    module.kind = Module::Kind::KernelOther;
    addMap(std::move(map), std::move(module), time);
}

void Sideband::sortRecords()
{
    std::stable_sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
}

std::vector<MappedJitDump> Sideband::findJitDumps()
{
    std::vector<bool> isJitDump;
    for (const Module& module : modules)
        isJitDump.push_back(pidOfJitDump(module.path).has_value());
    if (std::find(isJitDump.begin(), isJitDump.end(), true) == isJitDump.end())
        return {};
    sortRecords();
    std::vector<MappedJitDump> dumps;
    std::map<std::pair<std::int32_t, ModuleId>, std::size_t> known; // Indexes into `dumps`.
    std::unordered_map<std::int32_t, HostTimestamp> execs; // Time of each process's last exec.
    for (const ProcessRecord& record : records) {
        if (record.guest != NoGuest)
            continue;
        if (record.kind == ProcessRecord::Kind::Exec)
            execs[record.pid] = record.time;
        if (record.kind != ProcessRecord::Kind::Map || !isJitDump[static_cast<std::size_t>(record.mapping.module)])
            continue;
        const auto [found, isNew] = known.try_emplace({record.pid, record.mapping.module}, dumps.size());
        if (isNew)
            dumps.push_back({record.pid, modules[static_cast<std::size_t>(record.mapping.module)].path, record.time});
        else if (const auto exec = execs.find(record.pid); exec != execs.end() && exec->second >= dumps[found->second].since)
            dumps[found->second].since = record.time;
    }
    return dumps;
}

ModuleId Sideband::addJitModule(std::int32_t pid, const std::string& file, std::shared_ptr<const RecordedNames> names)
{
    Module module;
    module.kind = Module::Kind::Anonymous;
    module.path = "[anon:" + file + ']';
    module.pid = pid;
    module.names = std::move(names);
    return idOf(std::move(module));
}

void Sideband::addUnmappedGuestCode()
{
    // Kernel code is in the upper half of the address space, user code in the lower half.
    constexpr std::uint64_t Half = std::uint64_t{1} << 63;
    for (const bool isKernel : {false, true}) {
        Module module;
        module.kind = isKernel ? Module::Kind::GuestKernel : Module::Kind::GuestUser;
        module.path = isKernel ? "[guest.kernel]" : "[guest.user]";
        module.pid = AnyGuest;
        ProcessRecord record;
        record.time = HostTimestamp::min();
        record.kind = ProcessRecord::Kind::Map;
        record.guest = AnyGuest;
        record.mapping = {isKernel ? Half : 0, Half, isKernel ? Half : 0, idOf(std::move(module)), true};
        records.push_back(std::move(record));
    }
}

ModuleId Sideband::idOf(Module module)
{
    if (modules.empty())
        modules.emplace_back();
    std::string key = std::to_string(static_cast<int>(module.kind)) + ":" + std::to_string(module.pid) + ":" + module.buildId + ":";
    if (module.isKernel())
        key += std::to_string(module.begin) + ":";
    key += module.path;
    const auto [found, isNew] = m_ids.try_emplace(std::move(key), ModuleId{static_cast<std::uint32_t>(modules.size())});
    if (isNew)
        modules.push_back(std::move(module));
    return found->second;
}

void Sideband::finish(HostTimestamp begin, const std::vector<BuildId>& buildIds)
{
    if (modules.empty())
        modules.emplace_back();
    // Sort before the times are clamped. After clamping, all records from before `begin` have the same time, so sorting would leave them in
    // the order of the CPUs' buffers.
    sortRecords();
    for (ProcessRecord& record : records)
        record.time = std::max(record.time, begin);
    std::unordered_map<std::string_view, const BuildId*> byPath;
    for (const BuildId& id : buildIds)
        byPath.try_emplace(id.path, &id);
    for (Module& module : modules) {
        const auto found = byPath.find(module.path);
        if (module.buildId.empty() && module.kind != Module::Kind::Anonymous && found != byPath.end())
            module.buildId = found->second->id;
    }
}

} // namespace helio::perf
