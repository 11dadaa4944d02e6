#include "widgets/flame/view/flame_layout.h"

#include <algorithm>

namespace helio {

namespace {

/// Adds the boxes of a row, and combines adjacent narrow boxes.
class RowFiller {
public:
    RowFiller(std::vector<FlameBox>& boxes, double pixelsPerUnit)
        : m_boxes(boxes)
        , m_rowBegin(boxes.size())
        , m_pixelsPerUnit(pixelsPerUnit)
    {
    }

    void add(std::uint32_t node, std::uint64_t offset, std::uint64_t units)
    {
        const double left = double(offset) * m_pixelsPerUnit;
        const double width = double(units) * m_pixelsPerUnit;
        if (width >= NarrowestFrame) {
            m_boxes.push_back({node, 1, left, width, false});
        } else if (m_boxes.size() > m_rowBegin && m_boxes.back().isColumn && offset == m_end) {
            m_boxes.back().width = left + width - m_boxes.back().left;
            ++m_boxes.back().count;
        } else {
            m_boxes.push_back({node, 1, left, width, true});
        }
        m_end = offset + units;
    }

private:
    std::vector<FlameBox>& m_boxes;
    std::size_t m_rowBegin;
    double m_pixelsPerUnit;
    std::uint64_t m_end = ~std::uint64_t{0}; ///< End of the box added last, in units of weight.
};

} // namespace

FlameLayout layOutFlame(const CallTree& tree, WeightBy by, std::uint32_t zoom, double width)
{
    FlameLayout layout;
    if (tree.nodes.empty() || width < 1)
        return layout;
    layout.zoom = zoom < tree.nodes.size() ? zoom : 0;
    const CallNode& top = tree.nodes[layout.zoom];
    const std::uint64_t whole = amount(top.total, by);
    if (whole == 0)
        return layout;
    for (std::uint32_t node = layout.zoom;; node = tree.nodes[node].parent) {
        layout.boxes.push_back({node, 1, 0, width, false});
        if (node == 0)
            break;
    }
    std::ranges::reverse(layout.boxes);
    for (std::uint32_t row = 0; row <= layout.boxes.size(); ++row)
        layout.rowBegins.push_back(row);

    // Offsets are integers in units of weight until they are scaled to pixels, so that adjacent frames touch at any depth.
    std::vector<std::uint64_t> offsets{0}; // Offsets of the previous row's boxes, in units of weight.
    for (;;) {
        const std::size_t begin = layout.rowBegins[layout.rowBegins.size() - 2];
        const std::size_t end = layout.rowBegins.back();
        RowFiller row(layout.boxes, width / double(whole));
        std::vector<std::uint64_t> next;
        for (std::size_t i = begin; i < end; ++i) {
            if (layout.boxes[i].isColumn)
                continue;
            const CallNode& parent = tree.nodes[layout.boxes[i].node];
            std::uint64_t offset = offsets[i - begin];
            for (std::uint32_t child = parent.firstChild; child < parent.firstChild + parent.childCount; ++child) {
                const std::uint64_t units = amount(tree.nodes[child].total, by);
                if (units > 0) {
                    row.add(child, offset, units);
                    next.resize(layout.boxes.size() - end, offset);
                }
                offset += units;
            }
        }
        if (layout.boxes.size() == end)
            return layout;
        layout.rowBegins.push_back(std::uint32_t(layout.boxes.size()));
        offsets = std::move(next);
    }
}

const FlameBox* FlameLayout::at(int index, double x) const
{
    if (index < 0 || index >= rowCount())
        return nullptr;
    const auto line = row(index);
    const auto after = std::ranges::upper_bound(line, x, {}, &FlameBox::left);
    if (after == line.begin())
        return nullptr;
    const FlameBox& box = *(after - 1);
    // A column of narrow frames is at least one pixel wide.
    return x < box.left + (box.isColumn ? std::max(1.0, box.width) : box.width) ? &box : nullptr;
}

const FlameBox* FlameLayout::find(const CallTree& tree, std::uint32_t node) const
{
    if (node >= tree.nodes.size() || int(tree.nodes[node].depth) >= rowCount())
        return nullptr;
    for (const FlameBox& box : row(int(tree.nodes[node].depth)))
        if (box.node == node && !box.isColumn)
            return &box;
    return nullptr;
}

} // namespace helio
