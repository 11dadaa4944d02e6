#include "tests/support/test_program.h"
#include "widgets/work/latest_job.h"

#include <QTest>

#include <atomic>
#include <semaphore>

using namespace helio;

class LatestJobTest : public QObject {
    Q_OBJECT

private slots:
    void onlyTheLatestAnswerArrives()
    {
        LatestJob job;
        std::binary_semaphore began(0);
        std::vector<int> answers;

        job.post([&](std::stop_token stop) -> LatestJob::Delivery {
            began.release();
            while (!stop.stop_requested())
                std::this_thread::yield();
            return [&] { answers.push_back(1); };
        });
        QCoreApplication::processEvents();
        began.acquire();
        job.post([&](std::stop_token) -> LatestJob::Delivery { return [&] { answers.push_back(2); }; });
        job.post([&](std::stop_token) -> LatestJob::Delivery { return [&] { answers.push_back(3); }; });

        QTRY_COMPARE(answers, std::vector<int>{3});
        QVERIFY(!job.isBusy());
    }

    void nothingBeginsBeforeTheEventInHandIsHandled()
    {
        LatestJob job;
        std::atomic<bool> isFirstRun = false;
        bool isLastAnswered = false;
        job.post([&](std::stop_token) -> LatestJob::Delivery {
            isFirstRun = true;
            return {};
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // For a thread that would begin now.
        job.post([&](std::stop_token) -> LatestJob::Delivery { return [&] { isLastAnswered = true; }; });

        QTRY_VERIFY(isLastAnswered);
        QVERIFY(!isFirstRun);
    }

    void partsArriveBeforeTheEnd()
    {
        LatestJob job;
        std::vector<int> answers;

        job.post([&](std::stop_token stop) -> LatestJob::Delivery {
            job.deliver(stop, [&] { answers.push_back(1); });
            job.deliver(stop, [&] { answers.push_back(2); });
            return [&] { answers.push_back(3); };
        });

        QTRY_COMPARE(answers, (std::vector<int>{1, 2, 3}));
    }

    void whatWasCancelledSaysNothing()
    {
        LatestJob job;
        std::binary_semaphore began(0);
        std::atomic<bool> ended = false;
        bool isAnswered = false;
        job.post([&](std::stop_token stop) -> LatestJob::Delivery {
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

    void destructionStopsARunningJob()
    {
        std::atomic<bool> ended = false;
        {
            LatestJob job;
            std::binary_semaphore began(0);
            job.post([&](std::stop_token stop) -> LatestJob::Delivery {
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
#include "tst_latest_job.moc"
