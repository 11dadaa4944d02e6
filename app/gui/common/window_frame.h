#pragma once

#include <QSize>
#include <Qt>

#include <initializer_list>

class QSplitter;
class QVBoxLayout;
class QWidget;

namespace helio {

/// Icon, least size and size of a window of the program; never larger than its screen, which at scale 2 may be 960 by 540.
void frameWindow(QWidget& window, QSize size);

/// A layout for the widget that stacks parts without gaps or margins.
QVBoxLayout* linesIn(QWidget* widget);

/// Parts with a handle between them, of which none can be pushed together to nothing.
QSplitter* makeSplitter(Qt::Orientation orientation, std::initializer_list<QWidget*> parts = {});

} // namespace helio
