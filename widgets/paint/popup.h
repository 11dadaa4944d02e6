#pragma once

#include <QPainter>

namespace helio {

/// Width of a popup's shadow on each side, in device-independent pixels.
constexpr int PopupShadow = 10;

/// Paints the background of menus, tooltips and drop-down lists: surface.raised with an edge and round corners, as large as `card`.
void paintPopup(QPainter& painter, const QRectF& card);
/// Paints the soft shadow of a popup, five pixels lower than the card. To be called before paintPopup().
void paintPopupShadow(QPainter& painter, const QRectF& card);

} // namespace helio
