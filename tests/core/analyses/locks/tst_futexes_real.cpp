// Compares futex waits of recorded traces with a second implementation that evaluates the events backwards from the trace's end; for
// perf's recordings, the events come from perf's text.

#include "core/analysis/analyses.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/indexed.h"
#include "tests/support/open_trace.h"
#include "tests/support/perf_samples.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t Never = INT64_MAX;

/// A futex call, from its entry and exit events.
struct PrintedCall {
    std::int64_t begin = 0, end = Never, ret = 0;
    int tid = 0, op = 0;
    /// Futex of the call, and second futex of a requeue call; for example "180/0x40" (process and address) or "shared/0x40".
    std::string futex, second;
    bool waits() const { return op == 0 || op == 6 || op == 9 || op == 11 || op == 13; }
    bool wakes() const { return op == 1 || op == 3 || op == 4 || op == 5 || op == 7 || op == 10 || op == 12; }
};
struct PrintedWaking {
    std::int64_t at = 0;
    int by = 0, who = 0;
};

class PrintedTrace {
public:
    std::vector<PrintedCall> calls;
    std::vector<PrintedWaking> wakings;
    std::int64_t begin = Never; ///< Time of the trace's first event in ns; Never (INT64_MAX) if the trace has no events.

    PrintedTrace() = default;
    explicit PrintedTrace(const QString& path)
    {
        std::vector<std::filesystem::path> folders;
        for (const QString& folder : ctfFolders(path))
            folders.push_back(folder.toStdString());
        BabeltraceOracle oracle(folders);
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next())
            if (kind == BabeltraceOracle::Kind::Event)
                take(oracle, oracle.name());
    }

    /// Returns the expected waits that ended, as texts. "10-25 tid 7 180/0x40 wake 8" is a wait of thread 7 from 10 to 25 for the futex at
    /// 0x40 of process 180, which thread 8 ended. `offset` in ns is added to all times.
    std::multiset<std::string> waits(std::int64_t offset = 0) const
    {
        std::multiset<std::string> all;
        for (const PrintedCall& it : calls)
            if (it.waits() && it.end != Never && it.ret != -11)
                all.insert(std::to_string(it.begin + offset) + '-' + std::to_string(it.end + offset) + " tid " + std::to_string(it.tid)
                           + ' ' + it.futex + ' ' + endOf(it));
        return all;
    }

private:
    static std::string endOf(const PrintedCall& it, std::optional<int> by)
    {
        switch (it.ret) {
        case 0: return by ? "wake " + std::to_string(*by) : "wake";
        case -110: return "timeout";
        case -4:
        case -512:
        case -516: return "signal";
        default: return "error " + std::to_string(-it.ret);
        }
    }
    std::string endOf(const PrintedCall& it) const { return endOf(it, it.ret == 0 ? wakerOf(it) : std::nullopt); }

    /// TID of the thread that was in a wake call when the kernel woke the waiter; empty if there is none.
    std::optional<int> wakerOf(const PrintedCall& wait) const
    {
        std::optional<int> found;
        for (const PrintedWaking& waking : wakings)
            if (waking.who == wait.tid && wait.begin <= waking.at && waking.at <= wait.end)
                for (const PrintedCall& it : calls)
                    if (it.wakes() && it.tid == waking.by && it.begin <= waking.at && waking.at <= it.end && it.futex == wait.futex)
                        found = it.tid;
        return found;
    }

    void take(BabeltraceOracle& oracle, const QString& name)
    {
        if (name == "sched_switch") {
            m_running[oracle.cpu()] = number(fieldsOf(oracle), "next_tid");
        } else if (name == "lttng_statedump_process_state") {
            const auto fields = fieldsOf(oracle);
            m_processes[number(fields, "tid")] = number(fields, "pid");
        } else if (name == "sched_process_fork") {
            const auto fields = fieldsOf(oracle);
            m_processes[number(fields, "child_tid")] = number(fields, "child_pid");
        } else if (name == "sched_waking") {
            wakings.push_back({oracle.time(), m_running[oracle.cpu()], number(fieldsOf(oracle), "tid")});
        } else if (name == "syscall_entry_futex") {
            const auto fields = fieldsOf(oracle);
            const int tid = m_running[oracle.cpu()], op = number(fields, "op");
            const std::string owner = op & 128 ? std::to_string(m_processes[tid]) : "shared";
            const auto futex = [&](const char* field) { return owner + "/0x" + QString::number(wide(fields, field), 16).toStdString(); };
            m_open[tid] = calls.size();
            calls.push_back({oracle.time(), Never, 0, tid, op & 127, futex("uaddr"), futex("uaddr2")});
        } else if (name == "syscall_exit_futex") {
            if (const auto open = m_open.extract(m_running[oracle.cpu()]); !open.empty()) {
                calls[open.mapped()].end = oracle.time();
                calls[open.mapped()].ret = number(fieldsOf(oracle), "ret");
            }
        }
    }

    using PrintedFields = std::map<QString, QString>;
    static PrintedFields fieldsOf(const BabeltraceOracle& oracle)
    {
        PrintedFields fields;
        for (const QString& line : QString::fromStdString(oracle.payloadText()).split(' ', Qt::SkipEmptyParts))
            fields[line.section('=', 0, 0)] = line.section('=', 1);
        return fields;
    }
    static int number(const PrintedFields& fields, const char* name) { return fields.at(name).section(' ', 0, 0).toInt(); }
    static qulonglong wide(const PrintedFields& fields, const char* name) { return fields.at(name).toULongLong(nullptr, 0); }

    std::map<std::int64_t, int> m_running; ///< TID of the thread running on each CPU.
    std::map<int, int> m_processes; ///< PID of each TID.
    std::map<int, std::size_t> m_open;
};

/// Waits in a store's segments, in the format of PrintedTrace::waits().
std::multiset<std::string> waitsIn(const Store& store)
{
    std::multiset<std::string> all;
    for (std::uint32_t kind = 0; kind < store.segments().kinds().size(); ++kind)
        store.segments().visit(SegmentKindId(kind), {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some) {
                const Track& thread = store.tracks()[std::size_t(it.track)];
                const QString fields = QString::fromStdString(std::string(store.text(StringId(std::uint32_t(it.value)))));
                std::string end;
                for (const QString& field : fields.split(';')) {
                    if (field.startsWith("ended_by="))
                        end = field.mid(9).toStdString();
                    // The field has a name and a TID, for example "woken_by=mtx-owner (185)"; only the TID is used.
                    if (field.startsWith("woken_by="))
                        end += ' ' + field.section('(', -1).chopped(1).toStdString();
                }
                all.insert(std::to_string(nanoseconds(it.begin)) + '-' + std::to_string(nanoseconds(it.end)) + " tid "
                           + std::to_string(thread.tid) + ' ' + store.tracks()[std::size_t(thread.parent)].key.substr(6) + ' ' + end);
            }
        });
    return all;
}

/// Parses futex calls and wakings in perf's output; calls by name or by number.
PrintedTrace printedByPerf(const QString& path)
{
    static const QRegularExpression line(R"((\d+)/(\d+) \[\d+\] +(\d+)\.(\d{9}): +\w+:(\w+): (.*))"), number("0x[0-9a-f]+|-?[0-9a-f]+");
    PrintedTrace trace;
    std::map<int, std::size_t> open;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return trace;
    for (const QString& text : QString::fromUtf8(file.readAll()).split('\n')) {
        const auto found = line.match(text);
        if (!found.hasMatch())
            continue;
        const int tid = found.captured(2).toInt();
        const std::int64_t at = (found.captured(3) + found.captured(4)).toLongLong();
        trace.begin = std::min(trace.begin, at);
        const QString name = found.captured(5), rest = found.captured(6);
        if (name == "sched_waking") {
            trace.wakings.push_back({at, tid, rest.section(" pid=", 1).section(' ', 0, 0).toInt()});
        } else if (name.startsWith("sys_enter")) {
            QStringList numbers;
            for (QString it : name == "sys_enter" ? rest.section('(', 1).chopped(1).split(", ") : rest.split(", "))
                numbers << it.section(": ", -1).remove("0x");
            const int op = numbers[1].toInt(nullptr, 16);
            const std::string owner = op & 128 ? found.captured(1).toStdString() : "shared";
            open[tid] = trace.calls.size();
            const QString address = QString::number(numbers[0].toULongLong(nullptr, 16), 16);
            trace.calls.push_back({at, Never, 0, tid, op & 127, owner + "/0x" + address.toStdString(), {}});
        } else if (const auto call = open.extract(tid); !call.empty()) {
            const QString result = name == "sys_exit" ? rest.section("= ", 1) : rest.section(": ", -1);
            trace.calls[call.mapped()].end = at;
            trace.calls[call.mapped()].ret = result.startsWith("0x") ? qint64(result.toULongLong(nullptr, 16)) : result.toLongLong();
        }
    }
    return trace;
}

/// Adds the waking events, if perf recorded none. Each call wakes its waiters in the order in which they began to wait, as the kernel does
/// for threads with equal priorities. The time of a waking event lies inside the woken thread's wait.
void wakeInTurn(PrintedTrace& trace)
{
    std::set<const PrintedCall*> woken;
    for (const PrintedCall& wake : trace.calls)
        for (std::int64_t left = wake.wakes() ? wake.ret : 0; left > 0; --left)
            for (const PrintedCall& wait : trace.calls)
                if (wait.waits() && wait.ret == 0 && wait.futex == wake.futex && wait.begin < wake.end && wait.end > wake.begin
                    && woken.insert(&wait).second) {
                    trace.wakings.push_back({std::clamp(wake.begin, wait.begin, wait.end), wake.tid, wait.tid});
                    break;
                }
}

QStringList inOneAlone(const std::multiset<std::string>& a, const std::multiset<std::string>& b)
{
    QStringList all;
    for (const auto& [some, others, sign] : {std::tuple(&a, &b, "-"), std::tuple(&b, &a, "+")})
        for (const std::string& it : *some)
            if (some->count(it) != others->count(it))
                all << sign + QString::fromStdString(it);
    return all;
}

} // namespace

class FutexesRealTest : public QObject {
    Q_OBJECT

private slots:
    void allWaitsAreThoseOfTheCalls_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<int>("waits");
        test::addRow("plain", "lttng-kernel", "plain", 15);
        test::addRow("ctx", "lttng-kernel", "ctx", 14);
        test::addRow("mpi", "mpi-imbalance", "mpi-imbalance/kernel", 384);
        test::addRow("heap", "heap", "heap/kernel", 72);
        test::addRow("web", "two-hosts", "web", 112);
    }
    void allWaitsAreThoseOfTheCalls()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(int, waits);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto expected = PrintedTrace(path).waits();
        const TraceFormat* const ctf = &formatNamed("ctf");
        const auto sources = ctf->find(path.toStdString());
        QCOMPARE(sources.size(), std::size_t(1));
        const auto trace = ctf->open(sources.front());
        QVERIFY(trace);
        const auto store = indexed(**trace, {&analysisOf("futexes")})->stores.front();
        const auto found = waitsIn(*store);
        QCOMPARE(inOneAlone(expected, found), QStringList());
        QCOMPARE(int(found.size()), waits);
    }

    /// Property: the waits and their wakers equal those in perf's output. If no wakings were recorded, a wait has a waker only if exactly
    /// one call can have ended it.
    void allWaitsAreThoseThatPerfPrints_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("woken");
        QTest::newRow("by number") << "futex" << 10;
        QTest::newRow("by name") << "futex-named" << 11;
    }
    void allWaitsAreThoseThatPerfPrints()
    {
        QFETCH(QString, name);
        QFETCH(int, woken);
        const QString path = SOURCE_DIR "/tests/fixtures/perf/" + name;
        PrintedTrace printed = printedByPerf(path + ".calls.txt");
        if (printed.wakings.empty())
            wakeInTurn(printed);
        const auto trace = openPerfData((path + ".data").toStdString());
        QVERIFY(trace);
        const auto store = indexed(*trace, {&analysisOf("futexes")})->stores.front();
        // Recorded times are absolute, printed times begin at 0: the offset aligns them.
        const auto expected = printed.waits(nanoseconds(store->summary().range.begin) - printed.begin);
        QCOMPARE(inOneAlone(expected, waitsIn(*store)), QStringList());
        QCOMPARE(int(std::ranges::count_if(expected, [](const std::string& it) { return it.find("wake ") != std::string::npos; })), woken);
    }
};

HELIO_TEST(FutexesRealTest)

#include "tst_futexes_real.moc"
