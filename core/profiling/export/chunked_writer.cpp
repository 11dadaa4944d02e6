#include "core/profiling/export/chunked_writer.h"

#include "core/base/utf8.h"

namespace helio {

void appendXml(std::string& out, std::string_view text)
{
    std::string printable;
    for (const char c : text)
        switch (c) {
        case '<': printable += "&lt;"; break;
        case '>': printable += "&gt;"; break;
        case '&': printable += "&amp;"; break;
        case '"': printable += "&quot;"; break;
        default: printable += c; break;
        }
    appendPrintable(out, printable);
}

} // namespace helio
