// Properties of FileJob: its last message says what became of the file.

#include "app/gui/common/file_job.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <thread>

using namespace helio;

namespace {

/// A job, and its last message.
struct Job {
    FileJob job{"Exporting", "Nothing was written."};
    QSignalSpy ended{&job, &FileJob::ended};

    QString message() { return ended.isEmpty() && !ended.wait(30'000) ? QString() : ended.last().first().toString(); }
};

} // namespace

class FileJobTest : public QObject {
    Q_OBJECT

private slots:
    void remarksFollowThePath()
    {
        Job it;
        it.job.start("a.db", [](const FileJob::Progress&, const std::stop_token&) { return Result<QStringList>(QStringList{"1 row"}); });
        QVERIFY(it.job.isBusy());
        QCOMPARE(it.message(), QString("Saved to a.db. 1 row"));
        QVERIFY(!it.job.isBusy());
    }
    void aStoppedJobSaysSo()
    {
        Job it;
        it.job.start("a.db", [](const FileJob::Progress&, const std::stop_token& stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            return Result<QStringList>(Error{Error::Kind::Cancelled, "cancelled"});
        });
        it.job.cancel();
        QVERIFY(it.job.isBusy()); // Until the work has ended.
        QCOMPARE(it.job.text(), QString("Stopping"));
        QCOMPARE(it.message(), QString("Nothing was written."));
        QCOMPARE(it.ended.size(), 1);
    }
    void aFileThatWasCompleteBeforeTheStopIsSaved()
    {
        Job it;
        std::atomic<bool> isComplete = false;
        it.job.start("a.db", [&](const FileJob::Progress&, const std::stop_token& stop) {
            isComplete = true;
            while (!stop.stop_requested())
                std::this_thread::yield();
            return Result<QStringList>(QStringList());
        });
        QTRY_VERIFY(isComplete);
        it.job.cancel();
        QCOMPARE(it.message(), QString("Saved to a.db"));
    }
    void errorsAreReported()
    {
        Job it;
        it.job.start("a.db", [](const FileJob::Progress&, const std::stop_token&) {
            return Result<QStringList>(Error{Error::Kind::Unreadable, "the disk is full"});
        });
        QCOMPARE(it.message(), QString("the disk is full"));
    }
    void theProgressIsShared()
    {
        Job it;
        std::atomic<bool> mayEnd = false;
        it.job.start("a.db", [&](const FileJob::Progress& progress, const std::stop_token&) {
            for (; !mayEnd; std::this_thread::yield())
                progress(0.5);
            return Result<QStringList>(QStringList());
        });
        QTRY_COMPARE(it.job.share(), 0.5);
        mayEnd = true;
        QCOMPARE(it.message(), QString("Saved to a.db"));
    }
};

HELIO_TEST(FileJobTest)
#include "tst_file_job.moc"
