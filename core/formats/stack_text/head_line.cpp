#include "core/formats/stack_text/head_line.h"

#include "core/base/line_reader.h"
#include "core/formats/stack_text/frame_line.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace helio::stacktext {
namespace {

using namespace text;

constexpr std::int64_t MostSeconds = 4'000'000'000; // Limit of times in s; larger times do not fit into 64 bits of ns.

template <typename Number> std::optional<Number> number(std::string_view text)
{
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end && !text.empty() ? std::optional(value) : std::nullopt;
}

/// Parses a period; nullopt if the text is not a number. A number with too many digits gives the largest number, which ScriptReader
/// reports.
std::optional<std::uint64_t> periodOf(std::string_view text)
{
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (text.empty() || read.ptr != end)
        return {};
    return read.ec == std::errc() ? value : std::numeric_limits<std::uint64_t>::max();
}

/// Removes the last word, and the blanks after it, from `text`, and returns the word. Keeps the blanks before the word: the parser tries a
/// head at each colon of a line, and removing the blanks each time would be slow.
std::string_view takeLastWord(std::string_view& text)
{
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    std::size_t begin = text.size();
    while (begin > 0 && !isBlank(text[begin - 1]))
        --begin;
    const std::string_view word = text.substr(begin);
    text = text.substr(0, begin);
    return word;
}

/// Parses a time such as "1739.619353", with 1 to 9 decimals, to ns; nullopt if the word is not a time.
std::optional<std::int64_t> timeOf(std::string_view word)
{
    const std::size_t point = word.find('.');
    if (point == std::string_view::npos || word.size() - point - 1 > 9 || word.size() - point - 1 < 1)
        return {};
    const auto seconds = number<std::int64_t>(word.substr(0, point));
    std::string_view digits = word.substr(point + 1);
    auto fraction = number<std::int64_t>(digits);
    if (!seconds || !fraction || !isDigit(digits.front()) || *seconds < 0 || *seconds > MostSeconds)
        return {};
    for (std::size_t i = digits.size(); i < 9; ++i)
        *fraction *= 10;
    return *seconds * 1'000'000'000 + *fraction;
}

/// Removes a CPU such as "[003]" from the end of the text, if there is one, and sets `head.cpu`.
void takeCpu(std::string_view& text, ParsedSampleHead& head)
{
    std::string_view rest = text;
    const std::string_view word = takeLastWord(rest);
    if (word.size() < 3 || word.front() != '[' || word.back() != ']')
        return;
    if (const auto cpu = number<std::int32_t>(word.substr(1, word.size() - 2)); cpu && *cpu >= 0) {
        head.cpu = *cpu;
        text = rest;
    }
}

/// Removes a thread such as "2652", "2652/2653" or "2652/ 2653" from the end of the text and sets it in `head`. Returns false if there is
/// none.
bool takeThread(std::string_view& text, ParsedSampleHead& head)
{
    std::string_view rest = text;
    std::string_view word = takeLastWord(rest);
    const std::size_t slash = word.rfind('/');
    std::optional<std::int32_t> pid;
    if (slash != std::string_view::npos) {
        pid = number<std::int32_t>(word.substr(0, slash));
        if (!pid)
            return false;
        word = word.substr(slash + 1);
    }
    const auto tid = number<std::int32_t>(word);
    if (!tid)
        return false;
    if (!pid)
        if (std::string_view before = rest, owner = takeLastWord(before); owner.size() > 1 && owner.back() == '/')
            if ((pid = number<std::int32_t>(owner.substr(0, owner.size() - 1))))
                rest = before;
    head.pid = pid.value_or(-1);
    head.tid = *tid;
    text = rest;
    return true;
}

/// Removes the time of day of -F tod, for example "2026-11-21 10:00:00.123456", from the end of the text, if there is one.
void takeTimeOfDay(std::string_view& text)
{
    const auto isShaped = [](std::string_view word, std::string_view shape) {
        const auto fits = [](char c, char as) { return as == '0' ? isDigit(c) : c == as; };
        return word.size() >= shape.size()
            && std::equal(shape.begin(), shape.end(), word.begin(), [&](char as, char c) { return fits(c, as); });
    };
    std::string_view rest = text;
    if (isShaped(takeLastWord(rest), "00:00:00.0") && isShaped(takeLastWord(rest), "0000-00-00"))
        text = rest;
}

/// Removes the mode and flags that -F misc prints, for example "K" or "Sp", from the end of the text. Requires a CPU or thread before them;
/// otherwise the word is part of the command's name.
void takeMisc(std::string_view& text)
{
    constexpr std::string_view Letters = "KUHGgMESp";
    std::string_view rest = text;
    const std::string_view word = takeLastWord(rest);
    if (word.empty() || word.size() > 4 || word.find_first_not_of(Letters) != std::string_view::npos)
        return;
    ParsedSampleHead probe;
    std::string_view before = rest;
    takeCpu(before, probe);
    if (probe.cpu >= 0 || takeThread(before, probe))
        text = rest;
}

/// Parses the text before a time or an event. Returns false if it contains neither a CPU nor a thread.
bool takeFront(std::string_view text, ParsedSampleHead& head)
{
    takeTimeOfDay(text);
    takeMisc(text);
    takeCpu(text, head);
    const bool hasThread = takeThread(text, head);
    head.comm = trimmed(text);
    return hasThread || head.cpu >= 0;
}

/// Parses the text after the time, for example " 1001001 cpu-clock:ppp: 7f12 main (a.out)": an optional period, the event and further text.
void takeEvent(std::string_view text, ParsedSampleHead& head)
{
    text = trimmed(text);
    std::size_t digits = 0;
    while (digits < text.size() && isDigit(text[digits]))
        ++digits;
    std::string_view rest = text;
    if (digits > 0 && digits < text.size() && isBlank(text[digits])) {
        head.period = periodOf(text.substr(0, digits));
        rest = trimmed(text.substr(digits));
    }
    std::size_t end = rest.find_first_of(" \t");
    end = end == std::string_view::npos ? rest.size() : end;
    if (end > 1 && rest[end - 1] == ':') {
        head.event = rest.substr(0, end - 1);
        head.rest = trimmed(rest.substr(end));
    } else if (rest.starts_with("PERF_RECORD_")) {
        const std::size_t name = rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        head.event = rest.substr(0, name);
        head.rest = name == std::string_view::npos ? std::string_view() : rest.substr(name);
    } else {
        ParsedFrame frame; // If an address follows, the number is a period; otherwise the number is an address.
        if (head.period && !(parseFrame(rest, frame) && frame.address))
            head.period.reset();
        head.rest = head.period ? rest : text;
    }
}

/// Parses a head with a time. Returns false if the line contains no time.
bool parseTimed(std::string_view line, ParsedSampleHead& head)
{
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
        if (colon == 0 || !isDigit(line[colon - 1]) || (colon + 1 < line.size() && !isBlank(line[colon + 1])))
            continue;
        std::string_view before = line.substr(0, colon);
        const auto time = timeOf(takeLastWord(before));
        if (!time)
            continue;
        ParsedSampleHead found;
        found.time = time;
        takeFront(before, found);
        takeEvent(line.substr(colon + 1), found);
        head = found;
        return true;
    }
    return false;
}

/// Parses a head with an event and no time. Returns false if no event follows a CPU or thread.
bool parseUntimed(std::string_view line, ParsedSampleHead& head)
{
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
        if (colon == 0 || (colon + 1 < line.size() && !isBlank(line[colon + 1])))
            continue;
        std::string_view before = line.substr(0, colon);
        ParsedSampleHead found;
        found.event = takeLastWord(before);
        std::string_view beforePeriod = before;
        if (const auto period = periodOf(takeLastWord(beforePeriod))) {
            // A number before the event is a period only if another number or a CPU precedes it; otherwise the number is a TID.
            ParsedSampleHead probe;
            if (takeFront(beforePeriod, probe)) {
                found.period = period;
                before = beforePeriod;
            }
        }
        if (!takeFront(before, found))
            continue;
        found.rest = trimmed(line.substr(colon + 1));
        head = found;
        return true;
    }
    return false;
}

} // namespace

bool parseHead(std::string_view line, ParsedSampleHead& head)
{
    head = {};
    line = trimmed(line);
    if (parseTimed(line, head) || parseUntimed(line, head))
        return true;
    // Try a head without time and event: it consists of command and thread, and a frame may follow.
    const std::string_view frame = frameInHead(line, true);
    head.rest = frame;
    const auto end = frame.empty() ? line.size() : static_cast<std::size_t>(frame.data() - line.data());
    return takeFront(line.substr(0, end), head) || (!frame.empty() && !head.comm.empty());
}

} // namespace helio::stacktext
