// Reader for CTF 1.8, written by LTTng (kernel and user space), babeltrace, barectf or perf, and for CTF 2.
//
// The reader accepts a folder with a metadata file (TSDL, plain or in packets, or JSON) and the stream files in the same folder. Chunks of
// one trace are joined. Integers of more than 64 bits and compressed or encrypted packets are not supported; traces with such integers or
// packets are read by libbabeltrace2 in a separate process. A damaged trace is not passed to libbabeltrace2: its undamaged parts are read
// here.

#include "core/formats/ctf/foreign/foreign_reader.h"
#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/opening/ctf_opening.h"

namespace helio {
namespace {

Result<std::unique_ptr<TraceOpening>> beginWithBabeltrace(const TraceSource& source, const std::string& why, std::stop_token stop)
{
    auto trace = openWithBabeltrace(source, why, {}, std::move(stop));
    if (!trace)
        return trace.error();
    return makeFinishedOpening(std::move(*trace));
}

/// Begins to open a trace. Only unsupported traces are passed to libbabeltrace2; damaged traces are not, because the library's parser may
/// run forever on them.
Result<std::unique_ptr<TraceOpening>> begin(const TraceSource& source, std::stop_token stop)
{
    if (isBabeltraceForced())
        return beginWithBabeltrace(source, "requested by the environment", std::move(stop));
    auto own = ctf::beginCtf(source);
    if (own || own.error().kind != Error::Kind::Unsupported)
        return own;
    // Pass own.error() along: if libbabeltrace2 fails, too, the message for the user also says why Heliograph's own reader failed.
    return beginWithBabeltrace(source, own.error().what, std::move(stop));
}

} // namespace

extern const TraceFormat ctfFormat{"ctf", ctf::findTraces, begin};

} // namespace helio
