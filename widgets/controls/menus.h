#pragma once

#include <functional>

class QMenu;
class QString;
class QWidget;

namespace helio {

/// A menu of `parent` that is filled each time it opens.
QMenu* makeMenu(QWidget* parent, std::function<void(QMenu* menu)> fill);

/// What a tooltip takes to break its lines at a width that reads well. `text`: plain, its line ends stay.
QString wrappedTip(const QString& text);

/// A line that is one of several.
void addChoice(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose);

} // namespace helio
