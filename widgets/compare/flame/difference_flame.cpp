#include "widgets/compare/flame/difference_flame.h"

#include "core/query/rows/facts.h"
#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/controls/pages.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/frame_name.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QMenu>

#include <algorithm>

namespace helio {

namespace {

constexpr int TipWidth = 300; ///< Width of a function's name in a tooltip, in pixels.

} // namespace

DifferenceFlame::DifferenceFlame(SharedQuery& work, const DifferenceGraphOptions& look, QWidget* parent)
    : FlameGraphBase(work, parent)
    , m_look(look)
    , m_ramp(new DifferenceRamp)
    , m_page(new EmptyPage)
{
    m_page->setInDock();
}

void DifferenceFlame::build()
{
    const DifferenceResult shown = toDraw();
    if (!shown.graph) {
        cancelBuild();
        return take({}, nullptr, shown);
    }
    post([this, shown, look = m_look](std::stop_token) -> LatestTask::Delivery {
        auto style = std::make_shared<const DifferenceStyle>(shown, look);
        FlameContent content;
        content.tree = std::make_shared<const CallTree>(widthTree(*shown.graph, look.widths));
        content.by = WeightBy::Weight;
        content.style = style;
        return [this, content, style, shown] { take(content, style, shown); };
    });
}

void DifferenceFlame::take(FlameContent content, std::shared_ptr<const DifferenceStyle> style, const DifferenceResult& shown)
{
    DifferenceResult before = std::exchange(m_drawn, shown);
    m_style = std::move(style);
    if (m_style) {
        m_ramp->setSteps(m_style->steps(), shown.unit);
        trail().setRootName(m_style->rootName());
    }
    showContent(std::move(content), m_style && std::ranges::all_of(shown.sides, [](const ComparedSide& it) {
                                        return !it.timeline || isComplete(*it.timeline);
                                    }));
    drew();
    freeDifference(std::move(before));
}

void DifferenceFlame::fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place)
{
    const SampledFunction& function = tree.functionOf(place.node);
    addSearchFor(menu, function);
    menu.addSeparator();
    addCopy(menu, tr("Copy name"), frameLabel(function));
    addCopy(menu, tr("Copy change"), m_style->description(place.node));
}

QString DifferenceFlame::matchShareText(const SampleSum&, const FunctionMatcher& matches) const
{
    const DifferenceTree& tree = *m_drawn.graph;
    const ComparedSum sum = sumOfMatches(tree, matches);
    const auto share = [](double part, double of) { return of > 0 ? QString::number(100 * part / of, 'f', 1) : QStringLiteral("\u2013"); };
    return tr("%1 % of A, %2 % of B")
        .arg(share(sum.scaledA(tree.scale), tree.whole.scaledA(tree.scale)),
             share(sum.scaledB(tree.scale), tree.whole.scaledB(tree.scale)));
}

TipContent DifferenceFlame::tipOf(const FlameFrameRef& place) const
{
    const DifferenceTree& tree = *m_drawn.graph;
    const DifferenceNode& node = tree.nodes[place.node];
    const bool isRoot = place.node == 0;
    // In an inverted graph, the amounts of each frame are own time of the sampled function at the root. The frame's function has no own
    // time to show.
    const bool hasOwn = !m_drawn.choices.isInverted;
    const ComparedSum& total = node.total;
    // All amounts have one unit, so that they can be compared.
    const double largest = std::max(total.scaledA(tree.scale), total.scaledB(tree.scale));
    const auto amount = [&](double whole, double self) {
        const QString all = text(amountText(whole, m_drawn.unit, largest));
        const QString both = hasOwn ? tr("%1, self %2").arg(all, text(amountText(self, m_drawn.unit, largest))) : all;
        return m_drawn.unit.kind == DifferenceUnit::Kind::Count ? both + QChar(QChar::Nbsp) + text(m_drawn.unit.word) : both;
    };
    const auto change = [&](const ComparedSum& sum) {
        const double difference = sum.difference(tree.scale);
        const std::string shown = m_drawn.unit.kind == DifferenceUnit::Kind::Share ? differenceText(difference, m_drawn.unit)
                                                                                   : differenceText(difference, m_drawn.unit, largest);
        return tr("%1, %2").arg(text(shown), text(certaintyText(sum.z(tree.scale))));
    };
    const SampledFunction& function = tree.functionOf(place.node);
    TipContent tip;
    tip.look.height = 16;
    tip.look.color = theme().color(DifferenceStyle::roleName(m_style->stepOf(place.node)));
    tip.title = isRoot ? m_style->rootName() : elidedFrame(fonts().title(), frameLabel(function), TipWidth);
    tip.duration = text(ratioText(total.scaledA(tree.scale), total.scaledB(tree.scale)));
    tip.facts = {{tr("A"), amount(total.scaledA(tree.scale), node.self.scaledA(tree.scale))},
                 {tr("B"), amount(total.scaledB(tree.scale), node.self.scaledB(tree.scale))},
                 {tr("B \u2212 A"), change(total)}};
    if (hasOwn)
        tip.facts.emplace_back(tr("Self"), change(node.self));
    if (isRoot)
        return tip; // The root is not a function, so its tooltip names no module and no side.
    tip.place = text(function.module);
    tip.cause = isNothing(total.a) ? tr("Only in B.") : isNothing(total.b) ? tr("Only in A.") : text(withoutPlaces(function.problem));
    addFullName(tip, function);
    return tip;
}

} // namespace helio
