#include "widgets/shell/dock_area.h"

#include "widgets/shell/icons.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

namespace {

/// What the tabs stand on: a line that only the chosen tab interrupts.
class TabStrip : public QWidget {
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color("surface.window"));
        painter.fillRect(0, height() - 1, width(), 1, theme().color("line.subtle"));
    }
};

} // namespace

DockArea::DockArea(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabBar)
    , m_stack(new QStackedWidget)
    , m_close(new QToolButton)
{
    setAccessibleName(name);
    m_tabs->setAccessibleName(name);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setDrawBase(false);
    m_tabs->setFixedHeight(28);
    m_close->setToolTip(tr("Hide these docks"));
    m_close->setAccessibleName(tr("Hide %1").arg(name));
    m_close->setFixedSize(24, 24);

    auto* strip = new TabStrip;
    strip->setFixedHeight(28);
    auto* line = new QHBoxLayout(strip);
    line->setContentsMargins(0, 0, 6, 0);
    line->setSpacing(2);
    line->addWidget(m_tabs, 1);
    line->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip);
    layout->addWidget(m_stack, 1);

    connect(m_close, &QToolButton::clicked, this, &DockArea::closeRequested);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0)
            return;
        m_stack->setCurrentIndex(index);
        emit currentChanged(current());
    });
    connect(&Themes::instance(), &Themes::changed, this, &DockArea::updateIcons);
    updateIcons();
}

void DockArea::addPage(const QString& id, const QString& title, QWidget* page)
{
    m_stack->addWidget(page);
    const int index = m_tabs->addTab(title);
    m_tabs->setTabData(index, id);
    setVisible(true);
}

QWidget* DockArea::takePage(const QString& id)
{
    const int index = indexOf(id);
    if (index < 0)
        return nullptr;
    QWidget* page = m_stack->widget(index);
    m_stack->removeWidget(page);
    page->setParent(nullptr);
    m_tabs->removeTab(index);
    return page;
}

QStringList DockArea::pages() const
{
    QStringList ids;
    for (int i = 0; i < m_tabs->count(); ++i)
        ids << m_tabs->tabData(i).toString();
    return ids;
}

QString DockArea::current() const { return m_tabs->tabData(m_tabs->currentIndex()).toString(); }

void DockArea::setCurrent(const QString& id)
{
    if (isTabShown(id))
        m_tabs->setCurrentIndex(indexOf(id));
}

void DockArea::setTabShown(const QString& id, bool isShown)
{
    if (const int index = indexOf(id); index >= 0)
        m_tabs->setTabVisible(index, isShown);
}

bool DockArea::isTabShown(const QString& id) const
{
    const int index = indexOf(id);
    return index >= 0 && m_tabs->isTabVisible(index);
}

int DockArea::indexOf(const QString& id) const { return static_cast<int>(pages().indexOf(id)); }

void DockArea::updateIcons()
{
    m_close->setIcon(themedIcon("close"));
    m_tabs->setFont(fonts().body());
}

} // namespace helio
