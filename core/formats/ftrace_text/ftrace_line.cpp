#include "core/formats/ftrace_text/ftrace_line.h"

#include "core/base/line_reader.h"

#include <algorithm>

namespace helio::ftracetext {
namespace {

using namespace text;

/// Parses "TASK-TID" or "TASK-TID (TGID)". The task's name may contain blanks, digits and '-'.
bool readThread(std::string_view head, FtraceLine& parsed)
{
    head = trimmed(head);
    if (head.ends_with(')')) {
        const std::size_t open = head.rfind('(');
        if (open == std::string_view::npos)
            return false;
        const std::string_view tgid = trimmed(head.substr(open + 1, head.size() - open - 2));
        if (!readNumber(tgid, parsed.tgid) && tgid.find_first_not_of('-') != std::string_view::npos)
            return false;
        head = trimmed(head.substr(0, open));
    }
    const std::size_t dash = head.rfind('-');
    if (dash == std::string_view::npos || !readNumber(head.substr(dash + 1), parsed.tid) || parsed.tid < 0)
        return false;
    parsed.task = trimmed(head.substr(0, dash));
    return true;
}

/// Parses "SECONDS.FRACTION:" or "NUMBER:".
bool readTime(std::string_view word, FtraceLine& parsed)
{
    if (!word.ends_with(':'))
        return false;
    word.remove_suffix(1);
    const std::size_t point = word.find('.');
    parsed.hasFraction = point != std::string_view::npos;
    if (!parsed.hasFraction)
        return readNumber(word, parsed.time) && parsed.time >= 0;
    constexpr std::int64_t MostSeconds = 9'000'000'000;
    constexpr std::size_t MostDigits = 9;
    std::int64_t seconds = 0;
    std::int64_t fraction = 0;
    const std::string_view digits = word.substr(point + 1);
    if (!readNumber(word.substr(0, point), seconds) || seconds < 0 || seconds > MostSeconds || digits.size() > MostDigits
        || !std::ranges::all_of(digits, isDigit) || !readNumber(digits, fraction))
        return false;
    for (std::size_t i = digits.size(); i < MostDigits; ++i)
        fraction *= 10;
    parsed.time = seconds * 1'000'000'000 + fraction;
    return true;
}

} // namespace

bool parseFtraceLine(std::string_view line, FtraceLine& parsed)
{
    parsed = {};
    // The task's name may contain brackets: the CPU is the first number in brackets that follows a thread.
    for (std::size_t open = line.find('['); open != std::string_view::npos; open = line.find('[', open + 1)) {
        const std::size_t close = line.find(']', open);
        if (close == std::string_view::npos)
            return false;
        if (!readNumber(line.substr(open + 1, close - open - 1), parsed.cpu) || parsed.cpu < 0 || !readThread(line.substr(0, open), parsed))
            continue;
        std::string_view rest = line.substr(close + 1);
        std::string_view word = takeWord(rest);
        if (!word.ends_with(':')) {
            parsed.flags = word;
            word = takeWord(rest);
        }
        if (!readTime(word, parsed))
            return false;
        rest = trimmed(rest);
        const std::size_t colon = rest.find(':');
        const std::size_t blank = rest.find_first_of(" \t");
        if (colon == std::string_view::npos || colon == 0 || colon > blank) {
            // The function tracer prints "FUNCTION <-CALLER" instead of an event and its fields.
            parsed.event = "function";
            parsed.fields = rest;
            return rest.find(" <-") != std::string_view::npos;
        }
        parsed.event = rest.substr(0, colon);
        parsed.fields = trimmed(rest.substr(colon + 1));
        return true;
    }
    return false;
}

bool parseLostLine(std::string_view line, LostLine& lost)
{
    line = trimmed(line);
    constexpr std::string_view Cpu = "CPU:";
    constexpr std::string_view Lost = "[LOST ";
    constexpr std::string_view End = " EVENTS]";
    const std::size_t open = line.find(Lost);
    return line.starts_with(Cpu) && line.ends_with(End) && open != std::string_view::npos && open + Lost.size() + End.size() < line.size()
        && readNumber(trimmed(line.substr(Cpu.size(), open - Cpu.size())), lost.cpu)
        && readNumber(line.substr(open + Lost.size(), line.size() - End.size() - open - Lost.size()), lost.events);
}

} // namespace helio::ftracetext
