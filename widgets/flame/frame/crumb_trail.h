#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QLabel>

namespace helio {

/// The way from the root to the frame that a graph is zoomed to; a click goes back. Of a sandwich: of its last part.
class CrumbTrail : public QLabel {
    Q_OBJECT

public:
    /// The graph outlives it.
    explicit CrumbTrail(FlameView& graph, QWidget* parent = nullptr);

    void setRootName(const QString& name) { m_rootName = name; }
    /// Zoom or theme changed.
    void refresh();
    bool isEmpty() const { return text().isEmpty(); }

private:
    FlameView& m_graph;
    QString m_rootName;
};

} // namespace helio
