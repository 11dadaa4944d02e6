#pragma once

#include "core/base/diagnostic.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// A message for the user: everything of one kind about one trace.
struct Message {
    Diagnostic::Severity severity = Diagnostic::Severity::Warning;
    std::string kind; ///< "lost-events", "missing-events", or a diagnostic's kind.
    std::string text; ///< One or more sentences.
    std::uint64_t count = 1;
    std::vector<TimeRange> places; ///< Ranges to look at, in time order; at most 1,000.
    std::string command; ///< Command line that would help; empty if there is none.
    bool operator==(const Message&) const = default;
};

/// Returns the anomalies found by a trace's reader and by the analyses that ran on it. They live as long as the timeline. Requires: the
/// trace exists.
std::vector<const Diagnostic*> anomaliesOf(const Timeline& timeline, std::uint32_t trace);

/// Returns the damage of the recordings, by trace: lost events and anomalies in reading.
std::vector<Message> damages(const Timeline& timeline);

/// Returns messages about a trace's anomalies in reading, in the form of damages().
std::vector<Message> damagesOf(const Timeline& timeline, std::uint32_t trace, const std::vector<Diagnostic>& diagnostics);

/// Returns everything that is wrong with the traces, most severe first: lost events, anomalies in reading, missing events.
std::vector<Message> messages(const Timeline& timeline);

/// Returns the command line that records the events that a view lacks most. Empty: none is known.
std::string commandFor(const Timeline& timeline, std::string_view view);

} // namespace helio
