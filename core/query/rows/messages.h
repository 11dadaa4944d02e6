#pragma once

#include "core/base/diagnostic.h"
#include "core/base/time.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// One line for a person: everything of one kind about one trace, in plain words.
struct Message {
    Diagnostic::Severity severity = Diagnostic::Severity::Warning;
    std::string kind; ///< "lost-events", "missing-events", or a diagnostic's kind.
    std::string text; ///< A sentence.
    std::uint64_t count = 1;
    std::vector<TimeRange> places; ///< Where to look, in time order; at most a thousand.
    std::string command; ///< What would help: a command line. Empty for none.
    bool operator==(const Message&) const = default;
};

/// What was unusual in reading a trace, by its reader and by the analyses that ran on it. They live as long as the timeline.
/// Requires: there is such a trace.
std::vector<const Diagnostic*> anomaliesOf(const Timeline& timeline, std::uint32_t trace);

/// What is wrong with the recordings themselves, by trace: what was lost, and what was unusual in reading.
std::vector<Message> damages(const Timeline& timeline);

/// The messages about what was unusual in reading a trace, as damages() has them.
std::vector<Message> damagesOf(const Timeline& timeline, std::uint32_t trace, const std::vector<Diagnostic>& diagnostics);

/// What is wrong with the traces, most severe first: what was lost, what was unusual in reading, what was not recorded.
std::vector<Message> messages(const Timeline& timeline);

/// The command line that records what a view lacks most. Empty: none is known.
std::string commandFor(const Timeline& timeline, std::string_view view);

} // namespace helio
