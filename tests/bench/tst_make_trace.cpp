#include "core/trace/merged_events.h"
#include "core/trace/trace.h"
#include "tests/bench/make_trace.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace helio;
using namespace helio::bench;

namespace {

constexpr MadeTrace Small{.threads = 60, .cpus = 5, .events = 200'000, .seed = 7};

std::filesystem::path made(const QTemporaryDir& folder, const char* name, const MadeTrace& wishes)
{
    std::filesystem::path path = folder.path().toStdString();
    path /= name;
    return makeTrace(wishes, path) ? path : std::filesystem::path();
}

QByteArray hashOf(const std::filesystem::path& folder)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const QDir dir(QString::fromStdString(folder.string()));
    for (const QString& name : dir.entryList(QDir::Files, QDir::Name)) {
        QFile file(dir.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            hash.addData(file.readAll());
    }
    return hash.result();
}

struct Counted {
    std::uint64_t events = 0;
    std::uint64_t losses = 0;
    std::set<std::string> names;
    std::set<std::int64_t> cpus;
    bool isInOrder = true;
    std::string problem;
};

Counted countedByBabeltrace(const std::filesystem::path& trace)
{
    Counted counted;
    BabeltraceOracle oracle({trace});
    std::int64_t last = 0;
    for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
        if (kind == BabeltraceOracle::Kind::Loss) {
            ++counted.losses;
            continue;
        }
        ++counted.events;
        counted.names.insert(oracle.name());
        counted.cpus.insert(oracle.cpu());
        counted.isInOrder = counted.isInOrder && oracle.time() >= last;
        last = oracle.time();
    }
    counted.problem = oracle.problem();
    return counted;
}

} // namespace

class TestMakeTrace : public QObject {
    Q_OBJECT

private slots:
    void babeltraceReadsAsManyEventsAsWereAskedFor()
    {
        const QTemporaryDir folder;
        const auto trace = made(folder, "trace", Small);
        QVERIFY(!trace.empty());
        const Counted counted = countedByBabeltrace(trace);
        QCOMPARE(counted.problem, std::string());
        QCOMPARE(counted.events, Small.events);
        QCOMPARE(counted.losses, 0U);
        QVERIFY(counted.isInOrder);
        QCOMPARE(counted.cpus, (std::set<std::int64_t>{0, 1, 2, 3, 4}));
        for (const char* name : {"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_migrate_task",
                                 "sched_process_fork", "sched_process_exec", "sched_process_exit", "sched_process_free",
                                 "irq_handler_entry", "irq_handler_exit", "irq_softirq_raise", "irq_softirq_entry", "irq_softirq_exit",
                                 "lttng_statedump_process_state", "lttng_statedump_end", "syscall_entry_read", "syscall_exit_mmap"})
            QVERIFY2(counted.names.contains(name), name);
    }

    void longPausesKeepTheirLength()
    {
        const QTemporaryDir folder;
        MadeTrace slow = Small;
        slow.events = 5'000;
        slow.gap = 1'000'000'000;
        const auto trace = made(folder, "trace", slow);
        const Counted counted = countedByBabeltrace(trace);
        QCOMPARE(counted.events, slow.events);
        QCOMPARE(counted.problem, std::string());
        QVERIFY(counted.isInOrder);
    }

    void aSeedMakesTheSameBytesAndAnotherDoesNot()
    {
        const QTemporaryDir folder;
        MadeTrace other = Small;
        other.seed = 8;
        const QByteArray first = hashOf(made(folder, "first", Small));
        QCOMPARE(hashOf(made(folder, "second", Small)), first);
        QVERIFY(hashOf(made(folder, "third", other)) != first);
    }

    void fewerEventsThanThreadsAreNoHarm()
    {
        const QTemporaryDir folder;
        MadeTrace few = Small;
        few.events = 10;
        QCOMPARE(countedByBabeltrace(made(folder, "trace", few)).events, few.events);
    }
};

HELIO_TEST(TestMakeTrace)
#include "tst_make_trace.moc"
