#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QJsonArray>

namespace helio {

/// Zoom of a flame graph from a session file. It is restored once the call tree contains the zoomed frame.
class SavedZoom {
public:
    /// Returns the path of the zoomed frame for a session file; if a path is still to be restored, that path.
    QJsonArray kept(const FlameView& graph) const;
    void restore(const QJsonValue& kept);

    /// Restores the zoom if the tree of the graph contains the zoomed frame. `isLast`: true if the whole recording has been read and symbol
    /// names are known; if the frame is still missing, it will never appear.
    void apply(FlameView& graph, bool isLast);

private:
    FlamePath m_path; ///< Path to restore; empty if there is none.
};

} // namespace helio
