#pragma once

#include "core/base/flat_index.h"
#include "core/trace/process/sample_view.h"
#include "core/trace/stored/stored_events.h"
#include "core/trace/stored/text_stacks.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Weight and call stack of an event that is to be stored as a sample.
/// Ownership: the string is a view of the caller's data.
struct StoredSample {
    std::uint64_t period = 1;
    std::uint32_t stack = 0; ///< Index of the call stack in StoredRecording::stacks; 0 if there is none.
    std::string_view command{}; ///< Name of the thread, for samples without a time or a thread ID; may be empty.
};

/// Content of a trace whose events are stored. The reader of a format fills it.
///
/// Threads: to be used by one thread while events are added.
class StoredRecording {
public:
    StoredRecording(std::string file, StoredEvents::TypeMaker makeType)
        : events(std::move(file), std::move(makeType))
    {
    }
    virtual ~StoredRecording() = default;
    StoredRecording(const StoredRecording&) = delete;
    StoredRecording& operator=(const StoredRecording&) = delete;

    /// Stores an event that is a sample. `event.head` is its stream context, which must begin with i32 pid and i32 tid; the payload of its
    /// type must begin with the members of makeSampleMembers(). Returns the kind of the sample in `samples`, valid until the next call; the
    /// caller must describe the kind if its name is empty. Returns nullptr if there are too many event types.
    SampleEvent* addSample(const NewEvent& event, const StoredSample& sample, std::span<const StoredField> fields);

    /// Adds `offset` to all times; times that overflow become the largest or smallest time.
    void shift(Duration offset);
    /// Sorts everything by time. Must be called after the last event.
    void finish();

    StoredEvents events;
    std::vector<Loss> losses;
    std::vector<ProcessRecord> records;
    TextStacks stacks; ///< Call stacks of the samples.
    std::vector<SampleEvent> samples; ///< Event types whose events are samples, in ascending order of SampleEvent::type.
    std::vector<std::string> commands{{}}; ///< Names of threads, to which samples refer by index; element 0 stands for no name.

private:
    std::uint32_t indexOf(std::string_view command);
    void countAgain();

    FlatIndex m_commandIndex; ///< Hash index of `commands`; index i stands for commands[i + 1].
    std::uint32_t m_lastCommand = 0; ///< Index in `commands` that indexOf() returned last; the next event often has the same command.
    std::vector<std::byte> m_head; ///< Head of the sample that is being added; a member to reuse its memory.
};

/// Returns the members with which the payload of a sample begins: u64 period, hidden unless `showsPeriod`, and the hidden indices of the
/// call stack and of the command (u32).
std::vector<Member> makeSampleMembers(bool showsPeriod);

/// Trace of the events in a StoredRecording. The trace has one stream with all events in time order.
class StoredTrace final : public Trace, private SampleReader {
public:
    StoredTrace(TraceInfo info, std::unique_ptr<StoredRecording> recording);

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_recording->events.types(); }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition from) const override
    {
        return openStoredStream(m_recording->events, m_recording->losses, from);
    }
    std::span<const Diagnostic> diagnostics() const override { return m_recording->events.diagnostics(); }
    bool keepsBytes() const override { return true; }
    std::span<const ProcessRecord> processRecords() const override { return m_recording->records; }
    std::span<const Module> modules() const override { return m_modules; }
    const SampleReader* samples() const override { return m_recording->samples.empty() ? nullptr : this; }

private:
    std::span<const SampleEvent> events() const override { return m_recording->samples; }
    const std::string& machine() const override { return m_machine; }
    std::span<const RecordedFrame> stacks() const override { return m_tree; }
    bool read(const EventView& event, SampleView& sample) const override;
    CodeMode modeOf(std::uint32_t stack) const;

    TraceInfo m_info;
    std::unique_ptr<StoredRecording> m_recording; ///< Never nullptr.
    std::vector<StreamInfo> m_streams;
    std::string m_machine; ///< Always empty: the call stacks were recorded as names, so no registers are unwound.
    std::vector<Module> m_modules;
    std::vector<RecordedFrame> m_tree;
};

} // namespace helio
