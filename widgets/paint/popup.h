#pragma once

#include <QPainter>

namespace helio {

/// The room a popup's shadow takes around it, in device-independent pixels.
constexpr int PopupShadow = 10;

/// What menus, tooltips and lists that open lie on: surface.raised with an edge and round corners, as wide as the card.
void paintPopup(QPainter& painter, const QRectF& card);
/// Its soft shadow, five lower than the card: before it.
void paintPopupShadow(QPainter& painter, const QRectF& card);

} // namespace helio
