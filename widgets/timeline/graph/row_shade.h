#pragma once

#include "widgets/timeline/graph/graph_scene.h"

#include <unordered_map>

namespace helio {

/// Whether a light speaks of the rows of a graph: of one of its stores.
bool isLitBy(const RowLight& light, const GraphRows& rows);

/// The arrows of a light that touch a window; none where they are far too many for any picture.
std::vector<Arrow> arrowsIn(const RowLight& light, TimeRange window);

/// What of the rows of one picture is in the light: the range, and where a light speaks of the rows, of that only what it lights. All else
/// is shaded. Refers to the scene. UI thread.
class RowShade {
public:
    explicit RowShade(const GraphScene& scene);

    void paint(QPainter& painter) const;
    /// Text of the painter's font on a bar of a row, each part of it in the ink that reads there.
    void drawText(QPainter& painter, int row, const QRectF& rect, const StateLook& look, const QString& text) const;

private:
    struct Part { ///< Of the time area, in pixels from the scene's left.
        double begin = 0;
        double end = 0;
    };
    std::vector<Part> partsOf(int row) const;
    std::vector<Part> litOf(std::span<const TrackRef> tracks, const Part& within) const;
    Part range() const;

    const GraphScene& m_scene;
    QRect m_area;
    std::vector<Part> m_range; ///< Alone in it.
    bool m_isLit = false;
    std::unordered_map<int, std::vector<Part>> m_parts; ///< By painted row; without a light none.
};

} // namespace helio
