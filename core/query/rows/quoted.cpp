#include "core/query/rows/quoted.h"

namespace helio {

std::string quotedText(std::string_view text)
{
    std::string all = "\"";
    for (const char c : text)
        if (c == '\n' || c == '\t')
            all += c == '\n' ? "\\n" : "\\t";
        else
            all += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return all + '"';
}

} // namespace helio
