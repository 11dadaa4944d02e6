// Compares the virtual machines of a recorded host and its two guests with the recording's truth file and with the events that
// libbabeltrace2 reads.

#include "core/query/related/related.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/virtualization/machine_tables.h"
#include "core/virtualization/steal_time_clock.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

using namespace helio;

namespace {

constexpr std::int64_t ThreadOfA = 192, ThreadOfB = 191;
constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

std::int64_t field(const std::string& text, const char* name)
{
    const QRegularExpressionMatch found = QRegularExpression(QString("(^|\\s)%1=(-?\\d+)").arg(name)).match(QString::fromStdString(text));
    return found.hasMatch() ? found.captured(2).toLongLong() : -1;
}

/// A switch-in: thread `tid` runs on a CPU from the time `at` on.
struct Run {
    std::int64_t at = 0;
    std::int64_t tid = 0;
};

/// An interval in which a thread could run, but had no CPU.
struct Wait {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool isPreempted = false;
};

/// Reference values, computed from the events of one kernel.
struct Events {
    std::map<std::int64_t, std::vector<Run>> runs; ///< Times of threads on CPUs, by CPU.
    std::map<std::int64_t, std::vector<Wait>> waits; ///< Waits of threads for a CPU, by TID.
    std::map<std::int64_t, std::map<std::int64_t, std::uint64_t>> exits; ///< Number of VM exits by TID and exit code.
    /// Times in ns from each interrupt's injection to the VM entry, by the interrupt.
    std::map<std::string, std::vector<std::int64_t>> injected;
    std::map<std::int64_t, std::int64_t> onCpu; ///< Time on a CPU in ns since the thread's first switch-in, by TID.

    explicit Events(const std::filesystem::path& path)
    {
        BabeltraceOracle oracle({path});
        std::map<std::int64_t, std::int64_t> woken, left, since;
        // Interrupt that waits for its VM entry, and its injection time, by TID.
        std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> waiting;
        std::int64_t end = 0;
        while (oracle.next() == BabeltraceOracle::Kind::Event) {
            const std::string name = oracle.name();
            const auto cpu = oracle.cpu();
            const std::int64_t at = oracle.time();
            if (name == "sched_switch") {
                const std::string text = oracle.payloadText();
                const std::int64_t prev = field(text, "prev_tid"), next = field(text, "next_tid"), state = field(text, "prev_state");
                if (since.contains(prev))
                    onCpu[prev] += at - since[prev];
                since.erase(prev);
                since[next] = at;
                if (state == 0 || state == 256)
                    left[prev] = at;
                if (left.contains(next))
                    waits[next].push_back({left[next], at, true});
                else if (woken.contains(next))
                    waits[next].push_back({woken[next], at, false});
                left.erase(next);
                woken.erase(next);
                runs[cpu].push_back({at, next});
            } else if (name == "sched_waking" || name == "sched_wakeup") {
                const std::int64_t tid = field(oracle.payloadText(), "tid");
                if (!left.contains(tid) && !since.contains(tid))
                    woken.try_emplace(tid, at);
            } else if (name == "kvm_x86_exit" && !runs[cpu].empty()) {
                ++exits[runs[cpu].back().tid][field(oracle.payloadText(), "exit_reason")];
            } else if (name == "kvm_x86_inj_virq" && !runs[cpu].empty()) {
                const std::int64_t irq = field(oracle.payloadText(), "irq");
                if (auto& it = waiting.try_emplace(runs[cpu].back().tid, irq, at).first->second; it.first != irq)
                    it = {irq, at};
            } else if (name == "kvm_x86_entry" && !runs[cpu].empty() && waiting.contains(runs[cpu].back().tid)) {
                const auto [irq, from] = waiting.extract(runs[cpu].back().tid).mapped();
                injected[std::to_string(irq)].push_back(at - from);
            }
            end = at;
        }
        for (const auto& [tid, begin] : since)
            onCpu[tid] += end - begin;
    }
};

/// Time in ns that each thread had the CPU between `begin` and `end`, by TID.
std::map<std::int64_t, std::int64_t> whoRan(const std::vector<Run>& runs, std::int64_t begin, std::int64_t end)
{
    std::map<std::int64_t, std::int64_t> sums;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::int64_t until = i + 1 < runs.size() ? std::min(end, runs[i + 1].at) : end;
        if (const std::int64_t from = std::max(begin, runs[i].at); from < until)
            sums[runs[i].tid] += until - from;
    }
    return sums;
}

} // namespace

class HostGuestTest : public QObject {
    Q_OBJECT

    void open()
    {
        if (m_experiment)
            return;
        const QString path = realTrace("host-guest");
        if (path.isEmpty())
            return;
        m_path = path.toStdString();
        m_experiment.emplace(std::vector<std::filesystem::path>{m_path / "host", m_path / "guestA", m_path / "guestB"});
        m_timeline = m_experiment->timeline;
        m_machines = findVirtualMachines(*m_timeline);
        m_events = std::make_unique<Events>(m_path / "host/kernel");
    }

    const VirtualMachine& machine(const char* name) const
    {
        const auto found = std::ranges::find(m_machines, name, &VirtualMachine::name);
        if (found == m_machines.end())
            qFatal("no machine %s", name);
        return *found;
    }

    std::vector<StateTotal> totalsOf(const Timeline& timeline, const std::string& id) const
    {
        for (const Row& row : rows(timeline, "vm"))
            if (row.id == id)
                return totals(timeline, row.ref, Always);
        return {};
    }

private slots:
    void init()
    {
        open();
        if (!m_experiment)
            QSKIP(qPrintable(missingTrace("host-guest")));
    }

    void vcpusAreBound()
    {
        QCOMPARE(m_machines.size(), std::size_t(2));
        for (const auto& [name, tid, pid, trace] : {std::tuple("guestA", 192, 171, 1u), std::tuple("guestB", 191, 176, 2u)}) {
            const VirtualMachine& it = machine(name);
            QCOMPARE(it.guestTrace, trace);
            QCOMPARE(it.hostTrace, 0u);
            QCOMPARE(it.pid, pid);
            QCOMPARE(it.vcpus.size(), std::size_t(1));
            QCOMPARE(it.vcpus[0].vcpu, 0);
            QCOMPARE(it.vcpus[0].hostTid, tid);
            QCOMPARE(QString::fromStdString(it.vcpus[0].method), QString("hypercalls, kvm_exit"));
        }
    }

    /// Expected from the truth file: A's vCPU was preempted 212 times, 1.922 s in total, 53.751 ms at most; B's vCPU 109 times, 1.922 s,
    /// 40.066 ms.
    void preemptionsAreThoseOfTheTruth()
    {
        const auto with = withRowsOfStates(m_timeline, "vm");
        QVERIFY(with);
        struct Truth {
            const char* row;
            std::uint64_t count;
            std::int64_t total, longest; ///< Times in us.
            std::int64_t tid;
        };
        for (const Truth& it :
             {Truth{"vm:guestA/vcpu:0", 212, 1'922'000, 53'751, ThreadOfA}, Truth{"vm:guestB/vcpu:0", 109, 1'922'000, 40'066, ThreadOfB}}) {
            StateTotal preempted{};
            Duration present{};
            for (const StateTotal& sum : totalsOf(**with, it.row)) {
                const std::string name(stateName(**with, rowRef(**with, it.row), sum.state));
                if (name == "preempted")
                    preempted = sum;
                if (name == "hypervisor" || name.starts_with("guest"))
                    present += sum.total;
            }
            QCOMPARE(preempted.count, it.count);
            QVERIFY(std::abs(preempted.total.count() / 1000 - it.total) < 1000);
            QCOMPARE((preempted.max.count() + 500) / 1000, it.longest);
            std::int64_t expected = 0;
            for (const Wait& wait : m_events->waits[it.tid])
                expected += wait.isPreempted ? wait.end - wait.begin : 0;
            QCOMPARE(preempted.total.count(), expected);
            QVERIFY2(std::abs(present.count() - m_events->onCpu[it.tid]) < 1'000'000, qPrintable(QString::number(present.count())));
        }
    }

    void culpritsAreWhoTheEventsSay()
    {
        for (const auto& [name, tid] : {std::pair("guestA", ThreadOfA), std::pair("guestB", ThreadOfB)}) {
            std::map<std::int64_t, std::int64_t> expected, found;
            for (const Wait& wait : m_events->waits[tid])
                if (wait.isPreempted)
                    for (const auto& [who, ns] : whoRan(m_events->runs[1], wait.begin, wait.end))
                        expected[who] += ns;
            for (const CulpritSum& it : culpritsOf(*m_timeline, m_machines, Always)) {
                if (m_machines[it.machine].name != name)
                    continue;
                const Track* track = trackOf(*m_timeline, it.occupant.row);
                found[track ? track->tid : 0] += it.total.count();
            }
            QCOMPARE(found, expected);
        }
    }

    void stolenTimeIsWhatTheGuestThoughtItRan()
    {
        const VirtualMachine& a = machine("guestA");
        const ClockTransform& clock = m_timeline->traces[a.guestTrace].clock;
        Events guest(m_path / "guestA/kernel");
        std::vector<Run> runs;
        for (const Run& it : guest.runs[0])
            runs.push_back({nanoseconds(clock(hostTime(it.at))), it.tid});
        std::map<std::int64_t, std::int64_t> expected, found;
        // Ends the last run at the trace's end: from there on, the thread is unknown.
        runs.push_back({nanoseconds(clock(m_timeline->traces[a.guestTrace].facts->summary().range.end)), -1});
        std::int64_t preempted = 0;
        for (const Wait& wait : m_events->waits[ThreadOfA]) {
            if (!wait.isPreempted)
                continue;
            preempted += wait.end - wait.begin;
            for (const auto& [who, ns] : whoRan(runs, wait.begin, wait.end))
                expected[who] += ns;
        }
        for (const StealSum& it : computeStealSums(*m_timeline, m_machines, Always)) {
            if (m_machines[it.machine].name != "guestA")
                continue;
            found[it.tid] += it.total.count();
        }
        QCOMPARE(found, expected);
        std::int64_t all = 0;
        for (const auto& [tid, ns] : found)
            all += ns;
        QCOMPARE(all, preempted);
    }

    /// Property: StealTimeClock subtracts as much steal time from each guest thread as computeStealSums() counts for the thread.
    void clocksLeaveOutWhatTheSumsHave()
    {
        const auto with = withRowsOfStates(m_timeline, "vm");
        QVERIFY(with);
        std::map<TrackRef, std::int64_t> sums, clocks;
        for (const StealSum& it : computeStealSums(*m_timeline, m_machines, Always))
            if (it.thread.isValid())
                sums[it.thread] += it.total.count();
        StealTimeClock clock(**with);
        for (const Row& row : threads(**with))
            if (const Duration stolen = clock.ofThread(row.ref, row.life); stolen > Duration::zero())
                clocks[row.ref] += stolen.count();
        QVERIFY(sums.size() > 10);
        QCOMPARE(clocks, sums);
    }

    /// Property: a guest CPU's running time is its recorded running time minus the time stolen from its threads.
    void cpusWithoutStolenTimeAreAsRecordedButForIt()
    {
        const auto with = withRowsOfStates(m_timeline, "vm");
        QVERIFY(with);
        for (const auto& [name, recordedMs, stolenMs] : {std::tuple("guestA", 6229.6, 1560.0), std::tuple("guestB", 5357.7, 1565.5)}) {
            const TrackRef cpu = machine(name).vcpus[0].guestCpu;
            TrackRef inside;
            for (const auto& [recorded, shown] : guestRowPairs(**with))
                if (recorded == cpu)
                    inside = shown;
            QVERIFY(inside.isValid());
            const double recorded = double(busyTime(**with, cpu, Always).busy.count()) / 1e6;
            const double without = double(busyTime(**with, inside, Always).busy.count()) / 1e6;
            QVERIFY2(std::abs(recorded - recordedMs) < 0.06, qPrintable(QString::number(recorded)));
            QVERIFY2(std::abs(without - (recordedMs - stolenMs)) < 0.11, qPrintable(QString::number(without)));
        }
    }

    /// Expected exits by code: 96 INTR 3153, 124 MSR 2676, 120 HLT 424, 114 CPUID 411, 129 VMMCALL 214, 100 VINTR 199, 1024 NPF 101.
    void exitsAreCounted()
    {
        std::map<std::string, std::uint64_t> found;
        std::map<std::string, std::uint64_t> ofA;
        for (const ExitStats& it : computeExitStats(*m_timeline, m_machines, Always)) {
            found[it.reason] += it.count;
            if (m_machines[it.machine].name == "guestA")
                ofA[it.reason] += it.count;
        }
        const std::map<std::string, std::uint64_t> truth{{"INTR (96)", 3153},  {"MSR (124)", 2676},    {"HLT (120)", 424},
                                                         {"CPUID (114)", 411}, {"VMMCALL (129)", 214}, {"VINTR (100)", 199},
                                                         {"NPF (1024)", 101}};
        QCOMPARE(found, truth);
        QCOMPARE(lastOfCounters(), truth);
        for (const auto& [reason, count] : m_events->exits[ThreadOfA]) {
            const auto is =
                std::ranges::find_if(ofA, [&](const auto& it) { return it.first.ends_with("(" + std::to_string(reason) + ")"); });
            QVERIFY(is != ofA.end() && is->second == count);
        }
    }

    /// Property: the rows of virtual machines below the host's CPUs add up to the running times of the vCPUs' threads.
    void cpusSayWhoseMachinesTheyServed()
    {
        const auto with = withRowsOfStates(m_timeline, "vm");
        QVERIFY(with);
        const Timeline& timeline = **with;
        std::map<std::string, std::int64_t> sums;
        for (const Row& row : rows(timeline, findViewWithRole(timeline, TrackRole::Cpu)))
            if (row.kind == "vm-inside")
                for (const StateTotal& it : totals(timeline, row.ref, Always))
                    sums[std::string(stateName(timeline, row.ref, it.state))] += it.total.count();
        const std::map<std::string, std::int64_t> truth{{"guestA", m_events->onCpu[ThreadOfA]}, {"guestB", m_events->onCpu[ThreadOfB]}};
        QCOMPARE(sums, truth);
    }

    void interruptsWaitAsTheEventsSay()
    {
        std::map<std::string, std::vector<std::int64_t>> found;
        std::size_t count = 0;
        forEachSegment(*m_timeline, "vm-interrupt", Always, [&](const Segment& it) {
            found[std::string(nameOf(*m_timeline, it))].push_back(it.range.duration().count());
            ++count;
        });
        QCOMPARE(count, std::size_t(2342));
        for (auto* lengths : {&found, &m_events->injected})
            for (auto& [irq, all] : *lengths)
                std::ranges::sort(all);
        QCOMPARE(found, m_events->injected);
    }

    /// Input: slow steps of guest A's program, in the host's time, with reference values. Property: for each step, the time in which A's
    /// vCPU was preempted and the part of it in which guest B had the CPU equal the reference values.
    void gapsHaveTheirCause()
    {
        QFile file(QString::fromStdString((m_path / "vcpu-truth.txt").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        static const QRegularExpression line(R"(^(\d+) (\d+) ([\d.]+) ([\d.]+) \(([\d.]+)\) ([\d.]+)$)");
        VcpuWaitFinder absences(*m_timeline, m_machines, Always);
        const VcpuWaitList& ofA = absences.of(static_cast<std::uint32_t>(&machine("guestA") - m_machines.data()), 0);
        int steps = 0, longOnes = 0;
        while (!file.atEnd()) {
            const auto found = line.match(QString::fromUtf8(file.readLine()).trimmed());
            if (!found.hasMatch())
                continue;
            const Timestamp begin = timestamp(found.captured(2).toLongLong());
            const Timestamp end = begin + Duration(qRound64(found.captured(3).toDouble() * 1e6));
            Duration all{}, byB{};
            for (const VcpuWait& it : ofA.all) {
                const Duration in = it.range.clippedTo({begin, end}).duration();
                if (!it.isPreempted || in <= Duration())
                    continue;
                all += in;
                // vcpu-truth.txt attributes a whole wait to the vCPU that had the CPU first, so this test does the same.
                const auto first = std::ranges::min_element(ofA.occupantsDuring(it), {}, &OccupantShare::first);
                if (absences.occupants()[first->occupant].kind == CpuOccupant::Kind::Vcpu)
                    byB += in;
            }
            const auto isNear = [&](Duration ns, int column) {
                return std::abs(double(ns.count()) / 1e6 - found.captured(column).toDouble()) < 0.002;
            };
            QVERIFY2(isNear(all, 4) && isNear(byB, 5),
                     qPrintable(found.captured(0) + QString(": %1 %2").arg(all.count()).arg(byB.count())));
            ++steps;
            longOnes += all > (end - begin) / 2;
        }
        QCOMPARE(steps, 189);
        QCOMPARE(longOnes, 72);
    }

private:
    /// Last values of the exit counters by reason, added up over all virtual machines.
    std::map<std::string, std::uint64_t> lastOfCounters() const
    {
        std::map<std::string, std::uint64_t> sums;
        forEachStore(*m_timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
            const CounterSet& counters = store.counters();
            for (std::size_t i = 0; i < counters.series().size(); ++i)
                if (const CounterSeries& it = counters.series()[i]; it.view == "vm-exits")
                    sums[it.title] +=
                        static_cast<std::uint64_t>(counters.valueAt(CounterSeriesId(i), hostTime(INT64_MAX))->value.integer());
        });
        return sums;
    }

    static TrackRef rowRef(const Timeline& timeline, const std::string& id)
    {
        for (const Row& row : rows(timeline, "vm"))
            if (row.id == id)
                return row.ref;
        return {};
    }

    std::filesystem::path m_path;
    std::optional<test::OpenedExperiment> m_experiment;
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<VirtualMachine> m_machines;
    std::unique_ptr<Events> m_events;
};

HELIO_TEST(HostGuestTest)

#include "tst_host_guest.moc"
