#include "widgets/time/time_format.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <array>
#include <cmath>

namespace helio {

namespace {

constexpr std::int64_t Second = 1'000'000'000;
const QChar ThinSpace(0x2009);
const QChar Minus(0x2212);

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    const std::int64_t q = a / b;
    return a % b < 0 ? q - 1 : q;
}

std::int64_t floorMod(std::int64_t a, std::int64_t b) { return a - floorDiv(a, b) * b; }

bool isClock(const TimeFormat& format) { return format.mode != TimeFormat::Mode::Relative && format.hasEpoch; }

/// Returns the offset of local time from UTC at a moment, in seconds, positive to the east.
int zoneOffset(Timestamp at, const TimeFormat& format)
{
    if (format.mode != TimeFormat::Mode::Local || !format.hasEpoch)
        return 0;
    return QDateTime::fromSecsSinceEpoch(floorDiv(nanoseconds(at), Second)).offsetFromUtc();
}

/// Returns the time on the format's clock in ns: local or UTC time since 1970, or time since the origin.
std::int64_t shown(Timestamp at, const TimeFormat& format)
{
    if (format.mode == TimeFormat::Mode::Relative)
        return (at - format.origin).count();
    return nanoseconds(at) + zoneOffset(at, format) * Second;
}

/// Returns the first `digits` digits of a fraction of a second given in ns, in groups of three.
QString fractionText(std::int64_t ns, int digits)
{
    const QString all = QStringLiteral("%1").arg(ns, 9, 10, QLatin1Char('0'));
    QString text;
    for (int i = 0; i < digits; i += 3) {
        if (i > 0)
            text += ThinSpace;
        text += QStringView(all).mid(i, 3);
    }
    return text;
}

/// Returns the value of the last of `digits` digits of a fraction of a second, in ns.
std::int64_t unitOf(int digits)
{
    std::int64_t unit = Second;
    for (int i = 0; i < digits; ++i)
        unit /= 10;
    return unit;
}

QString twoDigits(std::int64_t n) { return QStringLiteral("%1").arg(n, 2, 10, QLatin1Char('0')); }

QString clockText(std::int64_t secondOfDay)
{
    return twoDigits(secondOfDay / 3600) + QLatin1Char(':') + twoDigits(secondOfDay / 60 % 60) + QLatin1Char(':')
        + twoDigits(secondOfDay % 60);
}

/// Returns the whole seconds of a time as text. In relative mode, the text always has a sign; otherwise, only if the time is negative.
QString secondsText(std::int64_t second, const TimeFormat& format)
{
    QString text = countText(std::abs(second));
    if (second < 0)
        return Minus + text;
    return format.mode == TimeFormat::Mode::Relative ? QLatin1Char('+') + text : text;
}

/// Returns the text before the decimal point.
QString wholeText(std::int64_t ns, const TimeFormat& format)
{
    const std::int64_t second = floorDiv(ns, Second);
    return isClock(format) ? clockText(floorMod(second, 86400)) : secondsText(second, format);
}

} // namespace

int digitsFor(Duration pixel)
{
    const std::int64_t ns = pixel.count();
    return ns >= Second / 2 ? 0 : ns >= 1'000'000 ? 3 : ns >= 1'000 ? 6 : 9;
}

QString timeText(Timestamp at, const TimeFormat& format, int digits)
{
    std::int64_t ns = shown(at, format);
    if (!isClock(format) && ns < 0 && ns > -unitOf(digits)) // All shown digits are zero, and there is no negative zero.
        ns = 0;
    QString sign;
    if (!isClock(format) && ns < 0) { // Splits the absolute value of a negative time: −1.25 s becomes "−", 1 s and .25, not −2 s and .75.
        sign = Minus;
        ns = -ns;
    }
    QString text = sign.isEmpty() ? wholeText(ns, format) : sign + countText(ns / Second);
    if (digits > 0)
        text += QLatin1Char('.') + fractionText(floorMod(ns, Second), digits);
    return isClock(format) ? text : text + QStringLiteral(" s");
}

QString shortTimeText(Timestamp at, const TimeFormat& format, int digits)
{
    if (digits == 0 || !isClock(format))
        return timeText(at, format, digits);
    return QLatin1Char('.') + fractionText(floorMod(shown(at, format), Second), digits);
}

QString rangeText(TimeRange range, const TimeFormat& format, int digits)
{
    const QString dash = QStringLiteral(" ") + QChar(0x2013) + QLatin1Char(' ');
    const bool sameSecond =
        isClock(format) && digits > 0 && floorDiv(shown(range.begin, format), Second) == floorDiv(shown(range.end, format), Second);
    return timeText(range.begin, format, digits) + dash
        + (sameSecond ? shortTimeText(range.end, format, digits) : timeText(range.end, format, digits));
}

QString countText(qint64 n)
{
    QString text = QString::number(n < 0 ? -n : n);
    for (qsizetype i = text.size() - 3; i > 0; i -= 3)
        text.insert(i, ThinSpace);
    return n < 0 ? Minus + text : text;
}

namespace {

struct LengthUnit {
    double ns;
    const char* name;
};
constexpr double Minute = 60e9;
constexpr double Hour = 3'600e9;
constexpr std::int64_t Tenth = 100'000'000; ///< Last shown digit of durations in minutes, in ns.
constexpr std::array LengthUnits{LengthUnit{Hour, "h"}, LengthUnit{Minute, "min"}, LengthUnit{1e9, "s"}, LengthUnit{1e6, "ms"},
                                 LengthUnit{1e3, "µs"}};

/// Returns the largest unit that fits into a duration of `size` ns; min and h only from 2 min and 2 h on. nullptr for ns.
const LengthUnit* lengthUnitOf(double size)
{
    for (const LengthUnit& unit : LengthUnits)
        if (size >= unit.ns && !(unit.ns == Minute && size < 2 * Minute) && !(unit.ns == Hour && size < 2 * Hour))
            return &unit;
    return nullptr;
}

} // namespace

QString atLeastText(Duration d)
{
    // Rounds down, in integers, to the last digit that durationText() shows.
    const LengthUnit* unit = lengthUnitOf(std::abs(double(d.count())));
    const std::int64_t last = !unit ? 1 : unit->ns == Hour ? 10 * Tenth : unit->ns == Minute ? Tenth : std::int64_t(unit->ns) / 1000;
    return QChar(0x2265) + durationText(Duration(floorDiv(d.count(), last) * last));
}

QString durationText(Duration d)
{
    const double ns = double(d.count());
    const double size = std::abs(ns);
    const QString sign = ns < 0 ? QString(Minus) : QString();
    if (size == 0)
        return QStringLiteral("0 s");
    if (size < 1000)
        return sign + QString::number(qint64(size)) + QStringLiteral(" ns");
    const LengthUnit* unit = lengthUnitOf(size);
    if (unit->ns == Hour) {
        const qint64 seconds = std::llround(size / 1e9);
        return sign + QStringLiteral("%1 h %2 min %3 s").arg(countText(seconds / 3600)).arg(seconds / 60 % 60).arg(seconds % 60);
    }
    if (unit->ns == Minute) {
        const qint64 tenths = std::llround(size / double(Tenth));
        return sign + QStringLiteral("%1 min %2.%3 s").arg(tenths / 600).arg(tenths / 10 % 60).arg(tenths % 10);
    }
    const double value = size / unit->ns;
    const QString text = value >= 1000 ? countText(qint64(value)) : QString::number(value, 'f', 3);
    return sign + text + QLatin1Char(' ') + QString::fromUtf8(unit->name);
}

QString dateText(Timestamp at, const TimeFormat& format)
{
    if (format.mode == TimeFormat::Mode::Relative)
        return QStringLiteral("from %1").arg(format.originText.isEmpty() ? QStringLiteral("the start") : format.originText);
    if (!format.hasEpoch)
        return QStringLiteral("trace clock (no wall time)");
    const auto utc = QDateTime::fromSecsSinceEpoch(floorDiv(shown(at, format), Second), Qt::UTC);
    return QLocale::c().toString(utc.date(), QStringLiteral("ddd d MMM yyyy"));
}

QString zoneText(Timestamp at, const TimeFormat& format)
{
    if (!isClock(format))
        return {};
    const int offset = zoneOffset(at, format);
    if (offset == 0)
        return QStringLiteral("UTC");
    const int minutes = std::abs(offset) / 60;
    QString text = QStringLiteral("UTC") + (offset < 0 ? Minus : QLatin1Char('+')) + QString::number(minutes / 60);
    if (minutes % 60 != 0)
        text += QLatin1Char(':') + twoDigits(minutes % 60);
    return text;
}

namespace {

/// Distance between major ticks in ns, and the number of parts into which minor ticks divide it.
struct Step {
    std::int64_t ns;
    int parts;
};

Step stepFor(double minimum)
{
    for (std::int64_t decade = 1; decade < Second; decade *= 10) {
        for (const Step step : {Step{1, 5}, Step{2, 4}, Step{5, 5}}) {
            if (double(step.ns * decade) >= minimum)
                return {step.ns * decade, step.ns * decade < 5 ? int(step.ns) : step.parts};
        }
    }
    static constexpr std::int64_t Minute = 60 * Second;
    static constexpr std::int64_t Hour = 60 * Minute;
    for (const Step step :
         {Step{Second, 5}, Step{2 * Second, 4}, Step{5 * Second, 5}, Step{10 * Second, 5}, Step{15 * Second, 3}, Step{30 * Second, 3},
          Step{Minute, 4}, Step{2 * Minute, 4}, Step{5 * Minute, 5}, Step{10 * Minute, 5}, Step{15 * Minute, 3}, Step{30 * Minute, 3},
          Step{Hour, 4}, Step{2 * Hour, 4}, Step{3 * Hour, 3}, Step{6 * Hour, 6}, Step{12 * Hour, 4}, Step{24 * Hour, 4}}) {
        if (double(step.ns) >= minimum)
            return step;
    }
    const std::int64_t days = std::int64_t(std::min(minimum / double(24 * Hour), 1e5)) + 1;
    return {days * 24 * Hour, 4};
}

/// Returns the smallest unit of 1 µs, 1 ms, 1 s and 1 min, in ns, for which both times have the same number of whole units. This common
/// number can be written once, as the prefix of the labels. Returns 0 if there is no such unit.
std::int64_t commonUnit(std::int64_t begin, std::int64_t end)
{
    for (const std::int64_t unit : {std::int64_t(1'000), std::int64_t(1'000'000), Second, 60 * Second}) {
        if (floorDiv(begin, unit) == floorDiv(end, unit))
            return unit;
    }
    return 0;
}

/// Returns how many decimal digits a time in seconds needs to write multiples of `step` ns exactly: 0, 3, 6 or 9.
int digitsOf(std::int64_t step) { return step >= Second ? 0 : step >= 1'000'000 ? 3 : step >= 1'000 ? 6 : 9; }

QString labelOf(std::int64_t ns, std::int64_t step, std::int64_t unit, const TimeFormat& format)
{
    const int digits = digitsOf(step);
    const QString fraction = fractionText(floorMod(ns, Second), digits);
    if (unit == 1'000)
        return QString::number(floorMod(ns, 1'000)) + QStringLiteral(" ns");
    if (unit == 1'000'000) {
        const QString micros = fraction.mid(4, 3);
        return digits == 6 ? micros + QStringLiteral(" µs") : micros + QLatin1Char('.') + fraction.mid(8, 3) + QStringLiteral(" µs");
    }
    if (unit == Second)
        return QLatin1Char('.') + fraction + QStringLiteral(" s");
    const QString behind = digits > 0 ? QLatin1Char('.') + fraction : QString();
    if (isClock(format) && unit == 60 * Second)
        return QLatin1Char(':') + twoDigits(floorMod(floorDiv(ns, Second), 60)) + behind;
    if (!isClock(format) && ns < 0)
        return timeText((format.mode == TimeFormat::Mode::Relative ? format.origin : Timestamp()) + Duration(ns), format, digits);
    return wholeText(ns, format) + behind + (isClock(format) ? QString() : QStringLiteral(" s"));
}

QString prefixOf(std::int64_t ns, std::int64_t unit, const TimeFormat& format)
{
    if (unit == 0 || (unit == 60 * Second && !isClock(format)))
        return {};
    if (unit == 60 * Second)
        return clockText(floorMod(floorDiv(ns, Second), 86400)).left(5);
    const QString whole = wholeText(ns, format);
    return unit == Second ? whole : whole + QLatin1Char('.') + fractionText(floorMod(ns, Second), unit == 1'000 ? 6 : 3);
}

} // namespace

Ticks ticksFor(const TimeScale& scale, const TimeFormat& format, double spacing)
{
    Ticks result;
    if (!scale.isValid())
        return result;
    const TimeRange window = scale.window();
    const Step step = stepFor(spacing * double(window.duration().count()) / scale.width());
    result.step = Duration(step.ns);
    const std::int64_t begin = shown(window.begin, format);
    const std::int64_t end = begin + window.duration().count();
    std::int64_t unit = commonUnit(begin, end);
    if (!isClock(format) && begin < 0)
        // Negative times get no prefix: a whole number rounded down and a positive fraction would represent -1.2 s as -2 s and 0.8 s.
        unit = 0;
    if (step.ns >= unit)
        unit = 0;
    result.prefix = prefixOf(begin, unit, format);
    const int parts = std::max(1, step.parts);
    const std::int64_t first = floorDiv(begin, step.ns);
    for (std::int64_t n = first * parts; n <= (first + 1) * parts + (end - begin) / step.ns * parts + parts; ++n) {
        const std::int64_t ns = floorDiv(n, parts) * step.ns + floorMod(n, parts) * (step.ns / parts);
        const bool isMajor = floorMod(n, parts) == 0;
        result.ticks.push_back({window.begin + Duration(ns - begin), isMajor, isMajor ? labelOf(ns, step.ns, unit, format) : QString()});
    }
    return result;
}

} // namespace helio
