#pragma once

#include "core/base/result.h"
#include "core/formats/chrome_json/chrome_event.h"
#include "core/formats/chrome_json/chrome_threads.h"
#include "core/trace/stored/stored_trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// Writes the samples of a trace with their call stacks: the trace's member "samples", events with the phase P, and the profiles of V8 that
/// events with the names "Profile" and "ProfileChunk" contain.
///
/// Memory: about 100 bytes for each element of "stackFrames", 16 bytes for each sample of V8, and the tree of call stacks.
class ChromeSamples {
public:
    /// Ownership: `recording` and `threads` must outlive the object.
    ChromeSamples(StoredRecording& recording, ChromeThreads& threads)
        : m_recording(recording)
        , m_threads(threads)
    {
    }

    /// Reads the trace's member "stackFrames". `json`: its text, which must stay valid. Requires: no sample was written before.
    Status readFrames(std::string_view json, const std::stop_token& stop);
    /// Writes the samples in the trace's member "samples".
    Status readSamples(std::string_view json, const std::stop_token& stop);
    /// Writes an event with the phase P at `time` in ns. `thread`: index in ChromeThreads. Returns false if the event has neither a call
    /// stack nor a profile of V8. Requires: the events are passed in order of time.
    bool take(std::int64_t time, std::uint32_t thread, const ChromeEvent& event);
    /// Sets `arguments` to the arguments of an event with its call stack as the argument "callstack", a list of functions, outermost first.
    /// Returns false if the event has no call stack, or if the call stacks of all events take more than `room` bytes.
    bool addStack(const ChromeEvent& event, std::uint64_t room, std::string& arguments);
    /// Writes the samples of V8's profiles. Must be called after the last event.
    void finish();

    std::optional<std::int64_t> begin() const { return m_begin; } ///< Returns the time of the earliest sample in ns; nullopt if none.

private:
    /// Element of "stackFrames".
    struct Frame {
        std::string_view json; ///< Text of the element.
        std::uint32_t stack = 0; ///< Call stack of the frame in StoredRecording::stacks; valid if `isKnown`.
        bool isKnown = false;
    };
    struct ProfileSample {
        std::int64_t time = 0;
        std::uint32_t stack = 0;
    };
    /// Profile of V8: one event "Profile", and any number of events "ProfileChunk" with the same process and id.
    struct Profile {
        std::uint32_t thread = 0; ///< Index in ChromeThreads of the thread that was profiled.
        std::int64_t time = 0; ///< Time of the last sample in ns; before the first sample, the start of the profile.
        std::optional<std::int64_t> end; ///< End of the profile in ns; nullopt if not recorded.
        std::unordered_map<std::int64_t, std::uint32_t> stacks; ///< Call stacks in StoredRecording::stacks, keyed by the node's id.
        std::vector<ProfileSample> samples;
    };
    /// A sample that is to be written.
    struct Written {
        std::string_view name; ///< Name of the event whose occurrences the weight counts; empty if it counts samples.
        std::uint64_t weight = 1;
        bool hasWeight = false;
        bool isTime = false; ///< True if the weight is a time in ns.
        std::uint32_t stack = 0;
        std::int32_t cpu = -1;
    };

    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning,
                std::uint64_t count = 1)
    {
        m_recording.events.report(kind, 0, 0, what, severity, count);
    }
    std::uint32_t stackOf(std::string_view frame);
    std::uint32_t stackOf(const ChromeEvent& event);
    std::uint32_t addFrame(std::uint32_t caller, const ParsedFrame& frame);
    std::optional<std::uint64_t> weightIn(std::string_view text);
    void beginProfile(std::uint32_t thread, const ChromeEvent& event);
    void takeChunk(std::uint32_t thread, const ChromeEvent& event);
    void write(std::int64_t time, std::uint32_t thread, const Written& sample, std::span<const StoredField> fields);

    using ProfileKey = std::pair<std::uint32_t, std::string>; ///< Index of the process, and the profile's id.

    StoredRecording& m_recording;
    ChromeThreads& m_threads;
    ChromeEventParser m_parser; ///< Parser of frames and stacks.
    std::unordered_map<std::string_view, Frame> m_frames; ///< Elements of "stackFrames", keyed by their ids.
    std::map<ProfileKey, Profile> m_profiles;
    std::optional<std::int64_t> m_begin;
    std::uint64_t m_sum = 0; ///< Sum of all weights.
    bool m_isCut = false; ///< True if stacks were cut because there were too many different ones.
    std::uint64_t m_stackBytes = 0; ///< Size in bytes of the call stacks that addStack() returned.
    std::vector<StoredField> m_fields;
    std::vector<std::string> m_names; ///< Frames of the current event's stack; a member only to reuse its memory.
    std::string m_name;
    std::string m_command;
};

} // namespace helio::chromejson
