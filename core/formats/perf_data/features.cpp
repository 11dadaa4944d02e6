#include "core/formats/perf_data/description.h"
#include "core/trace/cpu_topology.h"
#include "core/trace/fields/binary_reader.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

// Reads the feature sections of perf.data into the description.

namespace helio::perf {
namespace {

// Topology of CPUs from features that list CPUs as texts like "0-3,8-11". Truncated and invalid lists are ignored.

/// Limit of the number of CPUs in all lists together. A recording has a few kinds of lists, and each kind contains a CPU once.
constexpr std::int64_t MostNames = 8 * CpuTopology::MostCpus;

/// Reads lists of CPUs like "0-3,8-11". The constructor's `member` selects a member of CpuLocation, for example the package. add() sets
/// this member to `number` for each CPU of a list.
class ListReader {
public:
    ListReader(CpuTopology& topology, std::int32_t CpuLocation::*member)
        : m_topology(topology)
        , m_member(member)
    {
    }

    void add(std::string_view list, std::int32_t number)
    {
        for (std::int64_t least = 0; !list.empty();) {
            const std::string_view part = list.substr(0, list.find(','));
            list.remove_prefix(std::min(list.size(), part.size() + 1));
            const std::size_t dash = part.find('-');
            const std::int64_t first = numberIn(part.substr(0, dash));
            const std::int64_t last = dash == std::string_view::npos ? first : numberIn(part.substr(dash + 1));
            if (first < least || last < first || last >= CpuTopology::MostCpus || m_names > MostNames)
                return;
            for (std::int64_t cpu = first; cpu <= last; ++cpu)
                m_topology.place(cpu)->*m_member = number;
            m_names += last - first + 1;
            least = last + 1;
        }
    }

private:
    static std::int64_t numberIn(std::string_view text)
    {
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc() && end == text.data() + text.size() ? std::int64_t(number) : -1;
    }

    CpuTopology& m_topology;
    std::int32_t CpuLocation::*m_member;
    std::int64_t m_names = 0;
};

/// Reads a count, followed by this number of CPU lists. Sets `member` of each CPU to the position of its list, counted from 0:
/// the number of its package or core.
void readLists(CpuTopology& topology, std::int32_t CpuLocation::*member, BinaryReader& cursor)
{
    ListReader lists(topology, member);
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i)
        lists.add(cursor.countedText(), static_cast<std::int32_t>(i));
}

/// Reads packages and cores from HEADER_CPU_TOPOLOGY.
void readCpuTopology(CpuTopology& topology, BinaryReader cursor)
{
    readLists(topology, &CpuLocation::package, cursor);
    // Ignore the rest of the feature: the ids that the kernel gives to the core and the package of each CPU.
    readLists(topology, &CpuLocation::core, cursor);
}

/// Reads NUMA nodes from HEADER_NUMA_TOPOLOGY.
void readNumaTopology(CpuTopology& topology, BinaryReader cursor)
{
    ListReader nodes(topology, &CpuLocation::node);
    for (std::uint32_t left = cursor.u32(); left > 0 && !cursor.isCut(); --left) {
        const std::uint32_t node = cursor.u32();
        cursor.skip(16); // Skips the total and free memory of the node.
        if (const std::string cpus = cursor.countedText(); !cursor.isCut() && std::cmp_less(node, CpuTopology::MostCpus))
            nodes.add(cpus, static_cast<std::int32_t>(node));
    }
}

/// Reads the level 2 and level 3 caches from HEADER_CACHE.
void readCaches(CpuTopology& topology, BinaryReader cursor)
{
    if (cursor.u32() != 1)
        return;
    ListReader l2(topology, &CpuLocation::l2);
    ListReader l3(topology, &CpuLocation::l3);
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i) {
        const std::uint32_t level = cursor.u32();
        cursor.skip(12); // Skips the line size, sets and ways of the cache.
        const std::string type = cursor.countedText();
        cursor.countedText(); // Skips the size of the CPU cache.
        const std::string cpus = cursor.countedText();
        if (cursor.isCut() || type == "Instruction" || (level != 2 && level != 3))
            continue;
        (level == 2 ? l2 : l3).add(cpus, static_cast<std::int32_t>(i));
        topology.hasCaches = true;
    }
}

constexpr std::size_t MaxBuildIds = 1'000'000;
constexpr std::size_t BuildIdRoom = 24; ///< Size in bytes of a record's field for the build-id and its size.
constexpr std::size_t BuildIdSize = 20; ///< Size of a build-id in bytes for records that do not contain the size.

std::string commandLine(BinaryReader cursor)
{
    std::string line;
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i)
        line += (i == 0 ? "" : " ") + cursor.countedText();
    return line;
}

/// Maps each event id to the index of its attribute in description.attributes. An id of several attributes maps to the first of them.
std::unordered_map<std::uint64_t, std::size_t> indexAttributesById(const RecordingDescription& description)
{
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < description.attributes.size(); ++i)
        for (const std::uint64_t id : description.attributes[i].ids)
            places.try_emplace(id, i);
    return places;
}

void readEventDescription(RecordingDescription& description, BinaryReader cursor)
{
    const std::uint32_t count = cursor.u32();
    const std::uint32_t size = cursor.u32();
    auto& attributes = description.attributes;
    const auto places = indexAttributesById(description);
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i) {
        cursor.skip(size);
        const std::uint32_t idCount = cursor.u32();
        std::string name = cursor.countedText();
        // `name` belongs to the attribute that has the first event id of the list. If no attribute has this id, or the list is empty,
        // `name` belongs to attribute number i.
        const auto known = idCount > 0 ? places.find(cursor.u64()) : places.end();
        for (std::uint32_t k = 1; k < idCount && !cursor.isCut(); ++k)
            cursor.u64();
        const std::size_t place = known == places.end() ? i : known->second;
        if (!cursor.isCut() && place < attributes.size() && !name.empty())
            attributes[place].name = std::move(name);
    }
}

void readBuildIds(RecordingDescription& description, std::span<const std::byte> bytes)
{
    BinaryReader cursor(bytes, description.order);
    while (cursor.left() >= RecordHeaderSize) {
        cursor.u32();
        const std::uint16_t bits = cursor.u16();
        const std::uint16_t size = cursor.u16();
        if (size < RecordHeaderSize || size - RecordHeaderSize > cursor.left())
            return;
        readBuildId(description, bits, cursor.bytes(size - RecordHeaderSize));
    }
}

void readClockData(RecordingDescription& description, BinaryReader cursor)
{
    const std::uint32_t version = cursor.u32();
    ClockPair pair;
    pair.clockId = cursor.i32();
    pair.wallClock = cursor.u64();
    pair.clock = cursor.u64();
    if (version == 1 && !cursor.isCut())
        description.clock = pair;
}

/// Reads the depth of the branch stack from the CPU capability "branches".
void readCpuCapabilities(RecordingDescription& description, BinaryReader cursor)
{
    for (std::uint32_t left = cursor.u32(); left > 0 && !cursor.isCut(); --left) {
        const std::string name = cursor.countedText();
        const std::string value = cursor.countedText();
        if (name == "branches")
            std::from_chars(value.data(), value.data() + value.size(), description.branchStackDepth);
    }
}

void addFact(RecordingDescription& description, const char* key, std::string value)
{
    if (!value.empty() && description.fact(key).empty())
        description.facts.emplace_back(key, std::move(value));
}

} // namespace

std::string hexText(std::span<const std::byte> bytes)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        text += Digits[static_cast<unsigned>(byte) >> 4];
        text += Digits[static_cast<unsigned>(byte) & 15];
    }
    return text;
}

void readBuildId(RecordingDescription& description, std::uint16_t bits, std::span<const std::byte> body)
{
    BinaryReader cursor(body, description.order);
    cursor.i32(); // Skips the process id: -1, or the process id of a guest.
    const auto room = cursor.bytes(BuildIdRoom);
    if (room.empty() || description.buildIds.size() >= MaxBuildIds)
        return;
    const std::size_t size = (bits & misc::BuildIdSize) != 0 ? static_cast<std::size_t>(room[BuildIdSize]) : BuildIdSize;
    BuildId id{std::string(cursor.restAsText()), hexText(room.first(std::min(size, BuildIdSize))),
               static_cast<std::uint16_t>(bits & misc::CpuMode)};
    if (id.id.find_first_not_of('0') != std::string::npos)
        description.buildIds.push_back(std::move(id));
}

void readFeature(RecordingDescription& description, Feature feature, std::span<const std::byte> bytes)
{
    BinaryReader cursor(bytes, description.order);
    switch (feature) {
    case Feature::TracingData: description.tracing = tracepoint::parseTracingData(bytes); break;
    case Feature::BuildId: readBuildIds(description, bytes); break;
    case Feature::HostName: addFact(description, "hostname", cursor.countedText()); break;
    case Feature::OsRelease: addFact(description, "kernel_release", cursor.countedText()); break;
    case Feature::Version: addFact(description, "perf_version", cursor.countedText()); break;
    case Feature::Arch: addFact(description, "machine", cursor.countedText()); break;
    case Feature::CpuDescription: addFact(description, "cpu", cursor.countedText()); break;
    case Feature::CommandLine: addFact(description, "command", commandLine(cursor)); break;
    case Feature::CpuCount:
        addFact(description, "cpus_available", std::to_string(cursor.u32()));
        description.onlineCpus = cursor.u32();
        break;
    case Feature::EventDescription: readEventDescription(description, cursor); break;
    case Feature::CpuPmuCapabilities: readCpuCapabilities(description, cursor); break;
    case Feature::CpuTopology: readCpuTopology(description.topology, cursor); break;
    case Feature::NumaTopology: readNumaTopology(description.topology, cursor); break;
    case Feature::Cache: readCaches(description.topology, cursor); break;
    case Feature::ClockData: readClockData(description, cursor); break;
    case Feature::DirectoryFormat: description.isDirectory = true; break;
    default: break;
    }
}

} // namespace helio::perf
