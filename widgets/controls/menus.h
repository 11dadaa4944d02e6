#pragma once

#include <functional>

class QMenu;
class QString;
class QWidget;

namespace helio {

/// Makes a menu of `parent` that is filled each time it opens.
QMenu* makeMenu(QWidget* parent, std::function<void(QMenu* menu)> fill);

/// Returns a tooltip whose lines break at a readable width. `text`: plain text; its line breaks are kept.
QString wrapTooltip(const QString& text);

/// Adds an action that is one of several exclusive choices.
void addExclusiveAction(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose);

} // namespace helio
