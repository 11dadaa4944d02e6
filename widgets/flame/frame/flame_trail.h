#pragma once

#include "widgets/flame/frame/crumb_trail.h"

#include <functional>
#include <vector>

class QHBoxLayout;

namespace helio {

/// The line between a flame graph's head and its frames: the frames it is zoomed to, what a view left out as chips, and what a view adds.
/// Hidden while nothing of this is there. Owned by its parent; the graph outlives it. UI thread.
class FlameTrail : public QWidget {
    Q_OBJECT

public:
    explicit FlameTrail(FlameView& graph, QWidget* parent = nullptr);

    void setRootName(const QString& name) { m_crumbs->setRootName(name); }
    /// In place of the frames while the graph is not zoomed: then the line is always there, and a click moves no frame under the pointer.
    void setHint(const QString& hint) { m_hint = hint; }

    struct Chip {
        QString text;
        std::function<void()> takeAway; ///< Clicked; called once the click was handled.
    };
    void setChips(std::vector<Chip> chips);
    bool hasChips() const;

    /// At its end. Becomes a child.
    void add(QWidget* part);
    bool has(const QWidget* part) const;

    /// Zoom, theme, or what is visible of the parts changed.
    void refresh();

private:
    CrumbTrail* m_crumbs;
    QHBoxLayout* m_line;
    QHBoxLayout* m_chips;
    QString m_hint;
};

} // namespace helio
