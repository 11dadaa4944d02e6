#include "widgets/docks/flame_graph/flame_graph_view.h"

#include "core/profiling/samples/amount_text.h"
#include "core/query/rows/facts.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pill.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/frame_name.h"
#include "widgets/profiling/missing_symbols_notice.h"
#include "widgets/profiling/no_samples_page.h"
#include "widgets/profiling/sample_text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QKeyEvent>
#include <QToolButton>

namespace helio {

namespace {

constexpr int SearchWidth = 240;
constexpr int LeastSearch = 120;
constexpr int TipTextWidth = 300;

} // namespace

FlameGraphView::FlameGraphView(ViewContext& context, QWidget* parent)
    : FlameGraphBase(SampleModel::of(context), parent)
    , m_samples(SampleModel::of(context))
    , m_page(new NoSamplesPage(context))
    , m_steps(graph())
    , m_saver(context, graph())
{
    m_saver.add({tr("Save for speedscope, by thread in time order\u2026"),
                 "flame-graph.speedscope.json",
                 tr("speedscope (*.json)"),
                 {".json"},
                 [this] { return speedscopeWriter(); }});
    makeHead();
    setPages(m_page, &graph());
    trail().setHint(tr("Click a frame to zoom in; Ctrl+click to see its source."));
    addNotice(new MissingSymbolsNotice(context));
    wire();
    trail().refresh();
    showState();
}

void FlameGraphView::makeHead()
{
    m_count = head().addCount();
    m_kind = head().addMenu(tr("Samples"), [this](QMenu* menu) { fillKindMenu(menu); });
    m_shape = head().addMenu(tr("Top-down"), [this](QMenu* menu) { fillShapeMenu(menu); });
    m_color = head().addMenu(tr("By module"), [this](QMenu* menu) { fillColorMenu(menu); });
    m_kind->setToolTip(tr("Event that the graph counts"));
    m_shape->setToolTip(tr("Direction of the stacks, and order of their frames"));
    m_color->setToolTip(tr("Meaning of the colours"));
    head().addMenu(tr("Options"), [this](QMenu* menu) { fillOptionsMenu(menu); });
    m_all = head().addSwitch(tr("All threads"), tr("Include all threads, not only the selected row"));
    searchField().setAccessibleName(tr("Search the flame graph"));
    searchField().placeInField();
    workLine().setStop([this] { m_samples.stop(); });
    QToolButton* more = makeHeadButton("more", tr("More"));
    more->setMenu(makeMenu(more, [this](QMenu* menu) {
        head().fillFolded(*menu);
        m_saver.fillMenu(menu);
    }));
    head().addTool(&workLine());
    head().addField(&searchField(), LeastSearch, SearchWidth);
    head().addTool(more);
    head().setMore(more, true);
}

void FlameGraphView::wire()
{
    connect(&m_samples, &SampleModel::shownChanged, this, &FlameGraphView::rebuild);
    connect(&m_samples, &SampleModel::choicesChanged, this, &FlameGraphView::showState);
    connect(&m_samples, &SampleModel::functionChosen, this, [this] { graph().selectFunction(keyOf(*m_samples.function())); });
    connect(&m_samples, &SampleModel::flameRequested, this, &FlameGraphView::grant);
    // While there is no graph, the page shows the progress of the work.
    connect(&workLine(), &WorkLine::changed, this, &FlameGraphView::updatePage);
    connect(m_all, &QAbstractButton::toggled, &m_samples, &SampleModel::setOfAllThreads);
    connect(&searchField(), &QLineEdit::textChanged, this, [this](const QString& text) {
        m_steps.recordSearch(!text.isEmpty(), [this] {
            searchField().clear();
            return true;
        });
    });
    graph().installEventFilter(this);
    connect(&graph(), &FlameView::framePicked, this, [this](const FlameFrameRef& place) {
        if (const CallTree& tree = graph().treeOf(place);
            place.count == 1 && place.node != 0 && tree.functionOf(place.node).code != CodeKind::Thread)
            m_samples.chooseFunction(SampledFunction(tree.functionOf(place.node)));
    });
    connect(&graph(), &FlameView::functionOpened, this, [this](const FlameFrameRef& place) {
        if (place.node != 0)
            m_samples.openSource(graph().treeOf(place).functionOf(place.node));
    });
}

bool FlameGraphView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &graph() && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        return (key == Qt::Key_Escape || key == Qt::Key_Backspace) && stepBack();
    }
    return FlameGraphBase::eventFilter(watched, event);
}

void FlameGraphView::setChoices(const FlameChoices& choices)
{
    noteSteps(m_choices, choices);
    m_choices = choices;
    const auto& sandwich = m_choices.sandwich;
    if (sandwich
        && (std::ranges::count(choices.hiddenFunctions, sandwich->name) || std::ranges::count(choices.hiddenModules, sandwich->module)))
        m_choices.sandwich.reset(); // The function of the sandwich is now hidden, so the sandwich would be empty.
    graph().setColoring(choices.coloring);
    graph().setRootsBelow(choices.areRootsBelow);
    rebuild();
    updateChips();
    showState();
}

void FlameGraphView::noteSteps(const FlameChoices& before, const FlameChoices& after)
{
    if (after.sandwich && after.sandwich != before.sandwich)
        noteStep([was = before.sandwich](FlameChoices& it) { it.sandwich = was; });
    for (const auto list : {&FlameChoices::focus, &FlameChoices::hiddenFunctions, &FlameChoices::hiddenModules})
        for (const std::string& name : after.*list)
            if (!std::ranges::count(before.*list, name))
                noteStep([list, name](FlameChoices& it) { std::erase(it.*list, name); });
}

void FlameGraphView::noteStep(std::function<void(FlameChoices&)> takeAway)
{
    m_steps.note([this, takeAway = std::move(takeAway)] {
        FlameChoices choices = m_choices;
        takeAway(choices);
        if (choices == m_choices)
            return false; // Nothing to undo: the choice was already undone in another way.
        setChoices(choices);
        return true;
    });
}

bool FlameGraphView::stepBack() { return m_steps.stepBack() || graph().zoomBack(); }

void FlameGraphView::build()
{
    const CollectedSamples samples = m_samples.shown();
    showState();
    if (!samples.profile || !samples.names || samples.profile->samples == 0) {
        cancelBuild();
        return take({}, samples);
    }
    post([this, samples, choices = m_choices, by = m_samples.by()](std::stop_token stop) -> LatestTask::Delivery {
        using Shape = CallTreeOptions::Shape;
        const auto tree = [&](Shape shape) {
            return std::make_shared<const CallTree>(buildCallTree(*samples.profile, *samples.names, choices.options(shape, by), stop));
        };
        FlameContent content{nullptr, nullptr, by};
        content.tree = tree(choices.sandwich ? Shape::Callees : choices.isInverted ? Shape::Inverted : Shape::TopDown);
        if (choices.sandwich)
            content.callers = tree(Shape::Callers);
        if (samples.timeline)
            content.modules = moduleColors(*samples.timeline);
        if (stop.stop_requested())
            return {};
        return [this, content, samples] { take(content, samples); };
    });
}

void FlameGraphView::take(FlameContent content, const CollectedSamples& samples)
{
    CollectedSamples before = std::exchange(m_drawn, samples);
    const bool isRenamed = before.profile && before.profile == samples.profile && before.names != samples.names;
    showContent(std::move(content), samples.timeline && isComplete(*samples.timeline),
                [&](const FlamePath& path) { return isRenamed ? renamedPath(path, *before.names, *samples.names) : path; });
    freeSamples(std::move(before));
}

ShownCommand FlameGraphView::shownCommand() const
{
    if (m_choices.sandwich)
        return ShownCommand::none(tr("No command prints a sandwich; use flame --callers NAME and flame --callees NAME."));
    ShownCommand command = m_samples.sampleCommand();
    if (!command.words.isEmpty())
        command.words += flameOptions(m_choices);
    return command;
}

QJsonObject FlameGraphView::save() const
{
    QJsonObject json = toJson(m_choices);
    json["kind"] = QString::fromStdString(m_samples.kind());
    if (const auto by = m_samples.chosenBy())
        json["byWeight"] = by == WeightBy::Weight;
    json["allThreads"] = m_samples.isOfAllThreads();
    json["inlined"] = m_samples.expandsInlined();
    json["zoom"] = keptZoom();
    return json;
}

void FlameGraphView::restore(const QJsonObject& kept)
{
    restoreZoom(kept["zoom"]);
    m_samples.setKind(kept["kind"].toString().toStdString());
    const QJsonValue byWeight = kept["byWeight"];
    m_samples.setBy(!byWeight.isBool() ? std::nullopt : std::optional(byWeight.toBool() ? WeightBy::Weight : WeightBy::Samples));
    m_samples.setOfAllThreads(kept["allThreads"].toBool());
    m_samples.setExpandsInlined(kept["inlined"].toBool(true));
    setChoices(parseFlameChoices(kept));
}

void FlameGraphView::showState()
{
    head().title()->setText(samplesTitle(m_samples.shown()));
    m_count->setText(countShown());
    m_kind->setText(m_samples.kindTitle());
    head().setShown(m_kind, !m_samples.kinds().empty());
    head().setShown(m_all, m_samples.hasRow());
    m_all->setChecked(m_samples.isOfAllThreads());
    m_shape->setText(m_choices.sandwich            ? tr("Sandwich")
                         : m_choices.isInverted    ? tr("Inverted")
                         : m_choices.areRootsBelow ? tr("Flame")
                                                   : tr("Top-down"));
    static const char* const colorings[] = {QT_TR_NOOP("By module"), QT_TR_NOOP("Kernel and user"), QT_TR_NOOP("Heat")};
    m_color->setText(tr(colorings[int(m_choices.coloring)]));
    head().refresh();
    updatePage();
}

/// Returns which samples are shown, e.g. "2 563 of 4 419 samples of process matinit (2652), not all".
QString FlameGraphView::countShown() const
{
    const CollectedSamples& shown = m_samples.shown();
    QString count = shown.profile ? headingText(sumOf(*shown.profile), m_samples.by(), shown.profile->kind) : QString();
    if (const auto& content = graph().content(); content.tree && m_drawn.profile == shown.profile && !content.tree->nodes.empty()) {
        const SampleSum& part = content.tree->nodes[0].total;
        if (amount(part, content.by) < amount(content.tree->whole, content.by))
            count = tr("%1 of %2")
                        .arg(content.by == WeightBy::Samples ? countText(part.samples, content.tree->kind)
                                                             : QString::fromStdString(amountWords(part, content.by, content.tree->kind)),
                             count);
    }
    if (!m_samples.scope().isEmpty())
        count += tr(" of %1").arg(m_samples.scope());
    return shown.profile && shown.profile->isStopped ? tr("%1, incomplete").arg(count) : count;
}

void FlameGraphView::updatePage()
{
    const CollectedSamples& shown = m_samples.shown();
    const bool isEmpty = !shown.profile || shown.profile->samples == 0;
    const auto& content = graph().content();
    const bool isNothingLeft =
        !isEmpty && content.tree && (content.tree->nodes.empty() || amount(content.tree->nodes[0].total, content.by) == 0);
    showEmpty(isEmpty || isNothingLeft);
    if (isEmpty)
        m_page->refresh();
    else if (isNothingLeft)
        m_page->showAction(m_samples.isOfCalls() ? tr("No call matches the filters of the graph.")
                                                 : tr("No sample matches the filters of the graph."),
                           tr("Clear all filters"), [this] { showEverything(); });
}

QString FlameGraphView::matchShareText(const SampleSum& sum, const FunctionMatcher&) const
{
    return shareText(amount(sum, m_samples.by()), amount(graph().content().tree->whole, m_samples.by()));
}

void FlameGraphView::updateChips()
{
    std::vector<FlameTrail::Chip> chips;
    const auto add = [&](const QString& text, std::function<void(FlameChoices&)> takeAway) {
        chips.push_back({text, [this, takeAway = std::move(takeAway)] { change(takeAway); }});
    };
    const auto addList = [&](const QString& text, std::vector<std::string> FlameChoices::*list) {
        for (const std::string& name : m_choices.*list)
            add(text.arg(QString::fromStdString(name)), [list, name](FlameChoices& choices) { std::erase(choices.*list, name); });
    };
    if (m_choices.sandwich)
        add(tr("sandwich: %1").arg(QString::fromStdString(m_choices.sandwich->name)),
            [](FlameChoices& choices) { choices.sandwich.reset(); });
    addList(tr("only %1"), &FlameChoices::focus);
    addList(tr("without %1"), &FlameChoices::hiddenFunctions);
    addList(tr("without module %1"), &FlameChoices::hiddenModules);
    trail().setChips(std::move(chips));
    trail().refresh();
}

TipContent FlameGraphView::tipOf(const FlameFrameRef& place) const
{
    const CallTree& tree = graph().treeOf(place);
    const CallNode& node = tree.nodes[place.node];
    const WeightBy by = m_samples.by();
    const std::uint64_t whole = amount(tree.whole, by);
    const SampledFunction& function = tree.functionOf(place.node);
    TipContent tip;
    tip.look.height = 16;
    tip.look.color = theme().color(graph().parts()[place.part].colors.roleOf(tree, place.node));
    tip.title = place.node == 0 ? tr("all") : elidedFrame(fonts().title(), frameLabel(function), TipTextWidth);
    tip.duration = shareText(amount(node.total, by), whole, 2);
    tip.place = place.node == 0 ? QString() : QString::fromStdString(function.module);
    tip.time = node.isInlined ? tr("inlined") : QString();
    const std::uint64_t parent = amount(tree.nodes[node.parent].total, by);
    if (tree.kind.origin != SampleKind::Origin::Summed)
        tip.facts.emplace_back(countedTitle(tree.kind), countText(node.total.samples, tree.kind));
    tip.facts.emplace_back(tr("Self"), tr("%1, %2").arg(shareText(amount(node.own, by), whole, 2), amountText(node.own, by, tree.kind)));
    if (place.node != 0)
        tip.facts.emplace_back(tr("% of caller"), shareText(amount(node.total, by), parent, 2));
    if (node.total.weight != node.total.samples)
        tip.facts.emplace_back(tree.kind.isTime ? tr("Time") : tr("Weight"), amountText(node.total, WeightBy::Weight, tree.kind));
    if (place.node != 0)
        tip.cause = QString::fromStdString(withoutPlaces(function.problem));
    addFullName(tip, function);
    return tip;
}

} // namespace helio
