#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

QString fixture(const char* name) { return QString(SOURCE_DIR "/tests/fixtures/") + name; }

/// Returns the events that the program prints, without the name of the trace or host, which depends on how many are open.
QString eventsOf(const QStringList& arguments)
{
    static const QRegularExpression origin("\\] \\S+/\\d+ ");
    const ProgramResult printed = heliograph(QStringList{"events", "--quiet"} + arguments);
    return printed.status == 0 ? QString::fromUtf8(printed.out).replace(origin, "] ") : QString::fromUtf8(printed.err);
}

/// Returns the options for the range from the first to the third quarter of the events.
QStringList middleRange(const QString& trace)
{
    const auto lines = heliograph({"events", trace, "--format", "json", "--no-sync"}).lines();
    const auto timeOf = [](const QByteArray& line) {
        return QString(line).section("\"time_ns\":", 1).section(QRegularExpression("[,}]"), 0, 0);
    };
    return {"--begin", timeOf(lines[lines.size() / 4]), "--end", timeOf(lines[3 * lines.size() / 4]), "--no-sync"};
}

/// A state interval: the row's id, begin, end and state.
struct StateInterval {
    qint64 begin = 0;
    qint64 end = 0;
    QString state;
};
QMap<QString, QList<StateInterval>> statesOf(const QStringList& arguments)
{
    QMap<QString, QList<StateInterval>> rows;
    const auto lines = heliograph(QStringList{"states", "--view", "control-flow", "--format", "csv"} + arguments).lines();
    const QStringList columns = QString(lines.value(0)).split(',');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QStringList cells = QString(lines[i]).split(',');
        rows[cells[columns.indexOf("row")]] << StateInterval{cells[columns.indexOf("begin_ns")].toLongLong(),
                                                             cells[columns.indexOf("end_ns")].toLongLong(),
                                                             cells[columns.indexOf("state")]};
    }
    return rows;
}

} // namespace

/// Property: a cut-out shows the same as the recording in its range.
class ExportCtfTest : public QObject {
    Q_OBJECT

private slots:
    void cutOutsHaveTheEventsOfTheRange_data()
    {
        QTest::addColumn<QString>("trace");
        for (const char* name : {"kernel-small", "lossy-small", "host-guest-small", "split-small", "ust-per-pid", "two-hosts-small"})
            QTest::newRow(name) << fixture(name);
    }

    void cutOutsHaveTheEventsOfTheRange()
    {
        QFETCH(QString, trace);
        const QTemporaryDir folder;
        const QString out = folder.filePath("cut");
        const QStringList range = middleRange(trace);
        const auto written = heliograph(QStringList{"export", trace, "--to", "ctf", "-o", out} + range);
        QVERIFY2(written.status == 0, written.err.constData());
        const QString events = eventsOf(QStringList{trace} + range);
        QVERIFY(events.count('\n') > 2);
        QCOMPARE(eventsOf({out, "--no-sync"}), events);
        QDirIterator files(out, {"*.idx", "index"}, QDir::AllEntries, QDirIterator::Subdirectories);
        QVERIFY(!files.hasNext());
    }

    void statesInTheRangeAreTheSameAsFarAsTheyAreKnown()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath("cut");
        const QString trace = fixture("kernel-small");
        const QStringList range = middleRange(trace);
        QCOMPARE(heliograph(QStringList{"export", trace, "--to", "ctf", "-o", out} + range).status, 0);
        const auto whole = statesOf(QStringList{trace} + range);
        const auto cut = statesOf(QStringList{out} + range);
        QVERIFY(!cut.isEmpty());
        int same = 0;
        for (auto row = cut.begin(); row != cut.end(); ++row)
            for (const StateInterval& it : row.value()) {
                qint64 agreed = 0;
                for (const StateInterval& other : whole[row.key()])
                    if (other.state == it.state)
                        agreed += std::max<qint64>(0, std::min(it.end, other.end) - std::max(it.begin, other.begin));
                // Before a thread's first events, the cut-out tells less: nothing, or that the thread runs but not in which mode.
                const bool isVague = it.state == "unknown" || it.state == "running";
                QVERIFY2(agreed == it.end - it.begin || isVague, qPrintable(row.key() + ' ' + it.state + ' ' + QString::number(it.begin)));
                same += agreed == it.end - it.begin;
            }
        QVERIFY2(same > 10, qPrintable(QString::number(same)));
    }

    void tracesOfASessionStayApart()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath("cut");
        QCOMPARE(heliograph({"export", fixture("host-guest-small"), "--to", "ctf", "-o", out}).status, 0);
        QVERIFY(QFile::exists(out + "/host/kernel/metadata") && QFile::exists(out + "/guestA/kernel/metadata"));
        const QString one = folder.filePath("one");
        const auto limited = heliograph({"export", fixture("host-guest-small"), "--to", "ctf", "-o", one, "--host", "no such host"});
        QVERIFY(limited.status != 0);
        QVERIFY(!QFile::exists(one));
    }

    void archivesAreCut()
    {
        const QTemporaryDir folder;
        QProcess tar;
        tar.start("tar", {"-czf", folder.filePath("a.tar.gz"), "-C", fixture(""), "kernel-small"});
        QVERIFY(tar.waitForFinished() && tar.exitCode() == 0);
        const QString out = folder.filePath("cut");
        QCOMPARE(heliograph({"export", folder.filePath("a.tar.gz"), "--to", "ctf", "-o", out}).status, 0);
        QCOMPARE(eventsOf({out}), eventsOf({fixture("kernel-small")}));
    }

    void whatCannotBeAppliedIsRefused()
    {
        const QTemporaryDir folder;
        const QString out = folder.filePath("cut");
        const auto process = heliograph({"export", fixture("kernel-small"), "--to", "ctf", "-o", out, "--process", "bash"});
        QCOMPARE(process.status, 2);
        QVERIFY2(process.err.contains("The format ctf cannot be limited to a process, thread or CPU"), process.err.constData());
        const auto view = heliograph({"export", fixture("kernel-small"), "--to", "ctf", "-o", out, "--view", "resources"});
        QCOMPARE(view.status, 2);
        const auto perf = heliograph({"export", fixture("perf/fp.data"), "--to", "ctf", "-o", out});
        QCOMPARE(perf.status, 1);
        QVERIFY2(perf.err.contains("only recordings in the Common Trace Format can be cut"), perf.err.constData());
        const auto outside = heliograph({"export", fixture("kernel-small"), "--to", "ctf", "-o", out, "--begin", "+1000s"});
        QCOMPARE(outside.status, 1);
        QVERIFY2(outside.err.contains("Nothing was recorded in the time range"), outside.err.constData());
        QVERIFY(!QFile::exists(out));
    }
};

HELIO_TEST(ExportCtfTest)
#include "tst_export_ctf.moc"
