#pragma once

#include "core/trace/stored/stored_trace.h"

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
    bool hasForwardPeriod = false; ///< SampleEvent::hasForwardPeriods.
    std::string_view unit{}; ///< Unit of `period`, e.g. "ns" or "bytes"; empty if `period` counts the events that `name` names.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t stack = 0; ///< Index of the call stack in StoredRecording::stacks; 0 if there is none.
    std::string_view command; ///< Name of the thread; empty if not printed.
    std::string_view text; ///< Fields of a tracepoint, as printed.
};

constexpr std::uint64_t LargestCount = std::uint64_t{1} << 53; ///< Limit for a period or a number of samples.
constexpr std::uint64_t LargestSum = std::uint64_t{1} << 62; ///< Limit for the sum of all periods.

/// Content of a profile: samples and, in profiles that have them, track events, which a TrackEventWriter adds to `events`. A reader fills
/// it.
class SampleRecording final : public StoredRecording {
public:
    explicit SampleRecording(std::string file);

    /// Sets whether the samples of the recording have process IDs. Must be called before the first event is added.
    void setHasPids(bool hasPids) { m_hasPids = hasPids; }
    /// Adds an event. Returns false if there are too many event types.
    bool add(const NewSample& event, const std::vector<StoredField>& fields);
    void addFact(std::string_view name, std::string_view value) { facts.emplace_back(name, std::string(value)); }

    /// Names and values of the environment, from comments at the start of the text.
    std::vector<std::pair<std::string, EnvironmentValue>> facts;
    std::vector<std::int32_t> recordedThreads; ///< Value of RecordingScope::threads; empty if not limited.
    bool hasTimes = true;
    std::int64_t end = INT64_MIN; ///< TraceInfo::end in ns; INT64_MIN if unknown.
    std::int64_t interval = 0; ///< SampleEvent::interval of all events in ns. Must be set before the first event is added.
    bool isAbsolute = false; ///< True if the times of samples are ns since the Unix epoch.
    std::uint64_t divisor = 1; ///< SampleEvent::divisor of all events. Must be set before the first event is added.

private:
    EventType makeType(const NewEvent& event, std::span<const StoredField> fields) const;

    bool m_hasPids = false;
    std::vector<std::byte> m_context; ///< Stream context of the event that is being added; a member to reuse its memory.
};

} // namespace helio
