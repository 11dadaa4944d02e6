#include "widgets/controls/menus.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

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

QString wrapTooltip(const QString& text)
{
    constexpr int Width = 380; // Width of a tooltip in pixels; by default, Qt breaks lines at half of this width.
    constexpr qsizetype Long = 60;
    const auto lines = QStringView(text).split(u'\n');
    const bool isLong = std::ranges::any_of(lines, [](QStringView line) { return line.size() > Long; });
    const QString escaped = text.toHtmlEscaped().replace('\n', QStringLiteral("<br>"));
    return isLong
        ? QStringLiteral("<table width=\"%1\" cellspacing=\"0\" cellpadding=\"0\"><tr><td>%2</td></tr></table>").arg(Width).arg(escaped)
        : QStringLiteral("<p style=\"white-space:pre\">%1</p>").arg(escaped);
}

void addExclusiveAction(QMenu* menu, const QString& text, bool isChosen, const std::function<void()>& choose)
{
    QAction* action = menu->addAction(text, menu, choose);
    action->setCheckable(true);
    action->setChecked(isChosen);
    (new QActionGroup(action))->addAction(action); // An action of an exclusive group is drawn with a check mark instead of a switch.
}

} // namespace helio
