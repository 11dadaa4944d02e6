#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/fleet/duration_digest.h"
#include "core/fleet/trace_summary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio::fleet {

/// A kind of latency that summaries have for all intervals together.
enum class LatencyKind : std::uint8_t { Scheduling, SystemCall, Block };
constexpr std::array LatencyKinds{LatencyKind::Scheduling, LatencyKind::SystemCall, LatencyKind::Block};

/// Returns the id of a kind in the catalogue, for example "wakeup".
std::string_view idOf(LatencyKind kind);

/// Latencies of one kind in one trace.
struct FleetLatency {
    /// Number of columns of `shape`. Each column is an octave; the first one has all shorter durations, the last one all longer ones.
    static constexpr std::size_t Columns = 20;
    static constexpr Duration firstColumnEnd{1 << 10}; ///< End of the first column, about 1 µs.
    /// Returns the shortest duration of a column; 0 for the first one.
    static constexpr Duration columnBegin(std::size_t column) { return Duration(column == 0 ? 0 : firstColumnEnd.count() << (column - 1)); }

    Duration most{}; ///< Longest duration.
    Duration p99{};
    std::uint64_t count = 0;
    std::array<std::uint64_t, Columns> shape{}; ///< Number of durations by column.

    bool operator==(const FleetLatency&) const = default;
};

/// A finding of a trace, as far as the table shows it.
struct FleetFinding {
    std::string finder;
    std::string subject;
    std::string text;
    std::string color; ///< Colour in the format of StateStyle::color.
    Duration explained{};
    double share = 0; ///< Share of the trace's time that the finding explains, from 0 to 1.
};

/// A trace of a catalogue, or a path that could not be read. Members are empty if the catalogue has no value, or a senseless one.
struct FleetTrace {
    std::int64_t id = 0;
    bool isReadable = false; ///< False if `error` says why the trace could not be read; it then has a path and a machine only.
    std::string path;
    std::string machine; ///< Name of the machine on which the path is valid.
    std::string host;
    std::string boot;
    std::string kernel;
    std::string format;
    std::string error;
    std::optional<std::int64_t> beginNs;
    std::optional<Duration> duration;
    std::optional<std::int64_t> events;
    std::optional<std::int64_t> lostEvents; ///< Number of lost events, at least; nullopt if unknown.
    std::int64_t gaps = 0; ///< Number of gaps in the recording, for example lost packets.
    std::optional<std::int64_t> cpus;
    std::optional<double> cpuBusyShare; ///< Busy part of the time of all CPUs, from 0 to 1.
    std::int64_t indexedNs = 0;
    std::vector<FleetFinding> findings; ///< The most time explained first, at most MostFindings.
    std::array<std::optional<FleetLatency>, LatencyKinds.size()> latencies; ///< Latencies by LatencyKind.
    std::vector<SummaryTag> tags;

    const std::optional<FleetLatency>& latency(LatencyKind kind) const { return latencies[static_cast<std::size_t>(kind)]; }
    /// True if the recording misses something, so that numbers are lower bounds.
    bool hasLosses() const { return lostEvents.value_or(0) > 0 || gaps > 0; }
    /// Name of the host; the path if no host was recorded.
    const std::string& name() const { return host.empty() ? path : host; }

    static constexpr std::size_t MostFindings = 12;
};

/// All traces of a catalogue, as far as a table of them needs. Immutable after readFleet().
struct FleetTable {
    static constexpr std::size_t MostTraces = 200'000; ///< Largest number of traces that are read.
    static constexpr std::size_t MostText = 1'000; ///< Largest number of characters that are read of a text.

    std::vector<FleetTrace> traces; ///< In the order in which they were added.
    bool isCut = false; ///< True if the catalogue has more than MostTraces.
    std::size_t damaged = 0; ///< Number of digests that cannot be read.
    std::array<DurationDigest, LatencyKinds.size()> merged; ///< Digest of all traces by LatencyKind.

    const DurationDigest& digest(LatencyKind kind) const { return merged[static_cast<std::size_t>(kind)]; }
    std::size_t readable() const; ///< Number of traces that could be read.
    std::size_t withFindings() const; ///< Number of traces with a finding.
};

/// Reads the traces of a catalogue with their findings, latencies and tags.
/// Threads: any.
/// Cost:    about 30 µs for each trace.
/// Errors:  those of openForQueries(); Corrupt if the file is damaged; Cancelled.
Result<FleetTable> readFleet(const std::filesystem::path& catalogue, const std::stop_token& stop = {});

/// Returns the indexes of the traces whose latencies of a kind are completely known, the trace with the shortest longest latency first.
/// The one in the middle is a typical trace.
std::vector<std::uint32_t> orderByLatency(const FleetTable& table, LatencyKind kind);

} // namespace helio::fleet
