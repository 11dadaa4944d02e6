#pragma once

#include <QMargins>
#include <QStyleOption>

class QPainter;

/// How each control is drawn and how large it is: what ControlStyle is made of. Sizes are device-independent pixels.
namespace helio::controls {

/// A length of look.md, which goes with the desktop's font.
int scaled(qreal length);

// buttons.cpp
void drawButton(QPainter& painter, const QStyleOptionButton& option);
void drawButtonText(QPainter& painter, const QStyleOptionButton& option);
QSize buttonSize(const QStyleOptionButton& option);
void drawToolGround(QPainter& painter, const QStyleOption& option);
void drawCheckBox(QPainter& painter, const QStyleOption& option);
void drawRadioButton(QPainter& painter, const QStyleOption& option);

// fields.cpp
constexpr int FieldHeight = 22;
constexpr int FieldEnd = 24; ///< For a chevron, or for arrows.
void drawField(QPainter& painter, const QRect& rect, bool isEnabled, bool hasFocus);
void drawCombo(QPainter& painter, const QStyleOptionComboBox& option);
void drawComboText(QPainter& painter, const QStyleOptionComboBox& option);
void drawSpinBox(QPainter& painter, const QStyleOptionSpinBox& option);

// menus.cpp
/// The room around a popup of its own window that its shadow takes; none where no compositor blends it with what lies below.
QMargins popupMargins();
void drawMenuGround(QPainter& painter, const QRect& rect);
void drawMenuItem(QPainter& painter, const QStyleOptionMenuItem& option);
QSize menuItemSize(const QStyleOptionMenuItem& option, QSize text);
void drawMenuBarItem(QPainter& painter, const QStyleOptionMenuItem& option);

// bars.cpp
void drawTab(QPainter& painter, const QStyleOptionTab& option);
void drawTabText(QPainter& painter, const QStyleOptionTab& option);
QSize tabSize(const QStyleOptionTab& option);
void drawTitleGround(QPainter& painter, const QStyleOptionHeader& option);
/// Room for its words, and for the mark of a sorted one where any may be sorted; at least what it would be otherwise.
QSize titleSize(const QStyleOptionHeader& option, const QSize& least);
void drawTitle(QPainter& painter, const QStyleOptionHeader& option);
QRect scrollHandle(const QStyleOptionSlider& option);
void drawScrollBar(QPainter& painter, const QStyleOptionSlider& option);
void drawSplitter(QPainter& painter, const QStyleOption& option);

} // namespace helio::controls
