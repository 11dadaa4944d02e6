#include "app/gui/common/side_rail.h"

#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

SideRail::SideRail(QWidget* parent)
    : QWidget(parent)
{
    setFixedWidth(Width);
    setAccessibleName(tr("Side docks"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(5, 8, 4, 8);
    layout->setSpacing(8);
    layout->addStretch(1);
    connect(&Themes::instance(), &Themes::changed, this, &SideRail::updateIcons);
}

void SideRail::addView(const QString& id, const QString& title, const QString& icon)
{
    auto* button = new QToolButton;
    button->setFixedSize(30, 30);
    button->setIconSize({18, 18});
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(title);
    button->setAccessibleName(title);
    button->setProperty("iconName", icon);
    connect(button, &QToolButton::clicked, this, [this, id] { emit clicked(id); });
    auto* lines = static_cast<QVBoxLayout*>(layout());
    lines->insertWidget(lines->count() - 1, button);
    m_buttons.insert(id, button);
    updateIcons();
}

void SideRail::setOpen(const QString& id)
{
    for (auto it = m_buttons.begin(); it != m_buttons.end(); ++it)
        it.value()->setChecked(it.key() == id);
}

void SideRail::updateIcons()
{
    for (QToolButton* const button : m_buttons)
        button->setIcon(themedIcon(button->property("iconName").toString()));
}

void SideRail::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.window"));
    painter.fillRect(0, 0, 1, height(), theme().color("line.subtle"));
}

} // namespace helio
