// Virtual machines of the fixture with a host and a guest: both together, each alone, beside an unrelated trace, and with raw times.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cstdlib>

using namespace helio;

namespace {

const QString Fixture = QStringLiteral(SOURCE_DIR "/tests/fixtures/host-guest-small/");
const QString Host = Fixture + "host", Guest = Fixture + "guestA";
const QString Stranger = QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small/web");

QList<CsvRow> csv(const QStringList& arguments) { return csvRows(heliograph(arguments + QStringList{"--format", "csv", "--quiet"})); }

/// Returns the rows as text without the columns that contain times on the time axis. Only these columns change with the option --no-sync.
QList<QByteArray> withoutMoments(const QList<CsvRow>& rows)
{
    QList<QByteArray> all;
    for (const CsvRow& row : rows)
        all << row["vm"] + ',' + row["tid"] + ',' + row["during"] + ',' + row["culprit"] + ',' + row["count"] + ',' + row["stolen_ns"] + ','
                + row["total_ns"] + ',' + row["max_ns"];
    return all;
}

} // namespace

class VmFixtureTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: a further unrelated trace, opened before or after the host and guest. Property: the results do not change.
    void unrelatedTraceChangesNothing()
    {
        for (const char* what : {"--steal", "--culprits", "--vcpus"}) {
            const auto alone = withoutMoments(csv({"vm", what, Host, Guest}));
            QVERIFY(!alone.isEmpty());
            QCOMPARE(withoutMoments(csv({"vm", what, Host, Guest, Stranger})), alone);
            QCOMPARE(withoutMoments(csv({"vm", what, Stranger, Host, Guest})), alone);
        }
        const ProgramResult info = heliograph({"info", Host, Guest, Stranger});
        QVERIFY2(info.out.contains("not synchronized: web cannot be related to nest"), info.out.constData());
    }

    void rawTimesChangeMomentsAlone()
    {
        for (const char* what : {"--steal", "--culprits"}) {
            const auto related = csv({"vm", what, Host, Guest});
            const auto raw = csv({"vm", what, Host, Guest, "--no-sync"});
            QVERIFY(!raw.isEmpty());
            QCOMPARE(withoutMoments(raw), withoutMoments(related));
            QCOMPARE(raw[0]["max_at_ns"] == related[0]["max_at_ns"],
                     // Clock corrections change times of the guest only. --culprits prints times of the reference host, so the option
                     // --no-sync does not change them.
                     what == QByteArray("--culprits"));
        }
    }

    void aHostChoosesItsMachinesAndAGuestItself()
    {
        const auto all = csv({"vm", "--culprits", Host, Guest}), ofHost = csv({"vm", "--culprits", Host, Guest, "--host", "nest"});
        QCOMPARE(withoutMoments(ofHost), withoutMoments(all));
        const auto ofGuest = csv({"vm", "--culprits", Host, Guest, "--host", "guestA"});
        QVERIFY(!ofGuest.isEmpty() && ofGuest.size() < all.size());
        for (const CsvRow& row : ofGuest)
            QCOMPARE(row["vm"], QByteArray("guestA"));
        QCOMPARE(withoutMoments(csv({"vm", "--steal", Host, Guest, "--host", "guestA"})),
                 withoutMoments(csv({"vm", "--steal", Host, Guest})));
        QCOMPARE(heliograph({"vm", Host, Guest, "--host", "nobody"}).status, 2);
        QVERIFY(csv({"vm", "--steal", Host, Guest, Stranger, "--host", "web"}).isEmpty());
        const QByteArray stranger = heliograph({"vm", "--culprits", Host, Guest, Stranger, "--host", "web"}).err;
        QVERIFY2(stranger.contains("web is not a virtual machine and runs none"), stranger);
        const ProgramResult raw = heliograph({"vm", Host, Guest, "--no-sync", "--begin", "11:28:16"});
        QCOMPARE(raw.status, 2); // The command refuses the time of day, because it is ambiguous without synchronized clocks.
        QVERIFY(heliograph({"vm", Host, "--filter", "cpu == 1"}).err.contains("unknown option --filter"));
    }

    void whatIsMissingIsSaid()
    {
        const auto said = [](const QStringList& arguments) { return heliograph(QStringList{"vm"} + arguments).err; };
        for (const char* what : {"--steal", "--culprits"}) {
            const QByteArray guest = said({what, Guest});
            QVERIFY2(guest.contains("is unknown: no trace of the host is open. Record there: lttng enable-event"), guest.constData());
        }
        QVERIFY(said({"--exits", Guest}).contains("VM exits are unknown: no trace of the host is open. Record there: lttng enable-event"));
        const QByteArray host = said({"--steal", Host});
        QVERIFY2(host.contains("is unknown: no trace of a guest is open"), host.constData());
        QVERIFY(!said({"--culprits", Host}).contains("is unknown"));
    }

    void aKindThatWasNotRecordedIsNamedWithItsEvents()
    {
        const QByteArray halts = heliograph({"latency", Host, "--of", "vm-halt"}).err;
        QVERIFY2(halts.contains("kvm_vcpu_wakeup was not recorded; record them with: lttng enable-event -k kvm_vcpu_wakeup"),
                 halts.constData());
        // The trace has 81 kvm_x86_inj_virq events, and each of them is listed as an interrupt.
        QCOMPARE(csv({"latency", Host, "--of", "vm-interrupt", "--list"}).size(), 81);
    }

    /// The column "until" has the end of the latency. Here it is the VM entry, because this guest recorded no interrupts;
    /// tst_guest_interrupts tests recorded handlers.
    void interruptsWithoutHandlersLastUntilEntry()
    {
        const auto rows = csv({"vm", "--interrupts", Host, Guest});
        qint64 count = 0, total = 0, listed = 0;
        for (const CsvRow& row : rows) {
            QCOMPARE(row["until"], QByteArray("entry"));
            QCOMPARE(row["interrupt"], QByteArray("236"));
            QVERIFY(row["handler"].isEmpty() && row["error_ns"].isEmpty());
            count += row["count"].toLongLong();
            total += row["total_ns"].toLongLong();
        }
        QCOMPARE(count, 81);
        for (const CsvRow& row : csv({"latency", Host, "--of", "vm-interrupt", "--list"}))
            listed += row["duration_ns"].toLongLong();
        QCOMPARE(total, listed);
        QCOMPARE(csv({"vm", "--interrupts", Host, Guest, "--host", "guestA"}).size(), 1);
        QVERIFY(heliograph({"vm", "--interrupts", Guest}).err.contains("Interrupts into guests are unknown: no trace of the host is open"));
        QCOMPARE(heliograph({"vm", "--interrupts", "--exits", Host}).status, 2);
    }

    /// Property: the long preemption of thread 192 is found. In the trace, sched_switch replaces thread 192 by 191 at 11:28:16.767063159
    /// (prev_state 0), and back at .820814157. During these 53.750998 ms, the guest's trace shows its thread `interactive` running.
    void theLongPreemptionHasItsCulpritAndItsVictim()
    {
        const QStringList window{"--begin", "1795260496767063159", "--end", "1795260496820814157"};
        qint64 total = 0;
        for (const CsvRow& row : csv(QStringList{"vm", "--culprits", Host, Guest, "--row", "vm:guestA/vcpu:0"} + window)) {
            total += row["total_ns"].toLongLong();
            if (row["kind"] == "vcpu")
                QCOMPARE(row["culprit"], QByteArray("vm:CPU 0\\/KVM-191/vcpu:0"));
        }
        QCOMPARE(total, 53'750'998);
        const auto stolen = csv(QStringList{"vm", "--steal", Host, Guest, "--host", "guestA"} + window);
        QCOMPARE(stolen.size(), 1);
        QCOMPARE(stolen[0]["comm"] + ' ' + stolen[0]["tid"] + ' ' + stolen[0]["stolen_ns"], QByteArray("interactive 174 53750998"));
    }

    /// Input: a clock file that assigns guest A to process 191, which runs the other guest. Property: a message says that guest A runs
    /// during halts of its vCPU's thread, which is impossible.
    void aGuestGivenToTheWrongMachineIsSeenByItsHalts()
    {
        const QTemporaryDir folder;
        const auto said = [&](int process) {
            QFile file(folder.filePath("clocks.json"));
            if (!file.open(QIODevice::WriteOnly))
                return QByteArray();
            file.write(R"({"hosts": [], "guests": [{"guest": "guestA", "host": "nest", "process": )" + QByteArray::number(process) + "}]}");
            file.close();
            return heliograph({"vm", "--vcpus", Host, Guest, "--sync", file.fileName()}).err;
        };
        const QByteArray wrong = said(191);
        QVERIFY2(wrong.contains(" of it during halts of thread 191, which is impossible: another thread runs that CPU, or the clock "
                                "is wrong"),
                 wrong);
        QVERIFY2(!said(192).contains("during halts"), said(192));
        QVERIFY(!heliograph({"vm", "--vcpus", Host, Guest}).err.contains("during halts"));
    }

    void exitsNameTheGuestsThread()
    {
        const auto named = [](const QList<CsvRow>& rows, const char* row) {
            return std::ranges::count_if(rows, [row](const CsvRow& it) { return it["row"] == row && it["fields"].startsWith("thread="); });
        };
        const auto together = csv({"latency", Host, Guest, "--of", "vm-exit", "--list"});
        // Only 121 of the 125 exits have a thread, because the guest's trace begins after the first four exits.
        QCOMPARE(named(together, "tid:192"), 121);
        // No exit of vCPU thread 191 has a guest thread, because the trace of its guest is not open.
        QCOMPARE(named(together, "tid:191"), 0);
        QCOMPARE(named(csv({"latency", Host, "--of", "vm-exit", "--list"}), "tid:192"), 0);
    }

    void stolenStatesAddUpToSteal()
    {
        const auto list = csv({"latency", Host, Guest, "--of", "state:preempted", "--view", "vm", "--list"});
        QVERIFY(!list.isEmpty());
        qint64 sum = 0, steal = 0;
        for (const CsvRow& row : list)
            sum += row["duration_ns"].toLongLong();
        for (const CsvRow& row : csv({"vm", "--culprits", Host, Guest}))
            steal += row["total_ns"].toLongLong();
        // A difference of 5 % is accepted, because intervals that are still open at the end of the trace do not count.
        QVERIFY2(std::abs(sum - steal) <= steal / 20, qPrintable(QString("%1 %2").arg(sum).arg(steal)));
        QVERIFY(!csv({"latency", Host, Guest, "--of", "state:stolen", "--list"}).isEmpty());
    }

    /// Input: a clock file whose reference host is not open. Property: the file still aligns the open hosts to each other.
    void aFileOfClocksIsOfThoseThatAreOpen()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("clocks.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"reference": "gone", "hosts": [{"host": "nest", "offset_ns": 1000, "rate": 1, "method": "manual"},
                                                      {"host": "web", "offset_ns": 4000, "rate": 1, "method": "manual"}]})");
        file.close();
        const auto first = [&](const QStringList& more) { return csv(QStringList{"events", Host, Stranger, "--host", "web"} + more); };
        const auto raw = first({"--no-sync"}), related = first({"--sync", file.fileName()});
        QVERIFY(!related.isEmpty());
        QCOMPARE(related[0]["time_ns"].toLongLong() - raw[0]["time_ns"].toLongLong(), 3000);
        const ProgramResult said = heliograph({"sync", Host, Stranger, "--sync", file.fileName()});
        QCOMPARE(said.status, 0);
        QVERIFY2(said.err.contains("reference gone is not open; all times use the clock of nest"), said.err.constData());
        QCOMPARE(heliograph({"sync", Guest, "--sync", file.fileName()}).status, 2);
    }
};

HELIO_TEST(VmFixtureTest)

#include "tst_vm_fixture.moc"
