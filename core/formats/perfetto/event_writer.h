#pragma once

#include "core/formats/perfetto/diagnostic_log.h"
#include "core/trace/stored/stored_events.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// Size in bytes of the stream context of the events that EventWriter stores: process ID and thread ID, 32 bits each.
constexpr std::uint32_t ContextSize = 8;

/// Size in bytes of a stored sample: the stream context, and the fields period, stack and cpu_mode with 64 bits each.
constexpr std::uint32_t SampleSize = ContextSize + 24;

/// CPU, thread ID and process ID of an event. Each of them is -1 if it is unknown.
struct EventContext {
    std::int32_t cpu = -1;
    std::int32_t tid = -1;
    std::int32_t pid = -1;
};

/// Stores events: begin() begins an event, the add functions add its fields, and store() stores it.
///
/// Threads: only one thread may use an object.
class EventWriter {
public:
    /// Ownership: `events` and `log` must outlive the writer.
    EventWriter(StoredEvents& events, DiagnosticLog& log)
        : m_events(events)
        , m_log(log)
    {
    }

    /// Begins a new event, which has no fields yet.
    void begin();
    void addNumber(std::string_view name, std::int64_t value);
    void addReal(std::string_view name, double value);
    /// Adds a field with a text. `text` must stay valid until store().
    void addText(std::string_view name, std::string_view text);
    /// Adds a field with a memory address, as a text of hexadecimal digits.
    void addAddress(std::string_view name, std::uint64_t value);
    /// Appends a blank and `text` to the value of the last field. If the value is a number, it is converted to a text first. Requires: the
    /// event has at least one field.
    void appendToLast(std::string_view text);
    /// Keeps `text` until the next begin() and returns a view of the kept text.
    std::string_view keep(std::string text);
    /// True if the event may get further fields. The limit is 64 fields; only events of damaged files have more.
    bool hasRoom() const { return m_fields.size() < MostFields; }

    /// Stores the event and returns its event type. If the trace has too many event types, returns StoredEvents::NoType and reports it.
    std::uint32_t store(std::string_view name, std::int64_t time, EventContext context) { return store(name, time, context, 0); }
    /// Stores the event as a sample. Its fields must be the numbers period, stack and cpu_mode; stack and cpu_mode are hidden from the
    /// user.
    std::uint32_t storeSample(std::string_view name, std::int64_t time, EventContext context);

    /// Makes the event type of an event that an EventWriter stores. A StoredEvents::TypeMaker calls it for such events.
    static EventType makeType(const NewEvent& event, std::span<const StoredField> fields);
    /// Returns true if an EventWriter stored the event, and not a TrackEventWriter.
    static bool isOwn(const NewEvent& event);

private:
    std::uint32_t store(std::string_view name, std::int64_t time, EventContext context, char flags);

    static constexpr std::size_t MostFields = 64;

    StoredEvents& m_events;
    DiagnosticLog& m_log;
    std::vector<StoredField> m_fields;
    std::string m_joined; ///< Text of the field for which appendToLast() was called last.
    std::size_t m_joinedField = 0; ///< Position, from 1, of the field whose text is m_joined; 0 if the event has no such field.
    std::deque<std::string> m_texts;
    std::vector<std::byte> m_head;
};

/// Returns the value of a field with bytes as a text: unchanged if the bytes are valid UTF-8 and contain no control characters except tabs
/// and line breaks, else as hexadecimal digits.
std::string readableText(std::string_view bytes);

} // namespace helio::perfetto
