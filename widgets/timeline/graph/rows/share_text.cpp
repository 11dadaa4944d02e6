#include "widgets/timeline/graph/rows/share_text.h"

#include <cmath>

namespace helio {

namespace {

constexpr double Unsure = 1e-11; ///< In percent: tolerance for the rounding of binary fractions.

/// Rounds tenths of a percent down.
double roundedDown(double tenths) { return std::floor(tenths + Unsure); }

QString numberText(double value, bool isLowerBound)
{
    const double tenths = isLowerBound ? roundedDown(value * 10) : std::round(value * 10);
    if (tenths < 1)
        return isLowerBound ? QStringLiteral("0") : QStringLiteral("<0.1");
    if (tenths >= 100)
        return QString::number(isLowerBound ? qint64(roundedDown(value)) : qint64(std::lround(value)));
    return QString::number(tenths / 10, 'f', 1);
}

} // namespace

QString shareText(double share, bool isLowerBound, bool isBare)
{
    const double value = share * 100;
    if (value <= 0)
        return QString(QChar(0x2013));
    const QString text = (isLowerBound ? QString(QChar(0x2265)) : QString()) + numberText(value, isLowerBound);
    return isBare ? text : text + QStringLiteral(" %");
}

} // namespace helio
