#include "tests/support/ctf_golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;

/// Property: reading each golden file of tests/golden/ctf gives the results in the file. With HELIOGRAPH_UPDATE_GOLDEN set, the test
/// stores its results: check the change before a commit.
class CtfGoldenTest : public QObject {
    Q_OBJECT

private slots:
    void aTraceIsReadAsItsGoldenFileSays_data() { addGoldenRows(); }

    void aTraceIsReadAsItsGoldenFileSays()
    {
        QFETCH(QString, path);
        auto golden = GoldenFile::read(path);
        const QTemporaryDir folder;
        golden.unpackTo(folder.path().toStdString());

        const auto result = readGolden(folder.path().toStdString());

        if (qEnvironmentVariableIsSet("HELIOGRAPH_UPDATE_GOLDEN")) {
            golden.rewrite("events", result.events);
            golden.rewrite("diagnostics", result.diagnostics);
            golden.rewrite("error", result.error);
            golden.save();
        }
        QCOMPARE(result.events.join('\n'), golden.lines("events").join('\n'));
        QCOMPARE(result.diagnostics.join('\n'), golden.lines("diagnostics").join('\n'));
        QCOMPARE(result.error.join('\n'), golden.lines("error").join('\n'));
    }
};

HELIO_TEST(CtfGoldenTest)
#include "tst_ctf_golden.moc"
