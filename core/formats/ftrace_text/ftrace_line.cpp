#include "core/formats/ftrace_text/ftrace_line.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <span>
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

/// Parses the microseconds since the start of a latency. Returns false for any other text.
bool readRelativeTime(std::string_view digits, FtraceLine& parsed)
{
    constexpr std::int64_t Most = 9'000'000'000'000'000; // Larger times in ns do not fit into 64 bits.
    if (digits.empty() || !std::ranges::all_of(digits, isDigit) || !readNumber(digits, parsed.time) || parsed.time > Most)
        return false;
    parsed.time *= 1000;
    parsed.hasFraction = true;
    parsed.isRelative = true;
    return true;
}

/// Parses what follows the time of an event: "EVENT: FIELDS", or the text of an event of one of ftrace's own tracers.
bool readEvent(std::string_view text, FtraceLine& parsed)
{
    text = trimmed(text);
    if (takeSystemCall(text, parsed))
        return true;
    parsed.fields = text;
    if (text.starts_with("<stack trace") || text.starts_with("<user stack trace")) {
        parsed.event = text.starts_with("<stack") ? "kernel_stack" : "user_stack";
        return true;
    }
    if (const auto change = parseSwitch(text)) {
        parsed.event = change->isWakeUp ? "wakeup" : "context_switch";
        return true;
    }
    const std::size_t colon = text.find(':');
    const std::size_t blank = text.find_first_of(" \t");
    if (colon == std::string_view::npos || colon == 0 || colon > blank) {
        parsed.event = "function";
        return parseFunctionEntry(text).has_value();
    }
    parsed.event = text.substr(0, colon);
    parsed.fields = trimmed(text.substr(colon + 1));
    return true;
}

/// Parses "PID:PRIO:STATE" into three values, with blanks before PID and PRIO. Returns false for any other text.
bool readRunner(std::string_view text, std::span<std::string_view, 3> values)
{
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string_view::npos ? first : text.find(':', first + 1);
    if (second == std::string_view::npos)
        return false;
    values[0] = trimmed(text.substr(0, first));
    values[1] = trimmed(text.substr(first + 1, second - first - 1));
    values[2] = text.substr(second + 1);
    std::int32_t number = 0;
    return values[2].size() == 1 && readNumber(values[0], number) && readNumber(values[1], number);
}

} // namespace

std::optional<FunctionEntry> parseFunctionEntry(std::string_view text)
{
    constexpr std::string_view Arrow = " <-";
    const std::size_t arrow = text.rfind(Arrow);
    if (arrow == std::string_view::npos)
        return {};
    FunctionEntry entry;
    entry.function = trimmed(text.substr(0, arrow));
    entry.caller = text.substr(arrow + Arrow.size());
    if (entry.caller.starts_with("- "))
        entry.caller.remove_prefix(2);
    entry.caller = trimmed(entry.caller);
    return entry;
}

std::optional<SwitchText> parseSwitch(std::string_view text)
{
    SwitchText change;
    if (text.empty() || !isDigit(text.front()))
        return {};
    const std::size_t open = text.find(" [");
    const std::size_t close = open == std::string_view::npos ? open : text.find("] ", open);
    if (close == std::string_view::npos)
        return {};
    std::string_view head = trimmed(text.substr(0, open));
    constexpr std::string_view Arrow = "==>";
    change.isWakeUp = head.ends_with('+');
    if (!change.isWakeUp && !head.ends_with(Arrow))
        return {};
    head = trimmed(head.substr(0, head.size() - (change.isWakeUp ? 1 : Arrow.size())));
    change.values[3] = text.substr(open + 2, close - open - 2);
    std::string_view tail = trimmed(text.substr(close + 2));
    const std::size_t state = tail.find(':', std::min(tail.find(':') + 1, tail.size())); // The first ':' ends the PID, the second one PRIO.
    if (state == std::string_view::npos)
        return {};
    change.values[7] = trimmed(tail.substr(std::min(state + 2, tail.size())));
    tail = tail.substr(0, state + 2);
    std::int32_t cpu = 0;
    const std::span<std::string_view, 8> values(change.values);
    if (!readNumber(change.values[3], cpu) || !readRunner(head, values.first<3>()) || !readRunner(tail, values.subspan<4, 3>()))
        return {};
    return change;
}

bool parseLatencyLine(std::string_view line, FtraceLine& parsed)
{
    constexpr std::size_t LongestHead = 256; // The limit keeps the search short in other texts.
    constexpr std::string_view Unit = "us";
    for (std::size_t unit = line.find(Unit); unit < LongestHead; unit = line.find(Unit, unit + 1)) {
        parsed = {};
        const std::string_view rest = line.substr(unit + Unit.size());
        constexpr std::string_view Marks = "$*@#!+ ";
        const std::size_t colon = !rest.empty() && Marks.find(rest.front()) != std::string_view::npos ? 1 : 0;
        if (colon >= rest.size() || rest[colon] != ':')
            continue;
        std::string_view head = trimmed(line.substr(0, unit));
        const std::size_t time = head.find_last_of(" \t");
        if (time == std::string_view::npos || !readRelativeTime(head.substr(time + 1), parsed))
            continue;
        head = trimmed(head.substr(0, time));
        const std::size_t cpu = head.find_last_of(" \t");
        if (cpu == std::string_view::npos)
            continue;
        const std::string_view word = head.substr(cpu + 1);
        const std::size_t flags = std::min(word.find_first_not_of("0123456789"), word.size());
        parsed.flags = word.substr(flags);
        constexpr std::size_t FewestFlags = 4;
        if (parsed.flags.size() >= FewestFlags && readNumber(word.substr(0, flags), parsed.cpu) && readThread(head.substr(0, cpu), parsed))
            return readEvent(rest.substr(colon + 1), parsed);
    }
    return false;
}

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
        return readEvent(rest, parsed);
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
        const std::string_view time = trimmed(head.substr(0, bar));
        constexpr std::string_view Unit = " us";
        const bool isRead = time.ends_with(Unit) ? readRelativeTime(trimmed(time.substr(0, time.size() - Unit.size())), parsed)
                                                 : readTime(std::string(time) + ':', parsed);
        if (!isRead)
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

bool parseSeconds(std::string_view text, std::int64_t& time)
{
    FtraceLine parsed;
    const bool isTime = readTime(std::string(text) + ':', parsed) && parsed.hasFraction;
    time = parsed.time;
    return isTime;
}

} // namespace helio::ftracetext
