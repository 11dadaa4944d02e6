#pragma once

#include "core/formats/perfetto/diagnostic_log.h"
#include "core/trace/stored/stored_events.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// Size in bytes of the stream context of the events that EventWriter stores: i32 pid, i32 tid.
constexpr std::uint32_t ContextSize = 8;

/// Size in bytes of a stored sample: its context, and the numbers period, stack and cpu_mode.
constexpr std::uint32_t SampleSize = ContextSize + 24;

/// Thread and CPU of an event; -1 if unknown.
struct EventContext {
    std::int32_t cpu = -1;
    std::int32_t tid = -1;
    std::int32_t pid = -1;
};

/// Stores events field by field.
///
/// Threads: to be used by one thread.
class EventWriter {
public:
    /// Ownership: `events` and `log` must outlive the writer.
    EventWriter(StoredEvents& events, DiagnosticLog& log)
        : m_events(events)
        , m_log(log)
    {
    }

    /// Begins an event without fields.
    void begin();
    void addNumber(std::string_view name, std::int64_t value);
    void addReal(std::string_view name, double value);
    /// `text` must stay valid until store().
    void addText(std::string_view name, std::string_view text);
    /// Adds an address in memory, as a text with hexadecimal digits.
    void addAddress(std::string_view name, std::uint64_t value);
    /// Appends a blank and a text to the last field, which becomes a text. Requires: the event has fields.
    void appendToLast(std::string_view text);
    /// Keeps a text until the next begin().
    std::string_view keep(std::string text);
    /// False if the event has as many fields as a reader should store: more only occur in damaged files.
    bool hasRoom() const { return m_fields.size() < MostFields; }

    /// Stores the event and returns its type; StoredEvents::NoType if there are too many types, which is reported.
    std::uint32_t store(std::string_view name, std::int64_t time, EventContext context) { return store(name, time, context, 0); }
    /// Stores a sample, whose fields must be the numbers period, stack and cpu_mode. The last two are not shown.
    std::uint32_t storeSample(std::string_view name, std::int64_t time, EventContext context);

    /// Makes the types of the events that EventWriters store: a part of the TypeMaker of StoredEvents.
    static EventType makeType(const NewEvent& event, std::span<const StoredField> fields);
    /// True if an EventWriter stored the event.
    static bool isOwn(const NewEvent& event);

private:
    std::uint32_t store(std::string_view name, std::int64_t time, EventContext context, char flags);

    static constexpr std::size_t MostFields = 64;

    StoredEvents& m_events;
    DiagnosticLog& m_log;
    std::vector<StoredField> m_fields;
    std::string m_joined; ///< Text of the last field, if appendToLast() was called for it.
    std::size_t m_joinedField = 0; ///< Number of fields up to that field; 0 if there is none.
    std::deque<std::string> m_texts;
    std::vector<std::byte> m_head;
};

/// Returns the bytes of a field that is said to be a text: as they are if they are valid UTF-8 without control characters except tabs and
/// line breaks, else as hexadecimal digits.
std::string readableText(std::string_view bytes);

} // namespace helio::perfetto
