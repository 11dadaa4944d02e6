#pragma once

#include <functional>

class QMenu;
class QString;
class QWidget;

namespace helio {

/// A menu of `parent` that is filled each time it opens.
QMenu* makeMenu(QWidget* parent, std::function<void(QMenu* menu)> fill);

/// A line that is one of several.
void addChoice(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose);

} // namespace helio
