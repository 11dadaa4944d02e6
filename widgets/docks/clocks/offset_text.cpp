#include "widgets/docks/clocks/offset_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace helio {

namespace {

constexpr QChar Minus(0x2212);
constexpr QChar ThinSpace(0x2009);
/// Maximum absolute value of an offset in ns, so that the sum of two offsets does not overflow.
constexpr std::int64_t Farthest = std::int64_t(1) << 61;
constexpr std::int64_t Second = 1'000'000'000;

/// Removes spaces, and replaces typographic signs by ASCII signs.
QString plain(const QString& text)
{
    QString found;
    for (const QChar c : text)
        if (!c.isSpace())
            found += c == Minus ? QChar('-') : c;
    return found;
}

/// Returns the length of a unit in ns; 0 if the unit is unknown.
std::int64_t unitOf(const QString& word)
{
    static const std::pair<QString, std::int64_t> Units[] = {{QString(), Second},
                                                             {"s", Second},
                                                             {"ms", 1'000'000},
                                                             {"us", 1000},
                                                             {QString(QChar(0xb5)) + 's', 1000},
                                                             {QString(QChar(0x3bc)) + 's', 1000},
                                                             {"ns", 1},
                                                             {"min", 60 * Second},
                                                             {"h", 3600 * Second},
                                                             {"d", 86'400 * Second}};
    const auto found = std::ranges::find(Units, word, &std::pair<QString, std::int64_t>::first);
    return found != std::end(Units) ? found->second : 0;
}

/// Returns the number of decimal digits: two more than the error bound justifies.
int offsetDigits(Duration error)
{
    if (error <= Duration{})
        return 9;
    if (error == Duration::max())
        return 3;
    return std::clamp(int(std::ceil(9 - std::log10(double(error.count())))) + 2, 3, 9);
}

/// Groups digits in threes, e.g. "412 118 3".
QString grouped(const QString& digits)
{
    QString text;
    for (qsizetype i = 0; i < digits.size(); ++i) {
        if (i > 0 && i % 3 == 0)
            text += ThinSpace;
        text += digits[i];
    }
    return text;
}

QString groupedFromTheRight(const QString& digits)
{
    QString text = digits;
    for (qsizetype at = text.size() - 3; at > 0; at -= 3)
        text.insert(at, ThinSpace);
    return text;
}

} // namespace

std::optional<Duration> parseOffset(const QString& text)
{
    static const QRegularExpression form("^([+-]?)(\\d*)(?:\\.(\\d*))?(\\D*)$");
    const auto parts = form.match(plain(text));
    if (!parts.hasMatch() || (parts.captured(2).isEmpty() && parts.captured(3).isEmpty()))
        return {};
    const std::int64_t unit = unitOf(parts.captured(4));
    long double whole = 0;
    for (const QChar digit : parts.captured(2))
        whole = whole * 10 + digit.digitValue();
    if (unit == 0 || whole * static_cast<long double>(unit) > static_cast<long double>(Farthest))
        return {};
    std::int64_t ns = static_cast<std::int64_t>(whole) * unit;
    long double share = 0;
    long double place = 1;
    for (const QChar digit : parts.captured(3).left(18))
        share += digit.digitValue() * (place /= 10);
    ns += std::llround(share * static_cast<long double>(unit));
    return Duration(parts.captured(1) == "-" ? -ns : ns);
}

QString secondsText(Duration offset, Duration error)
{
    const int digits = offsetDigits(error);
    std::int64_t step = 1;
    for (int i = digits; i < 9; ++i)
        step *= 10;
    const std::uint64_t size = offset < Duration{} ? 0 - std::uint64_t(offset.count()) : std::uint64_t(offset.count());
    const std::uint64_t rounded = (size + std::uint64_t(step) / 2) / std::uint64_t(step) * std::uint64_t(step);
    if (rounded == 0)
        return QStringLiteral("0");
    QString behind = QString::number(rounded % Second).rightJustified(9, '0').left(digits);
    while (error == Duration{} && behind.endsWith('0'))
        behind.chop(1);
    const QString whole = groupedFromTheRight(QString::number(rounded / Second));
    return (offset < Duration{} ? Minus : QChar('+')) + whole + (behind.isEmpty() ? QString() : '.' + grouped(behind));
}

std::optional<std::int64_t> parseDrift(const QString& ppm)
{
    QString text = plain(ppm);
    if (text.endsWith("ppm"))
        text.chop(3);
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    constexpr double Most = 100'000;
    if (!isNumber || !(std::abs(value) <= Most))
        return {};
    return std::llround(value * 1e12);
}

QString ppmText(double ppm)
{
    const QString text = QString::number(std::abs(ppm), 'g', 4);
    const bool isPlain = !text.contains('e');
    if (ppm == 0 || text == "0")
        return QStringLiteral("0");
    return (ppm < 0 ? Minus : QChar('+')) + (isPlain ? text : QString::number(std::abs(ppm), 'f', 4));
}

} // namespace helio
