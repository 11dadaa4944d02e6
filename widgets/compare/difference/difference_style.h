#pragma once

#include "core/compare/difference_steps.h"
#include "core/compare/difference_widths.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/flame/view/frame_style.h"

namespace helio {

/// How a differential flame graph is drawn.
struct DifferenceGraphOptions {
    DifferenceWidths widths;
    /// True: colours show the change with callees. False: they show the change of a frame's own time, which points at the functions where
    /// time grew.
    bool ofTotals = false;
    bool byRatio = false; ///< True: steps of colour are ratios. False: they are amounts.
    bool areRootsBelow = false;
    bool operator==(const DifferenceGraphOptions&) const = default;
};

/// Style of the frames of a differential flame graph: colours show the change, texts give ratio and difference. Frames that exist only on
/// the side that is not used for widths are outlines.
class DifferenceStyle : public FrameStyle {
public:
    DifferenceStyle(const DifferenceResult& shown, const DifferenceGraphOptions& look);

    const DifferenceSteps& steps() const { return m_steps; }
    int stepOf(std::uint32_t node) const { return m_stepOf[node]; }
    static QString roleName(int step); ///< E.g. "diff.+2".

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
    /// True if colours compare totals. In an inverted graph they always do: the total of a frame there is the own time of the functions it
    /// called.
    bool m_ofTotals;
    DifferenceSteps m_steps;
    std::vector<std::int8_t> m_stepOf; ///< Step of each node, -4 to 4, by node.
    QString m_rootName;
};

} // namespace helio
