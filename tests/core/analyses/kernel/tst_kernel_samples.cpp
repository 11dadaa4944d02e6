// Input: samples. Property: the kernel analysis makes rows of the sampled threads and CPUs.

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
        const auto store = storesOf(*openedRecording(makeReusedTidRecording()), {"kernel"}).front();

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

    /// The kernel analysis stores no samples; the sampling analysis does.
    void samplesThemselvesAreNotKept()
    {
        const auto store = storesOf(*openedRecording(makeReusedTidRecording()), {"kernel"}).front();

        QVERIFY(store->samples().kinds().empty());
        QVERIFY(store->stacks().isEmpty());
        for (const Track& track : store->tracks())
            QVERIFY(track.role < TrackRole::SamplesUser || track.role > TrackRole::SamplesEvents);
    }

    /// Input: a process whose first thread, which waits for the others, was not sampled. Property: the process has one lifetime.
    void aProcessHasOneLifeHoweverManyThreadsItHas()
    {
        constexpr std::uint32_t Exit = 4, Fork = 7;
        MadePerfData made;
        made.addAttribute({});
        const auto add = [&](std::uint32_t type, std::uint32_t tid, std::uint32_t parent, std::uint64_t at) {
            made.add(type, 0, made.trailer(made.make().u32(10).u32(parent).u32(tid).u32(parent).u64(at), parent, parent, at, 0));
        };
        add(Fork, 10, 1, 500);
        add(Fork, 11, 10, 600);
        add(Fork, 12, 10, 700);
        made.addSample(0x1000, 10, 11, 1000, 1, 7, InUser);
        made.addSample(0x1000, 10, 12, 2000, 0, 7, InUser);
        add(Exit, 11, 1, 2500);
        add(Exit, 12, 1, 2600);
        add(Exit, 10, 1, 2700);
        made.addSample(0x1000, 20, 20, 3000, 0, 7, InUser);

        const auto store = storesOf(*openedRecording(made), {"kernel"}).front();

        QStringList keys;
        for (const Track& track : store->tracks())
            if (track.role == TrackRole::Thread)
                keys << QString::fromStdString(track.key);
        keys.sort();
        QCOMPARE(keys, (QStringList{"tid:10", "tid:11", "tid:12", "tid:20"}));
    }

    void aSampledThreadHasItsProcess()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(0x1000, 10, 11, 1000, 1, 7, InUser);
        made.addSample(0x1000, 0, 0, 2000, 2, 7, InKernel); // A sample of the idle thread: makes no thread row, and no row of its CPU.
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
