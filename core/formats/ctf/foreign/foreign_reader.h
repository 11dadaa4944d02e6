#pragma once

#include "core/formats/ctf/foreign/helper_process.h"

#include <stop_token>

namespace helio {

// Opens CTF traces that Heliograph's own reader declines. libbabeltrace2 reads them in a separate process (heliograph-babeltrace2), which
// sends the events in packed buffers (babeltrace/bt2_fields.h). The result is a Trace like any other, but reading is slower by an order of
// magnitude.
//
// Known limits: the library does not tell where packets lie in their files, so each stream has a single PacketInfo for the whole stream.
// Positions are counts of events, and reading from a position starts at the stream's beginning. CTF 2 needs babeltrace 2.1.

/// True if the environment variable HELIOGRAPH_READER is "babeltrace2": libbabeltrace2 then reads every CTF trace, for comparisons.
bool isBabeltraceForced();

/// Opens a trace with libbabeltrace2. `why` is the reason as a sentence for the trace's diagnostics; may be empty.
/// Errors: the library's own message; that the process exceeded `limits` or died; Cancelled soon after `stop` is requested.
Result<std::shared_ptr<const Trace>> openWithBabeltrace(const TraceSource& source, const std::string& why,
                                                        foreign::ProcessLimits limits = {}, std::stop_token stop = {});

} // namespace helio
