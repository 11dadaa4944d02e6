// CTF 1.8 as LTTng (kernel and user space), babeltrace, barectf and perf write it.
//
// Reads a folder with a metadata file (TSDL, plain or in packets) and stream files beside it; chunks of one trace are joined.
// Not read here: CTF 2 (JSON metadata), compressed or encrypted packets, clocks that differ within one stream.

#include "core/formats/ctf/ctf_find.h"
#include "core/formats/ctf/ctf_trace.h"

namespace helio {

extern const TraceFormat ctfFormat{"ctf", ctf::findTraces, ctf::CtfTrace::open};

} // namespace helio
