#pragma once

#include "core/base/flat_index.h"
#include "core/trace/stored/stored_events.h"
#include "core/trace/stored/text_stacks.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A sample that a reader has read from a recording and not yet stored.
/// Ownership: the strings are views of the caller's data.
struct NewSample {
    std::string_view name;
    std::int64_t time = 0; ///< Time in ns.
    std::uint64_t period = 1;
    bool hasPeriod = false; ///< True if the text contains `period`; false if `period` is only the default.
    bool isCounted = false; ///< True if `period` counts samples, as in folded stacks, where one line stands for several samples.
    bool isSummed = false; ///< True if `period` is a sum over an unknown number of samples.
    std::string_view unit{}; ///< Unit of `period`, e.g. "ns" or "bytes"; empty if `period` counts the events that `name` names.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t stack = 0; ///< Index of the call stack in TextStacks; 0 if there is none.
    std::string_view command; ///< Name of the thread; empty if not printed.
    std::string_view text; ///< Fields of a tracepoint, as printed.
};

constexpr std::uint64_t LargestCount = std::uint64_t{1} << 53; ///< Limit for a period or a number of samples.
constexpr std::uint64_t LargestSum = std::uint64_t{1} << 62; ///< Limit for the sum of all periods.

/// Size in bytes of the head of a stored event: i32 pid, i32 tid, u64 period, u32 stack, u32 command.
constexpr std::size_t SampleHeadSize = 24;
constexpr std::uint32_t SampleContextSize = 8; ///< Size in bytes of the stream context (pid and tid), the first part of the head.

/// Content of a recording in which all events are samples. A reader fills it; a SampleTrace provides it as a trace.
///
/// Threads: to be used by one thread while events are added.
class SampleRecording {
public:
    explicit SampleRecording(std::string file);
    SampleRecording(const SampleRecording&) = delete;
    SampleRecording& operator=(const SampleRecording&) = delete;

    TextStacks& stacks() { return m_stacks; }

    /// Sets whether the samples of the recording have process IDs. Must be called before the first event is added.
    void setHasPids(bool hasPids) { m_hasPids = hasPids; }
    /// Adds an event. Returns false if there are too many event types.
    bool add(const NewSample& event, const std::vector<StoredField>& fields);
    void add(ProcessRecord record) { records.push_back(std::move(record)); }
    void addFact(std::string_view name, std::string_view value) { facts.emplace_back(name, std::string(value)); }

    /// Sorts events and records by time. Must be called after the last event.
    void finish();

    StoredEvents events; ///< Events; each begins with a head of SampleHeadSize bytes.
    std::vector<SampleEvent> samples; ///< Kinds of samples, parallel to the types of `events`, because all events are samples.
    std::vector<ProcessRecord> records;
    /// Names and values of the environment, from comments at the start of the text.
    std::vector<std::pair<std::string, EnvironmentValue>> facts;
    std::vector<std::string> commands{{}}; ///< Names of threads, to which events refer by index; element 0 stands for no name.
    bool hasTimes = true;
    bool isAbsolute = false; ///< True if the times of samples are ns since the Unix epoch.
    std::uint64_t divisor = 1; ///< SampleEvent::divisor of all events. Must be set before the first event is added.

private:
    EventType makeType(const NewEvent& event, std::span<const StoredField> fields) const;
    SampleEvent describe(const NewSample& event, std::uint32_t type) const;
    std::uint32_t indexOf(std::string_view command);
    void countAgain();

    TextStacks m_stacks;
    bool m_hasPids = false;
    FlatIndex m_commandIndex; ///< Hash index of `commands`; index i stands for commands[i + 1].
    std::uint32_t m_lastCommand = 0; ///< Index in `commands` that indexOf() returned last; the next event often has the same command.
    std::vector<std::byte> m_head; ///< Head of the event that is being added; a member to reuse its memory.
};

} // namespace helio
