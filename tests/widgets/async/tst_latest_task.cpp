#include "core/base/task_stop.h"
#include "tests/support/no_threads.h"
#include "tests/support/test_program.h"
#include "widgets/async/latest_task.h"
#include "widgets/async/once_fetched.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>
#include <new>
#include <semaphore>
#include <stdexcept>

using namespace helio;

class LatestJobTest : public QObject {
    Q_OBJECT

private slots:
    void onlyTheLatestAnswerArrives()
    {
        LatestTask job;
        std::binary_semaphore began(0);
        std::vector<int> answers;

        job.post([&](std::stop_token stop) -> LatestTask::Delivery {
            began.release();
            while (!stop.stop_requested())
                std::this_thread::yield();
            return [&] { answers.push_back(1); };
        });
        QCoreApplication::processEvents();
        began.acquire();
        job.post([&](std::stop_token) -> LatestTask::Delivery { return [&] { answers.push_back(2); }; });
        job.post([&](std::stop_token) -> LatestTask::Delivery { return [&] { answers.push_back(3); }; });

        QTRY_COMPARE(answers, std::vector<int>{3});
        QVERIFY(!job.isBusy());
    }

    /// Property: code without a stop token of its own sees the stop of the job.
    void jobsAreTasks()
    {
        LatestTask job;
        std::binary_semaphore began(0), ended(0);
        job.post([&](std::stop_token) -> LatestTask::Delivery {
            began.release();
            while (!TaskStop::current().stop_requested())
                std::this_thread::yield();
            ended.release();
            return {};
        });
        QCoreApplication::processEvents();
        began.acquire();
        job.cancel();
        ended.acquire();
        bool isStopped = true; // Until the next job finds that its task is not stopped.
        job.post([&](std::stop_token) -> LatestTask::Delivery {
            return [&isStopped, was = TaskStop::current().stop_requested()] { isStopped = was; };
        });
        QTRY_VERIFY(!isStopped);
    }

    /// Property: what reads bytes of another machine waits for them on the thread of the job; anything else happens at once.
    void missingBytesAreFetchedFirst()
    {
        LatestTask job;
        int actions = 0;
        onceFetched(
            job, [] {}, [&] { ++actions; });
        QCOMPARE(actions, 1);
        std::atomic<bool> areThere = false;
        std::binary_semaphore waits(0), mayCome(0);
        const auto read = [&] {
            if (!areThere)
                DeferredFetches::innermost()->add([&](const std::stop_token&) {
                    waits.release();
                    mayCome.acquire();
                    areThere = true;
                    return true;
                });
        };
        onceFetched(job, read, [&] { actions += 10; });
        QCOMPARE(actions, 1);
        mayCome.release();
        QTRY_COMPARE(actions, 11);
        waits.acquire();
        areThere = false;
        onceFetched(job, read, [&] { actions += 100; });
        QCoreApplication::processEvents();
        waits.acquire(); // Its bytes are being fetched.
        const auto nothing = [] {};
        onceFetched(job, nothing, [&] { ++actions; }); // Replaces it.
        mayCome.release();
        QCOMPARE(actions, 12);
        QTest::qWait(50);
        QCOMPARE(actions, 12);
    }

    void nothingBeginsBeforeTheEventInHandIsHandled()
    {
        LatestTask job;
        std::atomic<bool> isFirstRun = false;
        bool isLastAnswered = false;
        job.post([&](std::stop_token) -> LatestTask::Delivery {
            isFirstRun = true;
            return {};
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // Enough time for a second thread to start by mistake.
        job.post([&](std::stop_token) -> LatestTask::Delivery { return [&] { isLastAnswered = true; }; });

        QTRY_VERIFY(isLastAnswered);
        QVERIFY(!isFirstRun);
    }

    void partsArriveBeforeTheEnd()
    {
        LatestTask job;
        std::vector<int> answers;

        job.post([&](std::stop_token stop) -> LatestTask::Delivery {
            job.deliver(stop, [&] { answers.push_back(1); });
            job.deliver(stop, [&] { answers.push_back(2); });
            return [&] { answers.push_back(3); };
        });

        QTRY_COMPARE(answers, (std::vector<int>{1, 2, 3}));
    }

    void whatWasCancelledSaysNothing()
    {
        LatestTask job;
        std::binary_semaphore began(0);
        std::atomic<bool> ended = false;
        bool isAnswered = false;
        job.post([&](std::stop_token stop) -> LatestTask::Delivery {
            began.release();
            while (!stop.stop_requested())
                std::this_thread::yield();
            ended = true;
            return [&] { isAnswered = true; };
        });
        QCoreApplication::processEvents();
        began.acquire();

        job.cancel();

        QTRY_VERIFY(ended);
        QCoreApplication::processEvents();
        QVERIFY(!isAnswered);
    }

    void withoutThreadsAJobRunsOnTheUiThread()
    {
        const test::ThreadLimit limit(0);
        LatestTask job;
        QThread* thread = nullptr;
        std::vector<int> answers;
        for (const int answer : {1, 2})
            job.post([&, answer](std::stop_token stop) -> LatestTask::Delivery {
                thread = QThread::currentThread();
                job.deliver(stop, [&] { answers.push_back(10); });
                return [&, answer] { answers.push_back(answer); };
            });
        QVERIFY(job.isBusy());
        QTRY_COMPARE(answers, (std::vector<int>{10, 2}));
        QCOMPARE(thread, QThread::currentThread());
        QVERIFY(!job.isBusy());
    }

    void aJobThatThrowsIsReportedAndTheNextOneRuns_data()
    {
        QTest::addColumn<bool>("hasThreads");
        QTest::newRow("on a thread") << true;
        QTest::newRow("on the UI thread") << false;
    }
    void aJobThatThrowsIsReportedAndTheNextOneRuns()
    {
        QFETCH(bool, hasThreads);
        const test::ThreadLimit limit(hasThreads ? -1 : 0);
        LatestTask job;
        QSignalSpy failed(&job, &LatestTask::failed);
        QSignalSpy told(&JobFailures::instance(), &JobFailures::failed);
        bool isAnswered = false;

        job.post([](std::stop_token) -> LatestTask::Delivery { throw std::bad_alloc(); });
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!job.isBusy());
        QVERIFY(failed[0][0].toString().contains("memory"));
        job.post([](std::stop_token) -> LatestTask::Delivery { throw std::runtime_error("the disk is gone"); });
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(failed[1][0].toString().contains("the disk is gone"));
        QCOMPARE(told.count(), 2);

        job.post([&](std::stop_token) -> LatestTask::Delivery { return [&] { isAnswered = true; }; });
        QTRY_VERIFY(isAnswered);
    }

    void aFailureOfAJobThatANewerOneReplacedIsNotReported()
    {
        LatestTask job;
        QSignalSpy failed(&job, &LatestTask::failed);
        std::binary_semaphore began(0);
        bool isAnswered = false;
        job.post([&](std::stop_token stop) -> LatestTask::Delivery {
            began.release();
            while (!stop.stop_requested())
                std::this_thread::yield();
            throw std::bad_alloc();
        });
        QCoreApplication::processEvents();
        began.acquire();
        job.post([&](std::stop_token) -> LatestTask::Delivery { return [&] { isAnswered = true; }; });

        QTRY_VERIFY(isAnswered);
        QCOMPARE(failed.count(), 0);
    }

    void destructionStopsARunningJob()
    {
        std::atomic<bool> ended = false;
        {
            LatestTask job;
            std::binary_semaphore began(0);
            job.post([&](std::stop_token stop) -> LatestTask::Delivery {
                began.release();
                while (!stop.stop_requested())
                    std::this_thread::yield();
                ended = true;
                return {};
            });
            QCoreApplication::processEvents();
            began.acquire();
        }
        QVERIFY(ended);
    }
};

HELIO_TEST(LatestJobTest)
#include "tst_latest_task.moc"
