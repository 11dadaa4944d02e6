#pragma once

#include "core/base/time.h"
#include "core/fleet/duration_digest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Summaries of traces, and catalogues of them: what can be asked about many traces without opening them.
namespace helio::fleet {

/// A finding (core/findings/finding.h), without its evidence.
struct SummaryFinding {
    std::string finder;
    std::string subject;
    std::string text;
    std::string detail;
    std::string host; ///< Name of the host; empty if the finding concerns several hosts.
    std::string check;
    std::string color;
    Duration explained{};
    double share = 0; ///< Share of the trace's time that the finding explains, from 0 to 1.
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t occurrences = 0;
    bool operator==(const SummaryFinding&) const = default;
};

/// A limit of the recording (QualityNote).
struct SummaryNote {
    std::string text;
    bool isProblem = true;
    bool operator==(const SummaryNote&) const = default;
};

/// Durations of the intervals of one kind. The percentiles are exact.
struct SummaryLatency {
    std::string kind; ///< Id of the kind of intervals (IntervalKind::id).
    std::string name; ///< Name of the intervals, for example "read"; empty for all intervals of the kind.
    DurationDigest digest;
    Duration median{};
    Duration p90{};
    Duration p99{};
    bool operator==(const SummaryLatency&) const = default;
};

using SummaryTag = std::pair<std::string, std::string>; ///< Name and value that the user gave.

/// Facts, findings and latencies of one recording, or the reason why it could not be read.
struct TraceSummary {
    std::string path; ///< Path with which the recording is opened.
    std::string machine; ///< Name of the machine on which the summary was made.
    std::int64_t indexedNs = 0; ///< Time at which the summary was made, in ns since the epoch. The newer one of two summaries is valid.
    std::string indexedBy; ///< Version of the program.
    std::string storeVersion; ///< Version of the format of stores: "16.0".
    std::string error; ///< Reason why the recording, or a part of it, could not be read; empty if all of it was read.
    std::vector<SummaryTag> tags;

    /// Hash of the recording's content (TraceInfo::identity), by which the recording is recognized; empty if it could not be read. All
    /// following members are then empty.
    std::string identity;
    std::string uuid;
    std::string host; ///< Name of the recorded host; empty if not recorded.
    std::string boot; ///< UUID of the clock; for LTTng the boot id. Empty if not recorded.
    std::string kernel; ///< Release of the recorded kernel; empty if not recorded.
    std::string format;
    std::string reader;
    std::optional<std::int64_t> beginNs; ///< Time of the first event; nullopt without events or times.
    std::optional<std::int64_t> endNs;
    std::uint64_t traces = 0; ///< Number of traces in the recording. Numbers of events and the like are sums over them.
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint64_t lostPackets = 0;
    std::uint64_t gaps = 0;
    std::uint64_t streams = 0;
    std::uint64_t cpus = 0;
    std::uint64_t bytes = 0;
    std::optional<double> cpuBusyShare; ///< Busy part of the time of all CPUs, from 0 to 1; nullopt if no states of CPUs are known.
    std::vector<SummaryFinding> findings; ///< The most time explained first.
    std::uint64_t moreFindings = 0; ///< Number of findings that are left out.
    std::vector<SummaryNote> quality;
    std::vector<SummaryLatency> latencies;

    bool isReadable() const { return !identity.empty(); }
    bool operator==(const TraceSummary&) const = default;
};

} // namespace helio::fleet
