#pragma once

#include "core/formats/ctf/foreign/foreign_process.h"

#include <stop_token>

namespace helio {

// The way in for CTF that our own reader declines: libbabeltrace2 reads it in a process of its own (heliograph-babeltrace2), and its events
// come packed into buffers of ours (babeltrace/bt2_fields.h). Slower by an order of magnitude, but the same Trace.
//
// Known limits: a packet's place in its file is not known, so each stream has one PacketInfo that stands for all of it; positions
// count events, and reading from one starts at the beginning. CTF 2 needs babeltrace 2.1.

/// The environment variable HELIOGRAPH_READER is "babeltrace2": every CTF trace is to be read by that library. For comparing.
bool isBabeltraceForced();

/// `why`: the reason, as a sentence for the trace's diagnostics; may be empty.
/// Errors: the library's own words, or how it ended: it never takes longer than the limits, or than `stop` allows.
Result<std::shared_ptr<const Trace>> openWithBabeltrace(const TraceSource& source, const std::string& why, foreign::Limits limits = {},
                                                        std::stop_token stop = {});

} // namespace helio
