#include "widgets/compare/flame/difference_tip.h"

#include "widgets/flame/view/frame_text.h"
#include "widgets/theme/themes.h"

namespace helio {

namespace {

constexpr int TextWidth = 300;

QString words(const std::string& text) { return QString::fromStdString(text); }

} // namespace

TipContent differenceTip(const DifferenceResult& shown, const DifferenceStyle& style, const FlameFrameRef& place)
{
    const DifferenceTree& tree = *shown.graph;
    const DifferenceNode& node = tree.nodes[place.node];
    TipContent tip;
    tip.look.height = 16;
    const bool hasOwn = !shown.choices.isInverted; // In an inverted graph the own time belongs to other functions.
    const auto amount = [&](double total, double self) {
        const QString text = words(amountText(total, shown.unit));
        return hasOwn ? DifferenceModel::tr("%1, own %2").arg(text, words(amountText(self, shown.unit))) : text;
    };
    const auto change = [&](const ComparedSum& sum) {
        return DifferenceModel::tr("%1, %2").arg(words(differenceText(sum.difference(tree.scale), shown.unit)),
                                                 words(certaintyText(sum.z(tree.scale))));
    };
    const SampledFunction& function = tree.functionOf(place.node);
    const ComparedSum& total = node.total;
    tip.look.color = theme().color(DifferenceStyle::roleName(style.stepOf(place.node)));
    tip.title = place.node == 0 ? style.rootName() : elidedFrame(fonts().title(), frameLabel(function), TextWidth);
    tip.duration = words(ratioText(total.scaledA(tree.scale), total.scaledB(tree.scale)));
    tip.place = place.node == 0 ? QString() : words(function.module);
    tip.facts = {{DifferenceModel::tr("A"), amount(total.scaledA(tree.scale), node.self.scaledA(tree.scale))},
                 {DifferenceModel::tr("B"), amount(total.scaledB(tree.scale), node.self.scaledB(tree.scale))},
                 {DifferenceModel::tr("B \u2212 A"), change(total)}};
    if (hasOwn)
        tip.facts.emplace_back(DifferenceModel::tr("Own"), change(node.self));
    const bool isInA = !isNothing(total.a);
    const bool isInB = !isNothing(total.b);
    tip.cause = place.node == 0 ? QString() // The root is no function.
        : isInA && isInB        ? words(function.problem)
        : isInA                 ? DifferenceModel::tr("Only in A.")
                                : DifferenceModel::tr("Only in B.");
    return tip;
}

} // namespace helio
