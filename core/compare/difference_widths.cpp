#include "core/compare/difference_widths.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

/// The widths of both sides are scaled so that they add up to this number. Each width is rounded to an integer, so that the edges of frames
/// at different depths coincide exactly.
constexpr double Units = 1e12;

double widthOf(const DifferenceTree& tree, const DifferenceNode& node, DifferenceWidths widths)
{
    const double a = node.self.scaledA(tree.scale);
    const double b = node.self.scaledB(tree.scale);
    if (widths.of == DifferenceWidths::Of::Widest)
        return std::max(a, b);
    const bool isOfA = (widths.of == DifferenceWidths::Of::A) != (widths.keepsElided && isOnHiddenSide(node, widths));
    return isOfA ? a : b;
}

} // namespace

bool isOnHiddenSide(const DifferenceNode& node, DifferenceWidths widths)
{
    const bool isInA = !isNothing(node.total.a);
    const bool isInB = !isNothing(node.total.b);
    return widths.of == DifferenceWidths::Of::A ? isInB && !isInA : isInA && !isInB;
}

CallTree widthTree(const DifferenceTree& tree, DifferenceWidths widths)
{
    CallTree shape;
    shape.functions = tree.functions;
    shape.depth = tree.depth;
    shape.isNamed = true;
    shape.isStopped = tree.isStopped;
    if (tree.nodes.empty())
        return shape;
    const double whole = tree.nodes[0].total.scaledA(tree.scale) + tree.nodes[0].total.scaledB(tree.scale);
    const double unit = whole > 0 ? Units / whole : 0;
    shape.nodes.resize(tree.nodes.size());
    // Go backwards: each node is added to its parent, and parents are stored before their children.
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const DifferenceNode& from = tree.nodes[i];
        CallNode& to = shape.nodes[i];
        to.parent = from.parent;
        to.firstChild = from.firstChild;
        to.childCount = from.childCount;
        to.depth = from.depth;
        to.function = from.function;
        to.self.samples = from.self.a.samples + from.self.b.samples;
        to.self.weight = static_cast<std::uint64_t>(std::llround(std::min(widthOf(tree, from, widths) * unit, Units)));
        to.total += to.self;
        if (i > 0)
            shape.nodes[from.parent].total += to.total;
    }
    shape.whole = shape.nodes[0].total;
    return shape;
}

} // namespace helio
