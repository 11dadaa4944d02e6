#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QJsonArray>

namespace helio {

/// Zoom of a flame graph as saved in a session file, which is restored once the tree contains the frame.
class SavedZoom {
public:
    /// Returns the path of the zoomed frame for a session file; if a path is still to be restored, that path.
    QJsonArray kept(const FlameView& graph) const;
    void restore(const QJsonValue& kept);

    /// Restores the zoom if the tree of the graph contains the frame. `isLast`: the whole recording has been read and named, so that a
    /// missing frame will not come.
    void apply(FlameView& graph, bool isLast);

private:
    FlamePath m_path; ///< Path to restore; empty if there is none.
};

} // namespace helio
