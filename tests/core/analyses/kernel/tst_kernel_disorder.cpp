// Input: events that contradict each other: lost switches, threads on two CPUs, impossible numbers. Property: the rows are consistent.

#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace helio;
using helio::test::Fields;
using helio::test::KernelScript;

namespace {

class Disorder {
public:
    explicit Disorder(std::uint32_t seed)
        : m_random(seed)
    {
    }

    void write(KernelScript& script, int events)
    {
        std::int64_t time = 0;
        for (int cpu = 0; cpu < 3; ++cpu) {
            if (pick(2) == 0)
                script.stream(cpu, pick(5));
        }
        for (int i = 0; i < events; ++i) {
            time += pick(4);
            if (pick(40) == 0)
                script.loss(pick(5) - 1, time, time + 1 + pick(20));
            step(script, time, pick(30) == 0 ? odd() : pick(3));
        }
    }

private:
    int pick(int count) { return static_cast<int>(m_random() % static_cast<std::uint32_t>(count)); }
    int odd()
    {
        constexpr std::array Numbers{-1, -2147483647, 2147483647, 65535, 65536, 100, 0};
        return Numbers[static_cast<std::size_t>(pick(static_cast<int>(Numbers.size())))];
    }
    std::int64_t tid() { return pick(50) == 0 ? odd() : pick(6); }
    std::int64_t state()
    {
        constexpr std::array States{0, 1, 2, 4, 32, 64, 128, 256, 512, -1};
        return States[static_cast<std::size_t>(pick(static_cast<int>(States.size())))];
    }

    void step(KernelScript& s, std::int64_t time, int cpu)
    {
        switch (pick(20)) {
        case 18: s.event(time, cpu, "kmem_kmalloc", {{"$tid", tid()}, {"$pid", tid()}, {"bytes_req", 8}}); break;
        case 0:
        case 1:
        case 2:
        case 3: s.sw(time, cpu, tid(), state(), tid()); break;
        case 4: s.waking(time, cpu, tid(), pick(4)); break;
        case 5: s.wakeup(time, cpu, tid(), pick(20) == 0 ? odd() : pick(4)); break;
        case 6: s.fork(time, cpu, tid(), tid(), tid()); break;
        case 7: s.event(time, cpu, "sched_process_exec", {{"filename", "/bin/x"}, {"tid", tid()}, {"old_tid", tid()}}); break;
        case 8: s.event(time, cpu, "sched_process_exit", {{"tid", tid()}}); break;
        case 9: s.event(time, cpu, "sched_process_free", {{"tid", tid()}}); break;
        case 10: s.call(time, cpu, pick(2) ? "read" : "sched_yield"); break;
        case 11: s.ret(time, cpu, "read"); break;
        case 12: s.irq(time, cpu, pick(2) ? "entry" : "exit", pick(3)); break;
        case 13: s.softirq(time, cpu, pick(3) == 0 ? "raise" : pick(2) ? "entry" : "exit", pick(30) == 0 ? odd() : pick(3)); break;
        case 14: s.dump(time, tid(), tid(), tid(), pick(2), pick(8)); break;
        case 15: s.event(time, cpu, "power_cpu_frequency", {{"state", odd()}, {"cpu_id", pick(20) == 0 ? odd() : pick(4)}}); break;
        case 16:
            s.event(time, cpu, "sched_migrate_task", {{"comm", "x"}, {"tid", tid()}, {"orig_cpu", pick(4)}, {"dest_cpu", pick(4)}});
            break;
        case 17: s.event(time, cpu, "page_fault_entry", {{"$tid", tid()}, {"$pid", tid()}, {"address", 1}}); break;
        }
    }

    std::mt19937 m_random;
};

std::vector<HostInterval> intervalsOf(const Store& store, std::size_t track)
{
    return store.intervals(static_cast<TrackId>(track), {hostTime(-1), hostTime(1'000'000)});
}

const std::string& nameOf(const Store& store, std::size_t track, const HostInterval& interval)
{
    return store.stateSets()[static_cast<std::size_t>(store.tracks()[track].states)]
        .states.at(static_cast<std::size_t>(interval.state))
        .name;
}

bool isOnCpu(const std::string& state)
{
    return state.starts_with("running") || state == "interrupted" || state == "exiting" || state == "page-fault";
}

} // namespace

class KernelDisorderTest : public QObject {
    Q_OBJECT
private slots:
    void anyEventsGiveRowsThatHoldTogether()
    {
        for (std::uint32_t seed = 0; seed < 300; ++seed) {
            KernelScript script;
            Disorder(seed).write(script, 200);
            script.run();
            const Store& store = script.store();
            const auto tracks = store.tracks();
            std::map<std::pair<std::string, std::string>, int> keys;
            for (std::size_t i = 0; i < tracks.size(); ++i) {
                QVERIFY(tracks[i].parent == NoTrack || static_cast<std::size_t>(tracks[i].parent) < tracks.size());
                QVERIFY2(tracks[i].view.empty() || ++keys[std::pair(tracks[i].view, tracks[i].key)] == 1, tracks[i].key.c_str());
                int depth = 0;
                for (TrackId id = tracks[i].parent; id != NoTrack; id = tracks[static_cast<std::size_t>(id)].parent)
                    QVERIFY(++depth < 200);
            }
            for (const Link& link : store.links({hostTime(-1), hostTime(1'000'000)})) {
                QVERIFY(link.fromTime <= link.toTime);
                QVERIFY(static_cast<std::size_t>(link.to) < tracks.size());
                QVERIFY(link.from == NoTrack || static_cast<std::size_t>(link.from) < tracks.size());
            }
        }
    }

    void aThreadIsNeverOnACpuThatDoesNotHaveIt()
    {
        for (std::uint32_t seed = 1000; seed < 1300; ++seed) {
            KernelScript script;
            Disorder(seed).write(script, 200);
            script.run();
            const Store& store = script.store();
            std::map<std::size_t, std::vector<HostRange>> onCpu;
            for (std::size_t i = 0; i < store.tracks().size(); ++i) {
                if (store.tracks()[i].kind != "cpu-thread")
                    continue;
                for (const HostInterval& interval : intervalsOf(store, i)) {
                    if (nameOf(store, i, interval) == "running")
                        onCpu[interval.value].push_back(interval.range);
                }
            }
            for (std::size_t i = 0; i < store.tracks().size(); ++i) {
                if (store.tracks()[i].kind != "thread")
                    continue;
                for (const HostInterval& interval : intervalsOf(store, i)) {
                    // Sums the time on all CPUs, because a thread may migrate between two CPUs within the same nanosecond.
                    Duration covered{};
                    for (const HostRange& range : onCpu[i])
                        covered += std::max(range.clippedTo(interval.range).duration(), Duration{});
                    const bool isThere = covered == interval.range.duration();
                    QVERIFY2(!isOnCpu(nameOf(store, i, interval)) || isThere,
                             qPrintable(QString("seed %1: %2").arg(seed).arg(script.states(store.tracks()[i].key).c_str())));
                }
            }
        }
    }
};

HELIO_TEST(KernelDisorderTest)
#include "tst_kernel_disorder.moc"
