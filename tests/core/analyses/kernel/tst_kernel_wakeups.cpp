// Compares wakers, CPUs and interrupts of wake-ups in recorded traces with a second implementation on top of libbabeltrace2.

#include "core/query/rows/arrows.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/real_traces.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace helio;

namespace {

/// Value of a field in babeltrace2's text, for example of "tid=7 ", "vec=9(RCU|) ", "name="eth0" ".
std::string field(const std::string& payload, const std::string& name)
{
    const std::string key = name + '=';
    std::size_t at = payload.starts_with(key) ? 0 : payload.find(' ' + key);
    if (at == std::string::npos)
        return {};
    at += key.size() + (payload[at] == ' ' ? 1 : 0);
    if (payload[at] == '"')
        return payload.substr(at + 1, payload.find('"', at + 1) - at - 1);
    return payload.substr(at, payload.find_first_of(" (", at) - at);
}

/// Reference implementation: tracks a stack of interrupts and the current thread for each CPU.
class WakeUps {
public:
    explicit WakeUps(bool hasWaking)
        : m_hasWaking(hasWaking)
    {
    }

    void take(const BabeltraceOracle& event)
    {
        m_name = event.name();
        m_payload = event.payloadText();
        auto& stack = m_stacks[event.cpu()];
        if (m_current[event.cpu()].empty())
            m_current[event.cpu()] = field(event.contextText(), "tid");
        if (m_name == "sched_switch")
            onSwitch(event.cpu());
        else if (m_name == "sched_wakeup" && m_running.contains(field(m_payload, "tid")))
            // The thread is woken while it runs, so it stays on its CPU.
            ranAll(field(m_payload, "tid"), m_running[field(m_payload, "tid")]);
        else if (m_name == (m_hasWaking ? "sched_waking" : "sched_wakeup") || m_name == "sched_wakeup_new")
            onWaking(event.time(), event.cpu());
        else if (const auto [what, isEntry] = handler(); !what.empty() && isEntry)
            stack.push_back(what);
        else if (std::ranges::find(stack, what) != stack.end())
            while (take(stack) != what) { }
    }

    /// All wake-ups as text "time from>to detail", sorted.
    std::vector<std::string> texts() const
    {
        std::vector<std::string> all;
        for (const One& one : m_all)
            all.push_back(one.text + (one.ran.empty() ? "" : ";ran_on=" + one.ran));
        std::ranges::sort(all);
        return all;
    }

    int count = 0;
    int elsewhere = 0; ///< Number of wakings recorded on another CPU than the target CPU.
    int moved = 0; ///< Number of wake-ups whose thread then ran on another CPU than the target.
    /// Number of sched_waking events that were recorded in an interrupt while a thread had the CPU, by the interrupt's name.
    std::map<std::string, int> wakingsInInterrupts;

private:
    struct One {
        std::string text;
        std::string ran;
    };

    static std::string take(std::vector<std::string>& stack)
    {
        std::string top = stack.back();
        stack.pop_back();
        return top;
    }

    std::pair<std::string, bool> handler()
    {
        static constexpr std::array Softirqs{"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"};
        const bool isEntry = m_name.ends_with("_entry");
        if (m_name == "irq_handler_entry")
            m_irqs[field(m_payload, "irq")] = field(m_payload, "name");
        if (m_name.starts_with("irq_handler_"))
            return {m_irqs[field(m_payload, "irq")], isEntry};
        if (m_name == "irq_softirq_entry" || m_name == "irq_softirq_exit")
            return {Softirqs[std::stoul(field(m_payload, "vec"))], isEntry};
        constexpr std::string_view Vectors = "x86_irq_vectors_";
        if (!m_name.starts_with(Vectors))
            return {};
        return {m_name.substr(Vectors.size(), m_name.rfind('_') - Vectors.size()), isEntry};
    }

    void onSwitch(std::int64_t cpu)
    {
        const std::string next = field(m_payload, "next_tid");
        if (m_current[cpu].empty())
            wasRunning(cpu, field(m_payload, "prev_tid"));
        m_running.erase(field(m_payload, "prev_tid"));
        m_current[cpu] = next;
        m_running[next] = std::to_string(cpu);
        ranAll(next, std::to_string(cpu));
    }

    /// Sets the waker of the wakings in m_wakingsBeforeFirstSwitch: the thread that leaves at the CPU's first switch had the CPU until
    /// then.
    void wasRunning(std::int64_t cpu, const std::string& prev)
    {
        for (const std::size_t waking : m_wakingsBeforeFirstSwitch[cpu])
            if (prev != "0")
                m_all[waking].text.insert(m_all[waking].text.find(">tid:"), "tid:" + prev);
    }

    void onWaking(std::int64_t time, std::int64_t cpu)
    {
        const auto& stack = m_stacks[cpu];
        const std::string current = m_current[cpu];
        if (current.empty() && stack.empty())
            m_wakingsBeforeFirstSwitch[cpu].push_back(m_all.size());
        const std::string tid = field(m_payload, "tid");
        const std::string target = field(m_payload, "target_cpu");
        const std::string context = stack.empty() ? "" : stack.back();
        const std::string from = context.empty() && current != "0" && !current.empty() ? "tid:" + current : "";
        m_all.push_back({std::to_string(time) + ' ' + from + ">tid:" + tid + " cpu=" + std::to_string(cpu)
                             + (context.empty() ? "" : ";context=" + context) + ";target_cpu=" + target,
                         {}});
        m_waiting[tid].push_back(m_all.size() - 1);
        const bool isNew = m_name == "sched_wakeup_new";
        count += !isNew;
        elsewhere += !isNew && std::to_string(cpu) != target;
        if (!current.empty() && current != "0" && !context.empty())
            ++wakingsInInterrupts[context];
    }

    void ranAll(const std::string& tid, const std::string& cpu)
    {
        for (const std::size_t waking : std::exchange(m_waiting[tid], {})) {
            m_all[waking].ran = cpu;
            moved += !m_all[waking].text.ends_with("target_cpu=" + cpu);
        }
    }

    bool m_hasWaking;
    std::string m_name;
    std::string m_payload;
    std::map<std::int64_t, std::vector<std::string>> m_stacks;
    std::map<std::string, std::string> m_irqs;
    std::map<std::int64_t, std::string> m_current;
    /// For each CPU: indexes into m_all of the wakings before its first switch, whose waker is not known yet.
    std::map<std::int64_t, std::vector<std::size_t>> m_wakingsBeforeFirstSwitch;
    std::map<std::string, std::string> m_running; ///< CPU of each running thread, by TID.
    /// Indexes into m_all of the wakings of each thread since the thread last ran on a CPU. Key: TID.
    std::map<std::string, std::vector<std::size_t>> m_waiting;
    std::vector<One> m_all;
};

WakeUps derived(const QString& path)
{
    std::vector<std::filesystem::path> folders;
    for (const QString& folder : ctfFolders(path))
        folders.emplace_back(folder.toStdString());
    bool hasWaking = false;
    for (BabeltraceOracle events(folders); !hasWaking && events.next() != BabeltraceOracle::Kind::End;)
        hasWaking = std::string_view(events.name()) == "sched_waking";
    WakeUps all(hasWaking);
    for (BabeltraceOracle events(folders); events.next() == BabeltraceOracle::Kind::Event;)
        all.take(events);
    return all;
}

/// TID of a track's thread, without the suffix of a reused TID ("#2"); empty for a CPU.
std::string nameOf(const Timeline& timeline, TrackRef ref)
{
    const auto row = rowOf(timeline, ref);
    return row && row->tid >= 0 ? "tid:" + std::to_string(row->tid) : std::string();
}

std::vector<std::string> ours(const Timeline& timeline)
{
    std::vector<std::string> all;
    for (ArrowWalk walk(timeline, {"wakeup"}, {timeline.range.begin, timeline.range.end + Duration(1)}); walk.next();) {
        const Arrow arrow = walk.arrow();
        std::string text = std::to_string(nanoseconds(arrow.fromTime)) + ' ' + nameOf(timeline, arrow.from) + '>'
            + nameOf(timeline, arrow.to) + " cpu=" + std::to_string(arrow.cpu) + (arrow.detail.empty() ? "" : ";context=" + arrow.detail)
            + ";target_cpu=" + std::to_string(arrow.targetCpu);
        if (arrow.ranOn != NoCpu)
            text += ";ran_on=" + std::to_string(arrow.ranOn);
        all.push_back(std::move(text));
    }
    std::ranges::sort(all);
    return all;
}

void compare(const WakeUps& theirs, const Timeline& timeline)
{
    const auto expected = theirs.texts();
    const auto actual = ours(timeline);
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
        QCOMPARE(QString::fromStdString(actual[i]), QString::fromStdString(expected[i]));
    QCOMPARE(actual.size(), expected.size());
}

} // namespace

class KernelWakeUpsTest : public QObject {
    Q_OBJECT

private slots:
    void theSmallRecording()
    {
        const auto timeline = test::timelineOf("tests/fixtures/kernel-small/kernel");
        QVERIFY(timeline);
        const WakeUps theirs = derived(QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small/kernel"));
        QVERIFY(theirs.count > 10);
        compare(theirs, *timeline);
    }

    void recordings_data()
    {
        QTest::addColumn<QString>("session");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("elsewhere");
        QTest::addColumn<int>("moved");
        QTest::addColumn<int>("interrupted");
        QTest::newRow("plain") << "plain" << 2034 << 657 << 448 << 394;
        QTest::newRow("login") << "login" << 524 << 257 << 11 << 80;
        QTest::newRow("workers") << "workers" << 361 << 51 << 15 << 17;
        QTest::newRow("ctx") << "ctx" << 1972 << 788 << 385 << 323;
    }
    void recordings()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", session);
        const auto timeline = test::timelineOf(path.toUtf8().constData());
        QVERIFY(timeline);
        const WakeUps theirs = derived(path);
        QTEST(theirs.count, "count");
        QTEST(theirs.elsewhere, "elsewhere");
        QTEST(theirs.moved, "moved");
        int interrupted = 0;
        for (const auto& [context, count] : theirs.wakingsInInterrupts)
            interrupted += count;
        QTEST(interrupted, "interrupted");
        compare(theirs, *timeline);
    }
};

HELIO_TEST(KernelWakeUpsTest)
#include "tst_kernel_wakeups.moc"
