#include "widgets/flame/frame/flame_head.h"

#include "widgets/controls/icons.h"
#include "widgets/controls/pill.h"

#include <QToolButton>

namespace helio {

namespace {

constexpr int LeastTitle = 90;
constexpr int LeastCount = 60;

} // namespace

FlameHead::FlameHead()
    : m_title(makeElidingLabel(LeastTitle, 12, 600, "text.primary"))
{
    addWidget(m_title);
    addSpacing(4);
    m_next = count();
    addStretch(1);
}

QLabel* FlameHead::addCount()
{
    QLabel* label = makeElidingLabel(LeastCount, 11.5, 400, "text.secondary");
    insertWidget(m_next++, label);
    insertSpacing(m_next++, 6);
    return label;
}

Pill* FlameHead::addPill(const QString& text)
{
    auto* pill = new Pill(text);
    insertWidget(m_next++, pill);
    m_pills.push_back(pill);
    setFolding(pill);
    return pill;
}

Pill* FlameHead::addMenu(const QString& text, std::function<void(QMenu* menu)> fill)
{
    Pill* pill = addPill(text);
    pill->setMenu(std::move(fill));
    return pill;
}

Pill* FlameHead::addSwitch(const QString& text, const QString& tip)
{
    Pill* pill = addPill(text);
    pill->setCheckable(true);
    pill->setToolTip(tip);
    return pill;
}

QToolButton* makeHeadButton(const QString& icon, const QString& name)
{
    auto* button = new QToolButton;
    button->setFixedSize(22, 22);
    button->setIcon(themedIcon(icon));
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setPopupMode(QToolButton::InstantPopup); // Open the menu at a click; without effect for buttons without a menu.
    return button;
}

} // namespace helio
