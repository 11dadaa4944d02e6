#include "widgets/profiling/sample_model.h"

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"

#include <QElapsedTimer>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace helio {

namespace {

constexpr int CollectDelay = 80; ///< Delay in ms before samples are collected, because one turn of the wheel zooms many times.
constexpr int Rest = 4; ///< Pause between two collections while traces are read, as a multiple of the duration of the last collection.
/// Time until names are published for the first time; it doubles on each publication.
constexpr auto FirstNames = std::chrono::milliseconds(400);
constexpr auto LastNames = std::chrono::seconds(8);

/// Finds the function names that can be read within `time`.
StackNames findNamesWithin(std::chrono::milliseconds time, const StackProfile& profile, const Timeline& timeline, NamingOptions options,
                           QueryProgress& progress, const std::stop_token& stop)
{
    std::stop_source source;
    const std::stop_callback forward(stop, [&source] { source.request_stop(); });
    std::jthread alarm;
    try {
        alarm = std::jthread([&source, time](std::stop_token quit) {
            std::mutex mutex;
            std::condition_variable_any wake;
            std::unique_lock lock(mutex);
            wake.wait_for(lock, quit, time, [] { return false; });
            if (!quit.stop_requested())
                source.request_stop();
        });
    } catch (const std::system_error&) { // The system has no more threads: all names are found at once on this thread.
    }
    return nameStacks(profile, timeline, options, &progress, source.get_token());
}

} // namespace

SampleModel& SampleModel::of(ViewContext& context)
{
    if (auto* there = context.findChild<SampleModel*>(QString(), Qt::FindDirectChildrenOnly))
        return *there;
    return *new SampleModel(context);
}

SampleModel::SampleModel(ViewContext& context)
    : SharedQuery(CollectDelay, {0, Rest}, &context)
    , m_context(context)
{
    connect(&context.time(), &TimeWindow::visibleChanged, this, [this] {
        if (m_context.time().selection().isEmpty())
            soon();
    });
    connect(&context.time(), &TimeWindow::selectionChanged, this, &SampleModel::soon);
    connect(&context.time(), &TimeWindow::rowChanged, this, &SampleModel::updateRow);
    connect(&context, &ViewContext::timelineChanged, this, &SampleModel::takeTimeline);
    takeTimeline();
}

void SampleModel::takeTimeline()
{
    const auto timeline = m_context.timeline();
    if (!timeline) {
        cancel();
        m_kinds.clear();
        m_kind.clear();
        m_function.reset();
        m_isMissingSymbolsNoticeDismissed = false;
        take({});
        return updateRow();
    }
    m_kinds = shownKinds(*timeline);
    updateRow();
    emit choicesChanged();
    queueQuery();
}

std::string SampleModel::kind() const
{
    const bool isThere = std::ranges::any_of(m_kinds, [this](const SampleKindFacts& it) { return it.kind.name == m_kind; });
    return isThere ? m_kind : m_kinds.empty() ? std::string() : m_kinds[0].kind.name;
}

const SampleKindFacts* SampleModel::kindFacts() const
{
    const auto chosen = std::ranges::find(m_kinds, kind(), [](const SampleKindFacts& it) { return it.kind.name; });
    return chosen == m_kinds.end() ? nullptr : &*chosen;
}

QString SampleModel::kindTitle() const { return kindFacts() ? QString::fromStdString(kindFacts()->label()) : QString(); }

bool SampleModel::isOfCalls() const { return kindFacts() && areCalls(kindFacts()->kind); }

void SampleModel::setKind(const std::string& name)
{
    if (name == kind())
        return;
    m_kind = name;
    // The row that restricts the samples depends on the kind: a selected CPU row restricts samples to this CPU, but does not restrict
    // calls.
    updateRow();
    emit choicesChanged();
    soon();
}

WeightBy SampleModel::by() const
{
    if (m_by)
        return *m_by;
    const SampleKindFacts* chosen = kindFacts();
    const bool isDrawn = m_shown.profile && m_shown.profile->samples > 0; // A profile without samples has no kind.
    const SampleKind* shown = isDrawn ? &m_shown.profile->kind : chosen ? &chosen->kind : nullptr;
    return shown ? defaultWeight(*shown) : WeightBy::Samples;
}

void SampleModel::setBy(std::optional<WeightBy> by)
{
    if (by == m_by)
        return;
    m_by = by;
    emit choicesChanged();
    emit shownChanged();
}

void SampleModel::setExpandsInlined(bool expands)
{
    if (expands == m_expandsInlined)
        return;
    m_expandsInlined = expands;
    emit choicesChanged();
    soon();
}

void SampleModel::setOfAllThreads(bool isOfAll)
{
    if (isOfAll == m_isOfAllThreads)
        return;
    m_isOfAllThreads = isOfAll;
    emit choicesChanged();
    soon();
}

void SampleModel::updateRow()
{
    const auto timeline = m_context.timeline();
    const TrackRef ref = m_context.time().row();
    SampleFilter filter;
    QString name;
    const auto row = timeline && ref.isValid() ? rowOf(*timeline, ref) : std::nullopt;
    if (row && row->role == TrackRole::Cpu && !isOfCalls()) {
        filter.cpus = {{row->host, row->cpu}};
        name = tr("CPU %1").arg(row->cpu);
    } else if (row && row->role == TrackRole::Thread) {
        (row->tid == row->pid ? filter.processes : filter.threads) = {ref}; // The row of a process is that of its main thread.
        const QString label = QString::fromStdString(row->label);
        name = row->tid == row->pid ? tr("process %1 (%2)").arg(label).arg(row->pid) : QStringLiteral("%1 %2").arg(label).arg(row->tid);
        // The row shows the calls of a thread, or the threads of a process.
    } else if (row && isOfCalls() && std::max(row->tid, row->pid) >= 0) {
        (row->tid >= 0 ? filter.threads : filter.processes) = {ref};
        name = row->tid >= 0 ? tr("TID %1").arg(row->tid) : tr("PID %1").arg(row->pid);
    }
    const bool isChanged = name != m_rowName || filter.threads != m_rowFilter.threads || filter.processes != m_rowFilter.processes
        || filter.cpus != m_rowFilter.cpus;
    m_rowFilter = filter;
    m_rowName = name;
    m_hasRow = !name.isEmpty();
    if (!isChanged)
        return;
    emit choicesChanged();
    if (!m_isOfAllThreads)
        soon();
}

SampleFilter SampleModel::filter() const
{
    SampleFilter filter = m_isOfAllThreads ? SampleFilter() : m_rowFilter;
    const TimeRange focus = m_context.time().focus();
    const TimeRange full = m_context.time().full();
    // No filter is set for the full range, because a range excludes its end, and would thus exclude the last sample.
    if (focus.begin > full.begin || focus.end < full.end)
        filter.ranges = {focus};
    filter.kinds = kind() == AllOffCpu ? offCpuKinds(m_kinds) : std::vector{kind()};
    return filter;
}

ShownCommand SampleModel::sampleCommand() const
{
    const auto timeline = m_context.timeline();
    if (!timeline || m_kinds.empty())
        return ShownCommand::none(tr("No samples or calls are shown."));
    QStringList words = QStringList{"flame"} + optionWords("--event", QString::fromStdString(kind()))
        + rangeOptions(m_context.time(), m_context.time().focus());
    if (m_by)
        words << "--by" << (*m_by == WeightBy::Samples ? "samples" : "period");
    if (!m_expandsInlined)
        words << "--no-inline";
    const auto row = m_hasRow && !m_isOfAllThreads ? rowOf(*timeline, m_context.time().row()) : std::nullopt;
    if (!row)
        return {words, {}, {}};
    if (!m_rowFilter.cpus.empty()) {
        if (hostFacts(*timeline).size() > 1)
            return ShownCommand::none(
                tr("No command selects the samples of a CPU of one of several hosts. Switch “All threads” on first."));
        return {words + optionWords("--cpu", QString::number(row->cpu)), {}, {}};
    }
    if (!m_rowFilter.processes.empty()) {
        const std::int32_t pid = row->pid >= 0 ? row->pid : row->tid;
        return {words + optionWords("--filter", QStringLiteral("pid == %1").arg(pid)) + hostOptions(*timeline, row->host), {}, {}};
    }
    return {words + threadOptions(*timeline, *row), {}, {}};
}

void SampleModel::ask()
{
    const auto timeline = m_context.timeline();
    const TimeRange range = m_context.time().focus();
    m_scope = m_isOfAllThreads ? QString() : m_rowName;
    CollectedSamples shown;
    shown.timeline = timeline;
    shown.range = range;
    shown.isSelection = !m_context.time().selection().isEmpty();
    // A recording without times shows all samples, regardless of the range.
    if (!timeline || (range.isEmpty() && hasTimes(*timeline)) || m_kinds.empty()) {
        cancel();
        return take(shown);
    }
    shown.filter = filter();
    collect(std::move(shown));
}

void SampleModel::collect(CollectedSamples shown)
{
    const bool wasNamed = m_shown.names && m_shown.names->isComplete;
    auto progress = std::make_shared<QueryProgress>();
    setWork(isOfCalls() ? tr("Collecting calls") : tr("Collecting samples"), progress);
    post([this, shown, name = kind(), options = NamingOptions{m_expandsInlined}, progress,
          wasNamed](std::stop_token stop) mutable -> LatestTask::Delivery {
        QElapsedTimer clock;
        clock.start();
        StackProfile profile = collectStacks(*shown.timeline, shown.filter, progress.get(), stop);
        profile.kind.name = name;
        shown.profile = std::make_shared<const StackProfile>(std::move(profile));
        shown.ends = findTruncatedStacks(*shown.profile, *shown.timeline);
        const auto show = [&](StackNames names) {
            if (names.isComplete)
                shown.nameless = missingSymbols(*shown.profile, names, *shown.timeline);
            shown.names = std::make_shared<const StackNames>(std::move(names));
            deliver(stop, [this, shown] { take(shown); });
        };
        if (!wasNamed)
            show(nameByAddress(*shown.profile, *shown.timeline));
        auto naming = std::make_shared<QueryProgress>();
        deliver(stop, [this, naming] { setWork(tr("Resolving symbols"), naming); });
        for (std::chrono::milliseconds time = FirstNames; !stop.stop_requested();
             time = std::min<std::chrono::milliseconds>(2 * time, LastNames)) {
            const qint64 begin = clock.elapsed();
            StackNames names = findNamesWithin(time, *shown.profile, *shown.timeline, options, *naming, stop);
            // If the search for names ends before its time is up, the names that are still missing cannot be found, so it is not repeated.
            const bool isEnd = names.isComplete || clock.elapsed() - begin < time.count();
            show(std::move(names));
            if (isEnd)
                break;
        }
        return {};
    });
}

void SampleModel::take(CollectedSamples shown)
{
    CollectedSamples before = std::exchange(m_shown, std::move(shown));
    emit shownChanged();
    freeSamples(std::move(before));
    markFunction();
}

void SampleModel::setMissingSymbolsNoticeDismissed()
{
    m_isMissingSymbolsNoticeDismissed = true;
    emit choicesChanged();
}

void SampleModel::chooseFunction(const SampledFunction& function)
{
    m_function = function;
    emit functionChosen();
    markFunction();
}

void SampleModel::setMarksFunction(bool marks)
{
    m_marksFunction = marks;
    markFunction();
}

bool SampleModel::isMarking() const { return m_marksFunction && m_function && m_function->code != CodeKind::Thread; }

void SampleModel::markFunction()
{
    if (isMarking() && isOld())
        soon();
    if (!isMarking() || !m_shown.profile || !m_shown.names) {
        m_markJob.cancel();
        return m_context.setRowTimes(nullptr);
    }
    m_markJob.post([this, shown = m_shown, function = *m_function](std::stop_token stop) -> LatestTask::Delivery {
        auto times = std::make_shared<const SampleTimesByRow>(
            findFunctionTimes(*shown.timeline, shown.filter, *shown.profile, *shown.names, function, stop));
        return [this, times] { m_context.setRowTimes(times); };
    });
}

void SampleModel::askFlameGraph(FlameGraphRequest wish, const SampledFunction& function)
{
    const SampledFunction asked = function; // Copied, because the shown samples may change meanwhile.
    m_context.showView("flame_graph");
    emit flameRequested(wish, asked);
}

void SampleModel::showCallers(const SampledFunction& function)
{
    const SampledFunction asked = function; // Copied, because the shown samples may change meanwhile.
    m_context.showView("functions");
    emit callersRequested();
    chooseFunction(asked);
}

void SampleModel::openSource(const SampledFunction& function)
{
    m_function = function;
    markFunction();
    m_context.showView("source");
    emit sourceRequested(function);
}

} // namespace helio
