#pragma once

#include "widgets/timeline/graph/graph_scene.h"

#include <unordered_map>

namespace helio {

/// True if the highlighting affects the graph: `light` has intervals in a store of one of the graph's rows.
bool isHighlightedBy(const HighlightMask& light, const GraphRows& rows);

/// Returns the highlighted arrows that overlap the window; empty if they are too many to draw.
std::vector<Arrow> arrowsIn(const HighlightMask& light, TimeRange window);

/// Shade over the rows of one picture. Only the selected range is lit, and within it only the highlighted intervals if a highlighting
/// affects the rows, and only the rows of the selected finding if it is about any of them; everything else is shaded. Refers to the scene.
/// Threads: UI thread.
class RowShade {
public:
    explicit RowShade(const GraphScene& scene);

    void paint(QPainter& painter) const;
    /// Draws text on a bar of a row in the painter's font. Where the bar is shaded, the text gets a colour that is readable on the shade.
    void drawText(QPainter& painter, int row, const QRectF& rect, const StateAppearance& look, const QString& text) const;

private:
    struct Part { ///< Horizontal interval of the time area, in pixels from the scene's left.
        double begin = 0;
        double end = 0;
    };
    std::vector<Part> partsOf(int row) const;
    std::vector<Part> highlightedPartsOf(std::span<const TrackRef> tracks, const Part& within) const;
    Part range() const;

    const GraphScene& m_scene;
    QRect m_area;
    std::vector<Part> m_range; ///< Selected range, as a list of one interval; used for rows without a highlighting.
    bool m_hasLight = false; ///< True if a highlighting affects the rows.
    bool m_hasFinding = false; ///< True if the selected finding is about some of the rows.
    bool m_isLit = false; ///< True if either is true, so that the rows have different lit intervals.
    std::unordered_map<int, std::vector<Part>> m_parts; ///< Lit intervals by painted row; empty unless m_isLit.
};

} // namespace helio
