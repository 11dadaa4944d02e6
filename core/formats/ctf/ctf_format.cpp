// CTF 1.8 as LTTng (kernel and user space), babeltrace, barectf and perf write it, and CTF 2 as far as LTTng uses it.
//
// Reads a folder with a metadata file (TSDL, plain or in packets, or JSON) and stream files beside it; chunks of one trace are joined.
// Not read by this reader: CTF 2's integers of variable length, compressed or encrypted packets. What it declines, libbabeltrace2 is asked
// to read.

#include "core/formats/ctf/bt2_reader.h"
#include "core/formats/ctf/ctf_find.h"
#include "core/formats/ctf/ctf_opening.h"

namespace helio {
namespace {

Result<std::unique_ptr<TraceOpening>> beginWithBabeltrace(const TraceSource& source, std::string why)
{
    auto trace = openWithBabeltrace(source, std::move(why));
    if (!trace)
        return trace.error();
    return alreadyOpened(std::move(*trace));
}

Result<std::unique_ptr<TraceOpening>> begin(const TraceSource& source)
{
    if (isBabeltraceForced())
        return beginWithBabeltrace(source, "the environment asks for it");
    auto own = ctf::beginCtf(source);
    if (own)
        return own;
    const auto& reason = own.error();
    if (reason.kind != Error::Kind::Unsupported && reason.kind != Error::Kind::Corrupt)
        return own;
    return beginWithBabeltrace(source, reason.what); // Its error repeats the reason.
}

} // namespace

extern const TraceFormat ctfFormat{"ctf", ctf::findTraces, begin};

} // namespace helio
