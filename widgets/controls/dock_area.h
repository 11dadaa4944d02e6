#pragma once

#include <QSet>
#include <QStringList>
#include <QTabBar>
#include <QWidget>

class QMenu;
class QStackedWidget;
class QToolButton;

namespace helio {

/// Area of a dock: a row of tabs with a close button, above pages. Pages are identified by an id and can move to another dock. Tabs for
/// which there is no room are listed in a menu behind the tabs. The owner sets the size of the dock regardless of the pages: a page that
/// needs more room scrolls.
class DockArea : public QWidget {
    Q_OBJECT

public:
    explicit DockArea(const QString& name, QWidget* parent = nullptr);

    void addPage(const QString& id, const QString& title, QWidget* page);
    /// Removes a page from the dock and returns it without a parent; nullptr if the dock has no page with the id.
    QWidget* takePage(const QString& id);

    QStringList pages() const; ///< Ids of all pages, including pages without a tab.
    QString current() const;
    bool contains(const QString& id) const { return indexOf(id) >= 0; }
    void setCurrent(const QString& id); ///< Shows a page; has no effect if the page has no tab.
    /// Shows or hides the tab of a page; new pages have a tab. Has no effect if there is no page with the id.
    void setTabShown(const QString& id, bool isShown);
    bool isTabShown(const QString& id) const;
    /// Sets whether the tab of a page has a close button. Has no effect if there is no page with the id.
    void setTabClosable(const QString& id, bool isClosable);
    /// Ids of the pages whose tab is hidden because there is no room.
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
