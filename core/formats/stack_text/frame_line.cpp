#include "core/formats/stack_text/frame_line.h"

#include "core/formats/stack_text/lines.h"

#include <charconv>

namespace helio::stacktext {
namespace {

constexpr std::string_view Unknown = "[unknown]";

std::optional<std::uint64_t> hexNumber(std::string_view text)
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, 16);
    return read.ec == std::errc() && read.ptr == end && !text.empty() ? std::optional(number) : std::nullopt;
}

/// Where the parenthesis opens that closes at the end, after a blank: "(deleted)" may stand inside. npos: there is none.
std::size_t moduleBegin(std::string_view text)
{
    if (!text.ends_with(')'))
        return std::string_view::npos;
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
        if (depth == 0)
            return i == 0 || isBlank(text[i - 1]) ? i : std::string_view::npos;
    }
    return std::string_view::npos;
}

void takeModule(std::string_view& text, FrameText& frame)
{
    const std::size_t begin = moduleBegin(text);
    if (begin == std::string_view::npos)
        return;
    const std::string_view module = text.substr(begin + 1, text.size() - begin - 2);
    frame.isInlined = module == "inlined";
    if (!frame.isInlined && module != Unknown)
        frame.module = module;
    text = trimmed(text.substr(0, begin));
}

} // namespace

bool parseFrame(std::string_view line, FrameText& frame)
{
    frame = {};
    std::string_view rest = trimmed(line);
    if (rest.empty())
        return false;
    std::size_t digits = 0;
    while (digits < rest.size() && isHexDigit(rest[digits]))
        ++digits;
    if (digits > 0 && (digits == rest.size() || isBlank(rest[digits]))) {
        frame.address = hexNumber(rest.substr(0, digits));
        rest = trimmed(rest.substr(digits));
    }
    takeModule(rest, frame);
    if (const std::size_t plus = rest.rfind("+0x"); plus != std::string_view::npos) {
        frame.offset = hexNumber(rest.substr(plus + 3));
        if (frame.offset)
            rest = rest.substr(0, plus);
    }
    if (rest != Unknown)
        frame.function = rest;
    return true;
}

} // namespace helio::stacktext
