// Property: events passed to the analysis in batches give the same states as events passed one by one.

#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace helio;
using helio::test::KernelScript;

namespace {

/// Writes random events. Most of them are entries and exits of system calls; some are interrupts, switches, wake-ups, forks, program starts
/// and thread exits.
void write(KernelScript& script, std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const bool hasContexts = pick(2) == 0;
    std::int64_t time = 0;
    int cpu = 0;
    bool isInCall = false;
    for (int i = 0; i < 4000; ++i) {
        time += pick(20) == 0 ? 0 : 1 + pick(3);
        switch (pick(60)) {
        case 0: cpu = pick(3); break;
        case 1: script.sw(time, cpu, pick(4), pick(3), pick(4)); break;
        case 2: script.irq(time, cpu, pick(2) ? "entry" : "exit", pick(2)); break;
        case 3: script.event(time, cpu, "sched_process_exec", {{"filename", "/bin/x"}, {"tid", pick(4)}, {"old_tid", pick(4)}}); break;
        case 4: script.event(time, cpu, "timer_start", {{"timer", 1}}); break; // This event changes no state.
        case 5: script.call(time, cpu, "sched_yield"); break;
        case 6: script.ret(time, cpu, "read"); break;
        case 7: script.call(time, cpu, "read"); break;
        case 8: script.wakeup(time, cpu, 1 + pick(3), pick(3)); break;
        case 9: script.event(time, cpu, "sched_process_exit", {{"tid", pick(4)}}); break;
        case 10: script.event(time, cpu, "page_fault_entry", {{"address", 1}}); break;
        case 11: script.fork(time, cpu, pick(4), 4 + i % 4, 2); break;
        default:
            if (hasContexts && pick(9) == 0) // This event has contexts, which name the thread's process.
                script.event(time, cpu, isInCall ? "syscall_exit_open" : "syscall_entry_open", {{"$tid", 1}, {"$pid", 3}, {"fd", 1}});
            else if (isInCall)
                script.ret(time, cpu, pick(2) ? "read" : "write");
            else
                script.call(time, cpu, pick(2) ? "read" : "write");
            isInCall = !isInCall;
        }
    }
}

std::string allStates(const KernelScript& script)
{
    std::string text;
    for (const Track& track : script.store().tracks())
        text += track.view.empty()
            ? ""
            : track.key + " " + track.label + " of " + std::to_string(track.pid) + ": " + script.states(track.key) + "\n";
    return text;
}

} // namespace

class KernelRunsTest : public QObject {
    Q_OBJECT

private slots:
    void eventsThatComeTogetherMakeTheStatesOfEachByItself()
    {
        for (std::uint32_t seed = 0; seed < 60; ++seed) {
            KernelScript script;
            write(script, seed);
            script.runTogether(false);
            const std::string expected = allStates(script);
            script.runTogether(true);
            QCOMPARE(allStates(script), expected);
        }
    }

    void timesBeyondWhatAStoreHoldsEndAtItsLimit()
    {
        KernelScript script;
        script.sw(0, 0, 0, 0, 1);
        for (int i = 0; i < 10; ++i)
            script.call(std::numeric_limits<std::int64_t>::max() - 20 + 2 * i, 0, "read")
                .ret(std::numeric_limits<std::int64_t>::max() - 19 + 2 * i, 0, "read");
        script.runTogether(false);
        const std::string expected = allStates(script);
        script.runTogether(true);
        QCOMPARE(allStates(script), expected);
    }
};

HELIO_TEST(KernelRunsTest)
#include "tst_kernel_runs.moc"
