#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const QString Sample = SOURCE_DIR "/resources/samples/workers";

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot read");
}

/// Returns the output of a query over the sample, as CSV.
QByteArray query(const QString& statement) { return heliograph({"sql", Sample, statement, "--format", "csv"}).out; }

} // namespace

class ExportOutputTest : public QObject {
    Q_OBJECT

private slots:
    void csvFilesEqualTheTables()
    {
        QTemporaryDir folder;
        const QString out = folder.filePath("tables");
        QCOMPARE(heliograph({"export", Sample, "--to", "csv", "-o", out}).status, 0);
        for (const QString& table : {"thread", "sched_slice", "thread_state", "event", "trace_bounds", "metadata"})
            QCOMPARE(contentOf(out + '/' + table + ".csv"), query("SELECT * FROM " + table));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"tables"});
    }
    void rangesSelectRowsThatOverlapThem()
    {
        QTemporaryDir folder;
        const QString out = folder.filePath("tables");
        const qint64 start = query("SELECT start_ts FROM trace_bounds").split('\n')[1].trimmed().toLongLong();
        QCOMPARE(heliograph({"export", Sample, "--to", "csv", "-o", out, "--begin", "+1ms", "--end", "+2ms"}).status, 0);
        const QString condition =
            QString("ts < %2 AND (ts >= %1 OR dur < 0 OR ts + dur > %1)").arg(start + 1'000'000).arg(start + 2'000'000);
        QCOMPARE(contentOf(out + "/thread_state.csv"), query("SELECT * FROM thread_state WHERE " + condition));
        QVERIFY(contentOf(out + "/thread_state.csv").count('\n') > 5);
    }
    void inputsAreNotOverwritten()
    {
        const ProgramResult inside = heliograph({"export", Sample, "--to", "csv", "-o", Sample + "/tables"});
        QCOMPARE(inside.status, 2);
        QVERIFY2(inside.err.contains("is in the folder of the input"), inside.err.constData());
        QVERIFY(!QFile::exists(Sample + "/tables"));
    }
    void existingFoldersAreKept()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("other"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const ProgramResult result = heliograph({"export", Sample, "--to", "csv", "-o", folder.path()});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("the folder exists and is not empty"), result.err.constData());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"other"});
    }
    void wrongCallsSayWhatIsWrong()
    {
        QVERIFY(heliograph({"export", Sample, "-o", "x"}).err.contains("--to FORMAT is missing"));
        QVERIFY(heliograph({"export", Sample, "--to", "csv"}).err.contains("-o FILE is missing"));
        const ProgramResult unknown = heliograph({"export", Sample, "--to", "pdf", "-o", "x"});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("--to: \"pdf\" is not one of"), unknown.err.constData());
    }
};

HELIO_TEST(ExportOutputTest)
#include "tst_export_output.moc"
