#include "core/base/csv.h"

#include "core/base/utf8.h"

#include <algorithm>

namespace helio {

void appendCsv(std::string& out, std::string_view text)
{
    if (text.find_first_of("\",\r\n") == std::string_view::npos) {
        appendUtf8(out, text);
        return;
    }
    out += '"';
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('"', begin), text.size());
        appendUtf8(out, text.substr(begin, end - begin));
        if (end < text.size())
            out += "\"\"";
        begin = end + 1;
    }
    out += '"';
}

} // namespace helio
