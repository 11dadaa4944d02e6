#pragma once

#include <QSet>
#include <QStringList>
#include <QTabBar>
#include <QWidget>

class QMenu;
class QStackedWidget;
class QToolButton;

namespace helio {

/// A dock: a row of tabs above pages, with a close button. Pages are identified by an id and may move to another dock.
///
/// Tabs without room are listed in a menu behind the tabs. The owner sets the dock's size whatever its pages need: a page that needs more
/// room scrolls.
class DockArea : public QWidget {
    Q_OBJECT

public:
    explicit DockArea(const QString& name, QWidget* parent = nullptr);

    void addPage(const QString& id, const QString& title, QWidget* page);
    /// Removes the page from the dock; it has no parent then. Returns nullptr if the dock has no page of this id.
    QWidget* takePage(const QString& id);

    QStringList pages() const; ///< Ids of all pages, including pages without a tab.
    QString current() const;
    bool contains(const QString& id) const { return indexOf(id) >= 0; }
    void setCurrent(const QString& id); ///< Has no effect if the page has no tab.
    /// Shows or hides a page's tab; has no effect if there is no such page. New pages have a tab.
    void setTabShown(const QString& id, bool isShown);
    bool isTabShown(const QString& id) const;
    /// Gives the page's tab a button that closes it, or takes it away; has no effect if there is no such page.
    void setTabClosable(const QString& id, bool isClosable);
    /// Ids of the pages that have a tab but no room for it.
    QStringList overflow() const;
    QToolButton* overflowButton() const { return m_more; }

signals:
    void closeRequested();
    void tabCloseRequested(const QString& id);
    void currentChanged(const QString& id);

private:
    class Tabs;

    bool eventFilter(QObject* watched, QEvent* event) override;
    int indexOf(const QString& id) const;
    void fitTabs();
    void fillMenu();
    void updateIcons();

    Tabs* m_tabs;
    QStackedWidget* m_stack;
    QToolButton* m_more;
    QToolButton* m_close;
    QMenu* m_menu;
    QWidget* m_strip;
    QSet<QString> m_hiddenTabs; ///< Ids of the pages without a tab.
    bool m_isFitting = false;
};

} // namespace helio
