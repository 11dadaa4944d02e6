#include "core/event_model/segment_fields.h"

namespace helio {
namespace {

/// Removes the text up to the first unescaped separator `mark`, and the separator itself. Returns the removed text without escapes.
std::string takeUntil(std::string_view& text, char mark)
{
    std::string part;
    while (!text.empty()) {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == mark)
            break;
        if (c != '\\' || text.empty()) {
            part += c;
            continue;
        }
        part += text.front();
        text.remove_prefix(1);
    }
    return part;
}

} // namespace

std::optional<std::string> fieldOf(std::string_view fields, std::string_view name)
{
    while (!fields.empty()) {
        const bool isIt = takeUntil(fields, '=') == name;
        std::string value = takeUntil(fields, ';');
        if (isIt)
            return value;
    }
    return {};
}

std::vector<std::string> fieldNames(std::string_view fields)
{
    std::vector<std::string> names;
    while (!fields.empty()) {
        names.push_back(takeUntil(fields, '='));
        takeUntil(fields, ';');
    }
    return names;
}

} // namespace helio
