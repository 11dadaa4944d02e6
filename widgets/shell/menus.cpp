#include "widgets/shell/menus.h"

#include <QActionGroup>
#include <QMenu>

namespace helio {

QMenu* makeMenu(QWidget* parent, std::function<void(QMenu* menu)> fill)
{
    auto* menu = new QMenu(parent);
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, fill = std::move(fill)] {
        menu->clear();
        fill(menu);
    });
    return menu;
}

void addChoice(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose)
{
    QAction* action = menu->addAction(text, menu, choose);
    action->setCheckable(true);
    action->setChecked(isChosen);
    (new QActionGroup(action))->addAction(action); // Drawn with a tick, not as a switch.
}

} // namespace helio
