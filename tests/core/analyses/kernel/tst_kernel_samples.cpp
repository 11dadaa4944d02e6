// What the kernel's analysis makes of samples: the rows of the threads and CPUs that were sampled.

#include "tests/support/made_recording.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

class KernelSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void sampledThreadsLiveFromTheirForkToTheirExit()
    {
        const auto store = storesOf(*openedRecording(twoLivesOfOneTid()), {"kernel"}).front();

        const auto track = [&](std::string_view key) {
            const auto found = std::ranges::find(store->tracks(), key, &Track::key);
            return found != store->tracks().end() ? *found : Track();
        };
        QCOMPARE(track("tid:10").life, (HostRange{hostTime(1000), hostTime(9000)}));
        QCOMPARE(track("tid:20").life, (HostRange{hostTime(2000), hostTime(4101)}));
        QCOMPARE(track("tid:20#2").life, (HostRange{hostTime(6000), hostTime(9000)}));
        QCOMPARE(track("tid:20").label, std::string("shell"));
        QCOMPARE(track("tid:20#2").label, std::string("second"));
        QCOMPARE(track("tid:20").pid, 20);
        QCOMPARE(track("cpu:0").role, TrackRole::Cpu);
    }

    /// They are the sampling analysis's.
    void samplesThemselvesAreNotKept()
    {
        const auto store = storesOf(*openedRecording(twoLivesOfOneTid()), {"kernel"}).front();

        QVERIFY(store->samples().kinds().empty());
        QVERIFY(store->stacks().isEmpty());
        for (const Track& track : store->tracks())
            QVERIFY(track.role < TrackRole::SamplesUser || track.role > TrackRole::SamplesEvents);
    }

    void aSampledThreadHasItsProcess()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(0x1000, 10, 11, 1000, 1, 7, InUser);
        made.addSample(0x1000, 0, 0, 2000, 2, 7, InKernel); // The idle thread is none, and its CPU was not seen at work.
        made.addSample(0x1000, 10, 11, 3000, 1, 7, InUser);

        const auto store = storesOf(*openedRecording(made), {"kernel"}).front();

        const auto thread = std::ranges::find(store->tracks(), std::string("tid:11"), &Track::key);
        QVERIFY(thread != store->tracks().end());
        QCOMPARE(thread->pid, 10);
        QCOMPARE(thread->tid, 11);
        QVERIFY(std::ranges::find(store->tracks(), std::string("cpu:1"), &Track::key) != store->tracks().end());
        QVERIFY(std::ranges::find(store->tracks(), 0, &Track::tid) == store->tracks().end());
    }
};

HELIO_TEST(KernelSamplesTest)
#include "tst_kernel_samples.moc"
