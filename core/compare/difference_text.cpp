#include "core/compare/difference_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace helio {
namespace {

constexpr const char* Minus = "\u2212";
constexpr const char* Thin = "\u2009"; ///< Thin space between groups of thousands.
constexpr const char* Space = "\u00a0"; ///< No-break space before a unit.

/// Returns a number with `decimals` decimal places and separated thousands.
std::string numberText(double value, int decimals)
{
    std::array<char, 512> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, std::abs(value));
    if (length <= 0 || std::size_t(length) >= text.size())
        return "?";
    const std::string digits(text.data(), std::size_t(length));
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    std::string out = value < 0 && digits.find_first_of("123456789") != std::string::npos ? Minus : "";
    for (std::size_t i = 0; i < whole; ++i) {
        if (i > 0 && whole > 4 && (whole - i) % 3 == 0)
            out += Thin;
        out += digits[i];
    }
    return out + digits.substr(whole);
}

/// Returns the number of decimal places so that `largest` has at least three digits.
int decimalsFor(double largest)
{
    const double size = std::abs(largest);
    return size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2;
}

struct TimeStep {
    double ns;
    const char* unit;
};
constexpr std::array TimeSteps{TimeStep{1, "ns"}, TimeStep{1e3, "\u00b5s"}, TimeStep{1e6, "ms"}, TimeStep{1e9, "s"}};

/// Returns the largest unit in which `largest` is at least `least`.
const TimeStep& timeStepFor(double largest, double least)
{
    std::size_t step = TimeSteps.size() - 1;
    while (step > 0 && std::abs(largest) < least * TimeSteps[step].ns)
        --step;
    return TimeSteps[step];
}

std::string inTime(double ns, const TimeStep& step, double largest)
{
    return numberText(ns / step.ns, step.ns == 1 ? 0 : decimalsFor(largest / step.ns)) + Space + step.unit;
}

} // namespace

std::string amountText(double amount, const DifferenceUnit& unit, double largest)
{
    switch (unit.kind) {
    // Use small units, because one unit must suit the whole column: 7 700 ms and 16 ms, not 7.7 s and 0.016 s.
    case DifferenceUnit::Kind::Time: return inTime(amount, timeStepFor(largest, 20), largest);
    case DifferenceUnit::Kind::Share: return numberText(amount * 100, std::abs(largest) < 0.01 ? 3 : 2) + Space + "%";
    case DifferenceUnit::Kind::Count: break;
    }
    const bool isWhole = amount == std::floor(amount) && largest == std::floor(largest);
    return numberText(amount, isWhole ? 0 : decimalsFor(largest));
}

std::string amountText(double amount, const DifferenceUnit& unit)
{
    if (unit.kind == DifferenceUnit::Kind::Time)
        return amount == 0 ? std::string("0") + Space + "s" : inTime(amount, timeStepFor(amount, 1), amount);
    const std::string text = amountText(amount, unit, amount);
    return unit.kind == DifferenceUnit::Kind::Count && !unit.word.empty() ? text + Space + unit.word : text;
}

std::string differenceText(double difference, const DifferenceUnit& unit)
{
    if (unit.kind == DifferenceUnit::Kind::Share)
        return (difference > 0 ? "+" : "") + numberText(difference * 100, 2) + Space + "points";
    return (difference > 0 ? "+" : "") + amountText(difference, unit);
}

std::string differenceText(double difference, const DifferenceUnit& unit, double largest)
{
    if (unit.kind == DifferenceUnit::Kind::Share)
        return (difference > 0 ? "+" : "") + numberText(difference * 100, std::abs(largest) < 0.01 ? 3 : 2);
    return (difference > 0 ? "+" : "") + amountText(difference, unit, largest);
}

std::string ratioText(double a, double b)
{
    if (a <= 0 && b <= 0)
        return "";
    constexpr double AllBut = 1000;
    if (b > AllBut * a)
        return "new";
    if (a > AllBut * b)
        return "gone";
    const double ratio = b / a;
    if (ratio < 0.00995)
        return "\u00d7<0.01";
    const int decimals = ratio >= 99.95 ? 0 : ratio >= 9.995 ? 1 : ratio >= 0.0995 ? 2 : 3;
    return "\u00d7" + numberText(ratio, decimals);
}

std::string certaintyText(double z)
{
    if (std::abs(z) < NoiseZ)
        return "within noise";
    // An infinite z means that the amounts are complete measurements, not samples. They have no sampling noise, so the text needs no degree
    // of certainty.
    if (std::isinf(z))
        return z > 0 ? "increase" : "decrease";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s %s (z = %s%.1f)", std::abs(z) < 3 ? "probable" : "significant",
                  z > 0 ? "increase" : "decrease", z < 0 ? Minus : "", std::abs(z));
    return text.data();
}

} // namespace helio
