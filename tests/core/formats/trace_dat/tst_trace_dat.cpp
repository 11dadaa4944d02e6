#include "tests/core/formats/trace_dat/made_trace_dat_reader.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace helio;

namespace {

/// Option TIME_SHIFT of a guest's file.
struct MadeClock {
    struct Sample {
        std::int64_t time = 0;
        std::int64_t offset = 0;
        std::uint64_t scaling = 1;
        std::uint64_t fraction = 0;
    };
    unsigned flags = 0;
    bool hasFractions = true;
    QVector<QVector<Sample>> cpus;

    QByteArray bytes(std::uint64_t hostId) const
    {
        MadeBytes all;
        all.u64(hostId).u32(flags).u32(std::uint64_t(cpus.size()));
        for (const auto& samples : cpus) {
            all.u32(std::uint64_t(samples.size()));
            for (const Sample& sample : samples)
                all.u64(std::uint64_t(sample.time));
            for (const Sample& sample : samples)
                all.u64(std::uint64_t(sample.offset));
            for (const Sample& sample : samples)
                all.u64(sample.scaling);
        }
        for (const auto& samples : cpus)
            for (const Sample& sample : samples)
                if (hasFractions)
                    all.u64(sample.fraction);
        return all.bytes;
    }
};

} // namespace

Q_DECLARE_METATYPE(MadeTraceDat)
Q_DECLARE_METATYPE(MadeClock)

/// Input: files of trace-cmd built byte by byte.
class TraceDatTest : public QObject, private MadeTraceDatReader {
    Q_OBJECT

private slots:
    void allLayoutsHaveTheSameEvents_data()
    {
        QTest::addColumn<MadeTraceDat>("made");
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            for (const unsigned longSize : {8U, 4U}) {
                for (const int version : {6, 7}) {
                    for (const char* compression : {"none", "zlib", "zstd"}) {
                        for (const bool writesPageSize : {true, false}) {
                            if (version == 6 && (QByteArray(compression) != "none" || !writesPageSize))
                                continue;
                            MadeTraceDat made = madeFile(order);
                            made.longSize = longSize;
                            made.version = version;
                            made.compression = compression;
                            made.writesPageSize = writesPageSize;
                            QTest::addRow("version %d, %s endian, long %u, %s%s", version, order == ByteOrder::Big ? "big" : "little",
                                          longSize, compression, writesPageSize ? "" : ", no page size")
                                << made;
                        }
                    }
                }
            }
        }
    }
    /// Input: two CPUs, one with two pages; all kinds of entries of a page: events of both sizes, time extensions, absolute times,
    /// discarded events, padding.
    void allLayoutsHaveTheSameEvents()
    {
        QFETCH(MadeTraceDat, made);
        const ByteOrder order = made.order;
        const std::uint64_t far = std::uint64_t{1} << 40;
        MadeRingPage first(1000, order, made.longSize);
        first.event(10, switchData(order, 7, 8, "worker"))
            .largeEvent(5, printData(order, 8, QByteArray(120, 'x')))
            .discarded(3, QByteArray(8, '\x7f'))
            .extend(far)
            .event(2, printData(order, 8, "after a long time"))
            .padded()
            .raw(QByteArray(8, '\x7f'));
        MadeRingPage second(far + 2000, order, made.longSize);
        second.stamp(far + 3000).event(0, switchData(order, 8, 0, "swapper/0"));
        MadeRingPage other(500, order, made.longSize);
        other.event(0, switchData(order, 0, 9, "exactly15chars!"));
        made.instances = {{"", "mono", {{0, first.bytes() + second.bytes()}, {1, other.bytes()}}}};

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        QCOMPARE(contentOf(*trace),
                 QStringList({"500 [1] sched_switch flags=1 preempt_count=2 tid=0: next_pid=9 next_comm=exactly15chars!",
                              "1010 [0] sched_switch flags=1 preempt_count=2 tid=7: next_pid=8 next_comm=worker",
                              "1015 [0] print flags=0 preempt_count=0 tid=8: buf=" + QString(120, 'x'),
                              "1099511628796 [0] print flags=0 preempt_count=0 tid=8: buf=after a long time",
                              "1099511630776 [0] sched_switch flags=1 preempt_count=2 tid=8: next_pid=0 next_comm=swapper/0"}));
        QCOMPARE(messagesOf(*trace), QStringList());
        QCOMPARE(trace->info().hostname, std::string("box"));
        QCOMPARE(trace->info().text("kernel_release"), std::string("6.1.0-test"));
        QCOMPARE(trace->info().text("machine"), std::string("x86_64"));
        QCOMPARE(trace->info().clock.name, std::string("mono"));
        QVERIFY(!trace->info().clock.isAbsolute);
    }

    /// Property: a loss lies between the last event before it and the first event after it, with or without its count.
    void lostEventsLieBetweenPages()
    {
        MadeTraceDat made = madeFile();
        const auto page = [](std::uint64_t clock) {
            return MadeRingPage(clock)
                .event(10, switchData(ByteOrder::Little, 1, 2, "a"))
                .event(10, switchData(ByteOrder::Little, 2, 1, "b"));
        };
        made.instances = {{"", "local", {{0, page(100).bytes() + page(200).lost(33).bytes() + page(300).lost(0, false).bytes()}}}};
        made.options += made.option(2, QByteArray("CPU: 0\noverrun: 40\ndropped events: 1\n\0", 38));

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        const QStringList lines = contentOf(*trace);
        QCOMPARE(lines.filter("lost"), QStringList({"lost 33 in 120..210 [0]", "lost 0 in 220..310 [0]"}));
        QCOMPARE(lines.size(), 8);
        QCOMPARE(messagesOf(*trace), QStringList("overrun 1")); // 41 events were lost, and the pages tell of 33 of them.
        QVERIFY(trace->diagnostics().front().what.find("dropped 8 events") != std::string::npos);
    }

    /// Property: a loss behind an event with the latest possible time, which only a damaged file has, is in range.
    void aLossAtTheEndOfAllTimesIsNotEmpty()
    {
        MadeTraceDat made = madeFile();
        const auto page = [](std::uint64_t clock) { return MadeRingPage(clock).event(10, switchData(ByteOrder::Little, 1, 2, "a")); };
        made.instances = {{"", "local", {{0, page(100).bytes() + page(200).lost(33).bytes()}}}};
        made.options += made.option(7, "9223372036854775807");

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        QCOMPARE(contentOf(*trace).filter("lost"), QStringList("lost 33 in 9223372036854775806..9223372036854775807 [0]"));
    }

    void clocksConvertToNanoseconds_data()
    {
        QTest::addColumn<QByteArray>("clock");
        QTest::addColumn<QByteArray>("option");
        QTest::addColumn<qint64>("time");
        const MadeTraceDat made;
        QTest::newRow("ns") << QByteArray("mono") << QByteArray() << qint64(1000);
        QTest::newRow("cycles") << QByteArray("x86-tsc") << made.option(14, MadeBytes().u32(3).u32(1).u64(50).bytes) << qint64(1500);
        QTest::newRow("cycles without conversion") << QByteArray("x86-tsc") << QByteArray() << qint64(1000);
        QTest::newRow("1/100 s") << QByteArray("uptime") << QByteArray() << qint64(10'000'000'000);
        QTest::newRow("date, in us") << QByteArray("local") << made.option(1, "0x10") << qint64(17'000);
        QTest::newRow("offset in ns") << QByteArray("local") << made.option(7, "-400") << qint64(600);
    }
    void clocksConvertToNanoseconds()
    {
        QFETCH(QByteArray, clock);
        QFETCH(QByteArray, option);
        QFETCH(qint64, time);
        for (const int version : {6, 7}) {
            MadeTraceDat made = madeFile();
            made.version = version;
            made.options += option;
            made.instances = {{"", clock, {{0, MadeRingPage(990).event(10, switchData(ByteOrder::Little, 1, 2, "a")).bytes()}}}};

            const auto trace = open(made.bytes());

            QVERIFY2(trace, m_error.c_str());
            QCOMPARE(contentOf(*trace).front().section(' ', 0, 0).toLongLong(), time);
            QCOMPARE(trace->info().clock.isAbsolute, option == made.option(1, "0x10"));
        }
    }

    void timesOfGuestsAreThoseOfTraceCmd_data()
    {
        QTest::addColumn<MadeClock>("clock");
        QTest::addColumn<bool>("hasTsc");
        const auto samples = [](auto... some) { return QVector<MadeClock::Sample>{some...}; };
        const MadeClock::Sample early{10'000'000'500, -500'000'000, 3 << 20, 21};
        const MadeClock::Sample middle{10'002'500'000, -499'000'001, 5 << 20, 22};
        const MadeClock::Sample late{10'006'000'000, 7'000'001, 7 << 20, 22};
        for (const bool hasTsc : {false, true}) {
            const auto row = [&](const char* name, MadeClock clock) {
                QTest::addRow("%s%s", name, hasTsc ? ", TSC" : "") << clock << hasTsc;
            };
            row("one sample", {0, true, {samples(early), samples(late)}});
            row("two samples", {0, true, {samples(early, late), samples(late, middle)}});
            row("three samples, interpolated", {1, true, {samples(early, middle, late), samples(late, early, middle)}});
            row("without fractions",
                {1, false, {samples(MadeClock::Sample{10'000'000'500, -5, 1, 0}, MadeClock::Sample{10'005'000'000, 99, 1, 0})}});
            row("same time twice", {1, true, {samples(early, early, late), samples(early, late, late)}});
        }
    }
    /// Property: the times of a guest's events are converted to its host's clock and equal those that `trace-cmd report` prints.
    void timesOfGuestsAreThoseOfTraceCmd()
    {
        QFETCH(MadeClock, clock);
        QFETCH(bool, hasTsc);
        if (QStandardPaths::findExecutable("trace-cmd").isEmpty())
            QSKIP("trace-cmd is missing");
        MadeTraceDat made = madeFile();
        made.options += made.option(11, MadeBytes().u64(0x2222).bytes) + made.option(12, clock.bytes(0x1111));
        if (hasTsc)
            made.options += made.option(14, MadeBytes().u32(1'250'000'000).u32(31).u64(5000).bytes);
        made.instances = {{"", hasTsc ? "x86-tsc" : "mono", {}}};
        for (int cpu = 0; cpu < 2; ++cpu) {
            MadeRingPage page(9'999'000'000 + std::uint64_t(cpu));
            for (int i = 0; i < 30; ++i)
                page.event(300'001, switchData(ByteOrder::Little, i + 1, 2, "a"));
            made.instances[0].cpus.push_back({cpu, page.bytes()});
        }

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        QCOMPARE(trace->info().session.id, std::string("0000000000002222"));
        QCOMPARE(trace->info().session.hostId, std::string("0000000000001111"));
        QStringList ours;
        MergedEvents events(*trace);
        while (events.next())
            ours << QString("[%1] %2").arg(events.event().cpu()).arg(nanoseconds(events.event().time()));
        QProcess process;
        process.start("trace-cmd", {"report", "-t", m_folder.filePath("trace.dat")});
        QVERIFY(process.waitForFinished());
        QStringList theirs;
        static const QRegularExpression line(R"re(\[(\d+)\]\s+(\d+)\.(\d{9}): )re");
        for (const QString& it : QString::fromUtf8(process.readAllStandardOutput()).split('\n'))
            if (const auto match = line.match(it); match.hasMatch())
                theirs << QString("[%1] %2")
                              .arg(match.captured(1).toInt())
                              .arg(match.captured(2).toLongLong() * 1'000'000'000 + match.captured(3).toLongLong());
        ours.sort();
        theirs.sort();
        QCOMPARE(theirs.size(), 60);
        QCOMPARE(ours, theirs);
    }

    void guestsOfAHostAreNamed()
    {
        MadeTraceDat made = madeFile();
        const auto guest = MadeBytes().raw(QByteArray("vm1\0", 4)).u64(0x2222).u32(2).u32(0).u32(900).u32(1).u32(901).bytes;
        made.options += made.option(11, MadeBytes().u64(0x1111).bytes) + made.option(13, guest) + made.option(13, guest.left(10));
        made.instances = {{"", "mono", {{0, MadeRingPage(1).event(0, switchData(ByteOrder::Little, 1, 2, "a")).bytes()}}}};

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        const RecordingSession& session = trace->info().session;
        QCOMPARE(session.id, std::string("0000000000001111"));
        QVERIFY(session.hostId.empty());
        QCOMPARE(session.guests.size(), std::size_t(2));
        QCOMPARE(session.guests[0].name, std::string("vm1"));
        QCOMPARE(session.guests[0].id, std::string("0000000000002222"));
        const std::vector<std::pair<std::int32_t, std::int32_t>> vcpus{{0, 900}, {1, 901}};
        QVERIFY(session.guests[0].vcpus == vcpus);
        QVERIFY(session.guests[1].vcpus.empty());
    }

    /// Property: options of trace.dat that the reader does not use are named and counted in messages; all events are read.
    void optionsThatAreNotUsedAreNamed()
    {
        for (const int version : {6, 7}) {
            MadeTraceDat made = madeFile();
            made.version = version;
            for (const unsigned id : {23U, 24U, 25U, 77U, 77U})
                made.options += made.option(id, "12345678");
            made.options += made.option(12, MadeBytes().u64(1).u32(0).u32(1).u32(4'000'000'000).bytes);
            made.instances = {{"", "mono", {{0, MadeRingPage(1).event(0, switchData(ByteOrder::Little, 1, 2, "a")).bytes()}}}};

            const auto trace = open(made.bytes());

            QVERIFY2(trace, m_error.c_str());
            QCOMPARE(contentOf(*trace).size(), 1);
            QStringList lines;
            for (const Diagnostic& diagnostic : trace->diagnostics())
                lines << QString::fromStdString(std::to_string(diagnostic.count) + " " + diagnostic.what);
            QCOMPARE(
                lines,
                QStringList({"1 the relation to the clock of the host is damaged", "1 not used: BTF", "1 not used: addresses of modules",
                             "1 not used: addresses of the last boot", "2 not used: unknown option 77"}));
        }
    }

    /// Property: instances with the clock of the first one are streams of the trace; another one is named in a message.
    void instancesWithAnotherClockAreNotMixedIn()
    {
        for (const int version : {6, 7}) {
            MadeTraceDat made = madeFile();
            made.version = version;
            const auto page = [](std::uint64_t clock) {
                return MadeRingPage(clock).event(0, switchData(ByteOrder::Little, 1, 2, "a")).bytes();
            };
            made.instances = {{"", "mono", {{0, page(100)}}}, {"other", "mono", {{1, page(50)}}}, {"third", "boot", {{1, page(10)}}}};

            const auto trace = open(made.bytes());

            QVERIFY2(trace, m_error.c_str());
            QCOMPARE(contentOf(*trace).size(), 2);
            QStringList labels;
            for (const StreamInfo& stream : trace->streams())
                labels << QString::fromStdString(stream.label);
            QCOMPARE(labels, QStringList({"cpu0", "other/cpu1"}));
            QCOMPARE(messagesOf(*trace), QStringList("other-clock 1"));
        }
    }

    /// Property: reading from the position of any batch gives the same events as reading from the start.
    void readingResumesAtEveryPosition()
    {
        MadeTraceDat made = madeFile();
        MadeRingPage page(1000);
        for (int i = 0; i < 100; ++i)
            page.event(std::uint64_t(i), switchData(ByteOrder::Little, i, i + 1, "a"));
        made.instances = {
            {"", "mono", {{0, page.bytes() + MadeRingPage(9000).event(1, switchData(ByteOrder::Little, 1, 2, "b")).bytes()}}}};
        const auto trace = open(made.bytes());
        QVERIFY2(trace, m_error.c_str());
        const QStringList all = contentOf(*trace);
        QCOMPARE(all.size(), 101);

        for (std::size_t most : {1, 7, 64}) {
            std::vector<StreamPosition> positions;
            EventBatch batch;
            batch.most = most;
            const auto stream = trace->openStream(0);
            while (stream->next(batch))
                positions.push_back(batch.begin);
            for (const StreamPosition& position : positions) {
                QStringList rest;
                MergedEvents events(*trace, std::span(&position, 1));
                while (events.next())
                    rest << printEvent(events.event());
                QCOMPARE(rest, all.mid(qsizetype(position.event)));
            }
        }
    }

    /// Property: names from saved_cmdlines are used only where the trace has no context switches, which name threads more exactly.
    void savedNamesAreUsedWithoutSwitches()
    {
        MadeTraceDat made = madeFile();
        made.commandLines = "7 worker\n8 has a space\nbad\n9\n";
        made.instances = {{"", "mono", {{0, MadeRingPage(10).event(0, printData(ByteOrder::Little, 7, "x")).bytes()}}}};
        const auto printOnly = open(made.bytes());
        QVERIFY(printOnly);
        QStringList names;
        for (const ProcessRecord& record : printOnly->processRecords())
            names << QString("%1 %2 %3").arg(nanoseconds(record.time)).arg(record.tid).arg(QString::fromStdString(record.name));
        QCOMPARE(names, QStringList({"10 7 worker", "10 8 has a space"}));

        made.instances[0].cpus[0].pages += MadeRingPage(20).event(0, switchData(ByteOrder::Little, 7, 8, "x")).bytes();
        const auto withSwitches = open(made.bytes());
        QVERIFY(withSwitches);
        QVERIFY(withSwitches->processRecords().empty());
    }

    void damageIsNamed_data()
    {
        QTest::addColumn<QByteArray>("page");
        QTest::addColumn<int>("events");
        QTest::addColumn<QString>("message");
        const QByteArray data = switchData(ByteOrder::Little, 1, 2, "a");
        QTest::newRow("event longer than the page's data")
            << MadeRingPage(1).event(0, data).raw(MadeBytes().u32(28).bytes).bytes() << 1 << QString("damaged-page 1");
        QTest::newRow("large event of size 0") << MadeRingPage(1).event(0, data).raw(MadeBytes().u32(0).u32(0).bytes).bytes() << 1
                                               << QString("damaged-page 1");
        QTest::newRow("more data than the page holds")
            << MadeBytes().u64(1).u64(5000).raw(QByteArray(4080, '\0')).bytes << 0 << QString("damaged-page 1");
        QTest::newRow("event of an unknown id")
            << MadeRingPage(1).event(0, MadeBytes().u16(999).u16(0).u32(1).bytes).event(0, data).bytes() << 1 << QString("unknown-event 1");
        QTest::newRow("event without room for its id")
            << MadeRingPage(1).largeEvent(0, {}).event(0, data).bytes() << 1 << QString("unknown-event 1");
    }
    void damageIsNamed()
    {
        QFETCH(QByteArray, page);
        QFETCH(int, events);
        QFETCH(QString, message);
        MadeTraceDat made = madeFile();
        const QByteArray good = MadeRingPage(100).event(0, switchData(ByteOrder::Little, 1, 2, "a")).bytes();
        made.instances = {{"", "mono", {{0, page + good}}}};

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        const QStringList lines = contentOf(*trace);
        QCOMPARE(lines.size() - lines.filter("lost").size(), events + 1);
        // The rest of a damaged page is a gap.
        QCOMPARE(lines.filter("lost").size(), message.startsWith("damaged") ? 1 : 0);
        QCOMPARE(messagesOf(*trace), QStringList(message));
    }

    /// Property: offsets near 2^32 in the descriptions, whose sums wrap, are not used.
    void hugeOffsetsAreNotUsed()
    {
        for (const bool isCommit : {true, false}) {
            MadeTraceDat made = madeFile();
            if (isCommit)
                made.commitOffset = "4294967292";
            else
                made.formats[0].replace("common_type;\toffset:0", "common_type;\toffset:4294967294");
            made.instances = {{"", "mono", {{0, MadeRingPage(1).event(0, switchData(ByteOrder::Little, 1, 2, "a")).bytes()}}}};
            const auto trace = open(made.bytes());
            QVERIFY2(trace, m_error.c_str());
            QVERIFY(contentOf(*trace).size() <= 1);
        }
    }

    /// Property: events that were lost before the first page of a CPU are named, and do not hide others that were overwritten.
    void lossesBeforeTheFirstPageAreNamed()
    {
        MadeTraceDat made = madeFile();
        MadeRingPage page(100);
        page.event(0, switchData(ByteOrder::Little, 1, 2, "a")).lost(777);
        made.instances = {{"", "mono", {{0, page.bytes()}}}};
        const auto trace = open(made.bytes());
        QVERIFY2(trace, m_error.c_str());
        QCOMPARE(messagesOf(*trace), QStringList("lost-before 777"));
    }

    /// Property: the text of a latency tracer, which trace-cmd stores instead of events or beside them, is named with a way to read it.
    void textsOfLatencyTracersAreNamed()
    {
        MadeTraceDat made = madeFile();
        made.version = 7;
        made.options += made.option(22, MadeBytes().u64(0).raw(QByteArray("\0local\0", 7)).bytes);
        QVERIFY(!open(made.bytes()));
        QVERIFY(m_error.find("trace-cmd report FILE > FILE.txt") != std::string::npos);
        made.instances = {{"", "mono", {{0, MadeRingPage(1000).event(10, switchData(ByteOrder::Little, 7, 8, "a")).bytes()}}}};
        const auto trace = open(made.bytes());
        QVERIFY2(trace, m_error.c_str());
        QCOMPARE(messagesOf(*trace), QStringList("latency-text 1"));
        QVERIFY(trace->diagnostics()[0].what.find("trace-cmd report FILE > FILE.txt") != std::string::npos);
    }

    void eventsAreFoundWithoutTheirOptions_data()
    {
        QTest::addColumn<QByteArray>("compression");
        QTest::addColumn<bool>("hasEarlyOptions");
        for (const char* compression : {"none", "zlib", "zstd"})
            for (const bool isEarly : {true, false})
                QTest::addRow("%s, options %s", compression, isEarly ? "early" : "late") << QByteArray(compression) << isEarly;
    }
    /// Property: in a file of version 7 that was cut before the options that locate the events, the events are found, and a message tells
    /// the user. After a cut within the events of a CPU, the CPU has its first events.
    void eventsAreFoundWithoutTheirOptions()
    {
        QFETCH(QByteArray, compression);
        QFETCH(bool, hasEarlyOptions);
        MadeTraceDat made = madeFile();
        made.version = 7;
        made.compression = compression;
        made.hasEarlyOptions = hasEarlyOptions;
        for (int cpu = 0; cpu < 2; ++cpu) {
            QByteArray pages;
            for (int page = 0; page < 6; ++page)
                pages += MadeRingPage(std::uint64_t(1000 + 100 * page + cpu))
                             .event(1, switchData(ByteOrder::Little, 10 + page, 20 + cpu, "a"))
                             .bytes();
            if (cpu == 0)
                made.instances = {{"", "mono", {}}};
            made.instances[0].cpus.push_back({cpu, pages});
        }
        const QByteArray whole = made.bytes();
        const auto trace = open(whole);
        QVERIFY2(trace, m_error.c_str());
        const QStringList all = contentOf(*trace);
        QCOMPARE(all.size(), 12);
        QCOMPARE(messagesOf(*trace), QStringList());

        const auto cut = open(whole.left(made.eventsEnd));
        QVERIFY2(cut, m_error.c_str());
        QCOMPARE(contentOf(*cut), all);
        QCOMPARE(messagesOf(*cut), QStringList({"damaged-options 1", "found-events 1"}));
        // Without the number of CPUs, which is among the first options, it is not certain that these are all CPUs.
        QCOMPARE(cut->diagnostics()[1].what.find("CPUs are numbered in the order of the file") == std::string::npos, hasEarlyOptions);

        // The last three pages of CPU 1 are one chunk if they are compressed.
        const auto shorter = open(whole.left(made.eventsEnd - (compression == "none" ? 3 * 4096 : 10)));
        QVERIFY2(shorter, m_error.c_str());
        QStringList left = all;
        left.removeIf(
            [](const QString& line) { return line.contains("next_pid=21") && line.contains(QRegularExpression("\\btid=1[345]\\b")); });
        QCOMPARE(left.size(), 9);
        QCOMPARE(contentOf(*shorter), left);
    }

    void otherFilesAreRefused()
    {
        QVERIFY(!open("no trace at all"));
        QVERIFY(m_error.empty());
        QVERIFY(!open(QByteArray("\x17\x08\x44tracing5\0\0\10\0\20\0\0", 19)));
        QVERIFY(m_error.find("version 5 of trace.dat is not supported") != std::string::npos);
        QVERIFY(!open(QByteArray("\x17\x08\x44tracing6\0\0\10\0\20\0\0", 19)));
        QVERIFY(m_error.find("the file ends before its buffers") != std::string::npos);
    }

    void damagedFilesAreReadWithoutHarm_data()
    {
        QTest::addColumn<MadeTraceDat>("made");
        for (const char* compression : {"6", "none", "zlib", "zstd"}) {
            MadeTraceDat made = madeFile();
            made.version = QByteArray(compression) == "6" ? 6 : 7;
            made.compression = made.version == 6 ? "none" : compression;
            const auto pageAt = [](std::uint64_t clock) {
                MadeRingPage page(clock);
                for (int i = 0; i < 20; ++i)
                    page.event(std::uint64_t(i), switchData(ByteOrder::Little, i, i + 1, "a"))
                        .largeEvent(1, printData(ByteOrder::Little, 3, "text"));
                return page;
            };
            made.commandLines = "7 worker\n";
            made.instances = {{"", "mono", {{0, pageAt(1000).bytes() + pageAt(2000).lost(3).bytes()}, {1, pageAt(1001).bytes()}}},
                              {"b", "mono", {{0, pageAt(1002).bytes()}}}};
            QTest::newRow(compression) << made;
        }
    }
    /// Property: for any bytes, reading ends and accesses no invalid memory. Run this test with the sanitizers.
    void damagedFilesAreReadWithoutHarm()
    {
        QFETCH(MadeTraceDat, made);
        const QByteArray whole = made.bytes();
        const auto read = [&](const QByteArray& bytes) {
            const auto trace = open(bytes);
            return trace ? int(contentOf(*trace).size()) : -1;
        };
        QCOMPARE(read(whole), 161);
        // In version 7, events before the cut are found without the options, which are at the end.
        for (qsizetype size = 0; size < whole.size(); size += size < 4000 ? 13 : 509)
            QVERIFY(made.version == 6 ? read(whole.left(size)) < 161 : read(whole.left(size)) <= 161);
        Dice dice(7);
        int opened = 0;
        for (int round = 0; round < 300; ++round) {
            opened += read(dice.damaged(whole)) >= 0;
        }
        QVERIFY(opened > 100);
    }
};

HELIO_TEST(TraceDatTest)
#include "tst_trace_dat.moc"
