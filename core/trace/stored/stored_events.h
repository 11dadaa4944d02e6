#pragma once

#include "core/base/diagnostic.h"
#include "core/io/spill_buffer.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Events of formats whose files do not contain the events as bytes with a fixed layout, e.g. texts. Readers of such formats store each
// event as bytes that its event type describes, so that all other code treats these traces like any other.

namespace helio {

/// A field of an event that is to be stored.
/// Ownership: the strings are views.
struct StoredField {
    enum class Kind : std::uint8_t { Text, Integer, Real };

    std::string_view name;
    std::string_view text; ///< The value as text, also of numbers that were read from a text.
    std::int64_t number = 0; ///< The value, for Kind::Integer.
    Kind kind = Kind::Text;
    double real = 0; ///< The value, for Kind::Real.

    bool isNumber() const { return kind == Kind::Integer; }
};

/// Position and time of a stored event.
struct StoredEvent {
    std::int64_t time = 0; ///< Time in ns.
    std::uint64_t offset = 0; ///< Offset of the event in StoredEvents::bytes().
    std::uint32_t type = 0; ///< Id of the event's type (EventTypeId).
    std::int32_t cpu = -1; ///< CPU that recorded the event; -1 if unknown.
};

/// An event that is to be stored.
/// Ownership: views of the caller's data.
struct NewEvent {
    std::string_view name;
    char variant = 0; ///< Distinguishes layouts of events with the same name and fields.
    std::int64_t time = 0; ///< Time in ns.
    std::int32_t cpu = -1;
    /// Bytes before the fields: the stream context, and then members of the payload that the type maker adds itself.
    std::span<const std::byte> head;
    std::string_view text; ///< Text of all fields. It is stored as a single field "text" if there are too many types.
};

/// Sequence of events that can grow beyond memory, with their types.
///
/// Threads: to be used by one thread until finish(); then by any thread at once.
/// Cost: 24 bytes of memory for each event; the events' bytes lie in a file that the kernel may write to disk.
class StoredEvents {
public:
    /// Makes the type of events with a name and fields. `variant` is that of the event. The stream context must be of a fixed size.
    using TypeMaker = std::function<EventType(const NewEvent& event, std::span<const StoredField> fields)>;

    /// `file` is the name of the recording in diagnostics.
    explicit StoredEvents(std::string file, TypeMaker makeType);

    /// Stores an event and returns its type; NoType if there are too many types. If the disk is full, the event is dropped, and finish()
    /// reports that.
    std::uint32_t add(const NewEvent& event, std::span<const StoredField> fields);
    static constexpr std::uint32_t NoType = ~0U;

    /// Reports a part of the recording's file that could not be used. The diagnostic of a kind contains the line number of its first
    /// report; later reports of the kind are only counted. `line` counts from 1; 0 if the file is not a text.
    void report(const char* kind, std::uint64_t line, std::uint64_t offset, const std::string& what,
                Diagnostic::Severity severity = Diagnostic::Severity::Warning, std::uint64_t count = 1);

    /// Removes all events added so far; their types stay.
    void dropEvents() { m_events.clear(); }

    /// Adds `offset` to the times of all events added so far; times that overflow become the largest or smallest time.
    void shift(Duration offset);

    /// Sorts the events by time; events with the same time keep their order. Must be called after the last event. Returns false if events
    /// were dropped because the disk is full.
    bool finish();

    const EventTypes& types() const { return m_types; }
    const std::vector<StoredEvent>& events() const { return m_events; }
    std::span<const std::byte> bytes() const { return m_stored.bytes(); }
    /// Returns, for each event type, the distance of the payload from the start of an event in bytes: the size of the stream context.
    std::span<const std::uint32_t> payloadOffsets() const { return m_payloadOffsets; }
    std::vector<Diagnostic>& diagnostics() { return m_diagnostics; }
    const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }

private:
    std::uint32_t typeOf(const NewEvent& event, std::span<const StoredField> fields, std::size_t most);

    std::string m_file;
    TypeMaker m_makeType;
    EventTypes m_types;
    std::vector<std::uint32_t> m_payloadOffsets; ///< Parallel to m_types.
    std::vector<StoredEvent> m_events;
    std::vector<Diagnostic> m_diagnostics;
    std::unordered_map<std::string, std::uint32_t> m_typeIndex; ///< Types, keyed by name, variant and fields.
    std::string m_key; ///< Key of the event that is being added; a member to reuse its memory.
    SpillBuffer m_stored;
    std::vector<std::byte> m_pending; ///< Bytes that are still to be appended to m_stored.
    std::uint64_t m_written = 0; ///< Number of bytes that were appended to m_stored.
    Status m_room = Done{}; ///< Error if m_stored could not store all events.
};

/// Returns the members of a payload that describe the fields of a stored event.
std::vector<Member> makeStoredMembers(std::span<const StoredField> fields);

/// Returns a type of integers in the byte order of this machine, in which events are stored.
FieldTypePtr makeStoredInteger(unsigned bits, bool isSigned);

/// Returns the type of a text of at most `size` bytes, which ends at its first NUL.
FieldTypePtr makeStoredText(std::size_t size);

/// Returns the type of a structure without gaps.
FieldTypePtr makeStoredStruct(std::vector<Member> members);

/// Appends a text to a head, cut or filled with NULs to `size` bytes, the last of which is NUL. A text is cut between characters of UTF-8.
void appendText(std::string_view text, std::size_t size, std::vector<std::byte>& bytes);

/// Appends the bytes of a number to a head.
template <typename Number> void appendNumber(Number number, std::vector<std::byte>& bytes)
{
    const auto own = std::as_bytes(std::span(&number, 1));
    bytes.insert(bytes.end(), own.begin(), own.end());
}

/// Makes the only stream of a trace of stored events; none if there are no events.
std::vector<StreamInfo> makeStoredStreams(const StoredEvents& events, const std::filesystem::path& file);

/// Reads stored events in order of time. `losses` are sorted by their begin.
/// Ownership: `events` and `losses` must outlive the stream.
std::unique_ptr<EventStream> openStoredStream(const StoredEvents& events, std::span<const Loss> losses, StreamPosition from);

} // namespace helio
