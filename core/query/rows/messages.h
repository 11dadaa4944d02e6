#pragma once

#include "core/base/diagnostic.h"
#include "core/base/time.h"
#include "core/trace/recording_advice.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// A message for the user that summarizes all problems of one kind in one trace.
struct Message {
    Diagnostic::Severity severity = Diagnostic::Severity::Warning;
    std::string kind; ///< Kind of the problem: "lost-events", "missing-events", or the kind of a Diagnostic.
    std::string text; ///< Text of the message: one or more sentences.
    std::uint64_t count = 1;
    std::vector<TimeRange> places; ///< Time ranges in which the problem occurred, in time order; at most 1,000.
    std::string command; ///< Command line that avoids the problem in the next recording; empty if none is known.
    bool operator==(const Message&) const = default;
};

/// Returns the anomalies that a trace's reader and its analyses found. Requires: the trace exists.
/// Ownership: the pointers are valid as long as the timeline.
std::vector<const Diagnostic*> anomaliesOf(const Timeline& timeline, std::uint32_t trace);

/// Returns messages about damaged recordings, in the order of the traces: lost events and anomalies found while reading.
std::vector<Message> damages(const Timeline& timeline);

/// Returns messages about `diagnostics`, the anomalies found while reading a trace, in the same form as damages().
std::vector<Message> damagesOf(const Timeline& timeline, std::uint32_t trace, const std::vector<Diagnostic>& diagnostics);

/// Returns a message for each trace whose index was opened without its recording, so that its single events are missing.
std::vector<Message> missingRecordings(const Timeline& timeline);

/// Returns messages about all problems of the traces, the most severe first: lost events, anomalies found while reading, missing events;
/// finally a note about the libraries that this process has used in helper programs.
std::vector<Message> messages(const Timeline& timeline);

/// Returns advice on how to record `data` with the tracers that made the timeline's recordings; with LTTng or perf if `timeline` is
/// nullptr. `other`: a second timeline, whose recordings are also considered; may be nullptr.
RecordingAdvice adviseRecording(RecordableData data, const Timeline* timeline, const Timeline* other = nullptr);

/// Returns sentences with the command that records the events that a view lacks, essential events first; empty if no command is known.
std::string adviseRecordingOf(const Timeline& timeline, std::string_view view);

} // namespace helio
