#pragma once

#include "widgets/controls/folding_line.h"

#include <functional>
#include <vector>

namespace helio {

/// The line above a flame graph: what it is of, pills that choose, and tools at its end. Its widgets are its parent's. UI thread.
class FlameHead : public FoldingLine {
    Q_OBJECT

public:
    FlameHead();

    QLabel* title() const { return m_title; }
    /// How much it is of, beside the title. Before the pills are added.
    QLabel* addCount();
    /// A choice, whose menu is filled each time it opens.
    Pill* addMenu(const QString& text, std::function<void(QMenu* menu)> fill);
    Pill* addSwitch(const QString& text, const QString& tip);
    void addTool(QWidget* tool) { addWidget(tool); }
    const std::vector<Pill*>& pills() const { return m_pills; }

private:
    Pill* addPill(const QString& text);

    QLabel* m_title;
    std::vector<Pill*> m_pills;
    int m_next; ///< Where the next pill goes.
};

/// A button of the head: an icon and a name that is read on hovering. A menu that it is given opens at once.
QToolButton* makeHeadButton(const QString& icon, const QString& name);

} // namespace helio
