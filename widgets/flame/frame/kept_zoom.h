#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QJsonArray>

namespace helio {

/// Where a flame graph was zoomed to, from a session file: until the tree that has the place is there.
class KeptZoom {
public:
    /// Of the graph; or the one still waited for.
    QJsonArray kept(const FlameView& graph) const;
    void restore(const QJsonValue& kept);

    /// After the graph got a tree. `isLast`: what is recorded and named is all known; a place that is not there will not come.
    void apply(FlameView& graph, bool isLast);

private:
    FlamePath m_path; ///< Empty: none is waited for.
};

} // namespace helio
