#include "widgets/compare/calls/call_difference_view.h"

#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/compare/flame/difference_tip.h"
#include "widgets/compare/flame/match_shares.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/flame/view/frame_text.h"

#include <QMenu>

#include <utility>

namespace helio {

namespace {

constexpr DifferenceGraphOptions Look{{DifferenceWidths::Of::B, true}, false, false, false};
constexpr int SearchWidth = 180;

} // namespace

CallDifferenceView::CallDifferenceView(SharedQuery& work, std::function<void(QMenu* menu)> fillKinds, QWidget* parent)
    : FlameGraphBase(work, parent)
    , m_words{tr("Mean of one call"), tr("Comparing the calls\u2026"), tr("Differential flame graph of the calls")}
    , m_hasKinds(fillKinds != nullptr)
    , m_ramp(new DifferenceRamp)
    , m_page(new EmptyPage)
{
    graph().setAccessibleName(m_words.name);
    m_kind = head().addMenu({}, std::move(fillKinds));
    m_kind->setToolTip(tr("What frames are as wide as"));
    searchField().setFixedSize(SearchWidth, 22);
    searchField().setAccessibleName(tr("Search the differential flame graph"));
    for (QWidget* tool : std::initializer_list<QWidget*>{m_ramp, searchField().foundLabel(), &searchField()})
        head().addTool(tool);
    trail().add(&workLine());
    m_page->setInDock();
    setPages(m_page, &graph());
    showState();
    trail().refresh();
}

void CallDifferenceView::setKind(const QString& title)
{
    m_kind->setText(title);
    head().refresh();
}

void CallDifferenceView::setWords(Words words)
{
    m_words = std::move(words);
    graph().setAccessibleName(m_words.name);
    showState();
}

void CallDifferenceView::setDifference(DifferenceTree tree, const QString& why)
{
    m_shown = {};
    m_shown.missing = why;
    if (!tree.nodes.empty())
        m_shown.tree = m_shown.graph = std::make_shared<const DifferenceTree>(std::move(tree));
    for (ComparedSide& side : m_shown.sides) {
        side.name = m_words.one;
        side.isThread = true; // A side is a mean of calls, not the runs of a program.
    }
    rebuild();
}

void CallDifferenceView::build()
{
    const auto show = [this](FlameContent content, std::shared_ptr<const DifferenceStyle> style, const DifferenceResult& shown) {
        m_drawn = shown;
        m_style = std::move(style);
        if (m_style) {
            m_ramp->setSteps(m_style->steps(), shown.unit);
            trail().setRootName(m_style->rootName());
        }
        showContent(std::move(content), true);
    };
    if (!m_shown.graph) {
        cancelBuild();
        return show({}, nullptr, m_shown);
    }
    post([shown = m_shown, show](std::stop_token) -> LatestTask::Delivery {
        auto style = std::make_shared<const DifferenceStyle>(shown, Look);
        FlameContent content;
        content.tree = std::make_shared<const CallTree>(widthTree(*shown.graph, Look.widths));
        content.by = WeightBy::Weight;
        content.style = style;
        return [show, content, style, shown] { show(content, style, shown); };
    });
}

void CallDifferenceView::showState()
{
    const bool isThere = m_style != nullptr;
    m_page->setText(m_shown.missing.isEmpty() ? m_words.underWay : m_shown.missing);
    showEmpty(!isThere);
    for (QWidget* part : std::initializer_list<QWidget*>{m_kind, m_ramp, &searchField(), searchField().foundLabel()})
        head().setShown(part, isThere && (part != m_kind || m_hasKinds));
}

QString CallDifferenceView::matchShareText(const SampleSum&, const FunctionMatcher& matches) const
{
    return matchShares(*m_drawn.graph, matches);
}

TipContent CallDifferenceView::tipOf(const FlameFrameRef& place) const { return differenceTip(m_drawn, *m_style, place); }

void CallDifferenceView::fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place)
{
    const SampledFunction& function = tree.functionOf(place.node);
    addSearchFor(menu, function);
    menu.addSeparator();
    addCopy(menu, tr("Copy its name"), frameLabel(function));
    addCopy(menu, tr("Copy what changed"), m_style->description(place.node));
}

} // namespace helio
