#pragma once

#include "core/clock/fit/clock_line.h"
#include "core/experiment/timeline.h"
#include "core/query/rows/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Relation of one host's clock to the reference's clock, as tables list it.
struct HostClockFacts {
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    std::string label; ///< Name on the command line and in files.
    std::string name; ///< Name of the host in views: the name that the user gave, else `label`.
    std::vector<std::uint32_t> traces; ///< Indexes into Timeline::traces.
    ClockMethod method = ClockMethod::None;
    FitQuality quality = FitQuality::None;
    ClockLine line; ///< Best single line from the host's clock to the reference's; `line.at` is the time at which the error is smallest.
    Duration offset{}; ///< The reference's time minus the host's time in ns, in the middle of the host's traces.
    Duration error{}; ///< Error bound of `line` over all traces of the host; Duration::max() if unknown.
    /// Error bound of the host's converted times over all its traces, with all `intervals` applied; Duration::max() if unknown.
    Duration bound{};
    Duration minError{}; ///< Smallest error bound of the clock; Duration::max() if unknown.
    std::optional<std::int64_t> driftError; ///< Error bound of the drift of `line`, in 10^-12; nullopt if unknown.
    std::size_t matches = 0; ///< Number of messages exchanged with the previous host of `path`, in both directions.
    std::size_t matchesTo = 0; ///< Number of messages from the previous host of `path` to this host.
    std::size_t matchesFrom = 0; ///< Number of messages from this host to the previous host of `path`.
    std::size_t outliers = 0; ///< Number of messages that contradict most other messages.
    std::string messages; ///< Plural noun for the messages, for example "packets"; empty if the clock is not computed from messages.
    bool isFromFile = false; ///< True if these facts were read from a clock file.
    /// Path from the reference to this host as indexes into Timeline::hosts, both included; empty if no path exists.
    std::vector<std::uint32_t> path;
    std::vector<FitInterval> intervals; ///< Lines of a piecewise linear clock; empty if one line is enough.
};

/// Returns the facts of all hosts, in the order of Timeline::hosts.
std::vector<HostClockFacts> hostClocks(const Timeline& timeline);

/// Returns an error bound as text, rounded up to three digits, or six above one second. For example "3.21 ms", or "194 µs" for 193.303 µs.
/// Requires: `duration` is not negative.
std::string roughText(Duration duration);

/// Returns the drift in ppm, positive if the clock runs fast, with its error bound, for example "60.4 ± 1.3"; "41.2" if the bound is
/// unknown.
std::string driftText(const HostClockFacts& clock);

std::string_view wordOf(ClockMethod method); ///< Returns the word for the method in output and in clock files, for example "packets".
std::string_view wordOf(FitQuality quality); ///< Returns the word for the quality in output and in clock files, for example "one-way".
ClockMethod methodOf(std::string_view word); ///< Returns the method for which wordOf() returns `word`; Manual if none.
FitQuality qualityOf(std::string_view word); ///< Returns the quality for which wordOf() returns `word`; FitQuality::None if none.

/// Returns the first host on the path to `clock.host`, other than `clock.host`, with a clock that the user set by hand (not from a file);
/// nullopt if there is none.
std::optional<std::uint32_t> findManualHostOnPath(const Timeline& timeline, const HostClockFacts& clock);
/// True if findManualHostOnPath() returns a host for which the user gave no error bound.
bool hasUnknownManualError(const Timeline& timeline, const HostClockFacts& clock);

/// Returns a text with the number of messages that arrive before they were sent, among the messages that can check the host's clock:
/// "224 of 428 packets arrive before they were sent". Empty if this number is at most CausalityViolations::contradicting, the number of
/// messages that would arrive too early under every possible clock. Counted only for a clock that the user set or a file gave.
std::string causalityViolationsText(const Timeline& timeline, std::uint32_t host);

/// Returns the relation of the clock to the reference as a sentence, for example "web: 4.412 s ahead of client, drift 49.7 ppm, accurate to
/// ±628 µs (±193 µs at best), from 428 packets".
std::string sentenceOf(const Timeline& timeline, const HostClockFacts& clock);

/// Returns one sentence for each host about the relation of its clock to the reference's clock; empty if there is only one host. The
/// message is a warning if the host's messages contradict each other or the clock, else a note. Hosts with unrelated clocks are reported by
/// the timeline's own diagnostics.
std::vector<Message> clockMessages(const Timeline& timeline);

/// Returns the best method by which messages relate the host's clock, regardless of the user's settings; None if no messages relate the
/// clock.
ClockMethod bestMessageMethod(const Timeline& timeline, std::uint32_t host);

/// Returns the plural noun for the messages that a method uses, for example "packets"; empty if the method uses no messages.
std::string messagesOf(const Timeline& timeline, ClockMethod method);

/// Returns the plural noun for a correlation's messages, for example "packets". Requires: the correlation has messages.
std::string messagesOfRelation(const Timeline& timeline, std::size_t relation);

/// Returns the plural noun for the messages of all correlations; "messages" if they have several kinds or none.
std::string messagesPlural(const Timeline& timeline);

} // namespace helio
