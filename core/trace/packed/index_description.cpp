#include "core/trace/packed/index_description.h"

#include "core/io/fingerprint.h"
#include "core/trace/packed/index_only_trace.h"
#include "core/trace/process/recorded_names.h"
#include "core/trace/trace_parts.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t HashBytes = 32; ///< Number of bytes of Fingerprint::text().
constexpr std::size_t HeadBytes = IndexMagic.size() + sizeof IndexVersion + HashBytes;

/// A range of code with its name, as RecordedNames::addCode() takes it.
struct PackedName {
    std::string function;
    std::optional<std::uint64_t> offset;
    bool isInlined = false;
    std::string file;
    std::uint32_t line = 0;
    std::uint64_t bytes = 1;
};

} // namespace

constexpr Recognition lastOf(Recognition) { return Recognition::Signature; }
constexpr Module::Kind lastOf(Module::Kind) { return Module::Kind::GuestModule; }
constexpr ProcessRecord::Kind lastOf(ProcessRecord::Kind) { return ProcessRecord::Kind::Map; }
constexpr EventTypeId lastOf(EventTypeId) { return EventTypeId{std::numeric_limits<std::uint32_t>::max()}; }
constexpr ModuleId lastOf(ModuleId) { return ModuleId{std::numeric_limits<std::uint32_t>::max()}; }

void parts(auto& wire, Is<RecordingScope> auto& it) { wire(it.threads, it.hasChildren, it.hasAllCpus); }
void parts(auto& wire, Is<RecordedGuest> auto& it) { wire(it.name, it.id, it.vcpus); }
void parts(auto& wire, Is<RecordingSession> auto& it) { wire(it.id, it.hostId, it.guests); }
void parts(auto& wire, Is<TraceInfo> auto& it)
{
    wire(it.path, it.name, it.format, it.reader, it.recognition, it.uuid, it.hostname, it.clock, it.environment, it.identity, it.bytes,
         it.hasTimes, it.end, it.part, it.session);
}
void parts(auto& wire, Is<Mapping> auto& it) { wire(it.address, it.size, it.fileOffset, it.module, it.isCode); }
void parts(auto& wire, Is<ProcessRecord> auto& it)
{
    wire(it.time, it.kind, it.pid, it.tid, it.parentPid, it.parentTid, it.name, it.mapping, it.guest);
}
void parts(auto& wire, Is<CpuLocation> auto& it) { wire(it.cpu, it.core, it.l2, it.l3, it.package, it.node); }
void parts(auto& wire, Is<CpuTopology> auto& it) { wire(it.cpus, it.hasCaches); }
void parts(auto& wire, Is<SampleEvent> auto& it)
{
    wire(it.type, it.name, it.isTime, it.hasUserState, it.isCounted, it.counted, it.divisor, it.hasForwardPeriods, it.groupLeader,
         it.interval, it.spacing, it.isSampled, it.isSummed, it.unit);
}
void parts(auto& wire, Is<RecordedFrame> auto& it) { wire(it.caller, it.module, it.address); }
void parts(auto& wire, Is<PackedName> auto& it) { wire(it.function, it.offset, it.isInlined, it.file, it.line, it.bytes); }

/// Passes a module, with its names as a list.
void parts(auto& wire, Is<Module> auto& it)
{
    constexpr bool IsWriting = std::is_const_v<std::remove_reference_t<decltype(it)>>;
    std::vector<PackedName> names;
    bool hasNames = it.names != nullptr;
    if constexpr (IsWriting)
        if (hasNames)
            it.names->forEach([&](const RecordedName& name, std::uint64_t bytes) {
                names.push_back({std::string(name.function), name.offset, name.isInlined, std::string(name.file), name.line, bytes});
            });
    wire(it.kind, it.path, it.buildId, it.pid, it.begin, it.size, it.reference, it.referenceName, it.textSize, it.isLoadRelative,
         it.release, hasNames, names);
    if constexpr (!IsWriting)
        if (hasNames) {
            constexpr std::uint64_t Most = std::uint64_t{1} << 62;
            auto read = std::make_shared<RecordedNames>();
            std::uint64_t sum = 0;
            for (const PackedName& name : names) {
                if (name.bytes == 0 || name.bytes > Most - sum)
                    break; // Only a hostile description has such a name; code from here on stays without names.
                sum += name.bytes;
                read->addCode({name.function, name.offset, name.isInlined, name.file, name.line}, name.bytes);
            }
            it.names = std::move(read);
        }
}

void parts(auto& wire, Is<IndexDescription> auto& it)
{
    wire(it.info, it.types, it.streams, it.diagnostics, it.modules, it.processRecords, it.topology, it.samples, it.machine, it.stacks);
}

namespace {

/// True if all numbers in a description refer to something that exists.
bool isConsistent(const IndexDescription& it)
{
    const auto isModule = [&](ModuleId module) { return module == UnknownModule || static_cast<std::size_t>(module) < it.modules.size(); };
    const auto isType = [&](EventTypeId type) { return static_cast<std::size_t>(type) < it.types.size(); };
    const auto isCpu = [](std::int32_t cpu) { return cpu >= -1 && cpu < CpuTopology::MostCpus; };
    const bool areStreamsGood = std::ranges::all_of(it.streams, [&](const StreamInfo& stream) {
        return isCpu(stream.cpu) && std::ranges::all_of(stream.packets, isCpu, &PacketInfo::cpu);
    });
    const bool areRecordsGood =
        std::ranges::all_of(it.processRecords, [&](const ProcessRecord& record) { return isModule(record.mapping.module); });
    const bool areSamplesGood =
        std::ranges::all_of(it.samples,
                            [&](const SampleEvent& event) {
                                return isType(event.type) && event.divisor > 0 && (!event.groupLeader || isType(*event.groupLeader));
                            })
        && std::ranges::is_sorted(it.samples, {}, &SampleEvent::type);
    bool areStacksGood = true;
    for (std::size_t i = 0; i < it.stacks.size(); ++i)
        areStacksGood = areStacksGood && isModule(it.stacks[i].module) && (i == 0 ? it.stacks[i].caller == 0 : it.stacks[i].caller < i);
    bool isTopologyGood = !it.topology || it.topology->cpus.size() <= std::size_t(CpuTopology::MostCpus);
    for (std::size_t i = 0; it.topology && isTopologyGood && i < it.topology->cpus.size(); ++i)
        isTopologyGood = it.topology->cpus[i].cpu == -1 || it.topology->cpus[i].cpu == static_cast<std::int32_t>(i);
    return areStreamsGood && areRecordsGood && areSamplesGood && areStacksGood && isTopologyGood && it.info.clock.frequency > 0;
}

} // namespace

std::vector<std::byte> describeIndex(const Trace& trace)
{
    IndexDescription it;
    it.info = trace.info();
    if (const auto* packed = dynamic_cast<const IndexOnlyTrace*>(&trace))
        it.info.path = packed->recordedPath();
    std::error_code error;
    if (auto absolute = std::filesystem::absolute(it.info.path, error); !error)
        it.info.path = std::move(absolute);
    for (const auto& type : trace.eventTypes())
        it.types.push_back(*type);
    it.streams.assign(trace.streams().begin(), trace.streams().end());
    for (StreamInfo& stream : it.streams)
        stream.files.clear(); // The files are not packed, and their paths need not leave the machine.
    it.diagnostics.assign(trace.diagnostics().begin(), trace.diagnostics().end());
    it.modules.assign(trace.modules().begin(), trace.modules().end());
    it.processRecords.assign(trace.processRecords().begin(), trace.processRecords().end());
    if (const CpuTopology* topology = trace.topology())
        it.topology = *topology;
    if (const SampleReader* samples = trace.samples()) {
        it.samples.assign(samples->events().begin(), samples->events().end());
        it.machine = samples->machine();
        it.stacks.assign(samples->stacks().begin(), samples->stacks().end());
    }
    WireWriter wire(0);
    wire(std::as_const(it));
    const auto content = wire.message().subspan(sizeof(MessageHeader));
    Fingerprint print;
    print.add(content);
    const std::string hash = print.text();
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
    append(std::as_bytes(std::span(IndexMagic)));
    append(std::as_bytes(std::span(&IndexVersion, 1)));
    append(std::as_bytes(std::span(hash)));
    append(content);
    return bytes;
}

Result<IndexDescription> readIndexDescription(std::span<const std::byte> bytes)
{
    const Error damaged{Error::Kind::Corrupt, "the description of the index is damaged"};
    if (bytes.size() < HeadBytes || std::memcmp(bytes.data(), IndexMagic.data(), IndexMagic.size()) != 0)
        return damaged;
    std::uint32_t version = 0;
    std::memcpy(&version, bytes.data() + IndexMagic.size(), sizeof version);
    if (version != IndexVersion)
        return Error{Error::Kind::Unsupported,
                     "another version of Heliograph packed this index; pack it again where the recording is: heliograph pack"};
    const auto content = bytes.subspan(HeadBytes);
    Fingerprint print;
    print.add(content);
    if (std::memcmp(print.text().data(), bytes.data() + HeadBytes - HashBytes, HashBytes) != 0)
        return damaged;
    IndexDescription description;
    WireReader wire(content);
    wire(description);
    if (!wire.isGood() || !isConsistent(description))
        return damaged;
    return description;
}

} // namespace helio
