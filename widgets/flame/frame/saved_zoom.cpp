#include "widgets/flame/frame/saved_zoom.h"

namespace helio {

namespace {

constexpr int Deepest = 4096; ///< Maximum number of frames in a path; no real stack is deeper.

} // namespace

QJsonArray SavedZoom::kept(const FlameView& graph) const
{
    const FlamePath path = m_path.empty() && !graph.parts().empty() ? pathOf(*graph.parts().back().tree, graph.zoom()) : m_path;
    QJsonArray frames;
    for (const FrameKey& frame : path)
        frames << QJsonArray{QString::fromStdString(frame.name), QString::fromStdString(frame.module)};
    return frames;
}

void SavedZoom::restore(const QJsonValue& kept)
{
    m_path.clear();
    for (const QJsonValue& frame : kept.toArray()) {
        if (int(m_path.size()) == Deepest)
            return;
        m_path.push_back({frame[0].toString().toStdString(), frame[1].toString().toStdString()});
    }
}

void SavedZoom::apply(FlameView& graph, bool isLast)
{
    if (m_path.empty() || graph.parts().empty())
        return;
    const std::size_t part = graph.parts().size() - 1;
    const CallTree& tree = *graph.parts()[part].tree;
    const std::uint32_t node = findPath(tree, m_path);
    const bool isThere = pathOf(tree, node) == m_path;
    const bool isElsewhere = graph.zoom() != 0; // True if the user zoomed before the saved zoom was restored.
    if (isThere && !isElsewhere)
        graph.zoomTo(part, node);
    if (isThere || isElsewhere || isLast)
        m_path.clear();
}

} // namespace helio
