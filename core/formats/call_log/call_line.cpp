#include "core/formats/call_log/call_line.h"

#include "core/base/line_reader.h"

#include <algorithm>
#include <charconv>

namespace helio::calllog {
namespace {

using namespace text;

constexpr std::int64_t SecondNs = 1'000'000'000;
constexpr std::string_view PerfSummary = "Summary of events:"; ///< Heading of the tables of `perf trace -s`.
constexpr std::int64_t FirstEpochSecond = 100'000'000; ///< Larger numbers of seconds count from the epoch; smaller ones are relative.

/// Parses a decimal fraction such as "12.345" into billionths of its unit.
bool readDecimal(std::string_view word, std::int64_t& billionths)
{
    constexpr std::size_t Digits = 9;
    constexpr std::int64_t Most = 9'000'000'000;
    const std::size_t point = std::min(word.find('.'), word.size());
    std::int64_t whole = 0;
    if (!readNumber(word.substr(0, point), whole) || whole > Most)
        return false;
    std::string_view fraction = word.substr(std::min(point + 1, word.size()));
    std::int64_t part = 0;
    if (point < word.size() && (fraction.size() > Digits || !readNumber(fraction, part)))
        return false;
    for (std::size_t i = fraction.size(); i < Digits; ++i)
        part *= 10;
    billionths = whole * SecondNs + part;
    return true;
}

/// Parses "HH:MM:SS" or "HH:MM:SS.FRACTION" into ns since midnight.
bool readTimeOfDay(std::string_view word, std::int64_t& time)
{
    int hours = 0;
    int minutes = 0;
    std::int64_t seconds = 0;
    if (word.size() < 8 || word[2] != ':' || word[5] != ':' || !readNumber(word.substr(0, 2), hours)
        || !readNumber(word.substr(3, 2), minutes) || !readDecimal(word.substr(6), seconds))
        return false;
    time = (hours * std::int64_t{3600} + minutes * std::int64_t{60}) * SecondNs + seconds;
    return hours < 24 && minutes < 60 && seconds < 61 * SecondNs;
}

/// Parses the time at the start of the line and removes it. Leaves the line as it is if there is none.
void takeTime(std::string_view& line, CallLine& parsed)
{
    std::string_view rest = line;
    const std::string_view word = takeWord(rest);
    if (readTimeOfDay(word, parsed.time)) {
        parsed.timeKind = TimeKind::TimeOfDay;
        parsed.isWholeSecond = word.find('.') == std::string_view::npos;
    } else if (word.find('.') != std::string_view::npos && readDecimal(word, parsed.time)) {
        parsed.timeKind = parsed.time >= FirstEpochSecond * SecondNs ? TimeKind::Epoch : TimeKind::Relative;
    } else {
        return;
    }
    // `strace -t -r` prints the time of day and the time since the previous line, e.g. "10:00:00 (+0.000012) ". Skip the second time.
    if (const std::size_t close = rest.find(") "); rest.starts_with("(+") && close != std::string_view::npos)
        rest = trimmed(rest.substr(close + 1));
    line = rest;
}

/// Removes the thread ID, "[pid 123]" or "123", from the start of `line` and stores it in `parsed`. Also takes the thread's name, which
/// `strace -Y` prints after the thread ID: "123<name>".
void takeTid(std::string_view& line, CallLine& parsed)
{
    std::string_view rest = line;
    const bool isBracketed = rest.starts_with("[pid ");
    if (isBracketed)
        rest = trimmed(rest.substr(5));
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    std::int32_t tid = -1;
    if (!readNumber(rest.substr(0, digits), tid))
        return;
    rest.remove_prefix(digits);
    std::string_view comm;
    if (rest.starts_with('<')) {
        const std::size_t close = rest.find('>');
        if (close == std::string_view::npos)
            return;
        comm = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
    }
    rest = isBracketed ? trimmed(rest) : rest;
    if (rest.empty() || (isBracketed ? rest.front() != ']' : !isBlank(rest.front())))
        return;
    parsed.tid = tid;
    parsed.comm = comm;
    line = trimmed(rest.substr(1));
}

/// Removes the system call number ("[ 12]", printed by strace -n) and the instruction pointer ("[00007f12]", printed by strace -i) from the
/// start of `line` and stores them in `parsed`.
void takeBrackets(std::string_view& line, CallLine& parsed)
{
    // Number of hexadecimal digits: strace prints an address of a 32-bit program with 8 digits, and a system call number with only 4.
    constexpr std::size_t ShortestAddress = 8;
    while (line.starts_with('[')) {
        const std::size_t close = line.find(']');
        if (close == std::string_view::npos)
            return;
        const std::string_view inner = trimmed(line.substr(1, close - 1));
        const bool isAddress = inner.starts_with("0x") || (inner.size() >= ShortestAddress && std::ranges::all_of(inner, isHexDigit));
        const bool isUnknown = !inner.empty() && inner.find_first_not_of('?') == std::string_view::npos;
        if (isAddress)
            parsed.address = inner;
        else if (!isUnknown && !readNumber(inner, parsed.number))
            return;
        line = trimmed(line.substr(close + 1));
    }
}

/// True for a tracepoint or a page fault in the output of perf trace, without the head of its line: "sched:sched_switch(...)", "minfault
/// [...] => ...".
bool isPerfEvent(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with("minfault [") || text.starts_with("majfault ["))
        return true;
    const std::size_t open = text.find('(');
    const std::string_view name = text.substr(0, open);
    const std::size_t colon = name.find(':');
    const auto isAllowed = [](char c) { return c != ' ' && c != '[' && c != '"' && c != ','; };
    return open != std::string_view::npos && colon != std::string_view::npos && colon > 0 && colon + 1 < name.size()
        && !isDigit(name.front()) && std::ranges::all_of(name, isAllowed);
}

/// Removes "0.123 ( 0.011 ms): COMM/TID " of perf trace from the start of the line. Returns false if the line begins otherwise. The time is
/// "?" if the call began before the recording. perf trace prints the part in parentheses only if it traces system calls.
bool takePerfHead(std::string_view& line, CallLine& parsed)
{
    std::string_view rest = line;
    const std::string_view stamp = takeWord(rest);
    const bool hasTime = stamp != "?";
    std::int64_t milliseconds = 0;
    if (hasTime && !readDecimal(stamp, milliseconds))
        return false;
    const bool hasColumn = rest.starts_with('(');
    const std::size_t close = rest.find("): ");
    if (hasColumn && close == std::string_view::npos)
        return false;
    std::string_view spent = hasColumn ? trimmed(rest.substr(1, close - 1)) : std::string_view();
    const bool isBlankColumn = spent.empty();
    std::int64_t duration = 0;
    // perf prints a negative duration as an unsigned number, which is too large: the duration is then unknown.
    const bool hasDuration = readDecimal(takeWord(spent), duration) && spent == "ms";
    if (!isBlankColumn && spent != "ms")
        return false;
    if (hasColumn)
        rest = rest.substr(close + 3);
    // The name of a thread may contain '/' and parentheses: it ends before the first '/' that a number follows.
    std::size_t slash = rest.find('/');
    std::size_t blank = std::string_view::npos;
    for (; slash != std::string_view::npos; slash = rest.find('/', slash + 1)) {
        blank = rest.find(' ', slash);
        if (blank == std::string_view::npos || readNumber(rest.substr(slash + 1, blank - slash - 1), parsed.tid))
            break;
    }
    if (slash == std::string_view::npos || blank == std::string_view::npos || (!hasColumn && !isPerfEvent(rest.substr(blank))))
        return false;
    parsed.comm = trimmed(rest.substr(0, slash));
    parsed.timeKind = TimeKind::SinceStart;
    parsed.time = hasTime ? milliseconds / 1000 : -1;
    parsed.duration = hasDuration ? duration / 1000 : -1;
    line = trimmed(rest.substr(blank));
    return true;
}

/// Returns the position of the '>' that ends a name in angle brackets. strace -y prints the name of a file or socket after its file
/// descriptor, strace -Y the name of a thread after its ID: "3</tmp/a b>", "4<TCP:[1.2.3.4:5->6.7.8.9:80]>". `at`: position of the '<'.
/// Returns `at` if no such name begins there.
std::size_t nameEnd(std::string_view line, std::size_t at)
{
    // Maximum length of a name in bytes: PATH_MAX (4096), and room for some escapes. The limit keeps the search short in a damaged line.
    constexpr std::size_t LongestName = 4200;
    line = line.substr(0, std::min(line.size(), at + LongestName));
    constexpr std::string_view WorkingDirectory = "AT_FDCWD";
    const bool isAfterNumber = at > 0 && isDigit(line[at - 1]);
    if (!isAfterNumber && !line.substr(0, at).ends_with(WorkingDirectory))
        return at;
    // Names of sockets may contain "->" and end with "]>". Names of files contain no '>', because strace prints it as "\76".
    const std::size_t letters = std::min(line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", at + 1), line.size());
    const bool isSocket = letters > at + 1 && line.substr(letters).starts_with(":[");
    const std::size_t close = isSocket ? line.find("]>", letters) : line.find('>', at);
    if (close == std::string_view::npos || line[at + 1] == '<')
        return at;
    return isSocket ? close + 1 : close;
}

/// Returns the position after the parenthesis that closes the argument list, which begins at `at`; npos if the list does not end.
/// Parentheses in quoted texts, where '\' escapes a quote, and in names in angle brackets are skipped.
std::size_t argumentsEnd(std::string_view line, std::size_t at)
{
    int depth = 1;
    for (bool isQuoted = false; at < line.size(); ++at) {
        const char c = line[at];
        if (isQuoted) {
            if (c == '\\')
                ++at;
            else if (c == '"')
                isQuoted = false;
        } else if (c == '\'' && line.find('\'', at + 2) <= at + 5) { // A character of ltrace: '(' or '\003'.
            at = line.find('\'', at + 2);
        } else if (c == '"') {
            isQuoted = true;
        } else if (c == '<') {
            at = nameEnd(line, at);
        } else if (c == '(') {
            ++depth;
        } else if (c == ')' && --depth == 0) {
            return at + 1;
        }
    }
    return std::string_view::npos;
}

/// Removes "<0.000123>" from the end of the line.
void takeDuration(std::string_view& line, CallLine& parsed)
{
    if (!line.ends_with('>'))
        return;
    const std::size_t open = line.rfind('<');
    std::int64_t duration = 0;
    if (open == std::string_view::npos || open == 0 || !isBlank(line[open - 1])
        || !readDecimal(line.substr(open + 1, line.size() - open - 2), duration))
        return;
    parsed.duration = duration;
    line = trimmed(line.substr(0, open));
}

/// Parses what follows the arguments: " = RESULT".
bool takeResult(std::string_view rest, CallLine& parsed)
{
    rest = trimmed(rest);
    if (!rest.starts_with('='))
        return false;
    parsed.result = trimmed(rest.substr(1));
    return true;
}

bool isName(std::string_view name)
{
    const auto isAllowed = [](char c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || std::string_view("_.@:~<>,*& ()?-+").find(c) != std::string_view::npos; // "-" and "+" occur in the names of libraries.
    };
    return !name.empty() && !isDigit(name.front()) && !isBlank(name.front()) && !isBlank(name.back())
        && std::ranges::all_of(name, isAllowed) && name.front() != '<' && name.front() != ':';
}

/// Sets the name of a call: "read", "SYS_read", "libc.so.6->puts" or "puts@libc.so.6". Returns false if the text is no name.
bool setName(std::string_view name, bool isLibraryLog, CallLine& parsed)
{
    if (const std::size_t arrow = name.find("->"); arrow != std::string_view::npos)
        name.remove_prefix(arrow + 2);
    constexpr std::string_view SystemCall = "SYS_";
    parsed.isSystemCall = !isLibraryLog || name.starts_with(SystemCall);
    if (isLibraryLog && parsed.isSystemCall && !(name.size() > SystemCall.size() && isDigit(name[SystemCall.size()])))
        name.remove_prefix(SystemCall.size()); // A call whose name ltrace does not know stays "SYS_334".
    parsed.name = name;
    return isName(name) && (isLibraryLog || name.find_first_of(" .<>~@:,*&-+") == std::string_view::npos);
}

/// Parses "<... read resumed> "", 5) = 0".
bool parseEnd(std::string_view line, bool isLibraryLog, CallLine& parsed)
{
    constexpr std::string_view Begin = "<... ";
    constexpr std::string_view Resumed = " resumed>";
    const std::size_t resumed = line.find(Resumed);
    // strace prints "<... resumed>" or "<... ??? resumed>", without the name of the call, if it did not record the beginning of the call.
    const std::string_view name = resumed == std::string_view::npos || resumed < Begin.size()
        ? std::string_view()
        : line.substr(Begin.size(), resumed - Begin.size());
    if (resumed == std::string_view::npos)
        return false;
    if (!name.empty() && name != "???" && !setName(name, isLibraryLog, parsed))
        return false;
    parsed.kind = CallLine::Kind::End;
    takeDuration(line, parsed);
    const std::size_t from = resumed + Resumed.size();
    if (from > line.size())
        return false;
    const std::size_t end = argumentsEnd(line, from);
    if (end == std::string_view::npos)
        return false;
    parsed.arguments = trimmed(line.substr(from, end - 1 - from));
    return takeResult(line.substr(end), parsed);
}

/// Parses a call at the start of the line.
bool parseCall(std::string_view line, bool isLibraryLog, CallLine& parsed)
{
    std::size_t open = line.find('(');
    // The name of a C++ function has a list of types: "operator new(unsigned long)(16)".
    for (std::size_t end = 0; isLibraryLog && open != std::string_view::npos; open = end) {
        end = argumentsEnd(line, open + 1);
        if (end >= line.size() || line[end] != '(')
            break;
    }
    if (open == std::string_view::npos || !setName(line.substr(0, open), isLibraryLog, parsed))
        return false;
    for (const std::string_view mark :
         {std::string_view("<unfinished ...>"), std::string_view("<no return ...>"), std::string_view("<detached ...>")}) {
        if (!line.ends_with(mark))
            continue;
        parsed.kind = CallLine::Kind::Begin;
        parsed.arguments = trimmed(line.substr(open + 1, line.size() - mark.size() - open - 1));
        return true;
    }
    constexpr std::string_view Dots = " ...";
    const bool isPerfBegin = parsed.timeKind == TimeKind::SinceStart && line.ends_with(Dots);
    takeDuration(line, parsed);
    const std::size_t end = argumentsEnd(line, open + 1);
    if (isPerfBegin || end == std::string_view::npos) {
        parsed.kind = CallLine::Kind::Begin;
        line.remove_suffix(isPerfBegin ? Dots.size() : 0);
        parsed.arguments = trimmed(line.substr(open + 1));
        if (isPerfBegin && parsed.arguments.ends_with(')'))
            parsed.arguments.remove_suffix(1);
        return isPerfBegin;
    }
    parsed.arguments = trimmed(line.substr(open + 1, end - open - 2));
    if (!takeResult(line.substr(end), parsed))
        return false;
    if (isWithoutReturn(parsed))
        parsed.kind = CallLine::Kind::Begin;
    return true;
}

} // namespace

bool parseCallLine(std::string_view line, bool isLibraryLog, CallLine& parsed)
{
    parsed = {};
    line = trimmed(line);
    if (!takePerfHead(line, parsed)) {
        takeTime(line, parsed);
        if (parsed.timeKind == TimeKind::None) {
            takeTid(line, parsed);
            takeTime(line, parsed);
        }
    }
    takeBrackets(line, parsed);
    constexpr std::string_view Signal = "--- ";
    constexpr std::string_view Exit = "+++ ";
    for (const std::string_view mark : {Signal, Exit}) {
        if (!line.starts_with(mark) || line.size() < 2 * mark.size() || !line.ends_with(trimmed(mark)))
            continue;
        parsed.kind = mark == Signal ? CallLine::Kind::Signal : CallLine::Kind::Exit;
        parsed.name = trimmed(line.substr(mark.size(), line.size() - 2 * mark.size()));
        return true;
    }
    if (parsed.timeKind == TimeKind::SinceStart && line.starts_with("...")) { // " ... [continued]: read()) = 5"
        const std::size_t colon = line.find("]: ");
        const std::size_t open = colon == std::string_view::npos ? colon : line.find('(', colon);
        parsed.kind = CallLine::Kind::End;
        return open != std::string_view::npos && open + 2 <= line.size() && setName(line.substr(colon + 3, open - colon - 3), false, parsed)
            && takeResult(line.substr(std::min(line.find_first_not_of("()", open), line.size())), parsed);
    }
    if (parsed.timeKind == TimeKind::SinceStart && isPerfEvent(line)) {
        parsed.kind = CallLine::Kind::Event;
        const std::size_t end = line.find_first_of("( ");
        parsed.name = line.substr(0, end);
        parsed.arguments = trimmed(line.substr(end));
        if (parsed.arguments.starts_with('(') && parsed.arguments.ends_with(')'))
            parsed.arguments = parsed.arguments.substr(1, parsed.arguments.size() - 2);
        return true;
    }
    return line.starts_with("<... ") ? parseEnd(line, isLibraryLog, parsed) : parseCall(line, isLibraryLog, parsed);
}

bool isSummaryHead(std::string_view line)
{
    line = trimmed(line);
    return line == PerfSummary || (line.starts_with("% time ") && line.find(" calls") != std::string_view::npos);
}

std::string_view attachedMessage(std::string_view line)
{
    constexpr std::string_view Message = "strace: Process ";
    const std::size_t at = line.rfind(Message);
    if (at == std::string_view::npos)
        return {};
    std::string_view rest = line.substr(at + Message.size());
    std::int32_t tid = 0;
    return readNumber(takeWord(rest), tid) && (rest == "attached" || rest == "detached") ? line.substr(at) : std::string_view();
}

bool isToolMessage(std::string_view line)
{
    line = trimmed(line);
    return line.starts_with("strace: ") || line.starts_with("ltrace: ") || line.starts_with("[ Process PID=");
}

bool isWithoutReturn(const CallLine& line) { return line.duration < 0 && (line.result == "?" || line.result.starts_with("? <")); }

std::string_view errorIn(std::string_view result)
{
    if (!result.starts_with("-1 E") && !result.starts_with("? E"))
        return {};
    result.remove_prefix(result.find('E'));
    return result.substr(0, std::min(result.find(' '), result.size()));
}

bool readResult(std::string_view result, std::int64_t& number)
{
    const bool isNegative = result.starts_with('-');
    if (isNegative)
        result.remove_prefix(1);
    const bool isHex = result.starts_with("0x");
    const bool isOctal = !isHex && result.size() > 1 && result.front() == '0' && isDigit(result[1]);
    if (isHex)
        result.remove_prefix(2);
    std::uint64_t value = 0;
    const char* const end = result.data() + result.size();
    const auto read = std::from_chars(result.data(), end, value, isHex ? 16 : isOctal ? 8 : 10);
    number = static_cast<std::int64_t>(isNegative ? 0 - value : value);
    return read.ec == std::errc() && (read.ptr == end || isBlank(*read.ptr) || *read.ptr == '<'); // "1.414214" is none.
}

} // namespace helio::calllog
