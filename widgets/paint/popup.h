#pragma once

#include <QPainter>

namespace helio {

/// Width of a popup's shadow on each side, in device-independent pixels.
constexpr int PopupShadow = 10;

/// Paints the background of a menu, tooltip or drop-down list: surface.raised with an edge and round corners, in the rectangle `card`.
void paintPopup(QPainter& painter, const QRectF& card);
/// Paints the soft shadow of a popup, five pixels lower than the card. Must be called before paintPopup().
void paintPopupShadow(QPainter& painter, const QRectF& card);

} // namespace helio
