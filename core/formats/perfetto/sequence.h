#pragma once

#include "core/formats/perfetto/text_budget.h"
#include "core/formats/perfetto/wire.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace helio::perfetto {

/// Field numbers in the message InternedData. Each field is a table of interned data.
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

/// State of a packet sequence while the trace is read. A sequence contains all packets of one writer, in the order in which they were
/// written.
/// Ownership: contains views of the packets, whose bytes must outlive the object.
class PacketSequence {
public:
    /// Ownership: `texts` must outlive the object.
    explicit PacketSequence(TextBudget& texts)
        : m_texts(texts)
    {
    }

    bool hasPackets = false; ///< True after the first packet of the sequence.
    bool hasFtrace = false; ///< True if a packet of the sequence contained ftrace events.
    /// True if interned data and defaults are complete; false after a loss, until a packet with SEQ_INCREMENTAL_STATE_CLEARED.
    bool hasValidState = false;
    std::optional<std::int64_t> lastTime; ///< Latest time of a packet, or of an event in a packet, in ns of the primary clock.
    std::unordered_map<std::uint32_t, std::int64_t> incrementalTimes; ///< Last time of each incremental clock in ns, keyed by clock number.
    std::int32_t pid = -1; ///< Process ID of the writer, from the last ThreadDescriptor message; -1 if there was none.
    std::int32_t tid = -1; ///< Thread ID of the writer, from the last ThreadDescriptor message; -1 if there was none.
    /// Reference time of the last ThreadDescriptor message plus all time differences since then, in ns of
    /// CLOCK_MONOTONIC.
    std::int64_t eventTime = 0;
    /// Last value of each counter whose events contain differences, keyed by the ID of its track.
    std::unordered_map<std::uint64_t, std::int64_t> counterValues;

    /// Removes the interned data, the defaults and the last values of counters.
    void clearState()
    {
        m_interned.clear();
        counterValues.clear();
        m_defaultClock.reset();
        m_trackEventDefaults = {};
        m_sampleDefaults = {};
    }

    /// Size in bytes of the longest TracePacketDefaults message that is used. The reader looks at the defaults for each event; writers need
    /// some hundred bytes.
    static constexpr std::size_t LongestDefaults = 65'536;

    /// Sets the defaults for the following packets of the sequence (message TracePacketDefaults).
    void setDefaults(std::string_view message)
    {
        m_defaultClock.reset();
        m_trackEventDefaults = {};
        m_sampleDefaults = {};
        if (message.size() > LongestDefaults)
            return;
        forEachField(message, [&](const WireField& field) {
            if (field.number == 58 && !field.isBytes())
                m_defaultClock = field.uint32();
            else if (field.number == 11)
                m_trackEventDefaults = field.bytes;
            else if (field.number == 12)
                m_sampleDefaults = field.bytes;
        });
    }
    /// Sets the thread and the reference time for the following track events of the sequence (message ThreadDescriptor).
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
    std::string_view trackEventDefaults() const { return m_trackEventDefaults; } ///< Bytes of the current TrackEventDefaults message.
    std::string_view sampleDefaults() const { return m_sampleDefaults; } ///< Bytes of the current PerfSampleDefaults message.

    /// Adds the entries of an InternedData message. Returns false if the message is damaged.
    bool addInterned(std::string_view message)
    {
        return forEachField(message, [&](const WireField& field) {
            if (!field.isBytes())
                return;
            std::uint64_t number = 0;
            std::string_view text;
            forEachField(field.bytes, [&](const WireField& part) {
                if (part.number == 1)
                    number = part.value;
                else if (part.number == 2)
                    text = part.bytes;
            });
            m_interned[{field.number, number}] = {field.bytes, text};
        });
    }

    /// Returns the entry with the ID `number` in a table of interned data; nullopt if the table has no such entry. `table` is the field
    /// number of the table in InternedData.
    std::optional<std::string_view> findInterned(std::uint32_t table, std::uint64_t number) const
    {
        const auto found = m_interned.find({table, number});
        return found == m_interned.end() ? std::nullopt : std::optional(found->second.bytes);
    }
    /// Returns the text (field 2) of the entry with the ID `number` in a table of interned data; nullopt if the table has no such entry.
    /// The text is cut if the budget of the trace is spent.
    std::optional<std::string_view> findText(std::uint32_t table, std::uint64_t number) const
    {
        const auto found = m_interned.find({table, number});
        return found == m_interned.end() ? std::nullopt : std::optional(m_texts.take(found->second.text));
    }
    TextBudget& texts() const { return m_texts; } ///< Budget of all texts that the trace refers to.

private:
    struct Key {
        std::uint32_t table;
        std::uint64_t number;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const { return std::hash<std::uint64_t>()(key.number * 0x9e3779b97f4a7c15 ^ key.table); }
    };

    struct Entry {
        std::string_view bytes; ///< The whole entry.
        std::string_view text; ///< Field 2 of the entry; empty if it has none, or if the field is no text.
    };

    TextBudget& m_texts;
    std::unordered_map<Key, Entry, KeyHash> m_interned;
    std::optional<std::uint32_t> m_defaultClock;
    std::string_view m_trackEventDefaults;
    std::string_view m_sampleDefaults;
};

} // namespace helio::perfetto
