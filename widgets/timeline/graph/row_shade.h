#pragma once

#include "widgets/timeline/graph/graph_scene.h"

#include <unordered_map>

namespace helio {

/// True if the highlighting affects any row of the graph: it lights a row of the same store.
bool isHighlightedBy(const HighlightMask& light, const GraphRows& rows);

/// Returns the arrows of the highlighting that touch the window; empty if they are too many for a picture.
std::vector<Arrow> arrowsIn(const HighlightMask& light, TimeRange window);

/// Shade over the rows of one picture. Lit are the selected range and, if a highlighting affects the rows, only its intervals within that
/// range; the rest is shaded. Refers to the scene.
/// Threads: UI thread.
class RowShade {
public:
    explicit RowShade(const GraphScene& scene);

    void paint(QPainter& painter) const;
    /// Draws text on a bar of a row in the painter's font; lit and shaded parts of the text each have the ink that is readable there.
    void drawText(QPainter& painter, int row, const QRectF& rect, const StateAppearance& look, const QString& text) const;

private:
    struct Part { ///< Interval of the time area, in pixels from the scene's left.
        double begin = 0;
        double end = 0;
    };
    std::vector<Part> partsOf(int row) const;
    std::vector<Part> highlightedPartsOf(std::span<const TrackRef> tracks, const Part& within) const;
    Part range() const;

    const GraphScene& m_scene;
    QRect m_area;
    std::vector<Part> m_range; ///< The selected range alone.
    bool m_isLit = false;
    std::unordered_map<int, std::vector<Part>> m_parts; ///< Keyed by painted row; empty without a highlighting.
};

} // namespace helio
