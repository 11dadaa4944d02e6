// Reads the feature sections of perf.data into the description.
#include "core/formats/perf_data/description.h"
#include "core/formats/perf_data/recorded_topology.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace helio::perf {
namespace {

constexpr std::size_t MaxBuildIds = 1'000'000;
constexpr std::size_t BuildIdRoom = 24; ///< Bytes of the record for the build-id and its size.
constexpr std::size_t BuildIdSize = 20; ///< Size in bytes if the record does not have it.

std::string commandLine(BinaryReader cursor)
{
    std::string line;
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut(); ++i)
        line += (i == 0 ? "" : " ") + cursor.countedText();
    return line;
}

/// Returns the index of each attribute by its ids; the first attribute's if several share an id.
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
        // The name belongs to the attribute with the first id, or to the i-th attribute if no attribute has that id.
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

/// Reads the depth of the branch stack from the capability "branches".
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
    cursor.i32(); // The process id: -1, or that of a guest.
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
    case Feature::TracingData: description.tracing = parseTracingData(bytes); break;
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
