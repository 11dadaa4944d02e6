
#include "core/profiling/export/speedscope.h"
#include "core/profiling/samples/sample_stacks.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/state_bar.h"
#include "widgets/profiling/sample_text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QApplication>
#include <QMenu>

namespace helio {

namespace {

/// Writes all samples in the speedscope format, one profile per thread in time order.
void writeSpeedscopeOf(const CollectedSamples& samples, const FlameChoices& choices, WeightBy by, bool expandsInlined,
                       const TextSink& write, const std::stop_token& stop)
{
    StackProfile sequence = collectSingleSamples(*samples.timeline, samples.filter, nullptr, stop);
    sequence.kind.name = samples.profile->kind.name;
    const StackNames names = nameStacks(sequence, *samples.timeline, {expandsInlined}, nullptr, stop);
    const SpeedscopeProfile part{sequence, names, by};
    using Shape = CallTreeOptions::Shape;
    CallTreeOptions options = choices.options(choices.sandwich         ? Shape::Callees
                                                  : choices.isInverted ? Shape::Inverted
                                                                       : Shape::TopDown,
                                              by);
    // A speedscope file has one profile per thread, so frames for threads are redundant.
    if (options.base == CallTreeOptions::Base::Command)
        options.base = CallTreeOptions::Base::None;
    const auto kind = samples.filter.kinds.empty() ? std::nullopt : callKind(*samples.timeline, samples.filter.kinds.front());
    if (kind)
        return writeSpeedscope({}, collectCallSequences(*samples.timeline, *kind, samples.filter, options, stop), options,
                               sequence.kind.name, write);
    writeSpeedscope({&part, 1}, {}, options, sequence.kind.name, write);
}

/// Returns the stack of a node: the frame and its callers, one per line.
QString stackText(const CallTree& tree, std::uint32_t node)
{
    QStringList names;
    for (; node != 0; node = tree.nodes[node].parent)
        names << frameLabel(tree.functionOf(node));
    return names.join(QLatin1Char('\n'));
}

QIcon colorIcon(const QColor& color)
{
    StateAppearance look;
    look.color = color;
    look.height = 16;
    return QIcon(swatchPixmap(look, 10, qApp->devicePixelRatio()));
}

} // namespace

void FlameGraphView::change(const std::function<void(FlameChoices&)>& edit)
{
    FlameChoices choices = m_choices;
    edit(choices);
    setChoices(choices);
}

void FlameGraphView::grant(SampleModel::FlameGraphRequest wish, const SampledFunction& function)
{
    using Wish = SampleModel::FlameGraphRequest;
    if (wish == Wish::Sandwich || wish == Wish::Find)
        m_samples.chooseFunction(function);
    if (wish == Wish::Find)
        search(frameLabel(function));
    change([&](FlameChoices& it) {
        switch (wish) {
        case Wish::Find: it.sandwich.reset(); break;
        case Wish::Sandwich: it.sandwich = keyOf(function); break;
        case Wish::HideFunction: it.hiddenFunctions.push_back(function.label()); break;
        case Wish::HideModule: it.hiddenModules.push_back(function.module); break;
        }
    });
}

void FlameGraphView::fillKindMenu(QMenu* menu)
{
    menu->addSection(kindsHeading(m_samples.kinds()));
    for (const SampleKindFacts& it : m_samples.kinds())
        addExclusiveAction(menu, kindLine(it), it.kind.name == m_samples.kind(), [this, name = it.kind.name] { m_samples.setKind(name); });
    menu->addSection(tr("Frame width"));
    const bool areCalls = m_samples.isOfCalls();
    addChoices(menu, m_samples.by(),
               {{areCalls ? tr("Number of calls") : tr("Number of samples"), WeightBy::Samples},
                {areCalls ? tr("Call time") : tr("Event weight (period)"), WeightBy::Weight}},
               [this](WeightBy by) { m_samples.setBy(by); });
}

void FlameGraphView::fillShapeMenu(QMenu* menu)
{
    const auto add = [&](const QString& text, bool isInverted, bool areRootsBelow) {
        const bool isChosen = !m_choices.sandwich && m_choices.isInverted == isInverted && m_choices.areRootsBelow == areRootsBelow;
        addExclusiveAction(menu, text, isChosen, [this, isInverted, areRootsBelow] {
            change([&](FlameChoices& it) {
                it.isInverted = isInverted;
                it.areRootsBelow = areRootsBelow;
                it.sandwich.reset();
            });
        });
    };
    add(tr("Top-down: callees below their callers"), false, false);
    add(tr("Flame: callees above their callers"), false, true);
    add(tr("Inverted: callers below the sampled functions"), true, false);
    QAction* sandwich = menu->addAction(tr("Sandwich of selected function"), this,
                                        [this] { change([this](FlameChoices& it) { it.sandwich = keyOf(*m_samples.function()); }); });
    sandwich->setEnabled(m_samples.function().has_value());
    menu->addSection(tr("Sort siblings by"));
    using Order = CallTreeOptions::Order;
    addChoices(menu, m_choices.order, {{tr("Weight"), Order::Weight}, {tr("Name"), Order::Name}, {tr("Time"), Order::FirstTime}},
               [this](Order order) { change([order](FlameChoices& it) { it.order = order; }); });
}

void FlameGraphView::fillOfferedMenus(QMenu& menu)
{
    fillKindMenu(menu.addMenu(tr("Samples")));
    fillShapeMenu(menu.addMenu(tr("Shape")));
    fillColorings(menu.addMenu(tr("Colours")));
    fillOptionsMenu(menu.addMenu(tr("Options")));
    m_saver.fillMenu(&menu);
}

void FlameGraphView::fillColorings(QMenu* menu)
{
    addChoices(menu, m_choices.coloring,
               {{tr("By module"), FlameColoring::Module},
                {tr("Kernel and user"), FlameColoring::Code},
                {tr("Heat: self time"), FlameColoring::Heat}},
               [this](FlameColoring coloring) { change([coloring](FlameChoices& it) { it.coloring = coloring; }); });
}

void FlameGraphView::fillColorMenu(QMenu* menu)
{
    fillColorings(menu);
    menu->addSection(tr("Legend"));
    const auto add = [&](const QString& text, const QString& role) {
        menu->addAction(colorIcon(theme().color(role)), text)->setEnabled(true);
    };
    if (m_choices.coloring == FlameColoring::Module) {
        for (const FlameColors::Named& it : graph().colors().legend())
            add(it.name, it.role);
    } else if (m_choices.coloring == FlameColoring::Code) {
        add(tr("User"), "flame.user");
        add(tr("Kernel"), "flame.kernel");
        add(tr("Guest"), "flame.hypervisor");
    } else {
        add(tr("Little self time"), "heat.1");
        add(tr("Most self time"), "heat.4");
    }
    if (m_choices.coloring != FlameColoring::Heat)
        add(tr("No symbol"), "flame.unknown");
    add(tr("Inlined (line on top)"), "flame.inlined");
}

void FlameGraphView::fillOptionsMenu(QMenu* menu)
{
    addExclusiveAction(menu, tr("Collapse recursion"), m_choices.collapsesRecursion,
                       [this] { change([](FlameChoices& it) { it.collapsesRecursion = !it.collapsesRecursion; }); });
    addSampleChoices(menu, m_samples);
    menu->addSection(tr("Group by"));
    using Base = CallTreeOptions::Base;
    addChoices(menu, m_choices.base,
               {{tr("Commands"), Base::Command},
                {tr("Processes"), Base::Process},
                {tr("Threads"), Base::Thread},
                {tr("CPUs"), Base::Cpu},
                {tr("None"), Base::None}},
               [this](Base base) { change([base](FlameChoices& it) { it.base = base; }); });
    menu->addSeparator();
    QAction* reset = menu->addAction(tr("Clear all filters"), this, &FlameGraphView::showEverything);
    reset->setEnabled(trail().hasChips() || graph().zoom() != 0);
}

void FlameGraphView::showEverything()
{
    change([](FlameChoices& it) {
        it.sandwich.reset();
        it.focus.clear();
        it.hiddenFunctions.clear();
        it.hiddenModules.clear();
    });
    graph().zoomTo(0, 0);
}

FileWriter FlameGraphView::speedscopeWriter() const
{
    // If the user did not choose between numbers and weights of samples, weights are used, as on the command line.
    const bool isChosen = m_samples.chosenBy().has_value();
    return [samples = m_drawn, choices = m_choices, by = isChosen ? m_samples.by() : WeightBy::Weight,
            expandsInlined = m_samples.expandsInlined()](const TextSink& sink, std::stop_token stop) {
        writeSpeedscopeOf(samples, choices, by, expandsInlined, sink, stop);
    };
}

void FlameGraphView::fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place)
{
    const SampledFunction function = tree.functionOf(place.node);
    const bool isCode = function.code != CodeKind::Thread;
    const auto addCode = [&](const QString& text, const std::function<void()>& run) {
        menu.addAction(text, this, run)->setEnabled(isCode);
    };
    using Wish = SampleModel::FlameGraphRequest;
    addCode(tr("Show callers and callees (sandwich)"), [this, function] { grant(Wish::Sandwich, function); });
    addCode(tr("Open source"), [this, function] { m_samples.openSource(function); });
    if (m_samples.showsCalls())
        addCode(tr("Compare slow and fast calls\u2026"), [this, function] { m_samples.compareCalls(function); });
    addSearchFor(menu, function);
    menu.addSeparator();
    addCode(tr("Keep only stacks containing this"), [this, function] { change([&](FlameChoices& it) { it.focus = {function.label()}; }); });
    addCode(tr("Hide function (charge callers)"), [this, function] { grant(Wish::HideFunction, function); });
    if (!function.module.empty())
        addCode(tr("Hide module %1").arg(QString::fromStdString(function.module)), [this, function] { grant(Wish::HideModule, function); });
    menu.addSeparator();
    addCopy(menu, tr("Copy name"), frameLabel(function));
    addCopy(menu, tr("Copy stack"), stackText(tree, place.node));
}

} // namespace helio
