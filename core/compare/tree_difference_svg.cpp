#include "core/compare/tree_difference_svg.h"

#include <cmath>

namespace helio {
namespace {

/// Colours of the steps -4 to +4, as in the light theme.
constexpr std::array<SvgColor, 9> Colors{{{0x15, 0x73, 0xc8},
                                          {0x52, 0x93, 0xd9},
                                          {0x84, 0xb2, 0xe6},
                                          {0xb6, 0xcd, 0xe8},
                                          {0xdc, 0xde, 0xe0},
                                          {0xee, 0xc5, 0xb8},
                                          {0xee, 0xa7, 0x91},
                                          {0xe8, 0x80, 0x64},
                                          {0xdb, 0x54, 0x36}}};

} // namespace

void writeDifferenceSvg(const DifferenceTree& tree, const DifferenceSvgOptions& options, const TextSink& write)
{
    const DifferenceSteps steps =
        options.byRatio ? DifferenceSteps::ratios() : DifferenceSteps::upTo(findLargestDifference(tree, options.ofTotals));
    const auto goneStep = options.widths.of == DifferenceWidths::Of::A ? 4 : -4;
    const auto textOf = [&](const ComparedSum& sum) {
        if (std::abs(sum.z(tree.scale)) < NoiseZ)
            return std::string("within noise");
        return ratioText(sum.scaledA(tree.scale), sum.scaledB(tree.scale)) + "  "
            + differenceText(sum.difference(tree.scale), options.unit);
    };
    SvgStyle style;
    style.rootName = options.rootName;
    style.isOutlined = [&](std::uint32_t node) { return isOnHiddenSide(tree.nodes[node], options.widths); };
    style.fill = [&](std::uint32_t node) {
        const DifferenceNode& it = tree.nodes[node];
        const int step = isOnHiddenSide(it, options.widths) ? goneStep : steps.stepOf(options.ofTotals ? it.total : it.self, tree.scale);
        return Colors[std::size_t(step + 4)];
    };
    style.saying = [&](std::uint32_t node) { return textOf(tree.nodes[node].total); };
    style.words = [&](std::uint32_t node) {
        const auto sides = [&](const ComparedSum& sum) {
            return amountText(sum.scaledA(tree.scale), options.unit) + " in A, " + amountText(sum.scaledB(tree.scale), options.unit)
                + " in B, " + differenceText(sum.difference(tree.scale), options.unit) + ", " + certaintyText(sum.z(tree.scale));
        };
        return sides(tree.nodes[node].total) + "; self: " + sides(tree.nodes[node].self);
    };
    for (int step = -4; step <= 4; ++step)
        style.legend.emplace_back(Colors[std::size_t(step + 4)], steps.nameOf(step, options.unit));
    writeSvg(widthTree(tree, options.widths), WeightBy::Weight, options.picture, style, write);
}

} // namespace helio
