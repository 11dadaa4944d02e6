#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace helio::bench {

/// Requested length of the copy: exactly one member is set.
struct AmplifyOptions {
    std::uint64_t events = 0; ///< Minimum number of events; the last repetition ends with the packet that reaches it.
    std::uint64_t copies = 0; ///< Number of whole repetitions.
};

struct AmplifyReport {
    std::uint64_t sourceEvents = 0;
    std::uint64_t events = 0; ///< Number of events written.
    std::uint64_t copies = 0; ///< Number of repetitions; the last one may be incomplete.
    std::uint64_t bytes = 0; ///< Size of the stream files in bytes.
};

/// Makes a long CTF 1.8 trace from a real one by repeating its packets; the clock advances with each repetition.
///
/// - Narrow time stamps stay unchanged, because the clock advances by a multiple of their range.
/// - Wide time stamps (extended event headers, packet contexts) are rewritten, and so are packet sequence numbers, the counters of lost
///   events (the same events are lost in every repetition) and LTTng's index files.
/// - The copy has its own UUID, which depends on the source and the length only.
/// - The files of one stream (rotation, chunks) become one file.
///
/// Requires: `out` does not exist.
/// Errors: a source that cannot be repeated (damaged packets, several clocks, no times) is refused before anything is written. If writing
/// fails, the incomplete copy remains.
/// Cost: each source packet is decoded once; memory for one packet.
Result<AmplifyReport> amplify(const std::filesystem::path& trace, const std::filesystem::path& out, const AmplifyOptions& options);

} // namespace helio::bench
