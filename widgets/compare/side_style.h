#pragma once

#include "widgets/theme/theme.h"

#include <QPainter>

#include <array>

namespace helio {

/// Side of a comparison. In all views, A is blue and B is red, always together with the letter.
enum class Side { A, B };
inline constexpr std::array Sides{Side::A, Side::B};

inline QString letterOf(Side side) { return side == Side::A ? QStringLiteral("A") : QStringLiteral("B"); }
inline QString sideRole(Side side, const char* part = "")
{
    return (side == Side::A ? QStringLiteral("compare.a") : QStringLiteral("compare.b")) + QLatin1String(part);
}

/// Paints the letter of a side in a square, BadgeSize pixels wide.
void paintBadge(QPainter& painter, const QPointF& topLeft, Side side);

constexpr int RailWidth = 4;
constexpr int BadgeSize = 16;

} // namespace helio
