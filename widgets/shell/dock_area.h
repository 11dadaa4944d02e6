#pragma once

#include <QStringList>
#include <QTabBar>
#include <QWidget>

class QStackedWidget;
class QToolButton;

namespace helio {

/// A dock: a row of tabs over the pages, with a cross that hides it. Pages are known by an id and may move to another dock.
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

signals:
    void closeRequested();
    void currentChanged(const QString& id);

private:
    int indexOf(const QString& id) const;
    void updateIcons();

    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    QToolButton* m_close;
};

} // namespace helio
