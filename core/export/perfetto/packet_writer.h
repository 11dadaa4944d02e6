#pragma once

#include "core/export/export_file.h"
#include "core/export/protobuf_text.h"
#include "core/export/recording/recording_walk.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace helio {

/// Field numbers of Perfetto's protobuf messages that the export uses (protos/perfetto/trace/trace_packet.proto and the files it includes).
namespace perfetto_field {
enum Trace : std::uint32_t { TracePackets = 1 };
enum TracePacket : std::uint32_t {
    FtraceEvents = 1,
    ProcessTree = 2,
    ClockSnapshot = 6,
    PacketTimestamp = 8,
    SequenceId = 10,
    TrackEvent = 11,
    InternedData = 12,
    SequenceFlags = 13,
    SystemInfo = 45,
    PacketDefaults = 59,
    TrackDescriptor = 60,
    PerfSample = 66,
    MachineId = 98,
    RemoteClockSync = 107,
};
enum InternedTable : std::uint32_t {
    EventCategories = 1,
    EventNames = 2,
    AnnotationNames = 3,
    FunctionNames = 5,
    Frames = 6,
    Callstacks = 7,
    MappingPaths = 17,
    Mappings = 19,
};
} // namespace perfetto_field

/// A sequence of packets: the packets of one writer, which share interned data.
struct PacketSequence {
    std::uint32_t id = 0; ///< Unique in the trace; at least 1.
    std::uint32_t machine = 0; ///< 0 for the host of the trace, to which the clocks of the other machines are related.
    bool isBegun = false; ///< True after the first packet.
};

/// Returns the number of a host's machine. A single host is the host of the trace.
inline std::uint32_t machineOf(const RecordingWalk& walk, std::uint32_t host) { return walk.selected().host() ? 0 : host; }

/// Writes the packets of a Perfetto trace.
/// Threads: to be used by one thread.
class PacketWriter {
public:
    explicit PacketWriter(ExportFile& file)
        : m_file(file)
    {
    }

    /// Writes a packet of a sequence. `fields` appends the packet's own fields; `interned` is the content of an InternedData message, empty
    /// if there is none.
    template <typename Fields>
    void write(PacketSequence& sequence, std::optional<std::int64_t> time, const Fields& fields, std::string_view interned = {})
    {
        m_packet.clear();
        protozero::pbf_writer packet(m_packet);
        if (time)
            packet.add_uint64(perfetto_field::PacketTimestamp, static_cast<std::uint64_t>(*time));
        packet.add_uint32(perfetto_field::SequenceId, sequence.id);
        if (sequence.machine != 0)
            packet.add_uint32(perfetto_field::MachineId, sequence.machine);
        constexpr std::uint32_t StateCleared = 1;
        constexpr std::uint32_t NeedsState = 2;
        packet.add_uint32(perfetto_field::SequenceFlags, sequence.isBegun ? NeedsState : StateCleared);
        sequence.isBegun = true;
        if (!interned.empty())
            packet.add_message(perfetto_field::InternedData, interned.data(), interned.size());
        fields(packet);
        protozero::pbf_writer(m_file.buffer()).add_message(perfetto_field::TracePackets, m_packet);
        m_file.flushIfFull();
    }

    bool isWritable() const { return m_file.isWritable(); }

private:
    ExportFile& m_file;
    std::string m_packet;
};

/// Texts that a sequence refers to by numbers.
class InternedTexts {
public:
    /// `table`: field number of the texts in InternedData.
    explicit InternedTexts(std::uint32_t table)
        : m_table(table)
    {
    }

    /// Returns the number of a text. If the text is new, appends its definition to `interned`. Returns nullopt if there are too many
    /// texts; the caller then writes the text itself.
    std::optional<std::uint64_t> numberOf(std::string_view text, std::string& interned)
    {
        if (const auto known = m_numbers.find(std::string(text)); known != m_numbers.end())
            return known->second;
        constexpr std::size_t MostTexts = 200'000; // Limits the memory of writers and readers.
        if (m_numbers.size() >= MostTexts)
            return {};
        const std::uint64_t number = m_numbers.size() + 1;
        m_numbers.emplace(text, number);
        define(number, text, interned);
        return number;
    }
    /// Returns the number of a text like numberOf(), without a limit: for texts that can only be written as numbers.
    std::uint64_t alwaysNumberOf(std::string_view text, std::string& interned)
    {
        const auto [found, isNew] = m_numbers.try_emplace(std::string(text), m_numbers.size() + 1);
        if (isNew)
            define(found->second, text, interned);
        return found->second;
    }

private:
    void define(std::uint64_t number, std::string_view text, std::string& interned) const
    {
        protozero::pbf_writer entry(interned);
        protozero::pbf_writer message(entry, m_table);
        message.add_uint64(1, number);
        addText(message, 2, text);
    }

    std::uint32_t m_table;
    std::unordered_map<std::string, std::uint64_t> m_numbers;
};

} // namespace helio
