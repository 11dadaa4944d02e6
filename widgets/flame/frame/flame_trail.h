#pragma once

#include "widgets/controls/field_grid.h"
#include "widgets/flame/view/flame_view.h"

#include <functional>
#include <vector>

class QHBoxLayout;

namespace helio {

/// Links to the frames from the root to the zoomed frame. A click on a link zooms to its frame. If the graph shows the callers and the
/// callees of a function, the links lead to callees.
class CrumbTrail : public LinkLabel {
    Q_OBJECT

public:
    /// Ownership: the graph outlives the trail.
    explicit CrumbTrail(FlameView& graph, QWidget* parent = nullptr);

    void setRootName(const QString& name) { m_rootName = name; }
    /// Updates the links. Must be called when zoom or theme changed.
    void refresh();
    void showHint(const QString& hint); ///< Shows a text without links instead of them.
    bool isEmpty() const { return text().isEmpty(); }

private:
    FlameView& m_graph;
    QString m_rootName;
};

/// Line between the head and the frames of a flame graph: the path of the zoomed frame, a chip for each kind of frames that the user hid,
/// and widgets of the view. Hidden while it is empty.
/// Ownership: owned by its parent; the graph outlives it.
/// Threads: UI thread.
class FlameTrail : public QWidget {
    Q_OBJECT

public:
    explicit FlameTrail(FlameView& graph, QWidget* parent = nullptr);

    void setRootName(const QString& name) { m_crumbs->setRootName(name); }
    /// Sets a text that is shown while the graph is not zoomed. With a hint, the line is always visible, so that zooming does not move
    /// frames under the pointer.
    void setHint(const QString& hint) { m_hint = hint; }

    struct Chip {
        QString text;
        std::function<void()> remove; ///< Called when the user clicked the chip, after the click was handled.
    };
    void setChips(std::vector<Chip> chips);
    bool hasChips() const;

    /// Adds a widget at the end of the line; it becomes a child.
    void add(QWidget* part);
    bool has(const QWidget* part) const;

    /// Updates the line. Must be called when the zoom, the theme, or the visibility of an added widget changed.
    void refresh();

private:
    CrumbTrail* m_crumbs;
    QHBoxLayout* m_line;
    QHBoxLayout* m_chips;
    QString m_hint;
};

} // namespace helio
