#pragma once

#include <QString>

#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>

class QMenu;
class QWidget;

namespace helio {

/// Makes a menu of `parent` that is filled each time it opens.
QMenu* makeMenu(QWidget* parent, std::function<void(QMenu* menu)> fill);

/// Returns a tooltip whose lines break at a readable width. `text`: plain text; its line breaks are kept.
QString wrapTooltip(const QString& text);

/// Adds an action that is one of several exclusive choices.
void addExclusiveAction(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose);

/// Adds an exclusive action for each choice: its text and its value. `now` is the value chosen now; `choose` takes a value.
template <typename Value, typename Choose>
void addChoices(QMenu* menu, const Value& now, std::initializer_list<std::pair<QString, std::type_identity_t<Value>>> choices,
                const Choose& choose)
{
    for (const auto& [text, value] : choices)
        addExclusiveAction(menu, text, value == now, [choose, value = value] { choose(value); });
}

} // namespace helio
