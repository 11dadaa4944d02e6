#pragma once

#include "widgets/controls/folding_layout.h"

#include <functional>
#include <vector>

namespace helio {

/// Line above a flame graph: its title, pills that select what it shows, and tools at the right end. Ownership: its widgets belong to its
/// parent. Threads: UI thread.
class FlameHead : public FoldingLayout {
    Q_OBJECT

public:
    FlameHead();

    QLabel* title() const { return m_title; }
    /// Adds a label for the amount of data beside the title. To be called before pills are added.
    QLabel* addCount();
    /// Adds a pill with a menu, which is filled each time it opens.
    Pill* addMenu(const QString& text, std::function<void(QMenu* menu)> fill);
    Pill* addSwitch(const QString& text, const QString& tip);
    void addTool(QWidget* tool) { addWidget(tool); }
    const std::vector<Pill*>& pills() const { return m_pills; }

private:
    Pill* addPill(const QString& text);

    QLabel* m_title;
    std::vector<Pill*> m_pills;
    int m_next; ///< Index in the layout at which the next pill is inserted.
};

/// Makes a button of the head: an icon with its name as tooltip. If it gets a menu, a click opens the menu.
QToolButton* makeHeadButton(const QString& icon, const QString& name);

} // namespace helio
