#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace helio {

/// Less-than for names in the order that users expect: "cpu 2" before "cpu 10", integers by value ("-5" before "3") and before words. The
/// order is total: only identical texts compare equal.
class NaturalOrder {
public:
    bool operator()(std::string_view a, std::string_view b) const
    {
        const auto x = integerIn(a);
        const auto y = integerIn(b);
        if (x && y && *x != *y)
            return *x < *y;
        if (x.has_value() != y.has_value())
            return x.has_value();
        const int order = byParts(a, b);
        return order != 0 ? order < 0 : a < b;
    }

private:
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    static std::optional<std::int64_t> integerIn(std::string_view text)
    {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
    }

    /// Removes the leading digits from `text`. Returns these digits without leading zeros.
    static std::string_view takeDigits(std::string_view& text)
    {
        while (!text.empty() && text.front() == '0')
            text.remove_prefix(1);
        std::size_t count = 0;
        while (count < text.size() && isDigit(text[count]))
            ++count;
        const std::string_view digits = text.substr(0, count);
        text.remove_prefix(count);
        return digits;
    }

    /// Compares two texts by character; a run of digits compares as one number of any size. Returns a negative number if `a` comes first, 0
    /// or a positive number.
    static int byParts(std::string_view a, std::string_view b)
    {
        while (!a.empty() && !b.empty()) {
            if (isDigit(a.front()) && isDigit(b.front())) {
                const std::string_view x = takeDigits(a);
                const std::string_view y = takeDigits(b);
                if (x.size() != y.size())
                    return x.size() < y.size() ? -1 : 1;
                if (const int order = x.compare(y); order != 0)
                    return order;
                continue;
            }
            if (a.front() != b.front())
                return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
        return a.empty() ? (b.empty() ? 0 : -1) : 1;
    }
};

} // namespace helio
