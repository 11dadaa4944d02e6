#pragma once

#include <QString>

#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>

class QMenu;
class QWidget;

namespace helio {

/// Makes a menu, owned by `parent`, whose items are added by `fill` each time it opens.
QMenu* makeMenu(QWidget* parent, std::function<void(QMenu* menu)> fill);

/// Converts plain text to a tooltip with line breaks at a readable width; line breaks in `text` are kept.
QString wrapTooltip(const QString& text);

/// Adds an action that is one of several exclusive choices. `isChosen`: it is the current choice; `choose`: called when the user chooses
/// it.
void addExclusiveAction(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose);

/// Adds an exclusive action for each choice, given by its text and value. `now`: current value; `choose`: called with the value that the
/// user chooses.
template <typename Value, typename Choose>
void addChoices(QMenu* menu, const Value& now, std::initializer_list<std::pair<QString, std::type_identity_t<Value>>> choices,
                const Choose& choose)
{
    for (const auto& [text, value] : choices)
        addExclusiveAction(menu, text, value == now, [choose, value = value] { choose(value); });
}

} // namespace helio
