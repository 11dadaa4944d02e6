#include "core/compare/difference_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace helio {
namespace {

/// Returns the largest number of the form 1, 2 or 4 times a power of ten that is not above the value.
double roundBelow(double value)
{
    const double power = std::pow(10, std::floor(std::log10(value)));
    const double digit = value / power;
    return (digit >= 4 ? 4 : digit >= 2 ? 2 : 1) * power;
}

std::string shortNumber(double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

} // namespace

DifferenceSteps DifferenceSteps::upTo(double largest)
{
    const double top = largest > 0 && std::isfinite(largest) ? roundBelow(largest) : 1;
    return {false, {top / 20, top / 4, top}};
}

int DifferenceSteps::stepOf(const ComparedSum& sum, const DifferenceScale& scale) const
{
    const double difference = sum.difference(scale);
    if (std::abs(sum.z(scale)) < NoiseZ || difference == 0)
        return 0;
    double size = std::abs(difference);
    if (areRatios) {
        const double a = sum.scaledA(scale);
        const double b = sum.scaledB(scale);
        size = std::min(a, b) > 0 ? std::max(a, b) / std::min(a, b) : INFINITY;
    }
    const auto above = std::ranges::upper_bound(from, size) - from.begin();
    return (difference > 0 ? 1 : -1) * (1 + static_cast<int>(above));
}

std::string DifferenceSteps::boundText(double bound, const DifferenceUnit& unit, bool hasUnit) const
{
    if (unit.kind == DifferenceUnit::Kind::Share)
        return shortNumber(bound * 100) + (hasUnit ? "\u00a0pt" : "");
    const bool isTime = unit.kind == DifferenceUnit::Kind::Time;
    static constexpr std::array<std::pair<double, const char*>, 4> times{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}}};
    static constexpr std::array<std::pair<double, const char*>, 4> counts{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
    // Write times in the unit that fits the largest bound, from[2], so that all bounds of the legend have one unit. Write each count with
    // its own prefix.
    const double measure = isTime ? from[2] : bound;
    const auto& steps = isTime ? times : counts;
    const auto step = std::ranges::find_if(steps, [measure](const auto& it) { return measure >= it.first || it.first == 1; });
    return shortNumber(bound / step->first) + (isTime ? (hasUnit ? std::string("\u00a0") + step->second : "") : step->second);
}

/// Returns the bound of a step as text: "+4 s", or as a ratio "\u00d70.33" if B is a third of A.
std::string DifferenceSteps::signedBound(int step, double bound, const DifferenceUnit& unit, bool hasUnit) const
{
    if (!areRatios)
        return (step > 0 ? "+" : "\u2212") + boundText(bound, unit, hasUnit);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "\u00d7%.*g", step > 0 ? 4 : 2, step > 0 ? bound : 1 / bound);
    return text.data();
}

std::string DifferenceSteps::nameOf(int step, const DifferenceUnit& unit) const
{
    const int size = std::abs(step);
    if (size <= 1)
        return size == 0 ? "same" : "";
    return signedBound(step, from[std::size_t(size - 2)], unit, size > 2);
}

std::string DifferenceSteps::wordsOf(int step, const DifferenceUnit& unit) const
{
    const int size = std::abs(step);
    if (size == 0)
        return "within noise (|z| below 2)";
    const std::string end = size < 4 ? signedBound(step, from[std::size_t(size - 1)], unit, true) : std::string();
    const std::string begin = size > 1 ? signedBound(step, from[std::size_t(size - 2)], unit, true) : std::string();
    const std::string which = step > 0 ? "B has more: " : "B has less: ";
    return which + (begin.empty() ? "up to " + end : end.empty() ? begin + " and beyond" : begin + " to " + end);
}

double findLargestDifference(const DifferenceTree& tree, bool ofTotals)
{
    double largest = 0;
    for (std::size_t node = 1; node < tree.nodes.size(); ++node) {
        const ComparedSum& sum = ofTotals ? tree.nodes[node].total : tree.nodes[node].self;
        if (std::abs(sum.z(tree.scale)) >= NoiseZ)
            largest = std::max(largest, std::abs(sum.difference(tree.scale)));
    }
    return largest;
}

} // namespace helio
