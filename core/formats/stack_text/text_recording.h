#pragma once

#include "core/base/diagnostic.h"
#include "core/formats/stack_text/text_fields.h"
#include "core/formats/stack_text/text_stacks.h"
#include "core/io/spill_buffer.h"
#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::stacktext {

/// Position and time of an event in a TextRecording.
struct TextEvent {
    std::int64_t time = 0; ///< Time in ns.
    std::uint64_t offset = 0; ///< Offset of the event's head in TextRecording::storedEvents.
    std::uint32_t type = 0; ///< Id of the event's type (EventTypeId).
    std::int32_t cpu = -1;
};

/// An event parsed from a text, before it is stored.
/// Ownership: the strings are views of the text.
struct ParsedTextEvent {
    std::string_view name;
    std::int64_t time = 0; ///< Time in ns.
    std::uint64_t period = 1;
    bool hasPeriod = false; ///< True if the text contains `period`; false if `period` is only the default.
    bool isCounted = false; ///< True if `period` counts samples, as in folded stacks, where one line stands for several samples.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t stack = 0; ///< Index of the call stack in TextStacks; 0 if there is none.
    std::string_view command; ///< Name of the thread; empty if not printed.
    std::string_view text; ///< Fields of a tracepoint, as printed.
};

constexpr std::uint64_t LargestCount = std::uint64_t{1} << 53; ///< Limit for a period or a number of samples.
constexpr std::uint64_t LargestSum = std::uint64_t{1} << 62; ///< Limit for the sum of all periods.

/// Content of a text in the form that a Trace provides: events are bytes that their types describe.
///
/// Threads: to be used by one thread while events are added.
/// Cost: 52 bytes of memory for each event, plus its fields. Half of the memory may be written to disk.
class TextRecording {
public:
    explicit TextRecording(std::string file);

    TextStacks& stacks() { return m_stacks; }

    /// Sets whether the text contains process ids. Must be called before the first event is added.
    void setHasPids(bool hasPids) { m_hasPids = hasPids; }
    /// Adds an event. Returns false if there are too many event types. If the disk is full, the event is dropped, and finish() reports it.
    bool add(const ParsedTextEvent& event, const std::vector<TextField>& fields);
    void add(ProcessRecord record) { records.push_back(std::move(record)); }
    void addFact(std::string_view name, std::string_view value) { facts.emplace_back(name, std::string(value)); }

    /// Reports a part of the text that could not be used. The first report of each kind includes the line; later ones are only counted.
    void report(const char* kind, std::uint64_t line, std::uint64_t offset, const std::string& what,
                Diagnostic::Severity severity = Diagnostic::Severity::Warning, std::uint64_t count = 1);

    /// Sorts events and records by time. Must be called after the last event.
    void finish();

    EventTypes types;
    std::vector<SampleEvent> samples; ///< Kinds of samples, parallel to `types`, because all events are samples.
    std::vector<TextEvent> events;
    std::vector<ProcessRecord> records;
    std::vector<Diagnostic> diagnostics;
    /// Names and values of the environment, from comments at the start of the text.
    std::vector<std::pair<std::string, EnvironmentValue>> facts;
    std::vector<std::string> commands{{}}; ///< Names of threads, to which events refer by index; element 0 stands for no name.
    SpillBuffer storedEvents; ///< Stored events; each consists of a head of TextHeadSize bytes and its fields.
    bool hasTimes = true;
    std::uint64_t divisor = 1; ///< SampleEvent::divisor of all events. Must be set before the first event is added.

private:
    std::uint32_t typeOf(const ParsedTextEvent& event, const std::vector<TextField>& fields, std::size_t most);
    std::uint32_t indexOf(std::string_view command);
    void dropUnstoredEvents();

    std::string m_file;
    TextStacks m_stacks;
    bool m_hasPids = false;
    std::unordered_map<std::string, std::uint32_t> m_typeIndex; ///< Indexes of types, keyed by name and fields.
    std::string m_key;
    FlatIndex m_commandIndex; ///< Hash index of `commands`; index i stands for commands[i + 1].
    std::uint32_t m_lastCommand = 0; ///< Index in `commands` that indexOf() returned last; the next event often has the same command.
    std::vector<std::byte> m_pending; ///< Bytes that are still to be appended to `storedEvents`.
    std::uint64_t m_written = 0; ///< Number of bytes that were appended to `storedEvents`.
    Status m_room = Done{}; ///< Error if `storedEvents` could not store all events.
};

} // namespace helio::stacktext
