#pragma once

class QHBoxLayout;
class QLabel;
class QWidget;

namespace helio {

// Bars above and below an editor of queries and the table of a result. UI thread.

constexpr int SqlHeadHeight = 38; ///< Height of a bar with buttons, in pixels.
constexpr int SqlFootHeight = 26; ///< Height of a bar with texts only, in pixels.

/// Returns a bar of a fixed height, and its layout. The caller owns the bar until a layout or parent takes it.
QWidget* makeSqlBar(int height, QHBoxLayout*& layout);

/// Lets a label shrink to nothing instead of making the dock wider.
void makeShrinking(QLabel& label);

} // namespace helio
