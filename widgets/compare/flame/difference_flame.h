#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/frame/flame_graph_base.h"

namespace helio {

class DifferenceRamp;
class EmptyPage;

/// Base class of views with a differential flame graph: draws a comparison, with tooltips, the share of a search on both sides, and menu
/// items that copy. A derived class chooses the comparison and places the ramp.
class DifferenceFlame : public FlameGraphBase {
    Q_OBJECT

public:
    const DifferenceRamp& ramp() const { return *m_ramp; }

protected:
    /// `work` as in FlameGraphBase.
    DifferenceFlame(SharedQuery& work, const DifferenceGraphOptions& look, QWidget* parent);

    virtual DifferenceResult toDraw() const = 0; ///< The comparison to draw; without a graph there is nothing to show.
    virtual void drew() { } ///< Called after the graph showed another comparison.
    /// Adds the items that search and copy; a derived class may add its own before.
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override;

    const DifferenceResult& drawn() const { return m_drawn; } ///< The comparison that the graph shows.
    const DifferenceStyle* style() const { return m_style.get(); } ///< nullptr if the graph shows nothing.

    DifferenceGraphOptions m_look;
    DifferenceRamp* m_ramp; ///< The derived class places it.
    EmptyPage* m_page; ///< Page shown while there is no graph.

private:
    void build() override;
    void take(FlameContent content, std::shared_ptr<const DifferenceStyle> style, const DifferenceResult& shown);
    QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const override; ///< E.g. "12.0 % of A, 34.1 % of B".
    TipContent tipOf(const FlameFrameRef& place) const override;

    DifferenceResult m_drawn;
    std::shared_ptr<const DifferenceStyle> m_style;
};

} // namespace helio
