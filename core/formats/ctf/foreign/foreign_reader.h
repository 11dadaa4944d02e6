#pragma once

#include "core/helper/helper_process.h"
#include "core/trace/trace.h"

#include <stop_token>

namespace helio {

// Opens CTF traces that Heliograph's own reader does not support. libbabeltrace2 reads them in a separate process (heliograph-babeltrace2),
// which sends the events in packed buffers (babeltrace/bt2_fields.h). The result is a Trace like any other, but reading is slower by an
// order of magnitude.
//
// Known limits: libbabeltrace2 does not provide the positions of packets in their files, so each stream has a single PacketInfo for the
// whole stream. A StreamPosition is therefore a number of events; reading from it skips this number of events from the start of the stream.
// CTF 2 needs babeltrace 2.1.

/// True if the environment variable HELIOGRAPH_READER is "babeltrace2". libbabeltrace2 then reads all CTF traces, for comparisons.
bool isBabeltraceForced();

/// Opens a trace with libbabeltrace2. `why` is the reason, as a sentence for the trace's diagnostics; may be empty.
/// Errors: the message of libbabeltrace2; the process exceeded `limits` or died; Cancelled soon after a stop request.
Result<std::shared_ptr<const Trace>> openWithBabeltrace(const TraceSource& source, const std::string& why, ProcessLimits limits = {},
                                                        std::stop_token stop = {});

} // namespace helio
