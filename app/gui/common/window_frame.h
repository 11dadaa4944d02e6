#pragma once

#include <QSize>
#include <Qt>

#include <initializer_list>

class QSplitter;
class QVBoxLayout;
class QWidget;

namespace helio {

/// Sets icon, minimum size and size of a window; never larger than its screen, which has as few as 960 by 540 points at scale 2.
void frameWindow(QWidget& window, QSize size);

/// Gives the widget a vertical layout without spacing or margins.
QVBoxLayout* makeVerticalLayout(QWidget* widget);

/// Makes a splitter with a handle between the parts; no part can be collapsed.
QSplitter* makeSplitter(Qt::Orientation orientation, std::initializer_list<QWidget*> parts = {});

} // namespace helio
