#include "app/cli/selection/sample_options.h"

#include "app/cli/selection/option_list.h"

namespace helio {

namespace {

/// Weight that a word after --by selects. `calls` is set if the word weighs calls instead of samples.
struct WeightChoice {
    WeightBy by = WeightBy::Weight;
    std::optional<CallsBy> calls{};
};

} // namespace

void SampleOptions::addEventTo(OptionList& options, const char* help) { options.value("--event", event, "NAME", help); }

void SampleOptions::addWeightTo(OptionList& options)
{
    addCountTo(options, "Weigh by samples or period; calls by wall, self-wall, cpu or calls (see below)");
    m_given.mayBeCalls = true;
}

void SampleOptions::addCountTo(OptionList& options, const char* help) { options.value("--by", m_given.by, "W", help); }

void SampleOptions::addInliningTo(OptionList& options)
{
    options.flag("--no-inline", m_given.noInline, "Count inlined functions as part of their caller");
}

Status SampleOptions::read()
{
    expandsInlined = !m_given.noInline;
    if (m_given.by.empty())
        return Done{};
    const std::pair<const char*, WeightChoice> samples{"samples", {WeightBy::Samples}};
    const std::pair<const char*, WeightChoice> period{"period", {}};
    const std::pair<const char*, WeightChoice> time{"time", {}};
    const auto read = m_given.mayBeCalls ? readChoice<WeightChoice>("--by", m_given.by,
                                                                    {samples,
                                                                     period,
                                                                     time,
                                                                     {"wall", {WeightBy::Weight, CallsBy::Wall}},
                                                                     {"self-wall", {WeightBy::Weight, CallsBy::SelfWall}},
                                                                     {"cpu", {WeightBy::Weight, CallsBy::Cpu}},
                                                                     {"calls", {WeightBy::Samples, CallsBy::Count}}})
                                         : readChoice<WeightChoice>("--by", m_given.by, {samples, period, time});
    if (!read)
        return read.error();
    if (read->calls && !event.empty())
        return makeUsageError("--by", m_given.by + " selects calls by itself and cannot be combined with --event");
    by = read->by;
    calls = read->calls;
    return Done{};
}

void TreeOptions::addTo(OptionList& options)
{
    OptionList shape = options.group("Call tree");
    shape.flag("--inverted", m_given.isInverted, "Invert: sampled functions at the root, their callers as children");
    shape.value("--callers", m_given.callersOf, "NAME", "Only the callers of this function");
    shape.value("--callees", m_given.calleesOf, "NAME", "Only the callees of this function");
    shape.value("--base", m_given.base, "WHAT", "Root frames: command, process, thread, cpu or none (default: command)");
    shape.value("--order", m_given.order, "BY", "Order of sibling frames: weight, name or time (default: weight)");
    shape.flag("--icicle", isIcicle, "Put roots on top (icicle graph)");
    shape.flag("--collapse-recursion", tree.collapsesRecursion, "Show recursive calls as one frame");
    shape.repeated("--hide", tree.hiddenFunctions, "PATTERN", "Hide matching functions; their callers are charged");
    shape.repeated("--hide-module", tree.hiddenModules, "PATTERN", "Hide functions of matching modules; their callers are charged");
    shape.repeated("--focus", tree.focus, "PATTERN", "Keep only stacks that contain a matching function or module");
}

Status TreeOptions::read()
{
    using Base = CallTreeOptions::Base;
    using Order = CallTreeOptions::Order;
    using Shape = CallTreeOptions::Shape;
    const auto base = readChoice<Base>(
        "--base", m_given.base,
        {{"command", Base::Command}, {"process", Base::Process}, {"thread", Base::Thread}, {"cpu", Base::Cpu}, {"none", Base::None}});
    if (!base)
        return base.error();
    const auto order = readChoice<Order>("--order", hasOrder() ? m_given.order : "weight",
                                         {{"weight", Order::Weight}, {"name", Order::Name}, {"time", Order::FirstTime}});
    if (!order)
        return order.error();
    if (int(m_given.isInverted) + int(!m_given.callersOf.empty()) + int(!m_given.calleesOf.empty()) > 1)
        return makeUsageError("--inverted", "use only one of --inverted, --callers and --callees");
    tree.base = *base;
    tree.order = *order;
    tree.shape = m_given.isInverted  ? Shape::Inverted
        : !m_given.callersOf.empty() ? Shape::Callers
        : !m_given.calleesOf.empty() ? Shape::Callees
                                     : Shape::TopDown;
    tree.function = m_given.callersOf + m_given.calleesOf;
    return Done{};
}

CallTreeOptions TreeOptions::by(WeightBy by) const
{
    CallTreeOptions how = tree;
    how.by = by;
    return how;
}

} // namespace helio
