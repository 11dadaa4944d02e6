#include "core/formats/call_log/stack_line.h"

#include "core/base/line_reader.h"

#include <charconv>
#include <optional>

namespace helio::calllog {

using namespace text;

namespace {

/// Parses a number of hexadecimal digits; nullopt if the text is none.
std::optional<std::uint64_t> hexadecimal(std::string_view digits)
{
    std::uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, 16);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

} // namespace

bool isFrameLine(std::string_view line)
{
    constexpr std::size_t PerfIndent = 20;
    return line.starts_with(" > ") || (line.find_first_not_of(' ') >= PerfIndent && line.ends_with(')'));
}

bool parseStackFrame(std::string_view text, ParsedFrame& frame, Module::Kind& kind)
{
    frame = {};
    text = trimmed(text);
    if (const std::size_t open = text.rfind('[');
        open != std::string_view::npos && text.ends_with("]") && text.substr(open).starts_with("[0x")) {
        frame.address = hexadecimal(text.substr(open + 3, text.size() - open - 4));
        text = trimmed(text.substr(0, open));
    }
    // The function's name is in the last pair of parentheses at the outermost depth. Paths and the names of C++ functions may contain
    // further parentheses.
    if (text.ends_with(')')) {
        int depth = 0;
        std::size_t open = text.size();
        while (open > 0 && !(text[--open] == '(' && --depth == 0))
            depth += text[open] == ')' ? 1 : 0;
        if (depth != 0)
            return false;
        if (open > 0 && isBlank(text[open - 1])) {
            const std::string_view symbol = trimmed(text.substr(0, open));
            if (!symbol.starts_with('['))
                frame.function = symbol;
            else if (symbol.ends_with(']'))
                frame.address = hexadecimal(symbol.substr(1, symbol.size() - 2));
            if (const std::string_view module = text.substr(open + 1, text.size() - open - 2); module != "[unknown]")
                frame.module = module;
            kind = kindOfModule(frame.module);
            return frame.address || !frame.module.empty() || !frame.function.empty();
        }
        std::string_view function = text.substr(open + 1, text.size() - open - 2);
        if (const std::size_t plus = function.rfind("+0x"); plus != std::string_view::npos) {
            std::uint64_t offset = 0;
            const char* const end = function.data() + function.size();
            const auto read = std::from_chars(function.data() + plus + 3, end, offset, 16);
            if (read.ec == std::errc() && read.ptr == end) {
                frame.offset = offset;
                function = function.substr(0, plus);
            }
        }
        frame.function = function;
        text = trimmed(text.substr(0, open));
    }
    frame.module = text;
    kind = kindOfModule(text);
    return frame.address || !frame.module.empty() || !frame.function.empty();
}

} // namespace helio::calllog
