#include "core/query/filters/time_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

namespace helio {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t Second = 1'000'000'000;

struct Unit {
    std::string_view name;
    std::int64_t length;
};
constexpr std::array<Unit, 8> Units{{{"ns", 1},
                                     {"us", 1'000},
                                     {"\xc2\xb5s", 1'000},
                                     {"\xce\xbcs", 1'000},
                                     {"ms", 1'000'000},
                                     {"s", Second},
                                     {"min", 60 * Second},
                                     {"h", 3'600 * Second}}};

bool isDigits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

std::optional<std::int64_t> whole(std::string_view digits)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!isDigits(digits) || error != std::errc() || end != digits.data() + digits.size())
        return {};
    return value;
}

/// Returns the product of a decimal number ("12", "12.5", ".5") and `unit`, without rounding errors.
std::optional<std::int64_t> scaled(std::string_view number, std::int64_t unit)
{
    const auto dot = number.find('.');
    const auto fraction = dot == std::string_view::npos ? std::string_view() : number.substr(dot + 1);
    const auto before = number.substr(0, dot);
    if ((before.empty() && fraction.empty()) || (!fraction.empty() && !isDigits(fraction)))
        return {};
    const auto integer = before.empty() ? std::optional<std::int64_t>(0) : whole(before);
    std::int64_t value = 0;
    if (!integer || __builtin_mul_overflow(*integer, unit, &value))
        return {};
    Wide part = 0;
    Wide power = 1;
    for (const char digit : fraction.substr(0, 18)) {
        part = part * 10 + (digit - '0');
        power *= 10;
    }
    const auto extra = static_cast<std::int64_t>(part * unit / power);
    return __builtin_add_overflow(value, extra, &value) ? std::nullopt : std::optional(value);
}

/// Parses "HH:MM:SS" with an optional fraction of a second. Returns the time since midnight in ns; nullopt if the text is no valid time of
/// day.
std::optional<std::int64_t> timeOfDay(std::string_view text)
{
    if (text.size() < 8 || text[2] != ':' || text[5] != ':')
        return {};
    const auto hours = whole(text.substr(0, 2));
    const auto minutes = whole(text.substr(3, 2));
    const auto seconds = scaled(text.substr(6), Second);
    if (!hours || !minutes || !seconds || !isDigits(text.substr(6, 2)) || (text.size() > 8 && text[8] != '.') || *hours > 23
        || *minutes > 59 || *seconds >= 61 * Second)
        return {};
    return (*hours * 3600 + *minutes * 60) * Second + *seconds;
}

/// Returns the time of day `ns` on the local day that is `days` after the day of `at`. mktime() handles days with a change to or from
/// summer time.
std::optional<Timestamp> onLocalDay(Timestamp at, int days, std::int64_t ns)
{
    const std::int64_t begin = nanoseconds(at);
    const std::time_t seconds = static_cast<std::time_t>(begin / Second - (begin % Second < 0));
    std::tm local{};
    if (!localtime_r(&seconds, &local))
        return {};
    local.tm_mday += days;
    local.tm_hour = static_cast<int>(ns / Second / 3600);
    local.tm_min = static_cast<int>(ns / Second / 60 % 60);
    local.tm_sec = static_cast<int>(ns / Second % 60);
    local.tm_isdst = -1;
    std::int64_t result = 0;
    if (__builtin_mul_overflow(std::int64_t(std::mktime(&local)), Second, &result) || __builtin_add_overflow(result, ns % Second, &result))
        return {};
    return timestamp(result);
}

void replaceAll(std::string& text, std::string_view what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

/// Removes spaces between groups of digits: spaces preceded by a digit and followed by exactly three digits.
void joinGroups(std::string& text)
{
    const auto digitsFrom = [&](std::size_t at) {
        const std::size_t end = text.find_first_not_of("0123456789", at);
        return std::min(end, text.size()) - std::min(at, text.size());
    };
    for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at)) {
        const bool isBehindDigit = at > 0 && isDigits(std::string_view(text).substr(at - 1, 1));
        if (isBehindDigit && digitsFrom(at + 1) == 3)
            text.erase(at, 1);
        else
            ++at;
    }
}

/// Removes separators from a number with a unit. Thin, narrow and no-break spaces are removed everywhere. Ordinary spaces are removed at
/// both ends of the text, between groups of digits, and before the unit. Also replaces U+2212 by "-".
std::string plain(std::string_view written)
{
    std::string text(written);
    for (const std::string_view space : {"\u2009", "\u202f", "\u00a0"})
        replaceAll(text, space, "");
    replaceAll(text, "\u2212", "-");
    const auto first = text.find_first_not_of(' ');
    if (first == std::string::npos)
        return {};
    text = text.substr(first, text.find_last_not_of(' ') - first + 1);
    joinGroups(text);
    const auto blank = text.find(' ');
    const bool isBeforeUnit =
        blank != std::string::npos && std::ranges::any_of(Units, [&](const Unit& unit) { return text.substr(blank + 1) == unit.name; });
    if (isBeforeUnit)
        text.erase(blank, 1);
    return text;
}

} // namespace

std::optional<std::int64_t> parseDuration(std::string_view written)
{
    const std::string all = plain(written);
    std::string_view text = all;
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    const auto number = text.substr(0, text.find_first_not_of("0123456789."));
    for (const Unit& unit : Units)
        if (text.substr(number.size()) == unit.name)
            if (const auto value = scaled(number, unit.length))
                return isNegative ? -*value : *value;
    return {};
}

Result<TimeText> parseTime(std::string_view written)
{
    const std::string all = plain(written);
    const std::string_view text = all;
    const auto elapsed = parseDuration(text);
    const std::size_t fraction = text.size() - std::min(text.size(), text.find('.'));
    if (elapsed && (text.starts_with('+') || text.starts_with('-')))
        return TimeText{TimeText::Kind::FromStart, *elapsed};
    if (elapsed && fraction == std::string_view(".123456789s").size() && text.ends_with('s'))
        return TimeText{TimeText::Kind::Absolute, *elapsed};
    if (const auto day = timeOfDay(text))
        return TimeText{TimeText::Kind::OfDay, *day};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size())
        return TimeText{TimeText::Kind::Absolute, value};
    return Error{Error::Kind::Usage,
                 "\"" + std::string(written)
                     + "\" is not a time; write nanoseconds since the epoch, HH:MM:SS.nnnnnnnnn (local time) or +1.5s"};
}

namespace {

constexpr const char* UnitNames = "ns, us, ms, s, min or h";

/// Returns the length in bytes of the space at the start of a text; 0 if there is none.
std::size_t spaceAt(std::string_view text)
{
    for (const std::string_view space : {" ", "\u2009", "\u202f", "\u00a0"})
        if (text.starts_with(space))
            return space.size();
    return 0;
}

/// Returns the description of an error in a text that is not a time. The error is at the first character that does not fit. `offset` is the
/// position of the text in the whole input, in bytes.
TimesText timeProblem(std::string_view text, std::size_t offset)
{
    const auto problem = [&](std::size_t at, std::string what) { return TimesText{{}, {}, std::move(what), offset + at}; };
    constexpr std::string_view Space = " ", Digits = "0123456789";
    constexpr std::string_view Minus = "\u2212";
    const std::size_t first = std::min(text.find_first_not_of(Space), text.size());
    const bool isMinus = text.substr(first).starts_with(Minus);
    if (first == text.size())
        return problem(first, "a time is missing");
    if (isMinus || text[first] == '+' || text[first] == '-') {
        const std::size_t number = first + (isMinus ? Minus.size() : 1);
        std::size_t at = number; // Position of the first character after the number, found by the loop below.
        for (std::size_t length = 1; at < text.size() && length > 0; at += length) {
            const bool isDigit = Digits.find(text[at]) != std::string_view::npos || text[at] == '.';
            length = isDigit ? 1 : spaceAt(text.substr(at));
        }
        if (text.substr(number, at - number).find_first_of(Digits) == std::string_view::npos)
            return problem(number, "a number is missing");
        if (at == text.size())
            return problem(at, std::string("a unit is missing: ") + UnitNames);
        const std::string unit(text.substr(at, text.find_last_not_of(Space) + 1 - at));
        if (std::ranges::find(Units, unit, &Unit::name) == Units.end())
            return problem(at, '"' + unit + "\" is not a unit: " + UnitNames);
        return problem(number, "not a number, or too large");
    }
    if (text.find(':') != std::string_view::npos) {
        constexpr std::string_view Pattern = "00:00:00."; // Pattern of a time of day; a 0 stands for any digit.
        const std::string_view time = text.substr(first);
        std::size_t at = 0;
        while (at < std::min(time.size(), Pattern.size())
               && (Pattern[at] == '0' ? Digits.find(time[at]) != std::string_view::npos : time[at] == Pattern[at]))
            ++at;
        const auto field = [&](std::size_t begin) { return whole(time.substr(begin, 2)).value_or(0); };
        at = at < 2 || field(0) < 24 ? at : 0;
        at = at < 5 || field(3) < 60 ? at : 3;
        at = at < 8 || field(6) < 61 ? at : 6;
        if (at == Pattern.size())
            at = std::min(time.find_first_not_of("0123456789 ", at), time.size());
        return problem(first + at, "not a time of day: HH:MM:SS.nnnnnnnnn");
    }
    const std::size_t wrong = std::min(text.find_first_not_of("0123456789 ", first), text.size());
    return problem(wrong, "not a time: HH:MM:SS.nnnnnnnnn, +1.5s from the start, or ns since the epoch");
}

/// Returns the unit at the end of a time relative to the start; empty if there is none.
std::string_view unitOf(std::string_view text)
{
    const std::size_t end = text.find_last_not_of(' ');
    const std::size_t before = text.find_last_of("0123456789. ", end);
    const std::string_view unit =
        end == std::string_view::npos || before == std::string_view::npos ? std::string_view() : text.substr(before + 1, end - before);
    return std::ranges::find(Units, unit, &Unit::name) == Units.end() ? std::string_view() : unit;
}

} // namespace

TimesText parseTimes(std::string_view text)
{
    std::size_t at = std::string_view::npos; // Position of the separator between two times; npos if the text is a single time.
    std::size_t length = 0;
    for (const std::string_view separator : {"..", "\u2026", "\u2013"})
        if (const std::size_t found = text.find(separator); found < at) {
            at = found;
            length = separator.size();
        }
    if (at == std::string_view::npos) {
        const auto time = parseTime(text);
        return time ? TimesText{*time, {}, {}, 0} : timeProblem(text, 0);
    }
    const std::string_view first = text.substr(0, at);
    const std::size_t secondAt = at + length + std::min(text.substr(at + length).find_first_not_of(' '), text.size() - at - length);
    const std::string_view second = text.substr(secondAt);
    auto begin = parseTime(first);
    if (!begin)
        begin = parseTime(std::string(first) + std::string(unitOf(second)));
    if (!begin)
        return timeProblem(first, 0);
    const std::string common(second.starts_with('.') ? first.substr(0, first.find('.')) : std::string_view());
    const auto end = parseTime(common + std::string(second));
    return end ? TimesText{*begin, *end, {}, 0} : timeProblem(second, secondAt);
}

Timestamp resolve(TimeText time, Timestamp begin)
{
    switch (time.kind) {
    case TimeText::Kind::Absolute: return timestamp(time.value);
    case TimeText::Kind::FromStart: {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(nanoseconds(begin), time.value, &sum))
            sum = time.value < 0 ? INT64_MIN : INT64_MAX;
        return timestamp(sum);
    }
    case TimeText::Kind::OfDay: break;
    }
    for (int days = 0; days < 2; ++days)
        if (const auto at = onLocalDay(begin, days, time.value); at && *at >= begin)
            return *at;
    return begin;
}

} // namespace helio
