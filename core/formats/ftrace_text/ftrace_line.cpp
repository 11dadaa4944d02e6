#include "core/formats/ftrace_text/ftrace_line.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <string>

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

/// Parses "sys_read(fd: 3, count: 400)" or "sys_read -> 0x400", which the kernel prints for events of the system "syscalls" instead of
/// their names (kernel/trace/trace_syscalls.c).
bool takeSystemCall(std::string_view text, FtraceLine& parsed)
{
    constexpr std::string_view Prefix = "sys_";
    constexpr std::string_view Arrow = " -> ";
    const std::size_t end = text.find_first_of("( :");
    if (!text.starts_with(Prefix) || end == std::string_view::npos)
        return false;
    const std::string_view rest = text.substr(end);
    if (rest.starts_with('(') && rest.ends_with(')')) {
        parsed.systemCall = FtraceLine::SystemCall::Entry;
        parsed.fields = rest.substr(1, rest.size() - 2);
    } else if (rest.starts_with(Arrow)) {
        parsed.systemCall = FtraceLine::SystemCall::Exit;
        parsed.fields = rest.substr(Arrow.size());
    } else {
        return false;
    }
    parsed.event = text.substr(Prefix.size(), end - Prefix.size());
    return !parsed.event.empty();
}

} // namespace

bool parseFtraceLine(std::string_view line, FtraceLine& parsed)
{
    parsed = {};
    // The task's name may contain brackets: the CPU is the first number in brackets that follows a thread.
    for (std::size_t open = line.find('['); open != std::string_view::npos; open = line.find('[', open + 1)) {
        const std::size_t close = line.find(']', open);
        constexpr std::size_t LongestThread = 256; // Names have 15 bytes; the limit keeps the search short in other texts.
        if (close == std::string_view::npos || open > LongestThread)
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
        if (takeSystemCall(rest, parsed))
            return true;
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

bool parseGraphCall(std::string_view text, GraphCall& call)
{
    call = {};
    const std::size_t bar = text.find('|');
    if (bar == std::string_view::npos)
        return false;
    std::string_view duration = trimmed(text.substr(0, bar));
    if (const std::size_t mark = duration.find_first_not_of("$*@#!+ "); mark != std::string_view::npos)
        duration.remove_prefix(mark); // Skip the mark that the tracer prints before long durations, e.g. '+' or '!'.
    constexpr std::string_view Unit = " us";
    if (duration.ends_with(Unit)) {
        // Parse the number of microseconds like a time in seconds, and convert the result afterwards.
        FtraceLine us;
        if (!readTime(std::string(duration.substr(0, duration.size() - Unit.size())) + ':', us) || !us.hasFraction)
            return false;
        call.duration = us.time / 1'000'000;
    } else if (!duration.empty()) {
        return false;
    }
    const std::string_view function = trimmed(text.substr(bar + 1));
    if (function.starts_with('}')) {
        call.kind = GraphCall::Kind::Exit;
        std::string_view comment = trimmed(function.substr(1));
        constexpr std::string_view Begin = "/*";
        if (comment.starts_with(Begin)) {
            comment = trimmed(comment.substr(Begin.size()));
            call.function = takeWord(comment);
        }
        if (call.function.starts_with("ret=") || call.function.starts_with("*/"))
            call.function = {};
        return true;
    }
    const std::size_t open = function.find('(');
    if (open == std::string_view::npos || open == 0 || function.substr(0, open).find(' ') != std::string_view::npos)
        return false;
    call.function = function.substr(0, open);
    const bool isEntry = function.ends_with('{');
    call.kind = isEntry ? GraphCall::Kind::Entry : GraphCall::Kind::Leaf;
    return isEntry || function.find(");") != std::string_view::npos;
}

bool parseGraphLine(std::string_view line, FtraceLine& parsed)
{
    parsed = {};
    const std::size_t close = line.find(')');
    if (close == std::string_view::npos)
        return false;
    std::string_view head = line.substr(0, close);
    if (const std::size_t bar = head.find('|'); bar != std::string_view::npos) {
        if (!readTime(std::string(trimmed(head.substr(0, bar))) + ':', parsed))
            return false;
        head.remove_prefix(bar + 1);
    }
    if (!readNumber(trimmed(head), parsed.cpu) || parsed.cpu < 0)
        return false;
    std::string_view rest = line.substr(close + 1);
    GraphCall call;
    for (int column = 0; column < 3; ++column) {
        if (parseGraphCall(rest, call)) {
            parsed.event = call.kind == GraphCall::Kind::Exit ? "funcgraph_exit" : "funcgraph_entry";
            parsed.fields = trimmed(rest);
            return true;
        }
        const std::size_t bar = rest.find('|');
        if (bar == std::string_view::npos)
            return false;
        const std::string_view cell = trimmed(rest.substr(0, bar));
        if (parsed.tid < 0 && readThread(cell, parsed))
            rest.remove_prefix(bar + 1);
        else if (parsed.flags.empty() && !cell.empty() && cell.find(' ') == std::string_view::npos)
            parsed.flags = cell, rest.remove_prefix(bar + 1);
        else
            return false;
    }
    return false;
}

bool parseGraphSwitch(std::string_view line, FtraceLine& parsed)
{
    parsed = {};
    const std::size_t close = line.find(')');
    const std::size_t arrow = line.find(" => ");
    return close != std::string_view::npos && arrow != std::string_view::npos && arrow > close
        && readNumber(trimmed(line.substr(0, close)), parsed.cpu) && parsed.cpu >= 0 && readThread(line.substr(arrow + 4), parsed);
}

bool parseLostLine(std::string_view line, LostLine& lost)
{
    line = trimmed(line);
    constexpr std::string_view Cpu = "CPU:";
    const std::size_t open = line.find('[');
    if (!line.starts_with(Cpu) || !line.ends_with(']') || open == std::string_view::npos
        || !readNumber(trimmed(line.substr(Cpu.size(), open - Cpu.size())), lost.cpu))
        return false;
    std::string_view inside = line.substr(open + 1, line.size() - open - 2);
    constexpr std::string_view Lost = "LOST"; // The kernel prints "LOST 34 EVENTS", or "LOST EVENTS" without a count.
    constexpr std::string_view Dropped = "DROPPED"; // trace-cmd prints "34 EVENTS DROPPED" or "EVENTS DROPPED".
    if (inside.starts_with(Lost))
        inside.remove_prefix(Lost.size());
    else if (inside.ends_with(Dropped))
        inside.remove_suffix(Dropped.size());
    else
        return false;
    inside = trimmed(inside);
    constexpr std::string_view Events = "EVENTS";
    if (!inside.ends_with(Events))
        return false;
    inside = trimmed(inside.substr(0, inside.size() - Events.size()));
    lost.events = 0;
    return inside.empty() || readNumber(inside, lost.events);
}

} // namespace helio::ftracetext
