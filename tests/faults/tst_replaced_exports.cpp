// The command `fleet export --force` on file systems that cannot exchange two folders: the new export is in the place of the earlier one,
// or the earlier one is untouched.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>

using namespace helio;

class ReplacedExportsTest : public QObject {
    Q_OBJECT

private slots:
    void exportsAreReplacedOrStay_data()
    {
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("calls");
        QTest::addColumn<bool>("stays");
        QTest::addColumn<bool>("isReplaced");
        QTest::newRow("no exchange") << EINVAL << "renameat2" << false << true;
        QTest::newRow("unknown call") << ENOSYS << "renameat2" << true << true;
        QTest::newRow("exchange not allowed") << EACCES << "renameat2" << false << false;
        QTest::newRow("neither exchange nor rename") << EINVAL << "renameat2,rename" << true << false;
    }
    void exportsAreReplacedOrStay()
    {
        QFETCH(int, error);
        QFETCH(QString, calls);
        QFETCH(bool, stays);
        QFETCH(bool, isReplaced);
        const QTemporaryDir folder;
        const QString catalogue = folder.filePath("fleet.db"), lake = folder.filePath("lake");
        QCOMPARE(heliograph({"fleet", "add", catalogue, sampleTrace(), "--quiet"}).status, 0);
        QCOMPARE(heliograph({"fleet", "export", catalogue, "-o", lake, "--where", "0"}).status, 0);
        const auto before = partitions(lake);

        auto environment = plainEnvironment();
        environment.insert("LD_PRELOAD", FAULT_SHIM);
        environment.insert("FAULT_PROGRAM", QFileInfo(HELIOGRAPH_PROGRAM).fileName());
        environment.insert("FAULT_UNDER", folder.path());
        environment.insert("FAULT_CALLS", calls);
        environment.insert("FAULT_KIND", QString::number(error));
        environment.insert("FAULT_AT", "1");
        if (stays)
            environment.insert("FAULT_STAYS", "1");
        const ProgramResult run = runTool(HELIOGRAPH_PROGRAM, {"fleet", "export", catalogue, "-o", lake, "--force"}, environment);
        QCOMPARE(run.status, isReplaced ? 0 : 1);
        if (isReplaced)
            QVERIFY2(run.err.isEmpty(), run.err.constData());
        else
            QVERIFY2(run.err.startsWith("heliograph: Cannot write "), run.err.constData());
        QCOMPARE(partitions(lake) != before, isReplaced);
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), (QStringList{"fleet.db", "lake"}));
    }

private:
    /// Returns the folders of days in the table `trace` of an export.
    static QStringList partitions(const QString& lake) { return QDir(lake + "/trace").entryList(QDir::Dirs | QDir::NoDotAndDotDot); }
};

HELIO_TEST(ReplacedExportsTest)
#include "tst_replaced_exports.moc"
