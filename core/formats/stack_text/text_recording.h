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

/// An event of a text: where its bytes are.
struct TextEvent {
    std::int64_t time = 0;
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
    std::int32_t cpu = -1;
};

/// One event of a text, before it is kept. Views of the text.
struct ReadEvent {
    std::string_view name;
    std::int64_t time = 0;
    std::uint64_t period = 1;
    bool hasPeriod = false;
    bool isCounted = false;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t stack = 0;
    std::string_view command; ///< Name of the thread. Empty: not printed.
    std::string_view text; ///< All of its fields, as they were printed.
};

constexpr std::uint64_t LargestCount = std::uint64_t{1} << 53; ///< Of a period or a number of samples.
constexpr std::uint64_t LargestSum = std::uint64_t{1} << 62; ///< Of all of them.

/// All that a text holds, in the form that a trace hands it out: events as bytes that their types describe.
///
/// Threads: one while it grows. Memory: 52 bytes and its fields an event, of which half may go to disk.
class TextRecording {
public:
    explicit TextRecording(std::string file);

    TextStacks& stacks() { return m_stacks; }

    /// Before the first event: whether the text names processes beside threads.
    void setHasPids(bool hasPids) { m_hasPids = hasPids; }
    /// False: there are too many kinds of events. What a full disk does not keep is reported by finish().
    bool add(const ReadEvent& event, const std::vector<TextField>& fields);
    void add(ProcessRecord record) { records.push_back(std::move(record)); }
    void addFact(std::string_view name, std::string_view value) { facts.emplace_back(name, std::string(value)); }

    /// Part of the text could not be used. Those of one kind are counted, and the first one reported with its line.
    void complain(const char* kind, std::uint64_t line, std::uint64_t offset, const std::string& what,
                  Diagnostic::Severity severity = Diagnostic::Severity::Warning, std::uint64_t count = 1);

    /// Puts all in order of time.
    void finish();

    EventTypes types;
    std::vector<SampleEvent> samples; ///< By type: all events are.
    std::vector<TextEvent> events;
    std::vector<ProcessRecord> records;
    std::vector<Diagnostic> diagnostics;
    std::vector<std::pair<std::string, EnvironmentValue>> facts;
    std::vector<std::string> commands{{}}; ///< Names of threads that events refer to. The first stands for none.
    SpillBuffer bytes;
    bool hasTimes = true;
    std::uint64_t divisor = 1; ///< See SampleEvent::divisor. Set before the first event.

private:
    std::uint32_t typeOf(const ReadEvent& event, const std::vector<TextField>& fields, std::size_t most);
    std::uint32_t indexOf(std::string_view command);
    void leaveOutUnkept();

    std::string m_file;
    TextStacks m_stacks;
    bool m_hasPids = false;
    std::unordered_map<std::string, std::uint32_t> m_typeIndex; ///< By name and fields.
    std::string m_key;
    FlatIndex m_commandIndex; ///< All but the first.
    std::uint32_t m_lastCommand = 0;
    std::vector<std::byte> m_pending; ///< What goes to `bytes` next.
    std::uint64_t m_written = 0;
    Status m_room = Done{}; ///< Why not all could be kept.
};

} // namespace helio::stacktext
