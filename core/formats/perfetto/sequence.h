#pragma once

#include "core/formats/perfetto/wire.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace helio::perfetto {

/// Fields of InternedData: the tables of interned data.
namespace interned {
constexpr std::uint32_t EventCategories = 1;
constexpr std::uint32_t EventNames = 2;
constexpr std::uint32_t DebugAnnotationNames = 3;
constexpr std::uint32_t SourceLocations = 4;
constexpr std::uint32_t FunctionNames = 5;
constexpr std::uint32_t Frames = 6;
constexpr std::uint32_t Callstacks = 7;
constexpr std::uint32_t BuildIds = 16;
constexpr std::uint32_t MappingPaths = 17;
constexpr std::uint32_t SourcePaths = 18;
constexpr std::uint32_t Mappings = 19;
constexpr std::uint32_t LogMessages = 20;
constexpr std::uint32_t KernelSymbols = 26;
constexpr std::uint32_t DebugAnnotationTexts = 29;
constexpr std::uint32_t CorrelationIds = 43;
} // namespace interned

/// State of a sequence of packets: the packets of one writer, in the order in which it wrote them.
/// Ownership: contains views of the packets.
class PacketSequence {
public:
    bool hasPackets = false; ///< False before the first packet.
    bool hasFtrace = false; ///< True if a packet contained events of ftrace.
    bool hasValidState = false; ///< False after a loss, until the writer repeats interned data and defaults.
    std::optional<std::int64_t> lastTime; ///< Latest time of a packet or of an event in it, in ns of the trace's clock.
    std::unordered_map<std::uint32_t, std::int64_t> incrementalTimes; ///< Last times of incremental clocks in ns, by their numbers.
    std::int32_t pid = -1; ///< Process of the writer, from the last ThreadDescriptor; -1 if there was none.
    std::int32_t tid = -1; ///< Thread of the writer, from the last ThreadDescriptor; -1 if there was none.
    std::int64_t eventTime = 0; ///< Sum of the times of track events that contain differences, in ns of the clock "monotonic".
    std::unordered_map<std::uint64_t, std::int64_t> counterValues; ///< Last values of counters that contain differences, by their tracks.

    /// Forgets interned data and defaults.
    void clearState()
    {
        m_interned.clear();
        counterValues.clear();
        m_defaultClock.reset();
        m_trackEventDefaults = {};
        m_sampleDefaults = {};
    }

    /// Sets the defaults of the following packets (TracePacketDefaults).
    void setDefaults(std::string_view message)
    {
        m_defaultClock.reset();
        m_trackEventDefaults = {};
        m_sampleDefaults = {};
        forEachField(message, [&](const WireField& field) {
            if (field.number == 58 && !field.isBytes())
                m_defaultClock = field.uint32();
            else if (field.number == 11)
                m_trackEventDefaults = field.bytes;
            else if (field.number == 12)
                m_sampleDefaults = field.bytes;
        });
    }
    /// Sets thread and reference time of the following track events (ThreadDescriptor).
    void setThread(std::string_view message)
    {
        forEachField(message, [&](const WireField& field) {
            switch (field.number) {
            case 1: pid = field.int32(); break;
            case 2: tid = field.int32(); break;
            case 6: eventTime = static_cast<std::int64_t>(field.value * 1000); break;
            default: break;
            }
        });
    }

    std::optional<std::uint32_t> defaultClock() const { return m_defaultClock; }
    std::string_view trackEventDefaults() const { return m_trackEventDefaults; } ///< TrackEventDefaults.
    std::string_view sampleDefaults() const { return m_sampleDefaults; } ///< PerfSampleDefaults.

    /// Adds entries of InternedData. Returns false if the message is damaged.
    bool addInterned(std::string_view message)
    {
        return forEachField(message, [&](const WireField& field) {
            if (!field.isBytes())
                return;
            std::uint64_t number = 0;
            forEachField(field.bytes, [&](const WireField& part) {
                if (part.number == 1)
                    number = part.value;
            });
            m_interned[{field.number, number}] = field.bytes;
        });
    }

    /// Returns an entry of a table of interned data; nullopt if the sequence has none with this number.
    std::optional<std::string_view> findInterned(std::uint32_t table, std::uint64_t number) const
    {
        const auto found = m_interned.find({table, number});
        return found == m_interned.end() ? std::nullopt : std::optional(found->second);
    }
    /// Returns the text of an entry, its second field; nullopt if the sequence has no entry with this number.
    std::optional<std::string_view> findText(std::uint32_t table, std::uint64_t number) const
    {
        const auto entry = findInterned(table, number);
        if (!entry)
            return {};
        std::string_view text;
        forEachField(*entry, [&](const WireField& field) {
            if (field.number == 2)
                text = field.bytes;
        });
        return text;
    }

private:
    struct Key {
        std::uint32_t table;
        std::uint64_t number;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const { return std::hash<std::uint64_t>()(key.number * 0x9e3779b97f4a7c15 ^ key.table); }
    };

    std::unordered_map<Key, std::string_view, KeyHash> m_interned;
    std::optional<std::uint32_t> m_defaultClock;
    std::string_view m_trackEventDefaults;
    std::string_view m_sampleDefaults;
};

} // namespace helio::perfetto
