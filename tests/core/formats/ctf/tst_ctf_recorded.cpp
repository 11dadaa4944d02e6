#include "core/trace/merged_events.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

struct Counted {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    std::size_t traces = 0;
    QStringList diagnostics;
};

Counted counted(const QString& path)
{
    Counted counts;
    for (const auto* format : builtinTraceFormats()) {
        if (format->name != "ctf")
            continue;
        for (const auto& source : format->find(path.toStdString())) {
            const auto trace = format->open(source);
            if (!trace) {
                counts.diagnostics << QString::fromStdString(trace.error().what);
                continue;
            }
            ++counts.traces;
            MergedEvents events(**trace);
            while (events.next())
                ++counts.events;
            for (const auto& loss : events.takeLosses())
                counts.lost += loss.events;
            for (const auto& diagnostic : events.diagnostics())
                counts.diagnostics << QString::fromStdString(diagnostic.kind + " " + diagnostic.file);
        }
    }
    return counts;
}

} // namespace

/// Property: recorded traces have the numbers of events that babeltrace2 2.0.4 and the recording sessions report.
class CtfRecordedTest : public QObject {
    Q_OBJECT

private slots:
    void everyEventOfARecordedTraceIsRead_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("lost");
        const auto row = [](const char* collection, const char* below, int events, int lost = 0) {
            QTest::newRow((std::string(collection) + "/" + below).c_str()) << collection << below << events << lost;
        };
        row("lttng-kernel", "plain", 58536);
        row("lttng-kernel", "ctx", 55104);
        row("lttng-kernel", "lossy", 26506, 33976);
        row("lttng-kernel", "split", 21247);
        row("lttng-kernel", "login", 32733);
        row("lttng-kernel", "workers", 20235);
        row("ust-callstack", "callstack-fast", 101504);
        row("ust-callstack", "callstack", 128713);
        row("ust-callstack", "libc-pthread", 42623);
        row("ust-callstack", "python-fullstack", 127897);
        row("mpi-imbalance", "mpi-perpid", 96);
        row("host-guest", "host", 60622);
        row("host-guest", "guestA", 28668);
        row("host-guest", "guestB", 10162);
        row("two-hosts", "client", 17372);
        row("two-hosts", "web", 29789);
        row("two-hosts", "db", 23717);
        row("public", "bug446190", 31556);
        row("public", "ctf-sequence-empty", 10);
        row("public", "cyg-profile/glxgears-cyg-profile", 4977);
        row("public", "cyg-profile/glxgears-cyg-profile-fast", 5161);
        row("public", "debuginfo-synth-buildid-debuglink", 20);
        row("public", "debuginfo-synth-exec", 9);
        row("public", "debuginfo-synth-two-processes", 12);
        row("public", "debuginfo-test-app3", 291);
        row("public", "double_counters", 693);
        row("public", "dpdk_service_cores", 66464);
        row("public", "flipping-endianness", 14310);
        row("public", "mpi_ssend_irecv", 637);
        row("public", "ros2", 99338);
        row("public", "uneven-streams", 50618);
    }
    void everyEventOfARecordedTraceIsRead()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(int, events);
        QFETCH(int, lost);
        HELIO_REQUIRE_TRACE(path, collection, below);

        const auto counts = counted(path);

        QCOMPARE(counts.diagnostics, QStringList());
        QCOMPARE(counts.events, std::uint64_t(events));
        QCOMPARE(counts.lost, std::uint64_t(lost));
    }

    void chunksOfARotatedSessionAreOneTrace()
    {
        HELIO_REQUIRE_TRACE(path, "lttng-kernel", "split");

        QCOMPARE(counted(path).traces, std::size_t(1));
    }
};

HELIO_TEST(CtfRecordedTest)
#include "tst_ctf_recorded.moc"
