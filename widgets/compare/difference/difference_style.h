#pragma once

#include "core/compare/difference_steps.h"
#include "core/compare/difference_widths.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/flame/view/frame_style.h"

namespace helio {

/// How a differential flame graph is drawn.
struct DifferenceLook {
    DifferenceWidths widths;
    bool ofTotals = false; ///< Colours show the change with callees; else a frame's own, so that the eye lands on where time grew.
    bool byRatio = false; ///< Steps of colour are ratios, not amounts.
    bool areRootsBelow = false;
    bool operator==(const DifferenceLook&) const = default;
};

/// The frames of a difference: colour by change, what only the narrow side has as an outline, and ratio and difference in words.
class DifferenceStyle : public FrameStyle {
public:
    DifferenceStyle(const ShownDifference& shown, const DifferenceLook& look);

    const DifferenceSteps& steps() const { return m_steps; }
    int stepOf(std::uint32_t node) const { return m_stepOf[node]; }
    static QString roleName(int step); ///< "diff.+2"

    const std::vector<QString>& roles() const override;
    std::uint8_t roleOf(std::uint32_t node) const override { return static_cast<std::uint8_t>(m_stepOf[node] + 4); }
    bool isOutlined(std::uint32_t node) const override;
    Saying sayingOf(std::uint32_t node) const override;
    QString rootName() const override { return m_rootName; }
    QString description(std::uint32_t node) const override;

private:
    std::shared_ptr<const DifferenceTree> m_tree;
    DifferenceUnit m_unit;
    DifferenceLook m_look;
    bool m_ofTotals; ///< Upside down, a frame's total is the own time of the functions it called.
    DifferenceSteps m_steps;
    std::vector<std::int8_t> m_stepOf; ///< By node.
    QString m_rootName;
};

} // namespace helio
