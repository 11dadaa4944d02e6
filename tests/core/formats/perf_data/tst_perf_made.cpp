#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/field_value.h"
#include "tests/core/formats/perf_data/made_perf_reader.h"
#include "tests/support/dice.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <zstd.h>

using namespace helio;
using Made = MadePerfData;

/// Input: recordings built byte by byte, for features that the development machine cannot record.
class PerfMadeTest : public QObject, private MadePerfReader {
    Q_OBJECT

private:
    /// Makes samples that compression reduces to a third at best.
    static Made incompressibleSamples(int count)
    {
        Made made;
        made.addAttribute({});
        Dice dice(1);
        for (int i = 0; i < count; ++i)
            made.addSample(dice.below(~0ull), 1, 1, std::uint64_t(i), std::uint32_t(dice.below(4)), dice.below(~0ull));
        return made;
    }

    static QByteArray zstd(const QByteArray& plain)
    {
        QByteArray packed(qsizetype(ZSTD_compressBound(std::size_t(plain.size()))), '\0');
        packed.truncate(
            qsizetype(ZSTD_compress(packed.data(), std::size_t(packed.size()), plain.constData(), std::size_t(plain.size()), 1)));
        return packed;
    }

    /// Appends the compressed records as perf 6.16 writes them, with `sizes` bytes of data each. The first header has the length of all
    /// records; the lengths in later headers are garbage. Returns the number of bytes written from `stream`.
    static qsizetype addPush(Made& made, const QByteArray& stream, const QList<int>& sizes)
    {
        MadeBytes push = made.make();
        qsizetype taken = 0;
        for (const int size : sizes) {
            const QByteArray piece = stream.mid(taken, size);
            if (piece.isEmpty())
                break;
            push.u32(83).u16(0).u16(std::uint64_t(16 + piece.size())).u64(0x1234567890abcdef).raw(piece);
            taken += piece.size();
        }
        const qsizetype aligned = (push.bytes.size() + 7) / 8 * 8;
        push.bytes.replace(6, 10, made.make().u16(std::uint64_t(aligned)).u64(std::uint64_t(push.bytes.size()) - 16).bytes);
        if (aligned < 65'536)
            push.bytes.append(aligned - push.bytes.size(), '\0');
        made.data += push.bytes;
        return taken;
    }

    QStringList kindsOf() const
    {
        QStringList kinds;
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            kinds << QString("%1 x%2 @%3").arg(QString::fromStdString(diagnostic.kind)).arg(diagnostic.count).arg(diagnostic.offset);
        return kinds;
    }

private slots:
    void aSampleIsReadInEitherByteOrderAndAsAPipe_data()
    {
        QTest::addColumn<int>("order");
        QTest::addColumn<bool>("isPipe");
        QTest::newRow("little") << 0 << false;
        QTest::newRow("big") << 1 << false;
        QTest::newRow("little, pipe") << 0 << true;
        QTest::newRow("big, pipe") << 1 << true;
    }
    void aSampleIsReadInEitherByteOrderAndAsAPipe()
    {
        QFETCH(int, order);
        QFETCH(bool, isPipe);
        Made made(order ? ByteOrder::Big : ByteOrder::Little);
        made.addAttribute({});
        made.addFeature(3, made.make().counted("box"));
        made.addSample(0x401000, 10, 11, 5000, 3, 250);
        made.add(3, 0, made.trailer(made.make().u32(10).u32(11).text("worker"), 10, 11, 4000, 3));

        const auto events = eventsOf(isPipe ? made.pipe() : made.file());

        // Bit fields, in the order of their bits in this byte order.
        const QString bits = order ? "exact_ip=0 cpumode=user" : "cpumode=user exact_ip=0";
        QCOMPARE(events, QStringList("5000 cpu-clock cpu=3 (pid=10 tid=11) {" + bits + " ip=0x401000 period=250}"));
        QCOMPARE(m_trace->info().hostname, "box");
        QCOMPARE(m_trace->processRecords().size(), std::size_t(1));
        QCOMPARE(m_trace->processRecords().front().name, "worker");
        QVERIFY(m_trace->diagnostics().empty());
    }

    void attributesOfAnySizeAreRead()
    {
        for (const std::uint32_t size : {64, 72, 80, 96, 104, 112, 120, 128, 136, 200}) {
            Made made(ByteOrder::Little, size);
            made.addAttribute({});
            made.addSample(1, 2, 3, 4, 5, 6);
            for (const QByteArray& bytes : {made.file(), made.pipe()})
                QCOMPARE(eventsOf(bytes), QStringList("4 cpu-clock cpu=5 (pid=2 tid=3) {cpumode=user exact_ip=0 ip=0x1 period=6}"));
        }
    }

    void samplesAreInOrderOfTimeAndThenOfTheFile()
    {
        Made made;
        made.addAttribute({});
        for (const std::uint64_t time : {30, 10, 20, 10})
            made.addSample(100 * time + std::uint64_t(made.data.size()), 1, 1, time, 0, 1);

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 4);
        QVERIFY(events[0].contains("ip=0x418")); // The ip of a sample is 100 * time + its offset in the data: 0x418 is 100 * 10 + 48.
        // 0x478 is 100 * 10 + 144: this sample also has the time 10, and comes later in the file.
        QVERIFY(events[1].contains("ip=0x478"));
        QVERIFY(events[2].startsWith("20 ") && events[3].startsWith("30 "));
    }

    void eventsAreDistinguishedByTheirIds()
    {
        compareEventsOfIds(true);
        compareEventsOfIds(false);
    }

    void compareEventsOfIds(bool hasIdentifier) // A private function, because Qt Test calls each private slot as a test.
    {
        const std::uint64_t type = 0x1 | 0x2 | 0x4 | (hasIdentifier ? 1u << 16 : 1u << 6);
        Made made;
        MadeAttribute a;
        a.sampleType = type;
        a.ids = {71, 72};
        MadeAttribute b = a;
        b.config = 2;
        b.ids = {81};
        made.addAttribute(a);
        made.addAttribute(b);
        for (const std::uint64_t id : {72, 81, 99}) {
            MadeBytes body = made.make();
            if (hasIdentifier)
                body.u64(id);
            body.u64(0x10).u32(1).u32(1).u64(id);
            if (!hasIdentifier)
                body.u64(id);
            made.add(9, 1, body);
        }

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 2);
        QVERIFY(events[0].startsWith("72 cpu-clock"));
        QVERIFY(events[1].startsWith("81 page-faults"));
        QCOMPARE(kindsOf().size(), 1);
        QVERIFY(kindsOf()[0].startsWith("unknown-event x1"));
    }

    /// Input: several events with the same name, in pipe mode without event descriptions. Property: their labels are distinct, because
    /// modifiers (":uhH") and, if those are equal, numbers ("#2") are appended.
    void eventsOfOneNameHaveLabelsOfTheirOwn()
    {
        constexpr std::uint64_t ExcludeUser = 1 << 4, ExcludeKernel = 1 << 5, ExcludeHypervisor = 1 << 6, ExcludeGuest = 1 << 20;
        const auto labels = [this](std::initializer_list<std::uint64_t> flags) {
            Made made;
            std::uint64_t id = 0;
            for (const std::uint64_t it : flags) {
                MadeAttribute a;
                a.sampleType |= 1u << 16;
                a.flags |= it | ExcludeGuest;
                a.ids = {++id};
                made.addAttribute(a);
                made.add(9, 2, made.make().u64(id).u64(1).u32(1).u32(1).u64(id).u32(0).u32(0).u64(1));
            }
            QStringList found{QString::number(eventsOf(made.pipe()).size())};
            for (const SampleEvent& event : m_trace->samples()->events())
                found << QString::fromStdString(event.name);
            return found.join(' ');
        };

        QCOMPARE(labels({0}), QString("1 cpu-clock"));
        QCOMPARE(labels({0, 0, 0}), QString("3 cpu-clock cpu-clock#2 cpu-clock#3"));
        QCOMPARE(labels({ExcludeKernel | ExcludeHypervisor, ExcludeUser | ExcludeHypervisor}), QString("2 cpu-clock:uH cpu-clock:kH"));
        QCOMPARE(labels({ExcludeKernel, ExcludeKernel}), QString("2 cpu-clock:uhH cpu-clock:uhH#2"));
        QVERIFY(!isTracepoint("cpu-clock:uhH#2"));
        QVERIFY(isTracepoint("sched:sched_switch#2"));
    }

    void everyPartOfASampleIsAField()
    {
        Made made;
        MadeAttribute a;
        // All sample fields except PERF_SAMPLE_WEIGHT (bit 14). The kernel does not allow this field together with
        // PERF_SAMPLE_WEIGHT_STRUCT (bit 24).
        a.sampleType = (1u << 25) - 1 - (1u << 14);
        a.readFormat = 31;
        a.branchType = 1u << 17;
        a.userRegisters = 0x101;
        a.ids = {7};
        made.addAttribute(a);
        made.addFeature(6, made.make().counted("x86_64"));
        MadeBytes body = made.make();
        body.u64(7).u64(0xabc).u32(10).u32(11).u64(5000).u64(0xdddd).u64(7).u64(8).u32(3).u32(0).u64(250);
        body.u64(1).u64(100).u64(90).u64(55).u64(7).u64(2); // Values that were read from a group with one counter.
        body.u64(3).u64(callchain::User).u64(0xabc).u64(0xdef);
        body.u32(4).u32(0x04030201);
        body.u64(1).u64(~0ull).u64(0xf0).u64(0xf1).u64(0x20);
        body.u64(2).u64(0x1111).u64(0x8888);
        body.u64(16).u64(0x5151).u64(0x5252).u64(8);
        body.u32(1000).u16(22).u16(33);
        body.u64(0xda).u64(0x7a);
        body.u64(0);
        body.u64(0x9999).u64(0xc6).u64(4096).u64(8192);
        body.u64(2).raw("zz");
        made.add(9, 1, body);

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 1);
        QCOMPARE(
            events[0],
            "5000 cpu-clock cpu=3 (pid=10 tid=11) {cpumode=kernel exact_ip=0 ip=0xabc addr=0xdddd id=7 stream_id=8 period=250 "
            "read={nr=1,time_enabled=100,time_running=90,values=[{value=55,id=7,lost=2}]} callchain=[0xfffffffffffffe00,0xabc,0xdef] "
            "raw=[0x1,0x2,0x3,0x4] branch_hw_index=18446744073709551615 branches=[{from=0xf0,to=0xf1,flags=0x20}] user_registers_abi=2 "
            "user_registers={ax=0x1111,ip=0x8888} user_stack_size=16 user_stack={used=8} weight=1000 weight2=22 weight3=33 data_src=0xda "
            "transaction=0x7a interrupt_registers_abi=0 interrupt_registers={} phys_addr=0x9999 cgroup=198 data_page_size=4096 "
            "code_page_size=8192 aux_size=2}");
        MergedEvents walk(*m_trace);
        QVERIFY(walk.next());
        SampleView sample;
        QVERIFY(m_trace->samples()->read(walk.event(), sample));
        QCOMPARE(sample.callchain.size(), std::size_t(3));
        QCOMPARE(sample.callchain[2], std::uint64_t(0xdef));
        QCOMPARE(sample.user.registers[1], std::uint64_t(0x8888));
        QCOMPARE(sample.user.stack.size(), std::size_t(8));
        QVERIFY(!sample.user.isStackTruncated);
        QCOMPARE(sample.address, std::uint64_t(0xdddd));
        QCOMPARE(int(sample.mode), int(CodeMode::Kernel));
        QCOMPARE(sample.period, std::uint64_t(55)); // The period is 55, the counter's read value, instead of the recorded period 250.
    }

    void aGroupsSampleIsOneOfEachEventThatWentOn()
    {
        Made made;
        MadeAttribute a;
        a.sampleType |= 0x10;
        a.readFormat = 4 | 8; // Each sample contains the values of all counters of the group (8), with their ids (4).
        a.ids = {1};
        MadeAttribute b = a;
        b.config = 2;
        b.ids = {2};
        a.sampleType |= 1u << 16;
        b.sampleType |= 1u << 16;
        made.addAttribute(a);
        made.addAttribute(b);
        std::uint64_t faults = 5;
        for (const std::uint64_t time : {10, 20}) {
            MadeBytes body = made.make().u64(1).u64(0x1).u32(1).u32(1).u64(time).u32(0).u32(0).u64(99);
            made.add(9, 2, body.u64(2).u64(time * 100).u64(1).u64(faults).u64(2));
        }

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 3);
        QVERIFY(events[1].contains("page-faults"));
        const auto samples = readSamples(*m_trace);
        QCOMPARE(samples[0].period, std::uint64_t(1000));
        QCOMPARE(samples[1].period, std::uint64_t(5));
        QCOMPARE(samples[2].period, std::uint64_t(1000));
    }

    void switchesAreEventsOfTheirOwn()
    {
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            Made made(order);
            made.addAttribute({});
            made.addSample(1, 5, 5, 10, 1, 1);
            made.add(14, 0, made.trailer(made.make(), 5, 6, 20, 1));
            made.add(15, 3 << 13, made.trailer(made.make().u32(7).u32(8), 5, 6, 30, 1));

            const auto events = eventsOf(made.file());

            QCOMPARE(events.size(), 3);
            // Bit fields, in the order of their bits in this byte order.
            const QString bits = order == ByteOrder::Big ? "preempt=%1 out=%1" : "out=%1 preempt=%1";
            QCOMPARE(events[1], "20 PERF_RECORD_SWITCH cpu=1 (pid=5 tid=6) {" + bits.arg(0) + "}");
            QCOMPARE(events[2], "30 PERF_RECORD_SWITCH_CPU_WIDE cpu=1 (pid=5 tid=6) {" + bits.arg(1) + " next_prev_pid=7 next_prev_tid=8}");
        }
    }

    void lostEventsAreALossSinceTheCpusLastEvent()
    {
        Made made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 100, 0, 1);
        made.addSample(2, 1, 1, 150, 1, 1);
        made.add(2, 0, made.trailer(made.make().u64(1).u64(42), 1, 1, 300, 0));
        made.addSample(3, 1, 1, 310, 0, 1);
        made.add(13, 0, made.trailer(made.make().u64(7), 1, 1, 400, 1));

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 5);
        QVERIFY(events[0].startsWith("100 ") && events[1].startsWith("150 ") && events[2].startsWith("310 "));
        QCOMPARE(events[3], "lost 42 cpu=0 100..300");
        QCOMPARE(events[4], "lost 7 cpu=1 150..400");
    }

    void compressedRecordsMayStraddleThePieces_data()
    {
        QTest::addColumn<int>("type");
        QTest::newRow("COMPRESSED") << 81;
        QTest::newRow("COMPRESSED2") << 83;
    }
    void compressedRecordsMayStraddleThePieces()
    {
        QFETCH(int, type);
        Made made;
        made.addAttribute({});
        for (int i = 0; i < 100; ++i)
            made.addSample(std::uint64_t(i), 1, 1, std::uint64_t(1000 - i), 0, 1);
        const QByteArray plain = std::exchange(made.data, {});
        ZSTD_CCtx* context = ZSTD_createCCtx();
        for (qsizetype at = 0; at < plain.size(); at += 333) { // Compressed parts end inside of records, which have 48 bytes.
            const QByteArray piece = plain.mid(at, 333);
            QByteArray packed(1000, '\0');
            ZSTD_inBuffer in{piece.data(), std::size_t(piece.size()), 0};
            ZSTD_outBuffer out{packed.data(), std::size_t(packed.size()), 0};
            ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
            packed.truncate(qsizetype(out.pos));
            MadeBytes body = made.make();
            if (type == 83) {
                body.u64(std::uint64_t(packed.size())).raw(packed);
                body.bytes.append((8 - body.bytes.size() % 8) % 8, '\0');
            } else {
                body.raw(packed);
            }
            made.add(std::uint32_t(type), 0, body);
        }
        ZSTD_freeCCtx(context);

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 100);
        QVERIFY(events.front().contains("ip=0x63 ") && events.front().startsWith("901 "));
        QVERIFY(events.back().startsWith("1000 "));
        QVERIFY(m_trace->diagnostics().empty());

        QByteArray cut = made.file();
        cut.truncate(cut.size() - 20);
        QVERIFY(eventsOf(cut).size() > 80);
        QVERIFY(!m_trace->diagnostics().empty());
    }

    /// Input: compressed records of perf 6.16, whose first header has the length of all of them. If this length exceeds 16 bits, no
    /// padding follows.
    void piecesWhoseLengthDoesNotFitIntoTheHeaderAreRead_data()
    {
        QTest::addColumn<QList<int>>("pieces");
        QTest::newRow("padded") << QList{65'500};
        for (int size = 65'512; size <= 65'519; ++size)
            QTest::newRow(qPrintable(QString("%1 bytes").arg(size))) << QList{size};
        QTest::newRow("a full piece and a byte") << QList{65'519, 1};
        QTest::newRow("two full pieces") << QList{65'519, 65'519};
        QTest::newRow("many pieces") << QList{65'519, 65'519, 65'519, 65'519, 65'519, 30'001};
    }
    void piecesWhoseLengthDoesNotFitIntoTheHeaderAreRead()
    {
        QFETCH(QList<int>, pieces);
        Made made = incompressibleSamples(30'000);
        const QByteArray packed = zstd(std::exchange(made.data, {}));
        QVERIFY(packed.size() > 500'000);
        int pushes = 0;
        for (qsizetype at = 0; at < packed.size(); ++pushes)
            at += addPush(made, packed.mid(at), pieces);
        QVERIFY(pushes > 1);

        const auto events = eventsOf(made.file());

        QCOMPARE(events.size(), 30'000);
        QCOMPARE(kindsOf(), QStringList());
    }

    void damagedPiecesAreReportedWhereTheyLie_data()
    {
        QTest::addColumn<int>("at"); // Offset of the damage from the beginning of the first compressed record.
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("kind");
        const int second = 16 + 65'519;
        QTest::newRow("a length beyond the file") << 8 << QByteArray("\0\0\0\1\0\0\0\0", 8) << "truncated-record";
        QTest::newRow("a length of all ones") << 8 << QByteArray(8, '\xff') << "truncated-record";
        QTest::newRow("a piece of another type") << second << QByteArray("\x09", 1) << "damaged-record";
        QTest::newRow("a piece of no size") << second + 6 << QByteArray(2, '\0') << "damaged-record";
        QTest::newRow("a piece beyond its push") << second + 6 << QByteArray(2, '\xff') << "damaged-record";
    }
    void damagedPiecesAreReportedWhereTheyLie()
    {
        QFETCH(int, at);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, kind);
        Made made = incompressibleSamples(6'000);
        const QByteArray packed = zstd(std::exchange(made.data, {}));
        addPush(made, packed, {65'519, 1'000});
        const qsizetype begin = made.file().size() - made.data.size();
        made.data.replace(at, bytes.size(), bytes);

        const auto events = eventsOf(made.file());

        const qsizetype where = begin + (at >= 65'519 ? 16 + 65'519 : 0);
        QCOMPARE(kindsOf().filter(kind), QStringList(QString("%1 x1 @%2").arg(kind).arg(where)));
        QCOMPARE(events.size() > 1'000, at >= 65'519); // Events before the damage are read.
    }

    void theClockIsAnchoredWhereTheFileSaysHow()
    {
        Made made;
        made.addAttribute({});
        made.addFeature(29, made.make().u32(1).u32(1).u64(1'700'000'000'000'000'000).u64(1'000));
        made.addSample(1, 1, 1, 1'500, 0, 1);

        for (const QByteArray& bytes : {made.file(), made.pipe()}) {
            const auto events = eventsOf(bytes);
            QVERIFY(events[0].startsWith("1700000000000000500 "));
            QVERIFY(m_trace->info().clock.isAbsolute);
        }
    }

    void anUnfinishedRecordingIsReadToItsEnd()
    {
        Made made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 10, 0, 1);
        made.dataSize = 0;
        QCOMPARE(eventsOf(made.file()).size(), 1);
        QVERIFY(kindsOf()[0].startsWith("unfinished-recording"));
    }

    void aRecordThatCannotBeEndsTheFileAndIsReported()
    {
        Made made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 10, 0, 1);
        const auto at = std::uint64_t(made.file().size());
        made.data += made.make().u32(9).u16(0).u16(4).bytes;
        made.addSample(1, 1, 1, 20, 0, 1);

        QCOMPARE(eventsOf(made.file()).size(), 1);
        QCOMPARE(kindsOf(), QStringList(QString("damaged-record x1 @%1").arg(at)));
    }

    void unknownRecordsAreCounted()
    {
        Made made;
        made.addAttribute({});
        made.add(40, 0, made.make().u64(0));
        made.add(40, 0, made.make().u64(0));
        made.add(200, 0, made.make().u64(0));
        made.addSample(1, 1, 1, 10, 0, 1);
        QCOMPARE(eventsOf(made.file()).size(), 1);
        QCOMPARE(kindsOf().size(), 2);
        QVERIFY(kindsOf()[0].startsWith("unknown-record x2"));
    }

    void aSampleShorterThanItsPartsIsLeftOut()
    {
        Made made;
        MadeAttribute a;
        a.sampleType = 0x4 | 0x20;
        made.addAttribute(a);
        made.add(9, 0, made.make().u64(1).u64(1000).u64(2));
        made.add(9, 0, made.make().u64(2).u64(~0ull / 8 + 2).u64(2));
        made.add(9, 0, made.make().u64(3).u64(1).u64(2));

        QCOMPARE(eventsOf(made.file()).size(), 1);
        QVERIFY(kindsOf()[0].startsWith("damaged-sample x2"));
    }

    void pipesCarryTracepointFormatsBesideTheirRecords()
    {
        Made made(ByteOrder::Big);
        MadeAttribute a;
        a.type = 2;
        a.config = 314;
        a.sampleType = 0x2 | 0x4 | 0x20 | 0x400;
        a.ids = {1};
        made.addAttribute(a);
        const std::string_view format =
            "name: thing\nID: 314\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
            "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
            "\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:1;\n"
            "\tfield:__data_loc char[] path;\toffset:16;\tsize:4;\tsigned:1;\n"
            "\tfield:__rel_loc u16[] list;\toffset:20;\tsize:4;\tsigned:0;\n"
            "\tfield:const char * where;\toffset:24;\tsize:8;\tsigned:0;\n"
            "\tfield:u32 pair[2];\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"x\"\n";
        MadeBytes tracing = made.make();
        tracing.raw(QByteArray("\x17\x08\x44tracing", 10)).raw(QByteArray("0.6\0", 4)).u8(1).u8(8).u32(4096);
        tracing.raw(QByteArray("header_page\0", 12)).u64(0).raw(QByteArray("header_event\0", 13)).u64(0);
        tracing.u32(0).u32(1).raw(QByteArray("box\0", 4)).u32(1);
        tracing.u64(format.size()).raw(QByteArray(format.data(), qsizetype(format.size())));
        QByteArray padded = tracing.bytes;
        padded.append((8 - padded.size() % 8) % 8, '\0');
        made.data = made.record(66, 0, made.make().u32(std::uint64_t(tracing.bytes.size()))) + padded;
        MadeBytes raw = made.make().u16(314).u16(0).u32(77).raw(QByteArray("ab\0\0\0\0\0\0", 8));
        raw.u32(5u << 16 | 40).u32(4u << 16 | 24).u64(0xfeed).u32(1).u32(2).raw(QByteArray("/bin\0\0\0\0", 8)).u16(11).u16(12);
        made.add(9, 1, made.make().u32(10).u32(11).u64(99).u64(2).u64(0x1).u64(0x2).u32(std::uint64_t(raw.bytes.size())).raw(raw.bytes));
        // A record shorter than its fields is no event: its fields would be read from the following record.
        made.add(9, 1, made.make().u32(10).u32(11).u64(100).u64(2).u64(0x1).u64(0x2).u32(4).u32(314u << 16));

        const auto events = eventsOf(made.pipe());

        QCOMPARE(
            events,
            QStringList("99 box:thing cpu=-1 (exact_ip=0 cpumode=kernel pid=10 tid=11 callchain=[0x1,0x2]) {common_type=314 common_pid=77 "
                        "name=ab path=/bin list=[11,12] where=0xfeed pair=[1,2]}"));
        QVERIFY(kindsOf()[0].startsWith("damaged-sample"));
        MergedEvents walk(*m_trace);
        QVERIFY(walk.next());
        const EventType& type = *walk.event().type;
        QCOMPARE(FieldRef(type, Section::Payload, "path").text(walk.event()), "/bin");
        QCOMPARE(FieldRef(type, Section::Payload, "common_pid").integer(walk.event()), std::optional<std::int64_t>(77));
        QCOMPARE(FieldRef(type, Section::StreamContext, "tid").integer(walk.event()), std::optional<std::int64_t>(11));
    }

    void memoryAndProcessesAreReported()
    {
        Made made;
        made.addAttribute({});
        made.addSample(1, 1, 1, 1000, 0, 1);
        made.add(
            1, 1,
            made.trailer(
                made.make().u32(-1u).u32(0).u64(0xffffffff81000000).u64(0x1000000).u64(0xffffffff81000100).text("[kernel.kallsyms]_text"),
                0, 0, 0, 0));
        made.add(7, 0, made.trailer(made.make().u32(20).u32(10).u32(20).u32(10).u64(1100), 10, 10, 1100, 0));
        made.add(3, 1 << 13, made.trailer(made.make().u32(20).u32(20).text("child"), 20, 20, 1200, 0));
        const QByteArray id("0123456789abcdefghij");
        made.add(
            10, 2 | 1 << 14,
            made.trailer(made.make().u32(20).u32(20).u64(0x400000).u64(0x1000).u64(0x2000).u8(20).u8(0).u16(0).raw(id).u32(5).u32(2).text(
                             "/bin/child"),
                         20, 20, 1300, 0));
        made.add(17, 1, made.trailer(made.make().u64(0xffffffffc0000000).u32(64).u16(1).u16(0).text("bpf_prog_x"), 0, 0, 1400, 0));
        made.add(4, 0, made.trailer(made.make().u32(20).u32(10).u32(20).u32(10).u64(1500), 20, 20, 1500, 0));

        QCOMPARE(eventsOf(made.file()).size(), 1);
        const auto records = m_trace->processRecords();
        QCOMPARE(records.size(), std::size_t(6));
        using Kind = ProcessRecord::Kind;
        const Kind kinds[] = {Kind::Map, Kind::Fork, Kind::Exec, Kind::Map, Kind::Map, Kind::Exit};
        for (std::size_t i = 0; i < 6; ++i)
            QCOMPARE(int(records[i].kind), int(kinds[i]));
        QCOMPARE(nanoseconds(records[0].time), 1000); // The mapping existed before the first event.
        QCOMPARE(records[1].pid, 20);
        QCOMPARE(records[1].parentPid, 10);
        const auto modules = m_trace->modules();
        const auto moduleOf = [&](std::size_t i) { return modules[std::size_t(records[i].mapping.module)]; };
        QCOMPARE(moduleOf(0).path, "[kernel.kallsyms]");
        QCOMPARE(moduleOf(0).referenceName, "_text");
        QCOMPARE(moduleOf(0).reference, std::uint64_t(0xffffffff81000100));
        QCOMPARE(moduleOf(0).textSize, std::uint64_t(0x1000000));
        QCOMPARE(moduleOf(4).textSize, std::uint64_t(0x1000000)); // Size of this guest kernel's text section.
        QCOMPARE(moduleOf(3).path, "/bin/child");
        QCOMPARE(moduleOf(3).buildId, QByteArray(id.toHex()).toStdString());
        QCOMPARE(records[3].mapping.fileOffset, std::uint64_t(0x2000));
        QCOMPARE(int(moduleOf(4).kind), int(Module::Kind::KernelOther));
        QCOMPARE(records[4].mapping.fileOffset, records[4].mapping.address);
    }
};

HELIO_TEST(PerfMadeTest)
#include "tst_perf_made.moc"
