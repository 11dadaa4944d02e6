#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QMenuBar;
class QToolButton;

namespace helio {

class Omnibox;

/// Bar at the top of the window: logo, menus, tool buttons, the omnibox in the middle, the open experiment at the right.
class HeaderBar : public QWidget {
    Q_OBJECT

public:
    explicit HeaderBar(QWidget* parent = nullptr);

    QMenuBar& menus() { return *m_menus; }
    Omnibox& omnibox() { return *m_omnibox; }
    void addTool(QAction* action);
    /// Sets badge and name of the experiment. `doubt`: short text that says why the data is incomplete or uncertain; if it is empty and
    /// there are no warnings, a check mark is shown.
    void setExperiment(const QString& badge, const QString& name, const QString& doubt = {}, bool hasWarnings = false);
    /// Adds a button with an icon and a count at the right end; the button is hidden while the count is 0.
    /// Ownership: the bar.
    QToolButton* addCounter(const QString& icon, const QString& name);
    /// Sets the count of a button. `role`: theme role of the icon's colour; empty for the colour of other icons.
    void setCount(QToolButton* counter, int count, const QString& role = {});
    /// Replaces the name of the experiment by a widget.
    /// Ownership: becomes a child.
    void setNameWidget(QWidget* name);

private:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void updateLook();
    void updateCheck();
    void place();
    void updateCounter(QToolButton* counter);

    QMenuBar* m_menus;
    QWidget* m_tools;
    QHBoxLayout* m_toolLine;
    Omnibox* m_omnibox;
    QLabel* m_check;
    QLabel* m_badge;
    bool m_isDoubtful = false;
    QLabel* m_name;
    QWidget* m_right;
    QWidget* m_counters;
};

} // namespace helio
