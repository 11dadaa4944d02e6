#pragma once

#include <QSize>
#include <Qt>

#include <initializer_list>

class QSplitter;
class QVBoxLayout;
class QWidget;

namespace helio {

/// Sets the icon, minimum size and size of a window. Sizes are limited to the screen, which may be as small as 960 by 540 points at scale
/// 2.
void frameWindow(QWidget& window, QSize size);

/// Gives the widget a vertical layout without spacing or margins.
QVBoxLayout* makeVerticalLayout(QWidget* widget);

/// Creates a splitter with `parts`, none of which can be collapsed.
QSplitter* makeSplitter(Qt::Orientation orientation, std::initializer_list<QWidget*> parts = {});

/// Adds parts to a splitter, so that screen readers read them in their order; QSplitter puts each new part before the others.
void addParts(QSplitter& splitter, std::initializer_list<QWidget*> parts);

} // namespace helio
