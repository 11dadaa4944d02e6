#pragma once

#include "core/base/result.h"
#include "core/fleet/duration_digest.h"
#include "core/fleet/fleet_table.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::fleet {

/// A finding of one trace with everything that the catalogue has of it.
struct DetailedFinding : FleetFinding {
    std::string detail; ///< Further facts in one line; may be empty.
    std::string check; ///< Command with which to go on; empty if there is none.
    std::int64_t occurrences = 0;
};

/// A limit of the recording.
struct DetailedNote {
    std::string text;
    bool isProblem = false;
};

/// Contents of a catalogue about one trace.
struct FleetDetails {
    static constexpr std::size_t MostNotes = 50;

    std::vector<DetailedFinding> findings; ///< The most time explained first, at most FleetTrace::MostFindings.
    std::int64_t allFindings = 0; ///< Number of findings, with those that the catalogue does not list.
    std::vector<DetailedNote> notes; ///< Notes on the recording's quality, at most MostNotes.
    DurationDigest digest; ///< Latencies of the requested kind; empty if there are none, or if the digest is damaged.
};

/// Reads the details of a trace. They are empty if the catalogue has no trace `id` any more.
/// Threads: any.
/// Cost:    about 5 ms, most of it for opening the catalogue.
/// Errors:  those of readFleet().
Result<FleetDetails> readDetails(const std::filesystem::path& catalogue, std::int64_t id, LatencyKind kind,
                                 const std::stop_token& stop = {});

} // namespace helio::fleet
