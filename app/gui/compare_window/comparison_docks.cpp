#include "app/gui/compare_window/comparison_docks.h"

#include "app/gui/common/window_frame.h"
#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_stacks.h"
#include "widgets/compare/changes/changes_view.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/compare/durations/durations_view.h"
#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/compare/functions/difference_source_view.h"
#include "widgets/compare/why/state_shares.h"
#include "widgets/compare/why/why_slower_view.h"
#include "widgets/controls/dock_area.h"
#include "widgets/profiling/missing_symbols_notice.h"
#include "widgets/workspace/view_kind.h"

#include <QSplitter>

#include <algorithm>

namespace helio {

namespace {

constexpr int WhyWidth = 620;
constexpr int LeastWhy = 460;

/// Returns the id of the page with the warnings of a side, for example "messages-A"; empty if no view lists warnings.
QString warningsPage(Side of)
{
    const ViewKind* view = warningsView();
    return view ? view->id + QLatin1Char('-') + letterOf(of) : QString();
}

QString clocksPage(Side of) { return QStringLiteral("clocks-") + letterOf(of); }

} // namespace

ComparisonDocks::ComparisonDocks(CompareContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_why(new WhySlowerView(context))
    , m_side(new DockArea(tr("Comparison")))
{
    makeWhy();
    m_lower = new DockArea(tr("Differences"));
    makeDifferences();
    m_parts = makeSplitter(Qt::Horizontal, {m_lower, m_side});
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_isResizedByUser = true; });
    for (DockArea* dock : {m_lower, m_side})
        connect(dock, &DockArea::closeRequested, this, [this, dock] { show(dock, false); });
}

void ComparisonDocks::makeWhy()
{
    m_side->addPage(QStringLiteral("why-slower"), tr("Why slower"), m_why);
    auto* shares = new StateShares;
    connect(m_why, &WhySlowerView::breakdownChanged, shares, &StateShares::setBreakdown);
    m_side->addPage(QStringLiteral("state-shares"), tr("State shares"), shares);
    m_side->addPage(QStringLiteral("changes"), tr("What changed"), new ChangesView(m_context));
    if (const ViewKind* kind = warningsView())
        for (const Side side : Sides)
            m_side->addPage(warningsPage(side), tr("%1 of %2").arg(tr(kind->title), letterOf(side)),
                            kind->make(m_context.side(side), nullptr));
    for (const Side side : Sides)
        connect(&m_context.side(side), &ViewContext::timelineChanged, this, [this, side] { addClocks(side); });
    connect(m_why, &WhySlowerView::timesRequested, this, [this](TimeRange ofA, TimeRange ofB) {
        // If the sides are linked, A shows the same range as B, so only B needs to jump. Otherwise, A jumps to its own range, `ofA`.
        const bool isLinked = m_context.link().isLinked();
        m_context.a().time().jump({.visible = isLinked ? m_context.a().time().visible() : ofA});
        m_context.b().time().jump({.visible = ofB});
    });
}

/// Adds a page with the clocks of a side, once it is known that the side has several hosts.
void ComparisonDocks::addClocks(Side of)
{
    const auto timeline = m_context.side(of).timeline();
    const QString id = clocksPage(of);
    const auto kinds = builtinViews();
    const auto kind = std::ranges::find_if(kinds, [](const ViewKind* it) { return QLatin1String(it->id) == QLatin1String("clocks"); });
    if (kind != kinds.end() && timeline && timeline->hosts.size() > 1 && !m_side->contains(id))
        m_side->addPage(id, tr("%1 of %2").arg(tr((*kind)->title), letterOf(of)), (*kind)->make(m_context.side(of), nullptr));
}

void ComparisonDocks::makeDifferences()
{
    m_model = new DifferenceModel(m_context);
    m_graph = new DifferenceGraphView(*m_model);
    m_lower->addPage(QStringLiteral("difference"), tr("Differential flame graph"), m_graph);
    m_lower->addPage(QStringLiteral("functions"), tr("Functions"), new DifferenceFunctionsView(*m_model));
    m_lower->addPage(QStringLiteral("source"), tr("Source"), new DifferenceSourceView(*m_model));
    connect(m_model, &DifferenceModel::sourceRequested, m_lower, [this] {
        m_lower->show();
        m_lower->setCurrent(QStringLiteral("source"));
    });
    m_lower->addPage(QStringLiteral("durations"), tr("Durations"), new DurationsView(m_context));
    connect(m_model, &DifferenceModel::shownChanged, this, [this] {
        leaveEmptyGraph();
        const DifferenceResult& shown = m_model->shown();
        const bool isOfThreads = shown.tree && shown.isOfThreadsTime() && shown.choices.basis.per == DifferenceSettings::Per::Run;
        m_why->setCode(shown.name(), isOfThreads ? findCodeDifference(*shown.tree, *shown.functions) : std::nullopt);
        const auto missing = [&](Side of) {
            const ComparedSide& side = shown.sides[std::size_t(of)];
            return side.profile ? MissingSymbolsNotice::textOf(side.nameless, side.profile->samples, areCalls(side.kind)) : QString();
        };
        m_why->setMissingSymbols(missing(Side::A), missing(Side::B));
        m_why->setSourceFunction(shown.source ? QString::fromStdString(shown.source->name) : QString());
    });
    connect(m_why, &WhySlowerView::sourceRequested, this, [this] {
        show(m_lower, true);
        if (const std::optional<SampledFunction> function = m_model->shown().source)
            m_model->openSource(*function);
    });
}

/// If a side has no samples, shows the page with the durations of states instead of the first page, which is empty without samples. Does
/// this only once, because the user may choose another page afterwards.
void ComparisonDocks::leaveEmptyGraph()
{
    const auto hasNone = [this](Side of) {
        const auto timeline = m_context.side(of).timeline();
        return timeline && sampleKinds(*timeline).empty();
    };
    if (m_isPageChosen || !m_context.isSettled())
        return;
    m_isPageChosen = true;
    if (std::ranges::any_of(Sides, hasNone))
        m_lower->setCurrent(QStringLiteral("durations"));
}

QList<QAction*> ComparisonDocks::exports() const { return m_graph->exports(); }

std::span<const SampledFunction> ComparisonDocks::functions() const
{
    const auto& tree = m_model->shown().tree;
    return tree ? std::span<const SampledFunction>(tree->functions) : std::span<const SampledFunction>();
}

void ComparisonDocks::showFunction(const SampledFunction& function)
{
    show(m_lower, true);
    m_lower->setCurrent(QStringLiteral("functions"));
    m_model->chooseFunction(SampledFunction(function));
}

QString ComparisonDocks::currentPage() const
{
    const QWidget* focused = m_parts->window()->focusWidget();
    if (focused && m_side->isAncestorOf(focused) && !m_side->isHidden())
        return m_side->current();
    return !m_lower->isHidden() ? m_lower->current() : !m_side->isHidden() ? m_side->current() : QString();
}

void ComparisonDocks::toggleDifferences() { show(m_lower, m_lower->isHidden()); }

void ComparisonDocks::toggleWhySlower() { show(m_side, m_side->isHidden()); }

void ComparisonDocks::showMessages(Side of)
{
    show(m_side, true);
    m_side->setCurrent(warningsPage(of));
}

bool ComparisonDocks::showClocks(Side of)
{
    if (!m_side->contains(clocksPage(of)))
        return false;
    show(m_side, true);
    m_side->setCurrent(clocksPage(of));
    return true;
}

void ComparisonDocks::show(DockArea* dock, bool isShown)
{
    dock->setVisible(isShown);
    layOut();
}

/// Sets the widths of the docks: the differences get more than the explanation. Hides the splitter while both docks are closed.
void ComparisonDocks::layOut()
{
    const int width = m_parts->window()->width();
    const int most = std::max(LeastWhy, width * 2 / 5);
    m_side->setMaximumWidth(m_lower->isHidden() ? QWIDGETSIZE_MAX : most);
    m_parts->setVisible(!m_lower->isHidden() || !m_side->isHidden());
    if (m_isResizedByUser)
        return;
    const int side = std::min(most, WhyWidth);
    m_parts->setSizes({width - side, side});
}

QJsonObject ComparisonDocks::save() const
{
    return {{"differences", m_lower->current()},
            {"side", m_side->current()},
            {"differencesShown", !m_lower->isHidden()},
            {"sideShown", !m_side->isHidden()},
            {"graph", m_graph->save()}};
}

void ComparisonDocks::restore(const QJsonObject& state)
{
    m_isPageChosen = !state.isEmpty();
    if (state.isEmpty())
        return;
    m_lower->setCurrent(state["differences"].toString());
    m_side->setCurrent(state["side"].toString());
    show(m_lower, state["differencesShown"].toBool(true));
    show(m_side, state["sideShown"].toBool(true));
    m_graph->restore(state["graph"].toObject());
}

} // namespace helio
