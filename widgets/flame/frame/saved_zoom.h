#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QJsonArray>

namespace helio {

/// Saves the zoom of a flame graph in a session file and restores it, once the tree contains the frame.
class SavedZoom {
public:
    /// Returns the path of the zoomed frame, or the path that is still to be restored.
    QJsonArray kept(const FlameView& graph) const;
    void restore(const QJsonValue& kept);

    /// Restores the zoom if the graph's tree contains the frame. `isLast`: everything recorded was read and named, so a frame that is
    /// missing will not come.
    void apply(FlameView& graph, bool isLast);

private:
    FlamePath m_path; ///< Path to restore; empty if there is none.
};

} // namespace helio
