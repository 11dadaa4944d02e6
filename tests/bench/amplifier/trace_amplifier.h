#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace helio::bench {

/// Length of the copy: exactly one member is set.
struct AmplifyOptions {
    std::uint64_t events = 0; ///< Least number of events; the last repetition ends with the packet that reaches it.
    std::uint64_t copies = 0; ///< Number of whole repetitions.
};

struct AmplifyReport {
    std::uint64_t sourceEvents = 0;
    std::uint64_t events = 0; ///< Events written.
    std::uint64_t copies = 0; ///< Repetitions; the last one may be incomplete.
    std::uint64_t bytes = 0; ///< Size of the stream files.
};

/// Makes a long CTF 1.8 trace of a real one: it repeats the packets, each time with the clock moved on.
///
/// Narrow time stamps stay unchanged, because the clock moves by a multiple of their range; wide ones (extended event headers, packet
/// contexts) are rewritten, and so are packet sequence numbers, the counters of lost events (the same events are lost in every repetition)
/// and LTTng's index files. The copy is a trace of its own: it has another UUID, always the same for the same source and length. Files of
/// one stream (rotation, chunks) become one file.
///
/// Requires: `out` does not exist.
/// Errors: a source that cannot be repeated truthfully (damaged packets, several clocks, no times) is refused before anything is written.
/// If writing fails, the incomplete copy stays.
/// Cost: each source packet is decoded once; memory for one packet.
Result<AmplifyReport> amplify(const std::filesystem::path& trace, const std::filesystem::path& out, const AmplifyOptions& options);

} // namespace helio::bench
