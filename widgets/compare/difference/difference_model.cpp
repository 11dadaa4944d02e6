#include "widgets/compare/difference/difference_model.h"

#include "core/compare/process_runs.h"
#include "core/compare/subject.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/timeline_access.h"
#include "widgets/async/discard.h"

#include <algorithm>

namespace helio {

namespace {

constexpr int AskDelay = 80; ///< Delay in ms before the query, because a dragged range changes many times.
constexpr int RestWhileReading = 1000; ///< Pause between two comparisons while traces are read, in ms.

/// Returns the samples and names of a side; if `isAskedFor`, with additional frames for time off the CPU.
std::pair<std::shared_ptr<const StackProfile>, std::shared_ptr<const StackNames>> withTimeOffCpu(const ComparedSide& side, bool isAskedFor)
{
    if (!isAskedFor || side.offCpu.empty())
        return {side.profile, side.names};
    auto profile = std::make_shared<StackProfile>(*side.profile);
    auto names = std::make_shared<StackNames>(*side.names);
    addOffCpuStacks(side.offCpu, *profile, *names);
    return {profile, names};
}

/// Returns true if the function's source file belongs to the system or the compiler; false if its source file is unknown.
/// Cost: reads debug information, so not in the UI thread.
bool isInSystemHeader(const ComparedSide& side, const SampledFunction& function)
{
    const SampledFunction* own = side.timeline && side.timeline->symbolizer ? findSameFunction(side.names->functions, function) : nullptr;
    const Module* module = own ? moduleAt(*side.timeline, own->store, own->moduleId) : nullptr;
    if (!module || module->names)
        return false;
    const Symbol symbol = side.timeline->symbolizer->resolve(*module, own->address);
    const auto frame = std::ranges::find_if(symbol.frames, [own](const SymbolFrame& it) {
        return it.function == own->name && it.linkageName == own->linkageName && it.unit == own->unit;
    });
    if (frame == symbol.frames.end())
        return false;
    const std::string& file = frame->isInlined && !frame->declaration.file.empty() ? frame->declaration.file : frame->source.file;
    return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") || file.find("/include/c++/") != std::string::npos;
}

QString adviseSamples(const Timeline& a, const Timeline& b)
{
    return QString::fromStdString(adviseRecording(RecordableData::Samples, &a, &b).sentences());
}

} // namespace

/// Parameters of the query, which runs outside the UI thread.
struct DifferenceModel::Question {
    std::array<std::shared_ptr<const Timeline>, 2> timelines;
    std::array<TimeRange, 2> ranges;
    std::array<bool, 2> areCut{};
    std::array<Subject, 2> subjects;
    DifferenceSettings choices;
    std::shared_ptr<QueryProgress> progress;
};

DifferenceModel::DifferenceModel(CompareContext& context)
    : SharedQuery(AskDelay, {RestWhileReading, 0}, &context)
    , m_context(context)
{
    connect(&context, &CompareContext::timelineChanged, this, [this] {
        emit choicesChanged();
        queueQuery();
    });
    connect(&context, &CompareContext::questionChanged, this, &DifferenceModel::soon);
}

void DifferenceModel::setChoices(const DifferenceSettings& choices)
{
    if (choices == m_choices)
        return;
    const bool needsNewQuery = choices.isOfAll != m_choices.isOfAll
        || choices.kind != m_choices.kind
        // A new query is also needed if the amounts of the two sides cannot be compared, because only collect() reports this problem to the
        // user.
        || !choices.basis.canCompare(m_shown.sides[0].kind, m_shown.sides[1].kind);
    m_choices = choices;
    emit choicesChanged();
    if (needsNewQuery || isBusy() || !m_shown.tree)
        soon();
    else
        compareAgain();
}

std::vector<SampleKindFacts> DifferenceModel::kinds() const
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    if (!a || !b)
        return {};
    auto kinds = sampleKinds(*a);
    const auto others = sampleKinds(*b);
    std::erase_if(kinds, [&](const SampleKindFacts& it) {
        return std::ranges::none_of(others, [&](const SampleKindFacts& other) { return other.kind.name == it.kind.name; });
    });
    return kinds;
}

void DifferenceModel::ask()
{
    Question question{{m_context.a().timeline(), m_context.b().timeline()},
                      {m_context.comparedRange(Side::A), m_context.comparedRange(Side::B)},
                      {!m_context.a().time().selection().isEmpty(), !m_context.b().time().selection().isEmpty()},
                      {m_context.subject(Side::A), m_context.subject(Side::B)},
                      m_choices,
                      std::make_shared<QueryProgress>()};
    if (!question.timelines[0] || !question.timelines[1]) {
        DifferenceResult nothing;
        nothing.choices = m_choices;
        nothing.missing = m_context.isSettled() ? tr("A side of the comparison could not be opened.") : tr("Reading \u2026");
        cancel();
        return take(nothing);
    }
    setWork(tr("Comparing samples"), question.progress);
    post(
        [this, question](std::stop_token stop) -> LatestTask::Delivery { return [this, shown = answer(question, stop)] { take(shown); }; });
}

DifferenceResult DifferenceModel::answer(const Question& question, std::stop_token stop)
{
    DifferenceResult shown;
    const auto& [a, b] = question.timelines;
    const bool hasSubject = question.subjects[0].thread.isValid() || !question.subjects[0].program.empty();
    const bool isRead = isComplete(*a) && isComplete(*b);
    if (isRead && sampleKinds(*a).empty()) {
        shown.missing = sampleKinds(*b).empty() ? tr("Neither A nor B has samples.") : tr("A has no samples.");
        shown.advice = adviseSamples(*a, *b);
    } else if (isRead && sampleKinds(*b).empty()) {
        shown.missing = tr("B has no samples.");
        shown.advice = adviseSamples(*a, *b);
    } else if (!question.choices.isOfAll && !hasSubject) {
        const bool hasCommon = !isRead || !commonPrograms(*a, question.ranges[0], *b, question.ranges[1], stop).empty();
        shown.missing = hasCommon ? tr("Reading \u2026") : tr("No program ran on both sides.");
        shown.canCompareAll = !hasCommon;
    }
    if (shown.missing.isEmpty()) {
        auto sides = collect(question, stop, shown);
        if (shown.missing.isEmpty())
            shown = compare(std::move(sides), question.choices, stop);
    }
    shown.choices = question.choices;
    return shown;
}

std::array<ComparedSide, 2> DifferenceModel::collect(const Question& question, std::stop_token stop, DifferenceResult& missing)
{
    std::array<ComparedSide, 2> sides;
    const auto [kindA, kindB] = comparedKinds(*question.timelines[0], *question.timelines[1]);
    const std::array kinds{kindA, kindB};
    const std::array letters{QStringLiteral("A"), QStringLiteral("B")};
    std::array<std::vector<ProcessRun>, 2> runsOfSides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Timeline& timeline = *question.timelines[i];
        ComparedSide& side = sides[i];
        side.timeline = question.timelines[i];
        side.kind = kinds[i];
        for (const SampleKindFacts& it : sampleKinds(timeline))
            if (it.kind.name == question.choices.kind)
                side.kind = it.kind;
        if (side.kind.name.empty()) {
            missing.missing = tr("%1 has no samples.").arg(letters[i]);
            missing.advice = adviseSamples(*question.timelines[0], *question.timelines[1]);
            return sides;
        }
        SampleFilter filter;
        filter.kinds = {side.kind.name};
        StackProfile profile;
        if (question.choices.isOfAll) {
            if (question.areCut[i])
                filter.ranges = {question.ranges[i]};
            side.runs = 1;
            profile = collectStacks(timeline, filter, question.progress.get(), stop);
        } else {
            const Subject& subject = question.subjects[i];
            const auto& runs = runsOfSides[i] = runsOf(timeline, subject, question.ranges[i], stop);
            side.runs = static_cast<std::uint32_t>(runs.size());
            side.name = QString::fromStdString(subject.program);
            side.isThread = subject.thread.isValid();
            if (subject.thread.isValid() && !runs.empty())
                side.name = QStringLiteral("%1 %2").arg(QString::fromStdString(runs[0].leader.label)).arg(runs[0].leader.tid);
            if (const auto call = callOf(timeline, subject, question.ranges[i]))
                side.name = QString::fromStdString(readCallName(timeline, *call, stop));
            profile = collectRuns(timeline, subject, runs, filter, question.progress.get(), stop);
        }
        if (!question.choices.isOfAll && side.runs == 0) {
            missing.canCompareAll = true;
            missing.missing = tr("%1 did not run in %2 in this range.").arg(side.name.isEmpty() ? tr("The thread") : side.name, letters[i]);
            return sides;
        }
        side.profile = std::make_shared<const StackProfile>(std::move(profile));
    }
    auto& [a, b] = sides;
    if (!question.choices.isOfAll) {
        const auto runs = makeSideRuns(*a.timeline, runsOfSides[0], *b.timeline, runsOfSides[1], stop);
        a.offCpu = computeOffCpuStacks(runs.first, stop);
        b.offCpu = computeOffCpuStacks(runs.second, stop);
        a.hasSeveralThreads = b.hasSeveralThreads = runs.first.basis != BreakdownBasis::FirstThread;
    }
    SideNames names = nameSides(*a.profile, *a.timeline, *b.profile, *b.timeline, question.progress.get(), stop);
    a.isWithoutInlined = names.omitsInlined && !names.isOfA;
    b.isWithoutInlined = names.omitsInlined && names.isOfA;
    a.names = std::make_shared<const StackNames>(std::move(names.a));
    b.names = std::make_shared<const StackNames>(std::move(names.b));
    for (ComparedSide& side : sides)
        side.nameless = missingSymbols(*side.profile, *side.names, *side.timeline);
    if (!question.choices.basis.canCompare(sides[0].kind, sides[1].kind)) {
        missing.missing = tr("A has samples of %1 and B of %2, which are not comparable.")
                              .arg(QString::fromStdString(sides[0].kind.name), QString::fromStdString(sides[1].kind.name));
        missing.advice = tr("Record the same event on both sides, or compare shares.");
    } else if (sides[0].profile->samples + sides[1].profile->samples == 0) {
        missing.canCompareAll = !question.choices.isOfAll;
        missing.missing = tr("No samples of %1 in this range.").arg(question.choices.isOfAll ? tr("any kind") : sides[1].name);
        missing.advice = tr("Select a longer range, or clear the selection.");
    }
    return sides;
}

DifferenceResult DifferenceModel::compare(std::array<ComparedSide, 2> sides, const DifferenceSettings& choices, std::stop_token stop)
{
    DifferenceResult shown;
    shown.sides = std::move(sides);
    shown.choices = choices;
    shown.unit = choices.basis.unit(shown.sides[1].kind);
    const auto& [a, b] = shown.sides;
    DifferenceScale scale = choices.basis.scale({a.profile->kind, {a.profile->samples, a.profile->weight}, a.runs},
                                                {b.profile->kind, {b.profile->samples, b.profile->weight}, b.runs});
    scale.isMeasured = areCalls(a.kind) && areCalls(b.kind);
    const bool canAddOffCpuTime = !choices.isOfAll && choices.basis.canAddOffCpuTime(a.kind, b.kind);
    const auto [profileA, namesA] = withTimeOffCpu(a, canAddOffCpuTime);
    const auto [profileB, namesB] = withTimeOffCpu(b, canAddOffCpuTime);
    const auto tree = [&, &profileA = profileA, &namesA = namesA, &profileB = profileB, &namesB = namesB](CallTreeOptions::Shape shape) {
        CallTreeOptions options;
        options.shape = shape;
        options.by = scale.by;
        options.base = choices.isOfAll ? CallTreeOptions::Base::Command : CallTreeOptions::Base::None;
        setMergeOptions(options, shown.sides[0].kind, *namesA, shown.sides[1].kind, *namesB);
        return std::make_shared<const DifferenceTree>(
            compareTrees(buildCallTree(*profileA, *namesA, options, stop), buildCallTree(*profileB, *namesB, options, stop), scale, stop));
    };
    shown.tree = tree(CallTreeOptions::Shape::TopDown);
    shown.graph = choices.isInverted ? tree(CallTreeOptions::Shape::Inverted) : shown.tree;
    shown.functions = std::make_shared<const std::vector<FunctionDifference>>(computeFunctionDifferences(*shown.tree));
    const auto isOfSystem = [&](const SampledFunction& it) { return !stop.stop_requested() && isInSystemHeader(shown.sides[1], it); };
    if (const SampledFunction* source = shown.findSourceFunction(isOfSystem))
        shown.source = *source;
    return shown;
}

const SampledFunction* DifferenceResult::findBusiestOwnFunction() const
{
    // Minimum share of a function's own time in its total time. Excludes functions that mostly call others, e.g. main().
    constexpr double LeastOwn = 0.05;
    const SampledFunction* busiest = nullptr;
    double most = 0;
    if (!tree || !functions)
        return nullptr;
    for (const FunctionDifference& it : *functions) {
        const SampledFunction& function = tree->functions[static_cast<std::size_t>(it.function)];
        const double total = it.total.scaledB(tree->scale);
        if (function.code != CodeKind::User || function.name.empty() || total <= most || it.self.scaledB(tree->scale) < LeastOwn * total)
            continue;
        most = total;
        busiest = &function;
    }
    return busiest;
}

const SampledFunction* DifferenceResult::findSourceFunction(const std::function<bool(const SampledFunction&)>& isInSystemHeader) const
{
    const SampledFunction* busiest = findBusiestOwnFunction();
    if (!busiest || !isInSystemHeader(*busiest))
        return busiest;
    std::uint32_t node = 0;
    for (std::uint32_t i = 1; i < tree->nodes.size(); ++i)
        if (&tree->functionOf(i) == busiest
            && (node == 0 || tree->nodes[i].total.scaledB(tree->scale) > tree->nodes[node].total.scaledB(tree->scale)))
            node = i;
    for (node = tree->nodes[node].parent; node != 0; node = tree->nodes[node].parent)
        if (const SampledFunction& caller = tree->functionOf(node);
            caller.code == CodeKind::User && !caller.name.empty() && !isInSystemHeader(caller))
            return &caller;
    return busiest;
}

QString DifferenceResult::name() const
{
    const auto& [a, b] = sides;
    return a.name == b.name ? a.name : DifferenceModel::tr("%1 and %2").arg(a.name, b.name);
}

/// Repeats the comparison of the collected samples with the current choices.
void DifferenceModel::compareAgain()
{
    post([this, sides = m_shown.sides, choices = m_choices](std::stop_token stop) -> LatestTask::Delivery {
        return [this, shown = compare(sides, choices, stop)] { take(shown); };
    });
}

void DifferenceModel::take(DifferenceResult shown)
{
    DifferenceResult before = std::exchange(m_shown, std::move(shown));
    emit shownChanged();
    freeDifference(std::move(before));
}

void freeDifference(DifferenceResult difference)
{
    std::size_t parts = 0;
    for (const auto& tree : {difference.tree, difference.graph})
        parts += tree ? tree->nodes.size() : 0;
    for (ComparedSide& side : difference.sides) {
        parts += side.profile ? side.profile->stacks.size() + side.profile->nodes.size() : 0;
        // The timeline is released on this thread, because the context owns the timeline and must close it on this thread. discard() may
        // free all other parts on another thread.
        side.timeline.reset();
    }
    discard(std::move(difference), parts);
}

void DifferenceModel::chooseFunction(const SampledFunction& function)
{
    m_function = function;
    emit functionChosen();
}

void DifferenceModel::openSource(const SampledFunction& function)
{
    chooseFunction(function);
    emit sourceRequested();
}

} // namespace helio
