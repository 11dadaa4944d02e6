#include "core/profiling/samples/amount_text.h"

#include "core/trace/process/sample_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace helio {
namespace {

struct Step {
    double from;
    const char* name;
};
constexpr std::array<Step, 5> Counts{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Step, 4> Times{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}}};

/// Returns a value as text with three digits, in the largest unit in which the value is at least 1.
template <std::size_t N> std::string inSteps(double value, const std::array<Step, N>& steps)
{
    std::size_t i = 0;
    // Values from 0.9995 of a unit are rounded up to 1, because three digits are shown. They are written in this unit.
    while (i + 1 < N && value < steps[i].from * 0.9995)
        ++i;
    const double part = value / steps[i].from;
    const bool isWhole = steps[i].from == 1 && part == std::floor(part);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", isWhole || part >= 99.95 ? 0 : part >= 9.995 ? 1 : 2, part);
    return *steps[i].name ? std::string(text.data()) + ' ' + steps[i].name : std::string(text.data());
}

bool isModifiers(std::string_view text) { return text.find_first_not_of("ukhIGHpPSDWe") == std::string_view::npos; }

} // namespace

std::string weightWord(const SampleKind& kind)
{
    if (!kind.unit.empty() && kind.divisor() == 1)
        return kind.unit;
    std::string name(withoutNumber(kind.name));
    if (const auto colon = name.rfind(':'); colon != std::string::npos && isModifiers(std::string_view(name).substr(colon + 1)))
        name.resize(colon);
    // Names of tracepoints and PMU events contain ':' or '/' and stay unchanged.
    if (name.find_first_of(":/") == std::string::npos)
        std::ranges::replace(name, '-', ' ');
    return name;
}

std::string_view samplesWord(const SampleKind& kind)
{
    return areCalls(kind) ? "calls" : kind.origin == SampleKind::Origin::Summed ? "records" : "samples";
}

std::string roundCount(double count) { return inSteps(count, Counts); }

std::string exactCount(std::uint64_t count, std::uint64_t divisor)
{
    std::string text = std::to_string(count / divisor);
    std::uint64_t rest = count % divisor;
    if (rest > 0)
        text += '.';
    for (; rest > 0; rest %= divisor) {
        divisor /= 10;
        text += static_cast<char>('0' + rest / divisor);
    }
    return text;
}

std::string amountWords(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    if (by == WeightBy::Samples) {
        const std::string_view word = samplesWord(kind);
        return exactCount(sum.samples, kind.divisor()) + ' ' + std::string(word.substr(0, word.size() - (sum.samples == kind.divisor())));
    }
    if (kind.unit == "ns")
        return inSteps(double(sum.weight), Times);
    return roundCount(double(sum.weight) / double(kind.divisor())) + ' ' + weightWord(kind);
}

std::string headingWords(const SampleSum& sum, WeightBy by, const SampleKind& kind)
{
    const std::string samples = amountWords(sum, WeightBy::Samples, kind);
    return by == WeightBy::Samples ? samples : amountWords(sum, by, kind) + " in " + samples;
}

} // namespace helio
