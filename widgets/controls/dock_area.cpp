#include "widgets/controls/dock_area.h"

#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <vector>

namespace helio {

namespace {

/// Background of the tabs: a line that is interrupted only by the current tab.
class TabStrip : public QWidget {
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color("surface.window"));
        painter.fillRect(0, height() - 1, width(), 1, theme().color("line.subtle"));
    }
};

/// Frame that makes a page scroll if it needs more room than the dock has.
class PageFrame : public QScrollArea {
public:
    explicit PageFrame(QWidget* page)
    {
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
        setWidgetResizable(true);
        viewport()->setAutoFillBackground(false);
        setWidget(page);
        page->setAutoFillBackground(false);
    }
    QSize minimumSizeHint() const override { return {1, 1}; }
};

} // namespace

class DockArea::Tabs : public QTabBar {
public:
    using QTabBar::tabSizeHint;
    /// Shows or hides a tab. Calls setTabVisible() only on a change, because for a visible tab it makes Qt forget a pending layout.
    void setShown(int index, bool isShown)
    {
        if (isTabVisible(index) != isShown)
            setTabVisible(index, isShown);
    }
    QSize minimumSizeHint() const override { return {1, QTabBar::minimumSizeHint().height()}; }
};

DockArea::DockArea(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_tabs(new Tabs)
    , m_stack(new QStackedWidget)
    , m_more(new QToolButton)
    , m_close(new QToolButton)
    , m_menu(new QMenu(this))
    , m_strip(new TabStrip)
{
    setAccessibleName(name);
    m_tabs->setAccessibleName(name);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setDrawBase(false);
    m_tabs->setFixedHeight(28);
    m_more->setText(QStringLiteral("\u22ef"));
    m_more->setToolTip(tr("More tabs"));
    m_more->setAccessibleName(tr("More tabs in %1").arg(name));
    m_more->setFixedSize(24, 24);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    m_close->setToolTip(tr("Hide these docks"));
    m_close->setAccessibleName(tr("Hide %1").arg(name));
    m_close->setFixedSize(24, 24);

    m_strip->setFixedHeight(28);
    auto* line = new QHBoxLayout(m_strip);
    line->setContentsMargins(0, 0, 6, 0);
    line->setSpacing(2);
    line->addWidget(m_tabs, 1);
    line->addWidget(m_more);
    line->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    layout->addWidget(m_stack, 1);

    connect(m_close, &QToolButton::clicked, this, &DockArea::closeRequested);
    connect(m_menu, &QMenu::aboutToShow, this, &DockArea::fillMenu);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0 || m_isFitting)
            return;
        m_stack->setCurrentIndex(index);
        fitTabs();
        emit currentChanged(current());
    });
    m_strip->installEventFilter(this);
    connect(&Themes::instance(), &Themes::changed, this, &DockArea::updateIcons);
    updateIcons();
}

bool DockArea::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitTabs();
    return false;
}

void DockArea::addPage(const QString& id, const QString& title, QWidget* page)
{
    m_stack->addWidget(new PageFrame(page));
    const int index = m_tabs->addTab(title);
    m_tabs->setTabData(index, id);
    setVisible(true);
    fitTabs();
}

QWidget* DockArea::takePage(const QString& id)
{
    const int index = indexOf(id);
    if (index < 0)
        return nullptr;
    auto* frame = static_cast<PageFrame*>(m_stack->widget(index));
    QWidget* page = frame->takeWidget();
    m_stack->removeWidget(frame);
    delete frame;
    m_tabs->removeTab(index);
    fitTabs();
    return page;
}

/// Shows the tabs that fit, in their order. The current tab is always shown.
void DockArea::fitTabs()
{
    if (m_isFitting || m_strip->width() <= 0)
        return;
    m_isFitting = true;
    const int current = m_tabs->currentIndex();
    std::vector<int> widths(std::size_t(m_tabs->count()), 0);
    int all = 0;
    for (int i = 0; i < m_tabs->count(); ++i)
        if (isTabShown(m_tabs->tabData(i).toString()))
            all += widths[std::size_t(i)] = m_tabs->tabSizeHint(i).width();
    const int room = m_strip->width() - m_close->width() - 8;
    const bool fits = all <= room;
    int left = fits ? room : room - m_more->width() - 4 - (current >= 0 ? widths[std::size_t(current)] : 0);
    // True once a tab did not fit. All later tabs except the current one are then hidden, too, even if a narrower one would fit.
    bool isFull = false;
    for (int i = 0; i < m_tabs->count(); ++i) {
        const int width = widths[std::size_t(i)];
        if (i == current && width > 0) {
            m_tabs->setShown(i, true);
            continue;
        }
        isFull = isFull || width > left;
        const bool isShown = width > 0 && (fits || !isFull);
        m_tabs->setShown(i, isShown);
        left -= isShown && !fits ? width : 0;
    }
    m_more->setVisible(!fits);
    m_isFitting = false;
}

QStringList DockArea::overflow() const
{
    QStringList ids;
    for (int i = 0; i < m_tabs->count(); ++i)
        if (const QString id = m_tabs->tabData(i).toString(); isTabShown(id) && !m_tabs->isTabVisible(i))
            ids << id;
    return ids;
}

void DockArea::fillMenu()
{
    m_menu->clear();
    for (const QString& id : overflow())
        m_menu->addAction(m_tabs->tabText(indexOf(id)), this, [this, id] { setCurrent(id); });
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
    if (!isTabShown(id))
        return;
    m_tabs->setShown(indexOf(id), true); // The tab is shown first, because a hidden tab cannot be the current one.
    m_tabs->setCurrentIndex(indexOf(id));
    fitTabs();
}

void DockArea::setTabShown(const QString& id, bool isShown)
{
    const int index = indexOf(id);
    if (index < 0 || isShown == isTabShown(id))
        return;
    isShown ? void(m_hiddenTabs.remove(id)) : void(m_hiddenTabs.insert(id));
    m_tabs->setShown(index, isShown); // If this hides the current tab, another one becomes current.
    fitTabs();
}

void DockArea::setTabClosable(const QString& id, bool isClosable)
{
    const int index = indexOf(id);
    QWidget* const before = m_tabs->tabButton(index, QTabBar::RightSide);
    if (index < 0 || isClosable == (before != nullptr))
        return;
    QToolButton* close = nullptr;
    if (isClosable) {
        close = new QToolButton;
        close->setFixedSize(16, 16);
        close->setIconSize({10, 10});
        close->setIcon(themedIcon("close"));
        close->setFocusPolicy(Qt::TabFocus);
        close->setToolTip(tr("Close %1").arg(m_tabs->tabText(index)));
        close->setAccessibleName(close->toolTip());
        connect(close, &QToolButton::clicked, this, [this, id] { emit tabCloseRequested(id); });
    }
    m_tabs->setTabButton(index, QTabBar::RightSide, close);
    if (before)
        before->deleteLater(); // The old button is deleted later, because a click on this button may have caused this call.
    fitTabs();
}

bool DockArea::isTabShown(const QString& id) const { return contains(id) && !m_hiddenTabs.contains(id); }

int DockArea::indexOf(const QString& id) const { return static_cast<int>(pages().indexOf(id)); }

void DockArea::updateIcons()
{
    m_close->setIcon(themedIcon("close"));
    for (int i = 0; i < m_tabs->count(); ++i)
        if (auto* const close = qobject_cast<QToolButton*>(m_tabs->tabButton(i, QTabBar::RightSide)))
            close->setIcon(themedIcon("close"));
    m_tabs->setFont(fonts().body());
    fitTabs();
}

} // namespace helio
