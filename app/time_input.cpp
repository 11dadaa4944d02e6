#include "app/time_input.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

namespace helio {

namespace {

constexpr std::int64_t Second = 1'000'000'000;

struct Unit {
    std::string_view name;
    std::int64_t ns;
};
constexpr std::array<Unit, 9> Units{{{"ns", 1},
                                     {"us", 1'000},
                                     {"\u00b5s", 1'000},
                                     {"\u03bcs", 1'000},
                                     {"ms", 1'000'000},
                                     {"s", Second},
                                     {"min", 60 * Second},
                                     {"m", 60 * Second},
                                     {"h", 3600 * Second}}};

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || text.front() == '-' || error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

/// A decimal number of `unit`, in ns, exactly; digits below a ns are dropped.
std::optional<std::int64_t> decimal(std::string_view text, std::int64_t unit)
{
    const std::size_t dot = text.find('.');
    const std::string_view head = text.substr(0, dot);
    const auto whole = head.empty() && dot == 0 ? std::optional<std::int64_t>(0) : wholeNumber(head);
    if (!whole || *whole > (std::numeric_limits<std::int64_t>::max() / 4) / unit)
        return {};
    std::int64_t result = *whole * unit;
    if (dot == text.npos)
        return result;
    const std::string_view digits = text.substr(dot + 1);
    if (digits.empty() && head.empty())
        return {};
    __extension__ __int128 fraction = 0;
    __extension__ __int128 scale = 1;
    for (const char c : digits) {
        if (c < '0' || c > '9')
            return {};
        if (scale < 1'000'000'000'000'000) {
            fraction = fraction * 10 + (c - '0');
            scale *= 10;
        }
    }
    result += static_cast<std::int64_t>(fraction * unit / scale);
    return result;
}

std::optional<std::int64_t> offset(std::string_view text)
{
    std::size_t end = text.find_first_not_of("0123456789.");
    const std::string_view number = text.substr(0, end);
    std::string_view name = end == text.npos ? std::string_view("s") : text.substr(end);
    while (name.starts_with(' '))
        name.remove_prefix(1);
    for (const Unit& unit : Units)
        if (unit.name == name)
            return decimal(number, unit.ns);
    return {};
}

/// The time of day in ns after midnight: "12:34", "12:34:56", "12:34:56.789".
std::optional<std::int64_t> timeOfDay(std::string_view text)
{
    const std::size_t first = text.find(':');
    const std::size_t second = text.find(':', first + 1);
    const auto hours = wholeNumber(text.substr(0, first));
    const auto minutes = wholeNumber(text.substr(first + 1, second == text.npos ? text.npos : second - first - 1));
    const auto seconds = second == text.npos ? std::optional<std::int64_t>(0) : decimal(text.substr(second + 1), Second);
    if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds >= 60 * Second)
        return {};
    return (*hours * 3600 + *minutes * 60) * Second + *seconds;
}

/// The first moment at or after `begin` at which local clocks show `ofDay`.
std::optional<Timestamp> firstMatch(std::int64_t ofDay, Timestamp begin)
{
    std::time_t seconds = static_cast<std::time_t>(nanoseconds(begin) / Second);
    for (int day = 0; day < 2; ++day) {
        std::tm local{};
        const std::time_t base = seconds + day * 86'400;
        if (!localtime_r(&base, &local))
            return {};
        local.tm_hour = static_cast<int>(ofDay / (3600 * Second));
        local.tm_min = static_cast<int>(ofDay / (60 * Second) % 60);
        local.tm_sec = static_cast<int>(ofDay / Second % 60);
        local.tm_isdst = -1;
        const std::time_t at = std::mktime(&local);
        const Timestamp candidate = timestamp(static_cast<std::int64_t>(at) * Second + ofDay % Second);
        if (candidate >= begin)
            return candidate;
    }
    return {};
}

Error badTime(std::string_view text)
{
    return {Error::Kind::Usage, "\u201c" + std::string(text) + "\u201d is not a time: write 12:34:56.789, +1.5s or ns since the epoch"};
}

} // namespace

Result<Timestamp> parseTime(std::string_view text, Timestamp begin)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    if (text.starts_with('+')) {
        const auto after = offset(text.substr(1));
        if (after && nanoseconds(begin) < std::numeric_limits<std::int64_t>::max() - *after)
            return begin + Duration(*after);
        return badTime(text);
    }
    if (text.find(':') != text.npos) {
        const auto ofDay = timeOfDay(text);
        const auto match = ofDay ? firstMatch(*ofDay, begin) : std::nullopt;
        return match ? Result<Timestamp>(*match) : Result<Timestamp>(badTime(text));
    }
    const auto ns = wholeNumber(text);
    return ns ? Result<Timestamp>(timestamp(*ns)) : Result<Timestamp>(badTime(text));
}

} // namespace helio
