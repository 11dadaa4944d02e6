#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/recording/ctf_trace.h"
#include "core/trace/merged_events.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/made_ctf.h"
#include "tests/support/perf_builder.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

void unpack(const QTemporaryDir& folder, const QString& name)
{
    GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/" + name + ".golden").unpackTo(folder.path().toStdString());
}

std::shared_ptr<const Trace> opened(const std::filesystem::path& path)
{
    const auto sources = ctf::findTraces(path);
    auto trace = sources.size() == 1 ? openCtf(sources.front()) : Error{Error::Kind::NotFound, "not one trace"};
    if (!trace)
        qFatal("%s", trace.error().what.c_str());
    return *trace;
}

std::shared_ptr<const Trace> opened(const QTemporaryDir& folder) { return opened(std::filesystem::path(folder.path().toStdString())); }

} // namespace

class CtfTraceTest : public QObject {
    Q_OBJECT

private slots:
    void itsEnvironmentAndClockAreReported()
    {
        const QTemporaryDir folder;
        unpack(folder, "names-and-scopes");
        const auto info = opened(folder)->info();

        QCOMPARE(info.hostname, std::string("box"));
        QCOMPARE(info.number("number", 0), std::int64_t(-5));
        QCOMPARE(info.clock.name, std::string("a clock"));
        QCOMPARE(info.format, std::string("ctf"));
        QCOMPARE(info.reader, std::string("heliograph"));
        QVERIFY(!info.clock.isAbsolute);
    }

    void whatPerfConvertedNamesItsHostDifferently()
    {
        const QTemporaryDir folder;
        unpack(folder, "no-packet-context");
        QCOMPARE(opened(folder)->info().hostname, std::string());
        QFile file(folder.filePath("metadata"));
        QVERIFY(file.open(QIODevice::Append));
        file.write("env { host = \"vm\"; release = \"3.10.0-957\"; };");
        file.close();

        QCOMPARE(opened(folder)->info().hostname, std::string("vm"));
    }

    void theClocksOffsetIsInNanoseconds()
    {
        const QTemporaryDir folder;
        unpack(folder, "clock-frequency");
        const auto clock = opened(folder)->info().clock;

        QCOMPARE(clock.uuid, std::string("11223344-5566-7788-99aa-bbccddeeff00"));
        QCOMPARE(clock.description, std::string("three per microsecond"));
        QCOMPARE(clock.frequency, std::uint64_t(3'000'000));
        QCOMPARE(clock.offset, std::int64_t(6'000'000'333));
    }

    void packetsAreDescribedAsTheyClaim()
    {
        const QTemporaryDir folder;
        unpack(folder, "discarded-events");
        const auto trace = opened(folder);
        const auto& stream = trace->streams()[0];

        QCOMPARE(stream.label, std::string("chan_0"));
        QCOMPARE(stream.cpu, 3);
        QCOMPARE(stream.packets.size(), std::size_t(4));
        QCOMPARE(stream.packets[1].offset, std::uint64_t(22));
        QCOMPARE(stream.packets[1].size, std::uint64_t(22));
        QVERIFY(stream.packets[1].range == (HostRange{hostTime(1020), hostTime(1030)}));
        QCOMPARE(stream.packets[2].discarded, std::uint64_t(10));
        QCOMPARE(trace->info().bytes, std::uint64_t(22 + 22 + 19 + 25));
    }

    void aCopyHasTheSameIdentity()
    {
        const QTemporaryDir one;
        const QTemporaryDir two;
        unpack(one, "discarded-events");
        unpack(two, "discarded-events");

        QCOMPARE(opened(one)->info().identity, opened(two)->info().identity);
        QCOMPARE(opened(one)->info().identity.size(), std::size_t(32));
    }

    void anotherPacketHeaderMakesAnotherIdentity()
    {
        const QTemporaryDir folder;
        unpack(folder, "discarded-events");
        const auto before = opened(folder)->info().identity;
        QFile file(folder.filePath("chan_0"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.seek(16); // Offset of the counter of discarded events in the first packet.
        file.write("\x07", 1);
        file.close();

        QVERIFY(opened(folder)->info().identity != before);
    }

    void anotherLineOfMetadataMakesAnotherIdentity()
    {
        const QTemporaryDir folder;
        unpack(folder, "discarded-events");
        const auto before = opened(folder)->info().identity;
        QFile file(folder.filePath("metadata"));
        QVERIFY(file.open(QIODevice::Append));
        file.write("env { hostname = \"x\"; };");
        file.close();

        QVERIFY(opened(folder)->info().identity != before);
    }

    void aFileThatShrinksWhileItIsOpenEndsItsStream()
    {
        const QTemporaryDir folder;
        unpack(folder, "no-packet-context");
        const QString path = folder.filePath("chan_0");
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        file.write(QByteArray(1 << 20, '\0')); // Zeros are events with id 0.
        file.close();
        const auto trace = opened(folder);
        QVERIFY(QFile::resize(path, 0));

        MergedEvents events(*trace);
        std::size_t count = 0;
        while (events.next())
            ++count;

        QCOMPARE(count, std::size_t(0));
        QCOMPARE(events.diagnostics().size(), std::size_t(1));
        QCOMPARE(events.diagnostics()[0].kind, std::string("file-shrank"));
    }

    void lttngsOwnClockCountsFromTheEpoch()
    {
        const QTemporaryDir folder;
        auto golden = GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/no-packet-context.golden");
        auto lines = golden.lines("metadata");
        lines.replaceInStrings("name = c;", "name = monotonic;").replaceInStrings("clock.c.value", "clock.monotonic.value");
        lines << "env { tracer_name = \"lttng-modules\"; };";
        golden.rewrite("metadata", lines);
        golden.unpackTo(folder.path().toStdString());

        QVERIFY(opened(folder)->info().clock.isAbsolute);
    }

    void aTraceIsNamedForItsSession()
    {
        const QTemporaryDir folder;
        const std::filesystem::path top = folder.path().toStdString();
        const auto nameOf = [&](const std::string& below) {
            GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/no-packet-context.golden").unpackTo(top / below);
            return QString::fromStdString(opened(top / below)->info().name);
        };

        QCOMPARE(nameOf("auto-1/kernel"), QString("auto-1/kernel"));
        QCOMPARE(nameOf("auto-1/ust/uid/1000/64-bit"), QString("auto-1/ust"));
        QCOMPARE(nameOf("auto-1/ust/pid/app-12-2026"), QString("auto-1/app-12-2026"));
        QCOMPARE(nameOf("other"), QString("other"));
    }

    void withoutTimeStampsThereIsNoClock()
    {
        const QTemporaryDir folder;
        unpack(folder, "no-header-no-clock");
        const auto trace = opened(folder);

        QVERIFY(!trace->info().hasTimes);
        QVERIFY(!trace->info().clock.isAbsolute);
        QCOMPARE(trace->info().clock.name, std::string("none"));
        QCOMPARE(trace->info().clock.frequency, std::uint64_t(0));
    }

    void whatIsCorruptInAPacketIsNamed_data()
    {
        QTest::addColumn<QString>("golden");
        QTest::addColumn<QString>("what");
        QTest::newRow("unknown event") << "unknown-event"
                                       << "corrupt data (unknown event ID 9); the last 6 bytes of the packet at byte 0 are not read";
        QTest::newRow("no option") << "variants"
                                   << "corrupt data (no option of \"v\" has the tag ";
        QTest::newRow("cut") << "content-ends-in-event"
                             << "corrupt data (the packet ends within \"x\"); the last 5 bytes of the packet at byte 0 are not read";
        QTest::newRow("no packet") << "damaged-packet-between"
                                   << "no valid packet at byte 40 (packet 1 of its stream): its magic number is wrong; 40 bytes are not "
                                      "read";
        QTest::newRow("zeros") << "zeros-behind-the-last-packet"
                               << "no valid packet at byte 36 (packet 2 of its stream): its size is 0; the last 200 bytes are not read";
        QTest::newRow("foreign") << "foreign-packet"
                                 << "packet of another trace at byte 25 (packet 1 of its stream): its UUID belongs to another trace; 25 "
                                    "bytes are not read";
    }
    void whatIsCorruptInAPacketIsNamed()
    {
        QFETCH(QString, golden);
        QFETCH(QString, what);
        const QTemporaryDir folder;
        unpack(folder, golden);
        const auto trace = opened(folder);
        MergedEvents events(*trace);
        while (events.next())
            continue;
        const auto all = events.diagnostics();
        QVERIFY(!all.empty());
        QVERIFY2(all[0].what.starts_with(what.toStdString()), all[0].what.c_str());
    }

    void packetsThatAreNotReadMayHaveHadEventsUntilTheNextOneThatIs()
    {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        };
        write("metadata", R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 32; align = 8; signed = false; } := u32;
clock { name = c; freq = 1000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := stamp;
trace { major = 1; minor = 8; uuid = "11111111-1111-1111-1111-111111111111"; byte_order = le;
 packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; }; };
stream { id = 0; packet.context := struct { u32 content_size; u32 packet_size; }; event.header := struct { stamp timestamp; }; };
event { name = "e"; id = 0; stream_id = 0; fields := struct { u8 n; }; };
)");
        const auto packet = [](std::uint8_t uuid, std::optional<std::uint64_t> event) {
            MadeBytes made;
            made.u32(0xc1fc1fc1);
            for (int i = 0; i < 16; ++i)
                made.u8(uuid);
            const std::uint32_t bits = 8 * (event ? 41 : 32);
            made.u32(0).u32(bits).u32(bits);
            if (event)
                made.u64(*event).u8(1);
            return made.bytes;
        };
        const QByteArray foreign = packet(0x22, std::nullopt);
        write("s",
              foreign.repeated(3) + packet(0x11, 1000) + foreign.repeated(100) + packet(0x11, 2000) + packet(0x11, 2500)
                  + foreign.repeated(2));
        const auto trace = opened(folder);
        const auto stream = trace->openStream(0, {});
        QStringList lost;
        EventBatch batch;
        while (stream->next(batch))
            for (const Loss& loss : batch.losses) {
                const QString text = QString("%1 to %2").arg(nanoseconds(loss.range.begin)).arg(nanoseconds(loss.range.end));
                if (lost.empty() || lost.back() != text)
                    lost << text;
            }
        QCOMPARE(lost.size(), 3);
        // The time at which the first loss began is unknown, because no event precedes it. The loss is therefore reported with the minimum
        // length of 1 ns.
        QCOMPARE(lost[0], "1000 to 1001");
        QCOMPARE(lost[1], "1000 to 2000");
        QVERIFY2(lost[2].startsWith("2500 to "), qPrintable(lost[2]));
    }

    void aStreamWithoutAClockStandsWhereTheOthersBegin()
    {
        const QTemporaryDir folder;
        const MadeBytes made;
        writeStreamWithoutClock(folder.path(), "packet.context := struct { stamp timestamp_begin; stamp timestamp_end; }; ",
                                made.empty().u32(0xc1fc1fc1).u32(0).u64(100).u64(200).u64(150).u8(1).u64(200).u8(2).bytes,
                                made.empty().u32(0xc1fc1fc1).u32(1).u8(3).u8(4).bytes);
        const auto trace = opened(folder);
        QStringList all;
        for (MergedEvents events(*trace); events.next();)
            all << QString::fromStdString(events.event().type->name) + ' ' + QString::number(nanoseconds(events.event().time()));
        QCOMPARE(all.join(", "), QString("untimed 5000000100, untimed 5000000100, timed 5000000150, timed 5000000200"));
        QCOMPARE(trace->diagnostics().size(), 1u);
        QCOMPARE(trace->diagnostics()[0].kind, std::string("stream-without-clock"));
        for (const StreamInfo& stream : trace->streams())
            QCOMPARE(stream.hasTimes, stream.label == "timed");
    }

    void streamsWithoutAClockAreReportedWhereNoPacketSaysWhenOthersBegin()
    {
        const QTemporaryDir folder;
        const MadeBytes made;
        writeStreamWithoutClock(folder.path(), {}, made.empty().u32(0xc1fc1fc1).u32(0).u64(150).u8(1).bytes,
                                made.empty().u32(0xc1fc1fc1).u32(1).u8(3).bytes);
        const auto trace = opened(folder);
        QCOMPARE(trace->diagnostics().size(), 1u);
        QCOMPARE(trace->diagnostics()[0].kind, std::string("stream-without-clock"));
        for (const StreamInfo& stream : trace->streams())
            QCOMPARE(stream.hasTimes, stream.label == "timed");
    }

    void timeStampsWithoutAMapAreOfTheOnlyClock()
    {
        const QTemporaryDir folder;
        unpack(folder, "timestamps-without-map");
        const auto trace = opened(folder);

        QVERIFY(trace->info().hasTimes);
        QCOMPARE(trace->info().clock.name, std::string("only"));
        QCOMPARE(trace->info().clock.offset, std::int64_t(5'000'000'000));
    }

    void anOffsetThatDoesNotFitTiesNothingToTheEpoch()
    {
        const QTemporaryDir folder;
        unpack(folder, "clock-offset-beyond");
        const auto trace = opened(folder);

        QVERIFY(trace->info().hasTimes);
        QCOMPARE(trace->info().clock.offset, std::int64_t(0));
        QVERIFY(!trace->info().clock.isAbsolute);
    }
};

HELIO_TEST(CtfTraceTest)
#include "tst_ctf_trace.moc"
