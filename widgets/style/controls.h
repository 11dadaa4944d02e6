#pragma once

#include <QMargins>
#include <QStyleOption>

class QPainter;

/// Drawing and sizes of controls, for ControlStyle. Sizes are in device-independent pixels.
namespace helio::controls {

/// Converts a length from pixels at the default font size (13 px) to pixels at the desktop's font size.
int scaled(qreal length);

// Push buttons, tool buttons, check boxes and radio buttons.
void drawButton(QPainter& painter, const QStyleOptionButton& option);
void drawButtonText(QPainter& painter, const QStyleOptionButton& option);
QSize buttonSize(const QStyleOptionButton& option);
void drawToolBackground(QPainter& painter, const QStyleOption& option);
void drawCheckBox(QPainter& painter, const QStyleOption& option);
void drawRadioButton(QPainter& painter, const QStyleOption& option);

// Input fields: line edits, combo boxes and spin boxes. Lengths are in pixels at the default font size.
constexpr int FieldHeight = 22;
constexpr int FieldEnd = 24; ///< Width in pixels at the end of a field for a chevron or arrows.
constexpr int TitlePadding = 8; ///< Space in pixels left and right of a column's title.
void drawField(QPainter& painter, const QRect& rect, bool isEnabled, bool hasFocus);
void drawCombo(QPainter& painter, const QStyleOptionComboBox& option);
void drawComboText(QPainter& painter, const QStyleOptionComboBox& option);
void drawSpinBox(QPainter& painter, const QStyleOptionSpinBox& option);

// Menus and popups.
/// Returns the margins of a popup's window for its shadow; zero if no compositor blends the window with the windows below.
QMargins popupMargins();
void drawMenuBackground(QPainter& painter, const QRect& rect);
void drawMenuItem(QPainter& painter, const QStyleOptionMenuItem& option);
QSize menuItemSize(const QStyleOptionMenuItem& option, QSize text);
void drawMenuBarItem(QPainter& painter, const QStyleOptionMenuItem& option);

// Tabs, table headers and scroll bars.
void drawTab(QPainter& painter, const QStyleOptionTab& option);
void drawTabText(QPainter& painter, const QStyleOptionTab& option);
QSize tabSize(const QStyleOptionTab& option);
void drawHeaderBackground(QPainter& painter, const QStyleOptionHeader& option);
/// Returns the size for the title's text, and for the sort arrow if the table can be sorted; at least `least`.
QSize headerSectionSize(const QStyleOptionHeader& option, const QSize& least);
void drawHeaderSection(QPainter& painter, const QStyleOptionHeader& option);
void drawBranch(QPainter& painter, const QStyleOption& option); ///< Draws the chevron of a tree's line that has lines below it.
QRect scrollHandle(const QStyleOptionSlider& option);
void drawScrollBar(QPainter& painter, const QStyleOptionSlider& option);
void drawSplitter(QPainter& painter, const QStyleOption& option);

} // namespace helio::controls
