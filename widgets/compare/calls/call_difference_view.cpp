#include "widgets/compare/calls/call_difference_view.h"

#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"

#include <utility>

namespace helio {

namespace {

constexpr DifferenceGraphOptions Look{{DifferenceWidths::Of::B, true}, false, false, false};
constexpr int SearchWidth = 180;

} // namespace

CallDifferenceView::CallDifferenceView(SharedQuery& work, std::function<void(QMenu* menu)> fillKinds, QWidget* parent)
    : DifferenceFlame(work, Look, parent)
    , m_words{tr("Mean of one call"), tr("Comparing the calls\u2026"), tr("Differential flame graph of the calls")}
    , m_hasKinds(fillKinds != nullptr)
{
    graph().setAccessibleName(m_words.name);
    m_kind = head().addMenu({}, std::move(fillKinds));
    m_kind->setToolTip(tr("Frame width"));
    searchField().setFixedSize(SearchWidth, 22);
    searchField().setAccessibleName(tr("Search the differential flame graph"));
    for (QWidget* tool : std::initializer_list<QWidget*>{m_ramp, searchField().foundLabel(), &searchField()})
        head().addTool(tool);
    trail().add(&workLine());
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
        // True also for calls and requests: the texts for programs speak of runs, but each side is the mean of several calls or requests.
        side.isThread = true;
    }
    rebuild();
}

void CallDifferenceView::showState()
{
    const bool isThere = style() != nullptr;
    m_page->setText(m_shown.missing.isEmpty() ? m_words.underWay : m_shown.missing);
    showEmpty(!isThere);
    for (QWidget* part : std::initializer_list<QWidget*>{m_kind, m_ramp, &searchField(), searchField().foundLabel()})
        head().setShown(part, isThere && (part != m_kind || m_hasKinds));
}

} // namespace helio
