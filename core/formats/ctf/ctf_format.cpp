// CTF 1.8 as LTTng (kernel and user space), babeltrace, barectf and perf write it, and CTF 2.
//
// Reads a folder with a metadata file (TSDL, plain or in packets, or JSON) and stream files beside it; chunks of one trace are joined.
// Not read by this reader: integers of more than 64 bits, compressed or encrypted packets. What it declines, libbabeltrace2 is asked
// to read, in a process of its own; what is damaged, nobody: what of it is whole is read.

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
    return alreadyOpened(std::move(*trace));
}

/// What is damaged is handed on to nobody: libbabeltrace2's parser may take for ever over it.
Result<std::unique_ptr<TraceOpening>> begin(const TraceSource& source, std::stop_token stop)
{
    if (isBabeltraceForced())
        return beginWithBabeltrace(source, "the environment asks for it", std::move(stop));
    auto own = ctf::beginCtf(source);
    if (own || own.error().kind != Error::Kind::Unsupported)
        return own;
    return beginWithBabeltrace(source, own.error().what, std::move(stop)); // Its error repeats the reason.
}

} // namespace

extern const TraceFormat ctfFormat{"ctf", ctf::findTraces, begin};

} // namespace helio
