// Reader for CTF 1.8, written by LTTng (kernel and user space), babeltrace, barectf or perf, and for CTF 2.
//
// The reader takes a folder with a metadata file (TSDL, plain or in packets, or JSON) and the stream files in the same folder. Chunks of
// one trace are joined. The reader declines integers of more than 64 bits and compressed or encrypted packets; such a trace is read by
// libbabeltrace2 in a separate process. A damaged trace is not passed on to libbabeltrace2: its undamaged parts are read here.

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

/// Only unsupported traces are passed on to libbabeltrace2. Damaged traces are not: its parser may never end on them.
Result<std::unique_ptr<TraceOpening>> begin(const TraceSource& source, std::stop_token stop)
{
    if (isBabeltraceForced())
        return beginWithBabeltrace(source, "requested by the environment", std::move(stop));
    auto own = ctf::beginCtf(source);
    if (own || own.error().kind != Error::Kind::Unsupported)
        return own;
    return beginWithBabeltrace(source, own.error().what, std::move(stop)); // The new error includes the reason.
}

} // namespace

extern const TraceFormat ctfFormat{"ctf", ctf::findTraces, begin};

} // namespace helio
