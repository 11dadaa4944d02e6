#include "widgets/views/flame_graph/flame_graph_view.h"

#include "core/query/rows/facts.h"
#include "core/query/samples/amount_text.h"
#include "widgets/flame/frame_text.h"
#include "widgets/sampling/flame_surroundings.h"
#include "widgets/sampling/missing_symbols_notice.h"
#include "widgets/sampling/no_samples_page.h"
#include "widgets/shell/icons.h"
#include "widgets/shell/menus.h"
#include "widgets/shell/pill.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int SearchWidth = 240;
constexpr int TipTextWidth = 300;
constexpr int WorkShownAfter = 300; ///< ms.

} // namespace

FlameGraphView::FlameGraphView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
    , m_graph(new FlameView)
    , m_stack(new QStackedWidget)
    , m_page(new NoSamplesPage(context))
    , m_tip(new StateTip(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    makeHead();
    layout->addLayout(m_head);
    m_trail = new QWidget;
    auto* trail = new QHBoxLayout(m_trail);
    trail->setContentsMargins(0, 0, 0, 0);
    trail->setSpacing(6);
    m_crumbs = new CrumbTrail(*m_graph);
    m_chips = new QHBoxLayout;
    m_chips->setSpacing(6);
    trail->addWidget(m_crumbs, 1);
    trail->addLayout(m_chips);
    layout->addWidget(m_trail);
    layout->addWidget(new MissingSymbolsNotice(context));
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_graph);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_graph);
    wire();
    updateLook();
    updateTrail();
    showState();
}

FlameGraphView::~FlameGraphView() { delete m_tip; }

void FlameGraphView::makeHead()
{
    m_title = makeLabel({}, 12, 600, "text.primary");
    m_count = makeLabel({}, 11.5, 400, "text.secondary");
    m_work = makeLabel({}, 11, 400, "text.secondary");
    m_stopWork = new QToolButton;
    m_stopWork->setFixedSize(20, 20);
    m_stopWork->setToolTip(tr("Stop; what is known stays"));
    m_stopWork->setAccessibleName(tr("Stop"));
    m_kind = new Pill(tr("Samples"));
    m_shape = new Pill(tr("Top-down"));
    m_color = new Pill(tr("By module"));
    m_options = new Pill(tr("Options"));
    m_all = new Pill(tr("All threads"));
    m_all->setCheckable(true);
    m_all->setToolTip(tr("Of all threads, not of the selected row alone"));
    const std::pair<Pill*, void (FlameGraphView::*)(QMenu*)> menus[] = {{m_kind, &FlameGraphView::fillKindMenu},
                                                                        {m_shape, &FlameGraphView::fillShapeMenu},
                                                                        {m_color, &FlameGraphView::fillColorMenu},
                                                                        {m_options, &FlameGraphView::fillOptionsMenu}};
    for (const auto& [pill, fill] : menus)
        pill->setMenu([this, fill = fill](QMenu* menu) { (this->*fill)(menu); });
    makeSearch();
    m_head = new QHBoxLayout;
    m_head->setContentsMargins(0, 0, 0, 0);
    m_head->setSpacing(6);
    m_head->addWidget(m_title);
    m_head->addSpacing(4);
    m_head->addWidget(m_count);
    m_head->addSpacing(6);
    for (Pill* pill : {m_kind, m_shape, m_color, m_options, m_all})
        m_head->addWidget(pill);
    m_head->addStretch(1);
    m_head->addWidget(m_work);
    m_head->addWidget(m_stopWork);
    m_head->addWidget(m_search);
    m_head->addWidget(m_more);
}

void FlameGraphView::makeSearch()
{
    m_search = new QLineEdit;
    m_search->setFixedSize(SearchWidth, 22);
    m_magnifier = m_search->addAction(QIcon(), QLineEdit::LeadingPosition);
    m_search->setPlaceholderText(tr("Search functions"));
    m_search->setAccessibleName(tr("Search the flame graph"));
    m_search->installEventFilter(this);
    m_found = makeLabel({}, 11, 400, "text.hint");
    auto* line = new QHBoxLayout(m_search);
    line->setContentsMargins(0, 0, 8, 0);
    line->addStretch(1);
    line->addWidget(m_found);
    m_more = new QToolButton;
    m_more->setFixedSize(22, 22);
    m_more->setToolTip(tr("Save the flame graph"));
    m_more->setAccessibleName(tr("Save the flame graph"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(makeMenu(m_more, [this](QMenu* menu) { fillExportMenu(menu); }));
}

void FlameGraphView::wire()
{
    m_samples.serve(this);
    connect(&m_samples, &SampleModel::shownChanged, this, &FlameGraphView::build);
    connect(&m_samples, &SampleModel::choicesChanged, this, &FlameGraphView::showState);
    connect(&m_samples, &SampleModel::workChanged, this, [this] { m_samples.work().isEmpty() ? showWork() : m_workTimer.start(WorkShownAfter); });
    connect(&m_samples, &SampleModel::functionChosen, this, [this] { m_graph->selectFunction(keyOf(*m_samples.function())); });
    connect(&m_samples, &SampleModel::flameRequested, this, &FlameGraphView::grant);
    connect(&m_workTimer, &QTimer::timeout, this, &FlameGraphView::showWork);
    connect(m_stopWork, &QToolButton::clicked, &m_samples, &SampleModel::stop);
    connect(m_all, &QAbstractButton::toggled, &m_samples, &SampleModel::setOfAllThreads);
    connect(m_search, &QLineEdit::textChanged, this, &FlameGraphView::search);
    m_graph->installEventFilter(this);
    connect(m_graph, &FlameView::zoomChanged, this, &FlameGraphView::updateTrail);
    connect(m_graph, &FlameView::hovered, this, &FlameGraphView::showTip);
    connect(m_graph, &FlameView::menuRequested, this, &FlameGraphView::showFrameMenu);
    connect(m_graph, &FlameView::framePicked, this, [this](const FlamePlace& place) {
        if (const CallTree& tree = m_graph->treeOf(place);
            place.count == 1 && place.node != 0 && tree.functionOf(place.node).code != CodeKind::Thread)
            m_samples.chooseFunction(SampledFunction(tree.functionOf(place.node)));
    });
    connect(m_graph, &FlameView::searchRequested, this, &FlameGraphView::focusSearch);
    connect(m_graph, &FlameView::functionOpened, this, [this](const FlamePlace& place) {
        if (place.node != 0)
            m_samples.openSource(m_graph->treeOf(place).functionOf(place.node));
    });
    connect(&Themes::instance(), &Themes::changed, this, &FlameGraphView::updateLook);
}

bool FlameGraphView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_search->clear();
        m_graph->setFocus(Qt::OtherFocusReason);
        return true;
    }
    if (watched == m_graph && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        return (key == Qt::Key_Escape || key == Qt::Key_Backspace) && stepBack();
    }
    return PanelGround::eventFilter(watched, event);
}

void FlameGraphView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_drawn.profile != m_samples.shown().profile || m_drawn.names != m_samples.shown().names)
        build();
}

void FlameGraphView::setChoices(const FlameChoices& choices)
{
    noteSteps(m_choices, choices);
    m_choices = choices;
    const auto& sandwich = m_choices.sandwich;
    if (sandwich && (std::ranges::count(choices.hiddenFunctions, sandwich->name) || std::ranges::count(choices.hiddenModules, sandwich->module)))
        m_choices.sandwich.reset(); // Nothing would be left.
    m_graph->setColoring(choices.coloring);
    m_graph->setRootsBelow(choices.areRootsBelow);
    build();
    updateTrail();
    showState();
}

void FlameGraphView::noteSteps(const FlameChoices& before, const FlameChoices& after)
{
    const std::size_t zooms = m_graph->zoomSteps();
    if (after.sandwich && after.sandwich != before.sandwich)
        m_steps.push_back({[was = before.sandwich](FlameChoices& it) { it.sandwich = was; }, zooms});
    for (const auto list : {&FlameChoices::focus, &FlameChoices::hiddenFunctions, &FlameChoices::hiddenModules})
        for (const std::string& name : after.*list)
            if (!std::ranges::count(before.*list, name))
                m_steps.push_back({[list, name](FlameChoices& it) { std::erase(it.*list, name); }, zooms});
}

void FlameGraphView::noteSearch()
{
    const auto isSearch = [](const Step& step) { return !step.takeAway; };
    if (m_search->text().isEmpty())
        std::erase_if(m_steps, isSearch);
    else if (std::ranges::none_of(m_steps, isSearch))
        m_steps.push_back({{}, m_graph->zoomSteps()});
}

bool FlameGraphView::stepBack()
{
    while (!m_steps.empty() && m_graph->zoomSteps() <= m_steps.back().zooms) {
        const auto takeAway = m_steps.back().takeAway;
        m_steps.pop_back();
        if (!takeAway) {
            m_search->clear();
            return true;
        }
        FlameChoices choices = m_choices;
        takeAway(choices);
        if (choices == m_choices)
            continue; // It was taken away before.
        const auto steps = m_steps;
        setChoices(choices);
        m_steps = steps;
        return true;
    }
    return m_graph->zoomBack();
}

void FlameGraphView::build()
{
    if (!isVisible())
        return;
    const ShownSamples samples = m_samples.shown();
    showState();
    if (!samples.profile || !samples.names || samples.profile->samples == 0) {
        m_job.cancel();
        return take({}, samples);
    }
    m_job.post([this, samples, choices = m_choices, by = m_samples.by()](std::stop_token stop) -> LatestJob::Delivery {
        using Shape = CallTreeOptions::Shape;
        const auto tree = [&](Shape shape) {
            return std::make_shared<const CallTree>(buildCallTree(*samples.profile, *samples.names, choices.options(shape, by), stop));
        };
        FlameContent content{nullptr, nullptr, by};
        content.tree = tree(choices.sandwich ? Shape::Callees : choices.isInverted ? Shape::Inverted : Shape::TopDown);
        if (choices.sandwich)
            content.callers = tree(Shape::Callers);
        if (stop.stop_requested())
            return {};
        return [this, content, samples] { take(content, samples); };
    });
}

void FlameGraphView::take(FlameContent content, const ShownSamples& samples)
{
    ShownSamples before = std::exchange(m_drawn, samples);
    const bool isRenamed = before.profile && before.profile == samples.profile && before.names != samples.names;
    replaceContent(*m_graph, std::move(content), [&](const FlamePath& path) {
        return isRenamed ? renamedPath(path, *before.names, *samples.names) : path;
    });
    if (const auto& tree = m_graph->content().tree; tree && tree->isNamed)
        m_keptZoom.apply(*m_graph, isComplete(*samples.timeline));
    updateFound();
    updateTrail();
    showState();
    discardSamples(std::move(before));
}

QJsonObject FlameGraphView::save() const
{
    QJsonObject json = toJson(m_choices);
    json["kind"] = QString::fromStdString(m_samples.kind());
    if (const auto by = m_samples.chosenBy())
        json["byWeight"] = by == WeightBy::Weight;
    json["allThreads"] = m_samples.isOfAllThreads();
    json["inlined"] = m_samples.expandsInlined();
    json["zoom"] = m_keptZoom.kept(*m_graph);
    return json;
}

void FlameGraphView::restore(const QJsonObject& kept)
{
    m_keptZoom.restore(kept["zoom"]);
    m_samples.setKind(kept["kind"].toString().toStdString());
    const QJsonValue byWeight = kept["byWeight"];
    m_samples.setBy(!byWeight.isBool() ? std::nullopt : std::optional(byWeight.toBool() ? WeightBy::Weight : WeightBy::Samples));
    m_samples.setOfAllThreads(kept["allThreads"].toBool());
    m_samples.setExpandsInlined(kept["inlined"].toBool(true));
    setChoices(flameChoicesFrom(kept));
}

void FlameGraphView::showState()
{
    const ShownSamples& shown = m_samples.shown();
    m_title->setText(samplesTitle(shown));
    QString count = shown.profile ? headingText(sumOf(*shown.profile), m_samples.by(), shown.profile->kind) : QString();
    if (const auto& content = m_graph->content(); content.tree && m_drawn.profile == shown.profile && !content.tree->nodes.empty()) {
        const SampleSum& part = content.tree->nodes[0].total;
        if (amount(part, content.by) < amount(content.tree->whole, content.by))
            count = tr("%1 of %2").arg(content.by == WeightBy::Samples
                                           ? countText(qint64(part.samples))
                                           : QString::fromStdString(amountWords(part, content.by, content.tree->kind)),
                                       count);
    }
    if (!m_samples.scope().isEmpty())
        count += tr(" of %1").arg(m_samples.scope());
    if (shown.profile && shown.profile->isStopped)
        count = tr("%1, not all").arg(count);
    m_count->setText(count);
    m_kind->setText(QString::fromStdString(m_samples.kind()));
    m_kind->setVisible(!m_samples.kinds().empty());
    m_all->setVisible(m_samples.hasRow());
    m_all->setChecked(m_samples.isOfAllThreads());
    m_shape->setText(m_choices.sandwich        ? tr("Sandwich")
                         : m_choices.isInverted ? tr("Inverted")
                         : m_choices.areRootsBelow ? tr("Flame")
                                                   : tr("Top-down"));
    static const char* const colorings[] = {QT_TR_NOOP("By module"), QT_TR_NOOP("Kernel and user"), QT_TR_NOOP("Heat")};
    m_color->setText(tr(colorings[int(m_choices.coloring)]));
    for (Pill* pill : {m_kind, m_shape, m_color})
        pill->updateGeometry();
    showPage();
}

void FlameGraphView::showPage()
{
    const ShownSamples& shown = m_samples.shown();
    const bool isEmpty = !shown.profile || shown.profile->samples == 0;
    const auto& content = m_graph->content();
    const bool isNothingLeft = !isEmpty && content.tree && (content.tree->nodes.empty() || amount(content.tree->nodes[0].total, content.by) == 0);
    m_stack->setCurrentIndex(isEmpty || isNothingLeft ? 0 : 1);
    if (isEmpty)
        m_page->refresh();
    else if (isNothingLeft)
        m_page->offer(tr("None of these samples is in what the graph is to show."), tr("Show everything again"), [this] { showEverything(); });
}

void FlameGraphView::showWork()
{
    const QString work = m_samples.work();
    m_work->setText(workText(work, m_samples.workShare()));
    showPage(); // Which says so while there is nothing to show.
    m_work->setVisible(!work.isEmpty());
    m_stopWork->setVisible(!work.isEmpty());
    work.isEmpty() ? m_workTimer.stop() : m_workTimer.start(100);
}

void FlameGraphView::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void FlameGraphView::search(const QString& text)
{
    if (m_search->text() != text)
        return m_search->setText(text);
    noteSearch();
    updateFound();
}

void FlameGraphView::updateFound()
{
    const QString text = m_search->text();
    if (text.isEmpty()) {
        m_graph->setMatcher({});
        m_found->clear();
        return;
    }
    const SampleSum sum = m_graph->setMatcher(functionsLike(text));
    const auto& tree = m_graph->content().tree;
    if (!tree)
        return m_found->clear();
    m_found->setText(m_graph->matchCount() == 0
                         ? tr("none")
                         : tr("%1 in %2 frames").arg(shareText(amount(sum, m_samples.by()), amount(tree->whole, m_samples.by())),
                                                     countText(m_graph->matchCount())));
}

QString FlameGraphView::found() const { return m_found->text(); }

void FlameGraphView::updateTrail()
{
    m_crumbs->refresh();
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    const auto addChips = [this](const QString& text, std::vector<std::string> FlameChoices::* list) {
        for (const std::string& name : m_choices.*list)
            addChip(text.arg(QString::fromStdString(name)), [list, name](FlameChoices& choices) { std::erase(choices.*list, name); });
    };
    if (m_choices.sandwich)
        addChip(tr("sandwich: %1").arg(QString::fromStdString(m_choices.sandwich->name)), [](FlameChoices& choices) { choices.sandwich.reset(); });
    addChips(tr("only %1"), &FlameChoices::focus);
    addChips(tr("without %1"), &FlameChoices::hiddenFunctions);
    addChips(tr("without module %1"), &FlameChoices::hiddenModules);
    if (m_crumbs->isEmpty()) // The line is always there: a click must not move the frames under the pointer.
        m_crumbs->setText(tr("Click a frame to zoom into it, Ctrl+click to see its source."));
}

void FlameGraphView::showTip(const std::optional<FlamePlace>& place, QPoint position)
{
    if (place)
        showFrameTip(*m_tip, tipOf(*place), *m_graph, *place, position);
    else
        m_tip->hide();
}

TipContent FlameGraphView::tipOf(const FlamePlace& place) const
{
    if (place.count > 1)
        return narrowFramesTip(place.count);
    const CallTree& tree = m_graph->treeOf(place);
    const CallNode& node = tree.nodes[place.node];
    const WeightBy by = m_samples.by();
    const std::uint64_t whole = amount(tree.whole, by);
    const SampledFunction& function = tree.functionOf(place.node);
    TipContent tip;
    tip.look.height = 16;
    tip.look.color = theme().color(m_graph->parts()[place.part].colors.roleOf(tree, place.node));
    tip.title = place.node == 0 ? tr("all") : elidedFrame(fonts().title(), frameLabel(function), TipTextWidth);
    tip.duration = shareText(amount(node.total, by), whole, 2);
    tip.place = place.node == 0 ? QString() : QString::fromStdString(function.module);
    tip.time = node.isInlined ? tr("inlined") : QString();
    const std::uint64_t parent = amount(tree.nodes[node.parent].total, by);
    tip.facts = {{tr("Samples"), countText(qint64(node.total.samples))},
                 {tr("Self"), tr("%1, %2").arg(shareText(amount(node.own, by), whole, 2), amountText(node.own, by, tree.kind))}};
    if (place.node != 0)
        tip.facts.emplace_back(tr("Of caller"), shareText(amount(node.total, by), parent, 2));
    if (node.total.weight != node.total.samples)
        tip.facts.emplace_back(tr("Weight"), amountText(node.total, WeightBy::Weight, tree.kind));
    if (place.node != 0)
        tip.cause = QString::fromStdString(function.problem);
    return tip;
}

void FlameGraphView::updateLook()
{
    m_search->setFont(fonts().detail());
    m_magnifier->setIcon(themedIcon("search"));
    m_more->setIcon(themedIcon("more"));
    m_stopWork->setIcon(themedIcon("close"));
    showWork();
    updateTrail();
}

} // namespace helio
