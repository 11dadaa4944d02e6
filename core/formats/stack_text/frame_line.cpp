#include "core/formats/stack_text/frame_line.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace helio::stacktext {
namespace {

using namespace text;

constexpr std::string_view Unknown = "[unknown]";

std::optional<std::uint64_t> hexNumber(std::string_view text)
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, 16);
    return read.ec == std::errc() && read.ptr == end && !text.empty() ? std::optional(number) : std::nullopt;
}

/// Returns the position of the '(' before the module at the end of the text; npos if the text does not end with a module in parentheses.
/// The module may contain "(deleted)".
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

void takeModule(std::string_view& text, ParsedFrame& frame)
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

/// Returns the end of the last module in parentheses; npos if there is none. A module ends with a ')' at the end of a word, and its '(' is
/// at the start of a word.
/// Cost: linear in the length of the text.
std::size_t lastModuleEnd(std::string_view text)
{
    std::vector<std::size_t> ends; // Positions of the ')' whose '(' was not found yet.
    for (std::size_t i = text.size(); i-- > 0;) {
        if (text[i] == ')')
            ends.push_back(i + 1);
        if (text[i] != '(' || ends.empty())
            continue;
        const std::size_t end = ends.back();
        ends.pop_back();
        if ((i == 0 || isBlank(text[i - 1])) && (end == text.size() || isBlank(text[end])))
            return end;
    }
    return std::string_view::npos;
}

/// Returns the position of the last address in the text; npos if there is none. An address is a hexadecimal number that is right-aligned in
/// 16 columns after a blank. If there is none and `isPadded` is false, returns the last hexadecimal number before a further word, else the
/// hexadecimal number at the end of the text.
std::size_t lastAddress(std::string_view text, bool isPadded)
{
    constexpr std::size_t Columns = 16;
    const auto endOfWords = [](std::string_view part) { return part.find_last_not_of(" \t") + 1; };
    std::size_t found = std::string_view::npos;
    bool isLast = true; // True only while the loop examines the last word of the text.
    bool isFoundLast = true;
    for (std::size_t end = endOfWords(text); end > 0; isLast = false) {
        const std::size_t begin = text.find_last_of(" \t", end - 1) + 1;
        const std::string_view word = text.substr(begin, end - begin);
        const std::size_t before = endOfWords(text.substr(0, begin));
        const bool isHex = std::ranges::all_of(word, isHexDigit);
        if (isHex && end - before > Columns)
            return begin;
        // A word without digits, for example "add", may belong to a function's name. It counts as an address only at the start of the text.
        if (isHex && isFoundLast && (begin == 0 || std::ranges::any_of(word, isDigit))) {
            found = begin;
            isFoundLast = isLast;
        }
        end = before;
    }
    return isPadded ? std::string_view::npos : found;
}

} // namespace

std::string_view frameInHead(std::string_view rest, bool isPadded)
{
    rest = rest.substr(0, rest.find(" => "));
    const std::size_t end = lastModuleEnd(rest);
    if (isPadded && end == std::string_view::npos)
        return {};
    const std::string_view text = rest.substr(0, end);
    const std::size_t begin = lastAddress(text.substr(0, moduleBegin(text)), isPadded);
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

bool parseFrame(std::string_view line, ParsedFrame& frame)
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
