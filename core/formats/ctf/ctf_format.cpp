// CTF 1.8 as LTTng (kernel and user space), babeltrace, barectf and perf write it, and CTF 2 as far as LTTng uses it.
//
// Reads a folder with a metadata file (TSDL, plain or in packets, or JSON) and stream files beside it; chunks of one trace are joined.
// Not read by this reader: CTF 2's integers of variable length, compressed or encrypted packets. What it declines, libbabeltrace2 is asked
// to read.

#include "core/formats/ctf/bt2_reader.h"
#include "core/formats/ctf/ctf_find.h"
#include "core/formats/ctf/ctf_trace.h"

namespace helio {
namespace {

Result<std::shared_ptr<const Trace>> open(const TraceSource& source)
{
    if (isBabeltraceForced())
        return openWithBabeltrace(source, "the environment asks for it");
    auto own = ctf::CtfTrace::open(source);
    if (own)
        return own;
    const auto& reason = own.error();
    if (reason.kind != Error::Kind::Unsupported && reason.kind != Error::Kind::Corrupt)
        return own;
    return openWithBabeltrace(source, reason.what); // Its error repeats the reason.
}

} // namespace

extern const TraceFormat ctfFormat{"ctf", ctf::findTraces, open};

} // namespace helio
