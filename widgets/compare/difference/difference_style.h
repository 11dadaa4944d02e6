#pragma once

#include "core/compare/difference_steps.h"
#include "core/compare/difference_widths.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/flame/view/frame_style.h"

namespace helio {

/// Options for drawing a differential flame graph.
struct DifferenceGraphOptions {
    DifferenceWidths widths;
    /// True if colours show the change including callees; false if they show the change of a frame's own time, which highlights the
    /// functions where time grew.
    bool ofTotals = false;
    bool byRatio = false; ///< True if each step of the colours stands for a ratio of B to A; false if it stands for an amount.
    bool areRootsBelow = false;
    bool operator==(const DifferenceGraphOptions&) const = default;
};

/// Frame style of a differential flame graph: colours show the change, texts show ratio and difference. Frames that only exist on the
/// side that does not determine the widths are outlines.
class DifferenceStyle : public FrameStyle {
public:
    DifferenceStyle(const DifferenceResult& shown, const DifferenceGraphOptions& look);

    const DifferenceSteps& steps() const { return m_steps; }
    int stepOf(std::uint32_t node) const { return m_stepOf[node]; }
    static QString roleName(int step); ///< Returns the theme role of a step of change, e.g. "diff.+2".

    const std::vector<QString>& roles() const override;
    std::uint8_t roleOf(std::uint32_t node) const override { return static_cast<std::uint8_t>(m_stepOf[node] + 4); }
    bool isOutlined(std::uint32_t node) const override;
    FrameTexts frameTexts(std::uint32_t node) const override;
    QString rootName() const override { return m_rootName; }
    QString description(std::uint32_t node) const override;

private:
    std::shared_ptr<const DifferenceTree> m_tree;
    DifferenceUnit m_unit;
    DifferenceGraphOptions m_look;
    /// True if colours compare totals. Always true in an inverted graph, where the total of a frame is the own time of the functions that
    /// it called.
    bool m_ofTotals;
    DifferenceSteps m_steps;
    std::vector<std::int8_t> m_stepOf; ///< Step of change of each node, -4 to 4, indexed by node.
    QString m_rootName;
};

} // namespace helio
