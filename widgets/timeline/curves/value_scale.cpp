#include "widgets/timeline/curves/value_scale.h"

#include <array>
#include <cmath>

namespace helio {

namespace {

constexpr double Largest = 1e300; ///< Maximum of drawn values; larger values are clamped, so that differences stay finite.
constexpr double LeastFilled = 0.4; ///< Fraction of a scale that the values must fill for the scale to be kept.

/// Returns the smallest step of 1, 2 or 5 times a power of ten that is at least `least`.
double niceStep(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

/// Returns the whole number that `quotient` equals within the rounding error of doubles; if there is none, returns `cut(quotient)`.
double roundedOr(double quotient, double (*cut)(double))
{
    const double whole = std::round(quotient);
    return std::abs(quotient - whole) < 1e-9 ? whole : cut(quotient);
}

ValueRange limited(const ValueRange& values)
{
    return {std::clamp(values.least, -Largest, Largest), std::clamp(values.most, -Largest, Largest)};
}

} // namespace

ValueScale scaleFor(const ValueRange& all, int steps)
{
    if (all.isEmpty())
        return {};
    ValueRange values = limited(all);
    if (values.least >= 0)
        values.least = 0;
    // All values are 0, or all are the same negative value, so the range has no extent. For 0, the scale is 0 to 1; otherwise, it
    // extends by 1 to both sides.
    if (values.most <= values.least)
        values = values.least == 0 ? ValueRange{0, 1} : ValueRange{values.least - 1, values.least + 1};
    const double step = niceStep((values.most - values.least) / steps);
    ValueScale scale{roundedOr(values.least / step, std::floor) * step, roundedOr(values.most / step, std::ceil) * step};
    scale.low -= scale.low > values.least ? step : 0;
    scale.high += scale.high < values.most ? step : 0;
    return scale.isValid() ? scale : ValueScale{values.least, std::nextafter(values.most, Largest * 2)};
}

ValueScale followed(const ValueScale& before, const ValueRange& all, int steps)
{
    if (all.isEmpty())
        return before;
    const ValueScale wanted = scaleFor(all, steps);
    const ValueRange values = limited(all);
    const bool fits = before.isValid() && values.least >= before.low && values.most <= before.high;
    return fits && wanted.high - wanted.low >= LeastFilled * (before.high - before.low) ? before : wanted;
}

std::vector<double> ticksOf(const ValueScale& scale, int steps)
{
    std::vector<double> ticks;
    if (!scale.isValid())
        return ticks;
    const double step = niceStep((scale.high - scale.low) / steps);
    const double first = std::ceil(scale.low / step - 1e-9);
    for (int i = 0; i <= steps; ++i)
        if (const double value = (first + i) * step; value <= scale.high + step * 1e-9)
            ticks.push_back(value);
    // With a single tick, the user could not read the scale, so both ends of the scale get a label instead. The ends are round numbers even
    // if followed() kept a scale that was made for more than `steps` steps.
    return ticks.size() < 2 ? std::vector{scale.low, scale.high} : ticks;
}

namespace {

/// Formats a number with three or four digits; whole numbers below 10,000 are written in full.
QString digits(double value)
{
    const bool isWhole = std::abs(value) < 9999.5 && value == std::round(value);
    QString number = isWhole ? QString::number(qint64(value)) : QString::number(value, 'g', std::abs(value) >= 999.5 ? 4 : 3);
    return number.replace(QLatin1Char('-'), QChar(0x2212));
}

QString spaced(const QString& number, const QString& behind) { return behind.isEmpty() ? number : number + QChar(0x2009) + behind; }

/// Formats a time, e.g. "12 ms", in the largest unit that leaves a nonzero digit before the decimal point.
QString shortTime(double ns)
{
    static const std::array Units{QStringLiteral("ns"), QStringLiteral("µs"), QStringLiteral("ms"), QStringLiteral("s")};
    std::size_t unit = 0;
    for (; unit + 1 < Units.size() && std::abs(ns) >= 999.5; ++unit)
        ns /= 1000;
    return spaced(digits(ns), Units[unit]);
}

} // namespace

QString shortValue(double value, const QString& unit)
{
    static constexpr std::array Prefixes{"", "k", "M", "G", "T", "P", "E"};
    if (unit == QLatin1String("ns"))
        return shortTime(value);
    std::size_t prefix = 0;
    if (std::abs(value) >= 9999.5 && std::abs(value) < 1e21)
        for (; prefix + 1 < Prefixes.size() && std::abs(value) >= 999.5; ++prefix)
            value /= 1000;
    // The SI prefix is joined to a unit of one letter and to Hz, e.g. "MB" and "kHz/s". Before any other unit, there is a space, e.g. "k
    // events", and "k kHz" because kHz already has a prefix.
    const QString base = unit.section(QLatin1Char('/'), 0, 0);
    const bool isJoined = prefix == 0 || base.size() <= 1 || base == QLatin1String("Hz");
    return spaced(digits(value), QString::fromLatin1(Prefixes[prefix]) + (isJoined ? QString() : QString(QChar(0x2009))) + unit);
}

} // namespace helio
