#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QLabel>

namespace helio {

/// Links to the frames from the root to the zoomed frame; a click zooms to a frame on that path. In a sandwich the path leads through the
/// callees.
class CrumbTrail : public QLabel {
    Q_OBJECT

public:
    /// Ownership: the graph outlives the trail.
    explicit CrumbTrail(FlameView& graph, QWidget* parent = nullptr);

    void setRootName(const QString& name) { m_rootName = name; }
    /// To be called when zoom or theme changed.
    void refresh();
    bool isEmpty() const { return text().isEmpty(); }

private:
    FlameView& m_graph;
    QString m_rootName;
};

} // namespace helio
