// Output of the command vm, and of other commands for rows of virtual machines.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace helio;

namespace {

QStringList tracesIn(const QString& folder) { return {folder + "/host", folder + "/guestA", folder + "/guestB"}; }

QList<CsvRow> csv(const QStringList& arguments) { return csvRows(heliograph(arguments + QStringList{"--format", "csv", "--quiet"})); }

qint64 sumOf(const QList<CsvRow>& rows, const char* vm, const char* column)
{
    qint64 sum = 0;
    for (const CsvRow& row : rows)
        sum += row["vm"] == vm ? row[column].toLongLong() : 0;
    return sum;
}

} // namespace

class VmOutputTest : public QObject {
    Q_OBJECT

private slots:
    void vcpusNameTheirHostThreads()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        const auto rows = csv(QStringList{"vm"} + tracesIn(folder));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0]["vm"] + ',' + rows[0]["guest_trace"] + ',' + rows[0]["vcpu"] + ',' + rows[0]["host_tid"] + ',' + rows[0]["method"],
                 QByteArray("guestA,1,0,192,hypercalls, kvm_exit"));
        QCOMPARE(rows[1]["vm"] + ',' + rows[1]["guest_trace"] + ',' + rows[1]["host_tid"], QByteArray("guestB,2,191"));
        QCOMPARE(rows, csv(QStringList{"vm", "--vcpus"} + tracesIn(folder)));
    }

    /// Property: steal time by culprit, and by thread, adds up to the preempted time of the vCPU.
    void stealTablesAddUpToPreemptedTime()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        std::map<QByteArray, qint64> preempted;
        for (const CsvRow& row : csv(QStringList{"stats", "--view", "vm"} + tracesIn(folder)))
            if (row["state"] == "preempted" && row["row"].contains("/vcpu:"))
                preempted[row["row"]] = row["total_ns"].toLongLong();
        QCOMPARE(preempted.size(), std::size_t(2));
        QCOMPARE(preempted["vm:guestA/vcpu:0"] / 1'000'000, 1'921);
        const auto culprits = csv(QStringList{"vm", "--culprits"} + tracesIn(folder));
        const auto steal = csv(QStringList{"vm", "--steal"} + tracesIn(folder));
        for (const char* vm : {"guestA", "guestB"}) {
            QCOMPARE(sumOf(culprits, vm, "total_ns"), preempted["vm:" + QByteArray(vm) + "/vcpu:0"]);
            QCOMPARE(sumOf(steal, vm, "stolen_ns"), preempted["vm:" + QByteArray(vm) + "/vcpu:0"]);
        }
    }

    /// Property: the numbers of exits by guest and reason equal those in the text of the recording.
    void exitCountsEqualTheRecordedText()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        std::map<QByteArray, std::map<QByteArray, qint64>> expected; // Expected number of exits by guest and reason code.
        const QRegularExpression exit(" kvm_x86_exit: .*exit_reason = (\\d+)");
        const QRegularExpression comes(" sched_switch: .*cpu_id = (\\d+).*next_tid = (\\d+)"), cpu("cpu_id = (\\d+)");
        std::map<int, int> on;
        for (const QByteArray& bytes : babeltrace2({folder + "/host"}).out.split('\n')) {
            const QString line = QString::fromUtf8(bytes);
            if (const auto found = comes.match(line); found.hasMatch())
                on[found.captured(1).toInt()] = found.captured(2).toInt();
            if (const auto found = exit.match(line); found.hasMatch()) {
                const int tid = on[cpu.match(line).captured(1).toInt()];
                if (tid == 191 || tid == 192)
                    ++expected[tid == 192 ? "guestA" : "guestB"][found.captured(1).toLatin1()];
            }
        }
        QVERIFY(expected["guestA"].size() > 3 && expected["guestB"].size() > 3);
        std::map<QByteArray, std::map<QByteArray, qint64>> ofCounters, ofLatency;
        for (const QByteArray guest : {"guestA", "guestB"}) {
            const QStringList only{"--host", guest};
            for (const CsvRow& row : csv(QStringList{"counters", "--view", "vm-exits"} + only + tracesIn(folder))) {
                QCOMPARE(row["row"], "vm:" + guest);
                const QByteArray reason = row["series"].split('(').last().chopped(1);
                ofCounters[guest][reason] = row["value"].toLongLong();
            }
            const QStringList summed{"latency", "--of", "vm-exit"};
            for (const CsvRow& row : csv(summed + only + tracesIn(folder)))
                QVERIFY2(row["name"].endsWith(" of " + guest), row["name"].constData());
        }
        for (const CsvRow& row : csv(QStringList{"latency", "--of", "vm-exit"} + tracesIn(folder))) {
            const auto words = row["name"].split(' ');
            ofLatency[words.last()][words[words.size() - 3].mid(1).chopped(1)] = row["count"].toLongLong();
        }
        QVERIFY(ofLatency == expected);
        QVERIFY(ofCounters == expected);
        const auto both = csv(QStringList{"counters", "--view", "vm-exits", "--host", "nest"} + tracesIn(folder));
        QVERIFY(std::ranges::any_of(both, [](const CsvRow& row) { return row["row"] == "vm:guestB"; }));
    }

    /// Property: the rows of exits have the same ids as in the output of `heliograph tracks`.
    void exitsAreOnTheirThreads()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        const QByteArray text = heliograph(QStringList{"latency", "--of", "vm-exit", "--list", "--quiet"} + tracesIn(folder)).out;
        const QByteArray tracks = heliograph(QStringList{"tracks", "--view", "control-flow", "--quiet"} + tracesIn(folder)).out;
        QVERIFY(text.contains("tid:192 CPU 0/KVM on nest"));
        QVERIFY(tracks.contains("tid:192"));
        QVERIFY(!text.contains("kvm_exit"));
        for (const CsvRow& row : csv(QStringList{"latency", "--of", "vm-exit", "--list", "--host", "guestA"} + tracesIn(folder)))
            QCOMPARE(row["tid"], QByteArray("192"));
    }

    /// Input: a step of guestA's work that took 57.8 ms, because hog on guestB had the CPU.
    void aStepHasItsCulprit()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        const auto rows =
            csv(QStringList{"vm", "--culprits", "--row", "vm:guestA/*", "--begin", "1795260496763690904", "--end", "1795260496821526904"}
                + tracesIn(folder));
        QVERIFY(!rows.isEmpty());
        QCOMPARE(rows[0]["culprit"], QByteArray("vm:guestB/vcpu:0 hog (177)"));
        QCOMPARE(rows[0]["kind"], QByteArray("vcpu"));
        QVERIFY(rows[0]["total_ns"].toLongLong() > 50'000'000);
    }

    void exitsAreThoseOfTheText()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        std::map<QByteArray, qint64> expected, found;
        for (const QByteArray& line : babeltrace2({folder + "/host"}).out.split('\n'))
            if (line.contains(" kvm_x86_exit: ")) {
                const qsizetype at = line.indexOf("exit_reason = ") + 14;
                ++expected['(' + line.mid(at, line.indexOf(',', at) - at) + ')'];
            }
        for (const CsvRow& row : csv(QStringList{"vm", "--exits"} + tracesIn(folder)))
            found[row["reason"].mid(row["reason"].indexOf('('))] += row["count"].toLongLong();
        QCOMPARE(found, expected);
        QCOMPARE(found.size(), std::size_t(7));
    }

    void itsRowsAreThoseOfAView()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        QList<QByteArray> ids, parents;
        for (const CsvRow& row : csv(QStringList{"tracks", "--view", "vm"} + tracesIn(folder))) {
            ids << row["id"];
            parents << row["parent"];
        }
        QVERIFY(ids.contains("vm:guestA") && ids.contains("vm:guestB/vcpu:0"));
        QCOMPARE(parents[ids.indexOf("vm:guestA/tid:174")], QByteArray("vm:guestA"));
    }

    /// Property: --host with a guest's name selects the rows of its virtual machine, including the guest's threads. --host with the outer
    /// host's name selects the vCPUs of all its virtual machines, but no threads of guests.
    void hostsChooseRowsOfMachines()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        const auto of = [&](const char* host) {
            QMap<QByteArray, QByteArray> rows;
            for (const CsvRow& row : csv(QStringList{"tracks", "--view", "vm", "--host", host} + tracesIn(folder)))
                rows[row["id"]] = row["host"] + ' ' + row["trace"];
            return rows;
        };
        const auto guest = of("guestA"), host = of("nest");
        QCOMPARE(guest.value("vm:guestA/tid:174"), QByteArray("guestA 1"));
        QCOMPARE(guest.value("vm:guestA/vcpu:0"), QByteArray("nest 0"));
        QVERIFY(!guest.contains("vm:guestB") && !guest.contains("vm:guestB/vcpu:0"));
        QVERIFY(host.contains("vm:guestA/vcpu:0") && host.contains("vm:guestB/vcpu:0"));
        QVERIFY(!host.contains("vm:guestA/tid:174"));
        const auto states = csv(QStringList{"stats", "--view", "vm", "--host", "guestB"} + tracesIn(folder));
        QVERIFY(!states.isEmpty());
        for (const CsvRow& row : states)
            QVERIFY2(row["row"].startsWith("vm:guestB") && !row["trace"].isEmpty(), row["row"].constData());
        const QByteArray text = heliograph(QStringList{"stats", "--view", "vm", "--quiet"} + tracesIn(folder)).out;
        QVERIFY(text.contains("vCPU 0 of guestA"));
    }

    void whatNothingFitsIsSaid()
    {
        HELIO_REQUIRE_TRACE(folder, "host-guest");
        const auto said = [&](const QStringList& options) { return heliograph(QStringList{"vm"} + options + tracesIn(folder)).err; };
        QVERIFY(said({"--culprits", "--row", "zzz"}).contains("--row zzz: no virtual machine has such a row; available: vm:guestA/vcpu:0"));
        const QByteArray others = said({"--culprits", "--row", "vm:guestA/vcpu:0", "--thread", "191"});
        QVERIFY2(others.contains("--row vm:guestA/vcpu:0, --thread 191: the row is not that thread's"), others.constData());
        QVERIFY(said({"--culprits", "--row", "vm:guestA/vcpu:0", "--thread", "424242"}).contains("--thread 424242: no thread of"));
        QVERIFY(said({"--row", "zzz"}).contains("--row zzz"));
        QVERIFY(said({"--steal", "--row", "vm:guestA/tid:77777"}).contains("no virtual machine has such a row"));
        QVERIFY(said({"--exits", "--thread", "1"}).contains("--thread 1"));
        QVERIFY(said({"--culprits", "--begin", "+1000s"}).contains("nothing was recorded in this range"));
        QVERIFY(!said({"--culprits", "--row", "vm:guestA/*"}).contains("--row"));
    }

    void whatIsWrongIsSaid()
    {
        const ProgramResult none = heliograph({"vm", sampleTrace()});
        QCOMPARE(none.status, 0);
        QVERIFY(none.err.contains("no virtual machine found"));
        QCOMPARE(heliograph({"vm", "--format", "csv", "--quiet", sampleTrace()}).out.trimmed(),
                 QByteArray("vm,guest_trace,vcpu,host,host_tid,method"));
        const ProgramResult two = heliograph({"vm", "--exits", "--steal", sampleTrace()});
        QCOMPARE(two.status, 2);
        QVERIFY(two.err.contains("use only one of"));
        QCOMPARE(heliograph({"vm", "--cpu", "1", sampleTrace()}).status, 2);
    }
};

HELIO_TEST(VmOutputTest)

#include "tst_vm_output.moc"
