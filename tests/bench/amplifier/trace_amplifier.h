#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace helio::bench {

/// How long the copy is to be: one of the two.
struct AmplifyOptions {
    std::uint64_t events = 0; ///< At least so many: the last repetition ends with the packet that makes it so.
    std::uint64_t copies = 0; ///< Whole repetitions.
};

struct AmplifyReport {
    std::uint64_t sourceEvents = 0;
    std::uint64_t events = 0; ///< Written.
    std::uint64_t copies = 0; ///< Repetitions, the last one perhaps not whole.
    std::uint64_t bytes = 0; ///< Of the stream files.
};

/// Makes a long CTF 1.8 trace of a real one: its packets again and again, each time with the clock further on.
///
/// Narrow time stamps stay as they are, the clock moves by a multiple of their range; wide ones (extended event headers, packet
/// contexts) are rewritten, and so are packet sequence numbers, the counters of lost events (the same events are lost in every repetition)
/// and LTTng's index files. The copy is a trace of its own: it has another UUID, always the same for the same source and length. Files
/// of one stream (rotation, chunks) become one file.
///
/// `out` must not exist. Errors: what could not be repeated truthfully (damaged packets, several clocks, no times) is refused before
/// anything is written. Where writing fails, what was written stays.
/// Cost: each source packet is decoded once; memory for one packet.
Result<AmplifyReport> amplify(const std::filesystem::path& trace, const std::filesystem::path& out, const AmplifyOptions& options);

} // namespace helio::bench
