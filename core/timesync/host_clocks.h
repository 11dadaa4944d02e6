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

/// How the clock of one host is related to the reference's clock, as tables list it.
struct HostClockFacts {
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    std::string label; ///< Name on the command line and in files.
    std::string name; ///< Name in views.
    std::vector<std::uint32_t> traces; ///< Indexes into Timeline::traces.
    ClockMethod method = ClockMethod::None;
    FitQuality quality = FitQuality::None;
    ClockLine line; ///< The single line that fits best. Its moment is the time at which the line is most certain.
    Duration offset{}; ///< The reference's time minus the host's time, in the middle of the host's traces.
    Duration error{}; ///< Error bound of `line` over all traces of the host; Duration::max() if unknown.
    /// Error bound of the host's times over all its traces, with all `pieces` applied; Duration::max() if unknown.
    Duration bound{};
    Duration minError{}; ///< Error bound where the clock is most certain; Duration::max() if unknown.
    std::optional<std::int64_t> driftError; ///< Error bound of the drift of `line`, in 10^-12; nullopt if unknown.
    std::size_t matches = 0; ///< Messages exchanged with the previous host of `path`, in both directions.
    std::size_t matchesTo = 0; ///< Messages from the previous host of `path` to this host.
    std::size_t matchesFrom = 0; ///< Messages from this host to the previous host of `path`.
    std::size_t outliers = 0; ///< Messages that contradict most of the messages.
    std::string messages; ///< Plural of the messages, for example "packets"; empty if the clock is not computed from messages.
    bool isFromFile = false; ///< True if these facts were read from a clock file.
    std::vector<std::uint32_t> path; ///< Hosts from the reference to this host, both included; empty if no path leads there.
    std::vector<FitInterval> pieces; ///< The segments of the clock if one line is not enough.
};

/// Returns the facts of all hosts, in the order of Timeline::hosts.
std::vector<HostClockFacts> hostClocks(const Timeline& timeline);

/// Returns an error bound as text, rounded up: with three digits, above one second with six. For example "3.21 ms", or "194 µs" for 193.303
/// µs. Requires: it is not negative.
std::string roughText(Duration duration);

/// Returns the drift in ppm, positive if the clock runs fast, and its error bound: "60.41 ± 1.23"; without a known bound "41.2".
std::string driftText(const HostClockFacts& clock);

std::string_view wordOf(ClockMethod method); ///< Returns for example "packets".
std::string_view wordOf(FitQuality quality); ///< Returns for example "one-way".
ClockMethod methodOf(std::string_view word); ///< Returns Manual if `word` names no method.
FitQuality qualityOf(std::string_view word); ///< Returns FitQuality::None if `word` names no quality.

/// Returns the host on the path to this host, the host itself excluded, that the user set by hand; nullopt if there is none. Such a clock's
/// error is unknown.
std::optional<std::uint32_t> findManualHostOnPath(const Timeline& timeline, const HostClockFacts& clock);
/// True if findManualHostOnPath() finds a host for which the user gave no error bound.
bool hasUnknownManualError(const Timeline& timeline, const HostClockFacts& clock);

/// Returns for example "224 of 428 packets arrive before they were sent", for a clock that was set by hand or read from a file. Empty if no
/// more packets do so than contradict each other anyway.
std::string causalityViolationsText(const Timeline& timeline, std::uint32_t host);

/// Returns for example "web: 4.412 s ahead of client, drift 49.7 ppm, sure to 628 µs (193 µs at best), from 428 packets".
std::string sentenceOf(const Timeline& timeline, const HostClockFacts& clock);

/// Returns one sentence for each host that says how its clock is related to the reference's; empty if there is only one host. A message is
/// a warning if the host's packets contradict each other, else a note. Hosts with unrelated clocks are reported by the timeline's own
/// diagnostics.
std::vector<Message> clockMessages(const Timeline& timeline);

/// Returns the best method by which messages relate the host's clock, whatever the user decided; None if messages do not relate it.
ClockMethod bestMessageMethod(const Timeline& timeline, std::uint32_t host);

/// Returns the plural of the messages that a method uses, for example "packets"; empty if it uses none.
std::string messagesOf(const Timeline& timeline, ClockMethod method);

/// Returns the plural of a relation's messages, for example "packets". Requires: the relation found messages.
std::string messagesOfRelation(const Timeline& timeline, std::size_t relation);

/// Returns the plural of the messages of all relations; "messages" if there are several kinds or none.
std::string messagesPlural(const Timeline& timeline);

} // namespace helio
