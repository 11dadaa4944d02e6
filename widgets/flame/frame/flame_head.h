#pragma once

#include "widgets/controls/folding_layout.h"

#include <functional>
#include <vector>

namespace helio {

/// Line above a flame graph: title, pills that select what the graph shows, and tools at the right end.
/// Ownership: widgets are owned by their parent.
/// Threads: UI thread.
class FlameHead : public FoldingLayout {
    Q_OBJECT

public:
    FlameHead();

    QLabel* title() const { return m_title; }
    /// Adds a label beside the title, for the amount of data. Must be called before pills are added.
    QLabel* addCount();
    /// Adds a pill with a menu, whose items are added by `fill` each time it opens.
    Pill* addMenu(const QString& text, std::function<void(QMenu* menu)> fill);
    Pill* addSwitch(const QString& text, const QString& tip);
    void addTool(QWidget* tool) { addWidget(tool); }
    const std::vector<Pill*>& pills() const { return m_pills; }

private:
    Pill* addPill(const QString& text);

    QLabel* m_title;
    std::vector<Pill*> m_pills;
    int m_next; ///< Index in the layout where the next pill is inserted.
};

/// Makes a button of the head: an icon, with the name as tooltip. If a menu is set, a click opens it.
QToolButton* makeHeadButton(const QString& icon, const QString& name);

} // namespace helio
