#include "core/formats/call_log/stack_line.h"

#include "core/base/line_reader.h"

#include <charconv>

namespace helio::calllog {

using namespace text;

bool isFrameLine(std::string_view line) { return line.starts_with(" > "); }

bool parseStackFrame(std::string_view text, ParsedFrame& frame, Module::Kind& kind)
{
    frame = {};
    text = trimmed(text);
    if (const std::size_t open = text.rfind('[');
        open != std::string_view::npos && text.ends_with("]") && text.substr(open).starts_with("[0x")) {
        std::uint64_t address = 0;
        const char* const end = text.data() + text.size() - 1;
        const auto read = std::from_chars(text.data() + open + 3, end, address, 16);
        if (read.ec == std::errc() && read.ptr == end)
            frame.address = address;
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
