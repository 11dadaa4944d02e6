#pragma once

#include <QSet>
#include <QStringList>
#include <QTabBar>
#include <QWidget>

class QMenu;
class QStackedWidget;
class QToolButton;

namespace helio {

/// A dock: a row of tabs over the pages, with a cross that hides it. Pages are known by an id and may move to another dock.
///
/// Tabs that do not fit are in the menu behind the tabs. The dock's size is its owner's choice, whatever its pages want: a page that needs
/// more room scrolls.
class DockArea : public QWidget {
    Q_OBJECT

public:
    explicit DockArea(const QString& name, QWidget* parent = nullptr);

    void addPage(const QString& id, const QString& title, QWidget* page);
    /// The page leaves the dock, without parent; null where it has none of that id.
    QWidget* takePage(const QString& id);

    QStringList pages() const; ///< Also those without a tab.
    QString current() const;
    bool contains(const QString& id) const { return indexOf(id) >= 0; }
    void setCurrent(const QString& id); ///< Nothing where it has no tab.
    /// Whether a page has a tab; nothing where there is no such page. As it comes, it has one.
    void setTabShown(const QString& id, bool isShown);
    bool isTabShown(const QString& id) const;
    /// Ids of the pages that have a tab but no room for it.
    QStringList overflow() const;
    QToolButton* overflowButton() const { return m_more; }

signals:
    void closeRequested();
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
    QSet<QString> m_withoutTab; ///< Ids of the pages that are shown on demand and were not asked for.
    bool m_isFitting = false;
};

} // namespace helio
