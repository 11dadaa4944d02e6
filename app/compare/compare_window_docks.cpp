// The docks of a comparison: what differs, why it is slower, what is unusual on each side.

#include "app/compare/compare_window.h"
#include "app/window/window_frame.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/compare/durations/durations_view.h"
#include "widgets/compare/why/state_shares.h"
#include "widgets/compare/why/why_slower_view.h"
#include "widgets/shell/dock_area.h"
#include "widgets/view/view_kind.h"

#include <QSplitter>

#include <algorithm>

namespace helio {

namespace {

constexpr int WhyWidth = 620;
constexpr int LeastWhy = 460;

/// "messages-A"; empty where no view lists warnings.
QString warningsPage(Side of)
{
    const ViewKind* view = warningsView();
    return view ? view->id + QLatin1Char('-') + letterOf(of) : QString();
}

} // namespace

/// What differs needs the room more than why it is slower; neither takes any while both are closed.
void CompareWindow::updateDocks()
{
    const int most = std::max(LeastWhy, width() * 2 / 5);
    m_side->setMaximumWidth(m_lower->isHidden() ? QWIDGETSIZE_MAX : most);
    m_lowerParts->setVisible(!m_lower->isHidden() || !m_side->isHidden());
    if (m_isPartedByHand)
        return;
    const int side = std::min(most, WhyWidth);
    m_lowerParts->setSizes({width() - side, side});
}

void CompareWindow::showDock(DockArea* dock, bool isShown)
{
    dock->setVisible(isShown);
    updateDocks();
}

void CompareWindow::makeDocks()
{
    m_why = new WhySlowerView(m_context);
    m_side = new DockArea(tr("Comparison"));
    m_side->addPage(QStringLiteral("why-slower"), tr("Why slower"), m_why);
    auto* shares = new StateShares;
    connect(m_why, &WhySlowerView::ledgerChanged, shares, &StateShares::setLedger);
    m_side->addPage(QStringLiteral("state-shares"), tr("State shares"), shares);
    if (const ViewKind* kind = warningsView())
        for (const Side side : Sides)
            m_side->addPage(warningsPage(side), tr("%1 of %2").arg(tr(kind->title), letterOf(side)), kind->make(contextOf(side), nullptr));
    m_lower = new DockArea(tr("Differences"));
    m_difference = addDifferencePages(*m_lower, m_context);
    m_lower->addPage(QStringLiteral("durations"), tr("Durations"), new DurationsView(m_context));
    m_lowerParts = makeSplitter(Qt::Horizontal, {m_lower, m_side});
    connect(m_lowerParts, &QSplitter::splitterMoved, this, [this] { m_isPartedByHand = true; });
    connect(m_difference.model, &DifferenceModel::shownChanged, this, [this] {
        const SampledFunction* function = m_difference.model->shown().busiestOwn();
        m_why->setWayOn(function ? QString::fromStdString(function->name) : QString());
    });
    connect(m_why, &WhySlowerView::timesRequested, this, [this](TimeRange ofA, TimeRange ofB) {
        m_context.a().time().visit();
        if (!m_context.link().isLinked()) // Else A shows the same moment of its own run.
            m_context.a().time().setVisible(ofA);
        m_context.b().time().setVisible(ofB);
    });
    connect(m_why, &WhySlowerView::sourceRequested, this, [this] {
        showDock(m_lower, true);
        if (const SampledFunction* function = m_difference.model->shown().busiestOwn())
            m_difference.model->openSource(SampledFunction(*function));
    });
}

void CompareWindow::showMessages(Side of)
{
    showDock(m_side, true);
    m_side->setCurrent(warningsPage(of));
}

} // namespace helio
