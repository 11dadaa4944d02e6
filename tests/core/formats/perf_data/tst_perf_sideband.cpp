// Records other than samples: losses and mappings. Input: recordings built byte by byte.

#include "core/trace/merged_events.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

using Made = MadePerfData;

class PerfSidebandTest : public QObject {
    Q_OBJECT

private:
    /// Opens the recording and returns its gaps as text: "lost 42 cpu=1 150..300".
    QStringList lossesOf(const QByteArray& bytes)
    {
        const QString path = m_folder.filePath("perf.data");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        file.close();
        m_trace = openPerfData(path.toStdString());
        if (!m_trace)
            return {"not opened"};
        QStringList all;
        MergedEvents events(*m_trace);
        const auto take = [&] {
            for (const Loss& loss : events.takeLosses())
                all << QString("lost %1 cpu=%2 %3..%4")
                           .arg(loss.events)
                           .arg(loss.cpu)
                           .arg(nanoseconds(loss.range.begin))
                           .arg(nanoseconds(loss.range.end));
        };
        while (events.next())
            take();
        take();
        return all;
    }

    QStringList kindsOf() const
    {
        QStringList kinds;
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            kinds << QString("%1 x%2").arg(QString::fromStdString(diagnostic.kind)).arg(diagnostic.count);
        return kinds;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;

private slots:
    /// Input: samples and lost events without a CPU. Property: the CPU of lost events is that of their event ID in the recorder's index
    /// (PERF_RECORD_ID_INDEX).
    void aLossIsOnTheCpuOfItsId()
    {
        constexpr std::uint64_t Ip = 0x1, Tid = 0x2, Time = 0x4, Identifier = 0x10000;
        Made made;
        MadeAttribute attribute;
        attribute.sampleType = Ip | Tid | Time | Identifier;
        attribute.ids = {561, 562};
        made.addAttribute(attribute);
        made.add(69, 0, made.make().u64(2).u64(561).u64(0).u64(0).u64(-1ull).u64(562).u64(1).u64(1).u64(-1ull));
        const auto sample = [&](std::uint64_t id, std::uint64_t time) {
            made.add(9, 2, made.make().u64(id).u64(1).u32(1).u32(1).u64(time));
        };
        sample(561, 100);
        sample(562, 150);
        sample(561, 200);
        made.add(2, 0, made.make().u64(562).u64(42).u32(1).u32(1).u64(300).u64(562));

        QCOMPARE(lossesOf(made.file()), QStringList("lost 42 cpu=1 150..300"));
    }

    /// Input: an exec that was recorded after the mappings of its program, because each CPU has its own buffer. Property: records are
    /// sorted by time.
    void recordsBeforeTheFirstSampleAreInOrderOfTime()
    {
        constexpr std::uint16_t User = 2, ByExec = 1 << 13;
        Made made;
        made.addAttribute({});
        const auto mmap = [&](std::uint64_t time, const char* path) {
            made.add(1, User, made.trailer(made.make().u32(20).u32(20).u64(0x400000).u64(0x1000).u64(0).text(path), 20, 20, time, 0));
        };
        mmap(900, "/bin/new");
        made.add(3, ByExec, made.trailer(made.make().u32(20).u32(20).text("new"), 20, 20, 800, 1));
        mmap(700, "/bin/old");
        mmap(0, "/bin/first"); // A mapping that existed before the recording; its time is 0.
        made.addSample(0x400010, 20, 20, 1000, 0, 1);

        lossesOf(made.file());
        QStringList order;
        for (const ProcessRecord& record : m_trace->processRecords())
            order << QString("%1 %2")
                         .arg(nanoseconds(record.time))
                         .arg(QString::fromStdString(record.kind == ProcessRecord::Kind::Map
                                                         ? m_trace->modules()[std::size_t(record.mapping.module)].path
                                                         : record.name));

        QCOMPARE(order, (QStringList{"1000 /bin/first", "1000 /bin/old", "1000 new", "1000 /bin/new"}));
    }

    /// Input: a recording of a thread, without the CPU in its samples. Property: an event's CPU follows from the id in the event, because a
    /// record of type PERF_RECORD_ID_INDEX (69) gives the CPU of each id.
    void aSampleIsOnTheCpuOfItsId()
    {
        constexpr std::uint64_t Ip = 0x1, Tid = 0x2, Time = 0x4, Identifier = 0x10000;
        Made made;
        MadeAttribute attribute;
        attribute.sampleType = Ip | Tid | Time | Identifier;
        attribute.ids = {561, 562, 563};
        made.addAttribute(attribute);
        const std::uint64_t any = -1ull;
        made.add(69, 0, made.make().u64(2).u64(561).u64(0).u64(3).u64(7).u64(562).u64(1).u64(any).u64(7));
        for (const std::uint64_t id : {561, 562, 563})
            made.add(9, 2, made.make().u64(id).u64(1).u32(1).u32(1).u64(100 + id));
        lossesOf(made.file());
        QList<int> cpus;
        for (MergedEvents events(*m_trace); events.next();)
            cpus << events.event().cpu();
        QCOMPARE(cpus, (QList<int>{3, -1, -1}));
    }

    void whichThreadsAndCpusWereRecordedIsReported_data()
    {
        QTest::addColumn<QList<int>>("threads");
        QTest::addColumn<QByteArray>("cpus");
        QTest::addColumn<QString>("part");
        const Made made;
        const QByteArray both = made.make().u16(0).u16(2).u16(0).u16(1).bytes;
        QTest::newRow("all") << QList{-1} << both << "";
        QTest::newRow("not reported") << QList<int>() << QByteArray() << "";
        QTest::newRow("threads") << QList{7, 8} << both << "7 8 and children";
        QTest::newRow("threads, on any CPU") << QList{7} << made.make().u16(0).u16(1).u16(0xffff).bytes << "7 and children";
        QTest::newRow("a CPU by number") << QList{-1} << made.make().u16(0).u16(1).u16(1).bytes << "some CPUs";
        QTest::newRow("a CPU by mask") << QList{-1} << made.make().u16(1).u16(1).u16(8).u32(0).u64(2).bytes << "some CPUs";
        QTest::newRow("CPUs by the high end of a mask") << QList{-1} << made.make().u16(1).u16(1).u16(8).u32(0).u64(3ull << 62).bytes << "";
        QTest::newRow("CPUs by mask") << QList{-1} << made.make().u16(1).u16(1).u16(4).u32(3).bytes << "";
        QTest::newRow("a CPU by range") << QList{-1} << made.make().u16(2).u8(0).u8(0).u16(1).u16(1).bytes << "some CPUs";
        QTest::newRow("CPUs by range") << QList{-1} << made.make().u16(2).u8(0).u8(0).u16(0).u16(1).bytes << "";
        QTest::newRow("cut short") << QList{-1} << made.make().u16(2).u8(0).bytes << "";
    }
    void whichThreadsAndCpusWereRecordedIsReported()
    {
        QFETCH(QList<int>, threads);
        QFETCH(QByteArray, cpus);
        QFETCH(QString, part);
        Made made;
        MadeAttribute attribute;
        attribute.flags |= 2; // Sets the flag inherit: perf also records the children of the recorded threads.
        made.addAttribute(attribute);
        made.addFeature(7, made.make().u32(2).u32(2));
        MadeBytes map = made.make().u64(std::uint64_t(threads.size()));
        for (const int tid : threads)
            map.u64(std::uint64_t(std::int64_t(tid))).raw(QByteArray(16, '\0'));
        made.add(73, 0, map);
        made.add(74, 0, made.make().raw(cpus));
        made.addSample(1, 7, 7, 100, 0, 1);
        lossesOf(made.file());
        const RecordingScope& found = m_trace->info().part;
        QStringList words;
        for (const int tid : found.threads)
            words << QString::number(tid);
        words << (found.hasChildren ? QStringList("and children") : QStringList())
              << (found.hasAllCpus ? QStringList() : QStringList("some CPUs"));
        QCOMPARE(words.join(' '), part);
        // No diagnostics about missing CPUs or threads: without scheduling events, there are no states that could be incomplete.
        QVERIFY(m_trace->diagnostics().empty());
    }

    /// Input: lost-sample records at the end of a recording. They have no time and no CPU, and contain the sum of the losses that the
    /// kernel reported before, plus those it could not report. Property: only the difference is a further loss.
    void theClosingSumOfLostSamplesIsNoFurtherGap_data()
    {
        QTest::addColumn<QList<int>>("sums");
        QTest::addColumn<QString>("rest");
        QTest::newRow("the same") << QList{30, 12} << "";
        QTest::newRow("of records that were no samples, too") << QList{30, 2} << "";
        QTest::newRow("more, that nobody could report") << QList{30, 20} << "lost 8 cpu=-1 310..311";
    }
    void theClosingSumOfLostSamplesIsNoFurtherGap()
    {
        QFETCH(QList<int>, sums);
        QFETCH(QString, rest);
        Made made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 100, 0, 1);
        made.addSample(2, 1, 1, 150, 1, 1);
        made.add(2, 0, made.trailer(made.make().u64(1).u64(42), 1, 1, 300, 1));
        made.addSample(3, 1, 1, 310, 0, 1);
        for (const int sum : sums)
            made.add(13, 0, made.trailer(made.make().u64(std::uint64_t(sum)), 0, 0, 0, 0));
        constexpr std::uint16_t ByFilter = 1 << 15;
        made.add(13, ByFilter, made.trailer(made.make().u64(5), 0, 0, 0, 0));

        const QStringList losses = lossesOf(made.file());

        QCOMPARE(losses, (QStringList{"lost 42 cpu=1 150..300"} + (rest.isEmpty() ? QStringList() : QStringList{rest})));
        QCOMPARE(kindsOf().filter("filtered-samples").size(), 1);
        QVERIFY(kindsOf().filter("filtered-samples").first().contains("x5"));
    }

    void whatMayNotBeExecutedIsMappedAsData()
    {
        constexpr std::uint16_t User = 2, Data = 1 << 13;
        constexpr std::uint32_t Read = 1, Execute = 4;
        Made made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 1000, 0, 1);
        const auto mmap = [&](std::uint16_t flags) {
            made.add(1, User | flags,
                     made.trailer(made.make().u32(20).u32(20).u64(0x400000).u64(0x1000).u64(0).text("/bin/a"), 20, 20, 0, 0));
        };
        const auto mmap2 = [&](std::uint32_t protection) {
            MadeBytes body = made.make().u32(20).u32(20).u64(0x600000).u64(0x1000).u64(0).u64(0).u64(0).u64(0).u32(protection).u32(2);
            made.add(10, User, made.trailer(body.text("/bin/a"), 20, 20, 0, 0));
        };
        mmap(0);
        mmap(Data);
        mmap2(Read | Execute);
        mmap2(Read);

        lossesOf(made.file());
        std::vector<bool> isCode;
        for (const ProcessRecord& record : m_trace->processRecords())
            isCode.push_back(record.mapping.isCode);

        QCOMPARE(isCode, (std::vector{true, false, true, false}));
    }
};

HELIO_TEST(PerfSidebandTest)
#include "tst_perf_sideband.moc"
