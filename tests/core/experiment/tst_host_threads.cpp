// Mapping of a user-space trace's threads to threads of its host. Input: TIDs of PID namespaces (containers).

#include "core/event_model/event_ticks.h"
#include "core/experiment/host_threads.h"
#include "tests/core/experiment/two_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <string>
#include <vector>

using namespace helio;

namespace {

constexpr State Runs{0};
constexpr State IsIdle{1};
constexpr State IsUnknown{2};
constexpr std::int32_t None = -1;

/// A kernel trace with two CPUs, named threads, and their TIDs in PID namespaces.
class Kernel {
public:
    Kernel()
        : m_builder(makeMemoryStoreBuilder(hostTime(0)))
        , m_states(*m_builder->stateSet(
              {"cpu-thread", {{"runs", StateCategory::OnCpu}, {"idle", StateCategory::Rests}, {"unknown", StateCategory::Unknown}}, {}}))
        , m_names(*m_builder->stateSet(StateSet{"name", {{"name", StateCategory::None}}, {}}))
    {
        for (std::int32_t cpu = 0; cpu < 2; ++cpu) {
            Track row;
            row.role = TrackRole::CpuThread;
            row.cpu = cpu;
            row.states = m_states;
            row.valueKind = ValueKind::Track;
            m_cpus.push_back(m_builder->addTrack(row));
            m_builder->set(hostTime(0), m_cpus.back(), IsUnknown);
        }
    }
    Kernel& thread(std::int32_t tid, const std::string& name)
    {
        Track row;
        row.view = "control-flow";
        row.role = TrackRole::Thread;
        row.key = "tid:" + std::to_string(tid);
        row.tid = tid;
        row.states = m_states;
        m_threads[tid] = m_builder->addTrack(row);
        m_builder->set(hostTime(0), m_threads[tid], IsIdle);
        Track names;
        names.role = TrackRole::Name;
        names.parent = m_threads[tid];
        names.states = m_names;
        names.valueKind = ValueKind::Text;
        m_builder->set(hostTime(0), m_builder->addTrack(names), State{}, static_cast<std::uint32_t>(m_builder->string(name)));
        return *this;
    }
    Kernel& run(std::int64_t at, std::int32_t cpu, std::int32_t tid)
    {
        m_builder->set(hostTime(at), m_cpus[static_cast<std::size_t>(cpu)], tid == 0 ? IsIdle : Runs,
                       static_cast<std::uint32_t>(tid == 0 ? NoTrack : m_threads[tid]));
        return *this;
    }
    Kernel& number(std::int32_t tid, std::int32_t inside, std::uint32_t pidNamespace)
    {
        Track track;
        track.role = TrackRole::NamespaceTid;
        track.key = std::to_string(inside) + "@" + std::to_string(pidNamespace);
        track.parent = m_threads[tid];
        track.tid = inside;
        m_builder->addTrack(track);
        return *this;
    }
    Kernel& end(std::int64_t at, std::int32_t tid)
    {
        m_builder->end(hostTime(at), m_threads[tid]);
        return *this;
    }
    std::shared_ptr<const Store> finish() { return test::finished(*m_builder); }

private:
    std::unique_ptr<StoreBuilder> m_builder;
    StateSetId m_states;
    StateSetId m_names;
    std::vector<TrackId> m_cpus;
    std::map<std::int32_t, TrackId> m_threads;
};

struct Event {
    std::int64_t at = 0;
    std::int32_t cpu = -1;
};

/// Makes a user-space trace with one thread; `key` is "12", or "12@7" in a PID namespace.
std::shared_ptr<const Store> program(const std::string& key, const std::string& name, const std::vector<Event>& events)
{
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    const StateSetId states = *builder->stateSet({"events", {{"unknown", StateCategory::Unknown}}, {}});
    const auto add = [&](TrackRole role, TrackId parent, ValueKind value) {
        Track track;
        track.view = role == TrackRole::Thread ? "control-flow" : "";
        track.role = role;
        track.key = role == TrackRole::Thread ? "tid:" + key : "";
        track.parent = parent;
        track.states = states;
        track.valueKind = value;
        track.tid = role == TrackRole::Thread ? std::stoi(key) : -1;
        return builder->addTrack(track);
    };
    const TrackId thread = add(TrackRole::Thread, NoTrack, ValueKind::None);
    builder->set(hostTime(0), thread, State{});
    const TrackId ticks = add(TrackRole::Events, thread, ValueKind::None);
    for (const Event& it : events) {
        builder->set(hostTime(it.at), ticks, State{}, tickValue(it.cpu, hostTime(it.at)));
        builder->end(hostTime(it.at + 1), ticks);
    }
    const TrackId names = add(TrackRole::Name, thread, ValueKind::Text);
    if (!name.empty())
        builder->set(hostTime(0), names, State{}, static_cast<std::uint32_t>(builder->string(name)));
    return test::finished(*builder);
}

/// TID of the program's only thread on the host, from findHostThreads(); the thread's own TID if findHostThreads() does not list it.
/// `offset`: lag of the program's clock behind the kernel's clock, in ns.
std::int32_t hostTid(Kernel& kernel, const std::shared_ptr<const Store>& program, std::uint32_t hostOfKernel = 0, std::int64_t offset = 0)
{
    Timeline timeline = test::twoTraces(kernel.finish(), program, hostOfKernel);
    timeline.traces[1].clock = ClockTransform(Duration(offset));
    const ThreadNumbers numbers = findHostThreads(timeline, 1);
    const Track& thread = program->tracks().front();
    const auto found = numbers.find({1, pidNamespaceOf(thread.key), thread.tid});
    return found != numbers.end() ? found->second : pidNamespaceOf(thread.key) == 0 ? thread.tid : None;
}

Kernel hostAndContainer()
{
    Kernel kernel;
    kernel.thread(12, "hostd").thread(5012, "app").run(100, 0, 12).run(100, 1, 5012).run(800, 0, 0).run(800, 1, 0);
    return kernel;
}

} // namespace

class HostThreadsTest : public QObject {
    Q_OBJECT

private slots:
    void aThreadOnTheCpuOfItsNumberIsThatThread()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "hostd", {{200, 0}, {300, 0}})), 12);
        kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "", {{200, 0}, {300, 0}})), 12);
    }

    void aThreadWithAnotherNameIsNotThatOfItsCpu()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "another name", {{200, 0}, {300, 0}})), None);
    }

    /// Input: a renamed thread; the user-space trace may keep the first name. Property: it is found by the times at which it ran.
    void aThreadThatWasRenamedIsTheOneThatRan()
    {
        Kernel kernel;
        kernel.thread(12, "worker").run(0, 0, 12);
        QCOMPARE(hostTid(kernel, program("12", "prog", {{10, 0}, {20, 0}, {30, 0}, {40, 0}})), 12);
    }

    void wrongClocksDoNotJoinThreadsOfDifferentNames()
    {
        // Events of the program's thread "before", which ran on CPU 0. If the clocks are aligned, the kernel's thread 12 had this CPU at
        // these times, so both are the same thread.
        const std::vector<Event> onCpu0{{10, 0}, {20, 0}, {30, 0}, {40, 0}, {50, 0}};
        const auto kernel = [] {
            Kernel made;
            made.thread(12, "before").thread(5012, "after").run(0, 0, 12).run(100, 0, 5012).run(200, 0, 0);
            return made;
        };
        Kernel right = kernel();
        QCOMPARE(hostTid(right, program("12", "before", onCpu0)), 12);
        Kernel wrong = kernel();
        QCOMPARE(hostTid(wrong, program("12", "before", onCpu0), 0, 100), None);
        Kernel wrongFromInside = kernel();
        QCOMPARE(hostTid(wrongFromInside, program("3", "before", onCpu0), 0, 100), None);
    }

    void aStateDumpOfTheNamespaceNeedsNoName()
    {
        const std::vector<Event> events{{200, 1}, {300, 1}, {400, 1}, {500, 1}};
        Kernel kernel = hostAndContainer();
        kernel.number(5012, 12, 7);
        QCOMPARE(hostTid(kernel, program("12@7", "renamed", events)), 5012);
        kernel = hostAndContainer();
        kernel.number(5012, 12, 8);
        QCOMPARE(hostTid(kernel, program("12@7", "renamed", events)), None);
        kernel = hostAndContainer();
        kernel.number(5012, 12, 7);
        QCOMPARE(hostTid(kernel, program("12", "renamed", events)), None);
    }

    void aStateDumpDecidesAmongMany()
    {
        Kernel kernel = hostAndContainer();
        for (std::int32_t tid = 100; tid < 200; ++tid)
            kernel.thread(tid, "w").number(tid, tid - 88, 9);
        kernel.number(5012, 12, 7);
        QCOMPARE(hostTid(kernel, program("12@7", "app", {{200, -1}})), 5012);
        kernel = hostAndContainer();
        kernel.thread(100, "w").number(100, 12, 9).number(5012, 12, 7);
        QCOMPARE(hostTid(kernel, program("12@9", "w", {{200, -1}})), 100);
    }

    void aStateDumpTellsTheNumberOfAContainersThread()
    {
        Kernel kernel = hostAndContainer();
        kernel.number(5012, 12, 7);
        QCOMPARE(hostTid(kernel, program("12", "app", {{200, 1}, {300, 1}})), 5012);
    }

    void aStateDumpTellsTheNumberInANamedNamespaceWithoutAnyCpu()
    {
        Kernel kernel = hostAndContainer();
        kernel.number(5012, 12, 7).number(12, 12, 8);
        QCOMPARE(hostTid(kernel, program("12@7", "app", {{200, -1}})), 5012);
    }

    void manyEventsOnTheCpusOfOneThreadProveIt()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "app", {{200, 1}, {300, 1}, {400, 1}, {500, 1}})), 5012);
    }

    void fewEventsOnTheCpuOfAnotherThreadProveNothing()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "app", {{200, 1}, {300, 1}})), None);
    }

    void eventsOnAnIdleCpuAreOfNoKnownThread()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "hostd", {{850, 0}, {860, 0}, {870, 0}, {880, 0}, {890, 0}})), None);
    }

    void oneEventOnAnotherCpuDoesNotPartAThread()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "hostd", {{200, 0}, {300, 1}, {400, 0}, {500, 0}})), 12);
    }

    void whereNoCpuIsKnownNamesDecide()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "app", {{50, 0}})), None);
        kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "hostd", {{50, 0}})), 12);
        kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "", {{50, 0}})), 12);
    }

    void endsAreNumberedAsTheProgramNumbersItsThreads()
    {
        Kernel kernel = hostAndContainer();
        kernel.thread(20, "other").end(850, 12).end(900, 5012).end(950, 20);
        const auto container = program("12", "app", {{200, 1}, {300, 1}, {400, 1}, {500, 1}});
        const std::vector<ThreadEnd> ends = findThreadEnds(test::twoTraces(kernel.finish(), container, 0), 1);
        std::map<std::int32_t, HostTimestamp> byTid;
        for (const ThreadEnd& it : ends)
            byTid.emplace(it.tid, it.at);
        QCOMPARE(byTid, (std::map<std::int32_t, HostTimestamp>{{12, hostTime(900)}, {20, hostTime(950)}, {5012, hostTime(900)}}));
        QCOMPARE(ends.size(), byTid.size());
    }

    void otherHostsKernelsSayNothing()
    {
        Kernel kernel = hostAndContainer();
        QCOMPARE(hostTid(kernel, program("12", "app", {{200, 1}, {300, 1}, {400, 1}, {500, 1}}), 1), 12);
    }
};

HELIO_TEST(HostThreadsTest)
#include "tst_host_threads.moc"
