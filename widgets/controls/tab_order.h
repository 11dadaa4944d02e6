#pragma once

class QWidget;

namespace helio {

/// Moves the focus to the next or previous control of a window, in the order of the layout: containers row by row, each row from left to
/// right, and all controls of a container before those of the next one. Qt's own order is the order in which the widgets were made, which
/// differs once panels are moved or buttons are added later. Skips hidden, disabled and empty widgets. Scrolls
/// the control into view. To be called by the
/// focusNextPrevChild() of windows; returns false if the window has no other control.
/// Threads: UI thread.
/// Cost: visits every visible widget of the window.
bool focusNextInLayout(QWidget& window, bool isForward);

} // namespace helio
