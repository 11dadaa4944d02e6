#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/frame/flame_graph_base.h"

namespace helio {

class DifferenceRamp;
class EmptyPage;

/// Base class of views with a differential flame graph: draws a comparison, with tooltips, search results for both sides, and menu items to
/// copy. A derived class provides the comparison and places the ramp.
class DifferenceFlame : public FlameGraphBase {
    Q_OBJECT

public:
    const DifferenceRamp& ramp() const { return *m_ramp; }

protected:
    /// `work` computes the comparison while the view is visible.
    DifferenceFlame(SharedQuery& work, const DifferenceGraphOptions& look, QWidget* parent);

    /// Returns the comparison to draw. If the comparison has no graph (DifferenceResult::graph), there is nothing to show.
    virtual DifferenceResult toDraw() const = 0;
    virtual void drew() { } ///< Called after the graph was drawn with a new comparison; does nothing by default.
    /// Adds the menu items to search and copy; a derived class may add its own items first.
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override;

    const DifferenceResult& drawn() const { return m_drawn; } ///< Comparison that the graph shows.
    const DifferenceStyle* style() const { return m_style.get(); } ///< Style of the frames; nullptr if the graph shows nothing.

    DifferenceGraphOptions m_look;
    DifferenceRamp* m_ramp; ///< Legend of the colours, placed by the derived class.
    EmptyPage* m_page; ///< Page shown while there is no graph.

private:
    void build() override;
    void take(FlameContent content, std::shared_ptr<const DifferenceStyle> style, const DifferenceResult& shown);
    /// Returns the share of found frames on each side, e.g. "12.0 % of A, 34.1 % of B".
    QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const override;
    TipContent tipOf(const FlameFrameRef& place) const override;

    DifferenceResult m_drawn;
    std::shared_ptr<const DifferenceStyle> m_style;
};

} // namespace helio
