#include "widgets/controls/header_bar.h"

#include "widgets/controls/icons.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/value_label.h"
#include "widgets/theme/themes.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace helio {

namespace {

/// Minimum width of the omnibox in pixels while the badge's text is shown. If there is less room, the badge's text is hidden.
constexpr int LeastField = 240;
/// Minimum width of the omnibox in pixels while the experiment's name is complete. If there is less room, the name is abbreviated.
constexpr int NarrowField = 150;
constexpr int LeastName = 60; ///< Minimum width in pixels of an abbreviated name; with less room, the name is hidden.

/// Label that abbreviates its text in the middle if it is too narrow. The tooltip then has the whole text.
class ElidedLabel : public QLabel {
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {std::min(LeastName, sizeHint().width()), QLabel::minimumSizeHint().height()}; }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideMiddle, width()));
    }
    void resizeEvent(QResizeEvent*) override { setToolTip(width() < sizeHint().width() ? text() : QString()); }
};

} // namespace

HeaderBar::HeaderBar(QWidget* parent)
    : QWidget(parent)
    , m_menus(new QMenuBar(this))
    , m_tools(new QWidget(this))
    , m_toolLine(new QHBoxLayout(m_tools))
    , m_omnibox(new Omnibox(this))
    , m_check(new QLabel)
    , m_badge(new QLabel)
    , m_name(new ElidedLabel)
    , m_right(new QWidget(this))
    , m_counters(new QWidget(this))
{
    setFixedHeight(38);
    m_menus->setNativeMenuBar(false);
    m_menus->setAccessibleName(tr("Menus"));
    m_toolLine->setContentsMargins(0, 0, 0, 0);
    m_toolLine->setSpacing(4);
    m_tools->setAccessibleName(tr("Tools"));
    auto* line = new QHBoxLayout(m_right);
    line->setContentsMargins(0, 0, 14, 0);
    line->setSpacing(6);
    auto* counters = new QHBoxLayout(m_counters);
    counters->setContentsMargins(0, 0, 8, 0);
    counters->setSpacing(4);
    line->addWidget(m_check);
    line->addWidget(m_badge);
    line->addSpacing(10);
    line->addWidget(m_name);
    setValueName(*m_name, tr("Experiment"));
    setExperiment({}, {});
    connect(&Themes::instance(), &Themes::changed, this, &HeaderBar::updateLook);
    updateLook();
}

void HeaderBar::addTool(QAction* action)
{
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setFixedSize(26, 24);
    button->setIconSize({16, 16});
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    m_toolLine->addWidget(button);
    place();
}

void HeaderBar::setExperiment(const QString& badge, const QString& name, const QString& doubt, bool hasWarnings)
{
    m_isDoubtful = !doubt.isEmpty() || hasWarnings;
    const QString why = doubt.isEmpty() && hasWarnings ? tr("with warnings") : doubt;
    m_badge->setText(badge.isEmpty() ? doubt : why.isEmpty() ? badge : badge + QStringLiteral(", ") + why);
    for (QLabel* label : {m_check, m_badge})
        label->setToolTip(hasWarnings ? tr("%1. See Messages for details").arg(doubt.isEmpty() ? badge : m_badge->text())
                                      : m_badge->text());
    m_name->setText(name);
    updateCheck();
    place();
}

QToolButton* HeaderBar::addCounter(const QString& icon, const QString& name)
{
    auto* counter = new QToolButton;
    counter->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    counter->setIconSize({14, 14});
    counter->setFixedHeight(24);
    counter->setFocusPolicy(Qt::TabFocus);
    counter->setProperty("iconName", icon);
    counter->setProperty("name", name);
    m_counters->layout()->addWidget(counter);
    setCount(counter, 0);
    return counter;
}

void HeaderBar::setCount(QToolButton* counter, int count, const QString& role)
{
    counter->setText(QString::number(count));
    counter->setProperty("role", role);
    counter->setToolTip(QStringLiteral("%1: %2").arg(counter->property("name").toString()).arg(count));
    counter->setAccessibleName(counter->toolTip());
    counter->setVisible(count > 0);
    updateCounter(counter);
    place();
}

void HeaderBar::updateCounter(QToolButton* counter)
{
    const QString role = counter->property("role").toString();
    const QColor color = theme().color(role.isEmpty() ? QStringLiteral("text.secondary") : role);
    counter->setIcon(QIcon(iconPixmap(counter->property("iconName").toString(), color, 14, devicePixelRatioF())));
    counter->setFont(fonts().small());
}

void HeaderBar::setNameWidget(QWidget* name)
{
    m_name->hide();
    m_right->layout()->addWidget(name);
    place();
}

void HeaderBar::updateCheck()
{
    const char* const color = m_isDoubtful ? "severity.warning" : "severity.good";
    m_check->setPixmap(iconPixmap(m_isDoubtful ? "warning" : "check", theme().color(color), 14, devicePixelRatioF()));
    m_check->setAccessibleName(m_isDoubtful ? tr("Warning") : tr("Complete"));
}

void HeaderBar::place()
{
    const int tools = m_tools->layout()->count();
    const int menus = m_menus->sizeHint().width();
    m_menus->setGeometry(36, 6, menus, 28);
    m_tools->setGeometry(36 + menus + 16, 7, tools * 30, 24);
    const int left = m_tools->geometry().right() + 12;
    const int wish = width() < 1500 ? 400 : 520;
    const int centred = (width() - wish) / 2;
    const int x = std::max(left, centred);
    const bool hasBadge = !m_badge->text().isEmpty();
    m_check->setVisible(hasBadge);
    m_badge->setVisible(hasBadge);
    QWidget* const name = m_right->layout()->itemAt(m_right->layout()->count() - 1)->widget();
    name->show();
    const auto need = [this] { return m_right->layout()->sizeHint().width(); };
    // If there is little room, these steps make room, one after the other: the omnibox shrinks to LeastField, the badge's text is hidden,
    // the omnibox shrinks to NarrowField, the experiment's name is abbreviated, the name is hidden. The badge's icon stays visible.
    const int counters = m_counters->layout()->sizeHint().width();
    m_counters->setGeometry(width() - counters, 0, counters, height() - 1);
    const int end = width() - counters;
    const auto room = [&](int field) { return end - (x + field) - 12; };
    if (need() > room(LeastField))
        m_badge->hide();
    const int least = std::clamp(end - x - 12, 0, NarrowField);
    const int w = std::clamp(end - x - 12 - need(), least, wish);
    m_omnibox->setGeometry(x, 6, w, 25);
    const auto leastNeed = [&] {
        return need() - (name->isHidden() ? 0 : name->sizeHint().width() - std::max(name->minimumSizeHint().width(), name->minimumWidth()));
    };
    if (leastNeed() > room(w))
        name->hide();
    m_right->setVisible(leastNeed() <= room(w));
    const int right = std::min(need(), std::max(room(w), leastNeed()));
    m_right->setGeometry(end - right, 0, right, height() - 1);
}

void HeaderBar::resizeEvent(QResizeEvent*) { place(); }

void HeaderBar::updateLook()
{
    QPalette p = palette();
    p.setColor(QPalette::Window, theme().color("surface.header"));
    p.setColor(QPalette::WindowText, theme().color("text.primary"));
    m_menus->setPalette(p);
    m_menus->setFont(fonts().body());
    QPalette secondary = p;
    secondary.setColor(QPalette::WindowText, theme().color("text.secondary"));
    m_badge->setPalette(secondary);
    m_badge->setFont(fonts().small());
    m_name->setFont(fonts().at(12, 500));
    for (auto* const counter : m_counters->findChildren<QToolButton*>())
        updateCounter(counter);
    updateCheck();
    place();
    update();
}

void HeaderBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, height() - 1, width(), 1, theme().color("line.subtle"));
    painter.drawPixmap(11, 10, iconPixmap("logo", theme().color("accent.fill"), 18, devicePixelRatioF()));
    painter.fillRect(m_tools->x() - 9, 10, 1, 18, theme().color("line.strong"));
}

} // namespace helio
