#include "core/formats/ctf/cutout/packet_output.h"
#include "core/formats/ctf/cutout/stream_cut.h"
#include "core/formats/ctf/opening/ctf_find.h"
#include "core/trace/cut_out.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/files.h"
#include "tests/support/made_ctf.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

using namespace helio;

namespace fs = std::filesystem;

namespace {

/// Returns everything that is recorded of an event, as text; without the time if it is not recorded.
std::string lineOf(const Trace& trace, const EventView& event)
{
    const StreamInfo& stream = trace.streams()[event.stream];
    const bool isTimed = trace.info().hasTimes && stream.hasTimes;
    return (isTimed ? std::to_string(nanoseconds(event.time())) : std::string("-")) + ' ' + std::to_string(event.cpu()) + ' '
        + event.type->name + ' ' + textOf(decodeContext(event)) + '|' + textOf(decodeSection(event, Section::Payload));
}

bool isTimed(const Trace& trace, const EventView& event) { return trace.info().hasTimes && trace.streams()[event.stream].hasTimes; }

/// Returns the events of a trace in the range, one line each.
std::vector<std::string> linesIn(const Trace& trace, HostRange range)
{
    std::vector<std::string> lines;
    MergedEvents events(trace);
    while (events.next())
        if (!isTimed(trace, events.event()) || range.contains(events.event().time()))
            lines.push_back(lineOf(trace, events.event()));
    return lines;
}

/// Returns the events that libbabeltrace2 reads in the range, one line each; empty, with a message in `problem`, if it fails.
std::vector<std::string> theirLinesIn(const std::vector<fs::path>& folders, HostRange range, std::string& problem)
{
    std::vector<std::string> lines;
    BabeltraceOracle oracle(folders);
    for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next())
        if (kind == BabeltraceOracle::Kind::Event && range.contains(hostTime(oracle.time())))
            lines.push_back(std::to_string(oracle.time()) + ' ' + oracle.name() + ' ' + oracle.contextText() + '|' + oracle.payloadText());
    problem = oracle.problem();
    return lines;
}

/// Returns ranges at all interesting places of a trace: at its ends, around single events, around packets, and without any event.
std::vector<HostRange> rangesOf(const Trace& trace, std::size_t most)
{
    std::vector<HostTimestamp> times;
    MergedEvents events(trace);
    while (events.next())
        if (isTimed(trace, events.event()))
            times.push_back(events.event().time());
    std::ranges::sort(times);
    std::vector<HostRange> ranges{{HostTimestamp::min(), HostTimestamp::max()}};
    if (times.empty())
        return ranges;
    const Duration one(1);
    const auto at = [&](std::size_t percent) { return times[(times.size() - 1) * percent / 100]; };
    const auto add = [&](HostTimestamp begin, HostTimestamp end) {
        if (begin < end)
            ranges.push_back({begin, end});
    };
    add(times.front(), times.front() + one);
    add(times.back(), times.back() + one);
    add(times.front(), times.back());
    add(times.front() + one, times.back() + one);
    add(at(50), at(50) + one);
    add(at(30), at(70));
    add(at(48), at(52));
    add(HostTimestamp::min(), at(50));
    add(at(50), HostTimestamp::max());
    for (std::size_t i = 0; i + 1 < times.size() && ranges.size() < most / 3; ++i)
        add(times[i] + one, times[i + 1]); // No event of the trace is in this range, unless times repeat.
    for (const StreamInfo& stream : trace.streams())
        for (const PacketInfo& packet : stream.packets) {
            if (!packet.range || ranges.size() >= most)
                continue;
            add(packet.range->begin, packet.range->end);
            add(packet.range->begin + one, packet.range->end + one);
            add(packet.range->begin - one, packet.range->begin + one);
            add(packet.range->end, packet.range->end + one);
        }
    return ranges;
}

/// True if reading the trace reports any problem. libbabeltrace2 may end the program after an error.
bool isDamaged(const Trace& trace)
{
    MergedEvents events(trace);
    while (events.next())
        continue;
    return !trace.diagnostics().empty() || !events.diagnostics().empty();
}

QByteArray bytesOf(const fs::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// First difference between two lists of lines; empty if they are equal.
std::string differenceOf(const std::vector<std::string>& expected, const std::vector<std::string>& found)
{
    const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    if (a == expected.end() && b == found.end())
        return {};
    return std::to_string(expected.size()) + " and " + std::to_string(found.size()) + " events; at event "
        + std::to_string(a - expected.begin()) + "\n  expected: " + (a == expected.end() ? "nothing" : *a)
        + "\n  found:    " + (b == found.end() ? "nothing" : *b);
}

std::string textOf(HostRange range)
{
    return "[" + std::to_string(nanoseconds(range.begin)) + ", " + std::to_string(nanoseconds(range.end)) + ")";
}

/// Cuts the trace and compares the cut-out with the trace, by Heliograph's reader and by libbabeltrace2. Returns the first difference.
/// `refused` counts ranges for which no cut-out can be made.
std::string checkRange(const TraceSource& source, const Trace& trace, HostRange range, int& refused)
{
    const auto* cuttable = dynamic_cast<const CuttableTrace*>(&trace);
    if (!cuttable)
        return "the trace cannot be cut";
    const QTemporaryDir temporary;
    const fs::path folder = fs::path(temporary.path().toStdString()) / "cut";
    const auto written = cuttable->writeCutOut(range, folder, {});
    if (!written) {
        ++refused;
        return written.error().kind == Error::Kind::Unsupported ? std::string() : written.error().what;
    }
    const auto expected = linesIn(trace, range);
    if (written->packets == 0)
        return expected.empty() ? std::string() : "no packets, but " + std::to_string(expected.size()) + " events";
    if (written->events != expected.size())
        return "reported " + std::to_string(written->events) + " of " + std::to_string(expected.size()) + " events";
    const auto sources = ctf::findTraces(folder);
    if (sources.size() != 1)
        return std::to_string(sources.size()) + " traces are found in the cut-out";
    const auto cut = openCtf(sources.front());
    if (!cut)
        return cut.error().what;
    const HostRange all{HostTimestamp::min(), HostTimestamp::max()};
    if (const std::string difference = differenceOf(expected, linesIn(**cut, all)); !difference.empty())
        return difference;
    for (const fs::path& part : sources.front().parts)
        if (const fs::path from =
                source.parts.size() == 1 ? source.parts.front() : source.path / part.lexically_relative(sources.front().path);
            source.parts.size() == 1 && bytesOf(part / "metadata") != bytesOf(from / "metadata"))
            return "the metadata differs";
    if (!trace.info().hasTimes || isDamaged(trace))
        return {};
    std::string problem, cutProblem;
    const auto theirs = theirLinesIn(source.parts, range, problem);
    const auto theirCut = theirLinesIn(sources.front().parts, all, cutProblem);
    if (!problem.empty() || theirs.size() != expected.size())
        return {}; // libbabeltrace2 cannot read the original, or reads it in another way: duplicate packets twice.
    if (!cutProblem.empty())
        return "babeltrace2: " + cutProblem;
    const std::string difference = differenceOf(theirs, theirCut);
    return difference.empty() ? difference : "babeltrace2: " + difference;
}

/// Checks many ranges of all traces in a folder that are smaller than `mostBytes`. Returns the first difference. `refused` counts the
/// ranges for which no cut-out can be made.
std::string checkFolder(const fs::path& folder, std::size_t ranges, int& refused, std::uint64_t mostBytes = UINT64_MAX)
{
    for (const TraceSource& source : ctf::findTraces(folder)) {
        const auto trace = openCtf(source);
        if (!trace || (*trace)->info().bytes > mostBytes)
            continue;
        for (const HostRange& range : rangesOf(**trace, ranges)) {
            const std::string difference = checkRange(source, **trace, range, refused);
            if (!difference.empty())
                return source.path.string() + ' ' + textOf(range) + ": " + difference;
        }
    }
    return {};
}

/// Returns the events, losses and diagnostics of the cut-out of a trace, as readGolden() formats them. Times in ns.
GoldenResult cutOf(const fs::path& folder, std::int64_t begin, std::int64_t end)
{
    const auto trace = openCtf(ctf::findTraces(folder).front());
    const QTemporaryDir temporary;
    const fs::path out = fs::path(temporary.path().toStdString()) / "cut";
    GoldenResult result;
    const auto written = dynamic_cast<const CuttableTrace&>(**trace).writeCutOut({hostTime(begin), hostTime(end)}, out, {});
    if (written)
        return readGolden(out);
    result.error << QString::fromStdString(written.error().what);
    return result;
}

/// A trace with one stream, made of the text of its metadata and of bytes in the notation of golden files. "@" stands for the number of
/// bits of the stream.
class GoldenTrace {
public:
    GoldenTrace(const QByteArray& metadata, const QByteArray& stream)
    {
        const auto bytes = [&](const QByteArray& size) { return parseGoldenBytes(QString(stream).replace("@", size).split('\n')); };
        const QByteArray size = QByteArray::number(8 * bytes("0").size());
        test::writeFile(m_folder.path() + "/metadata",
                        "/* CTF 1.8 */\ntypealias integer { size = 8; align = 8; } := u8;\n"
                        "typealias integer { size = 32; align = 32; } := u32;\ntypealias integer { size = 64; align = 64; } := u64;\n"
                            + metadata);
        test::writeFile(m_folder.path() + "/stream", bytes(size));
    }
    /// Returns the sums over all events.
    ctf::EventSum sum() const
    {
        const auto trace = *openCtf(ctf::findTraces(m_folder.path().toStdString()).front());
        const ctf::EventSummer summer(trace->eventTypes());
        ctf::EventSum sum;
        const auto stream = trace->openStream(0, {});
        EventBatch batch;
        while (stream->next(batch))
            for (const EventRecord& record : batch.records)
                summer.add(sum, {&record, &trace->eventTypes()[record.type], batch.packet, 0}, true);
        return sum;
    }
    GoldenResult cut(std::int64_t begin, std::int64_t end) const { return cutOf(m_folder.path().toStdString(), begin, end); }

private:
    QTemporaryDir m_folder;
};

} // namespace

/// Property: a cut-out contains exactly the events of its range, with all their bits, and its losses.
class CtfCutOutTest : public QObject {
    Q_OBJECT

private slots:
    void cutOutsOfGoldenTracesHaveTheEventsOfTheRange_data() { addGoldenRows(); }

    void cutOutsOfGoldenTracesHaveTheEventsOfTheRange()
    {
        QFETCH(QString, path);
        const QTemporaryDir folder;
        GoldenFile::read(path).unpackTo(folder.path().toStdString());
        int refused = 0;
        const std::string difference = checkFolder(folder.path().toStdString(), 60, refused);
        QVERIFY2(difference.empty(), difference.c_str());
        // Neither the packets nor the events of these traces have all bits of the clock.
        const QStringList partial{"clock-wraps-in-a-packet-without-magic",
                                  "clock-wraps",
                                  "ctf2-general-header",
                                  "ctf2-lttng-header",
                                  "ctf2-variable-length",
                                  "end-times-only"};
        QCOMPARE(refused > 0, partial.contains(QFileInfo(path).baseName()));
    }

    void cutOutsOfMadeTracesHaveTheEventsOfTheRange()
    {
        const QTemporaryDir folder;
        writeMadeCtf(folder.path());
        int refused = 0;
        const std::string difference = checkFolder(folder.path().toStdString(), 60, refused);
        QVERIFY2(difference.empty(), difference.c_str());
        QCOMPARE(refused, 0);
    }

    void cutOutsOfRecordedTracesHaveTheEventsOfTheRange_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::newRow("public") << "public";
        QTest::newRow("lttng-kernel") << "lttng-kernel";
        QTest::newRow("cases-3") << QString();
    }

    void cutOutsOfRecordedTracesHaveTheEventsOfTheRange()
    {
        QFETCH(QString, collection);
        const QString file = sharedFile("cases-3/ctf/col1/metadata");
        const QString path = !collection.isEmpty() ? realTrace(collection)
            : file.isEmpty()                       ? file
                                                   : QFileInfo(file).dir().filePath("../..");
        if (path.isEmpty())
            QSKIP("the recorded traces are not available");
        int refused = 0;
        const std::string difference = checkFolder(path.toStdString(), 6, refused, 1'200'000);
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void optionsOfVariantsKeepTheirAlignment()
    {
        // LTTng's header with natural alignment: only its extended form has a field that is aligned to 64 bits.
        const GoldenTrace golden(R"(trace { major = 1; minor = 8; byte_order = be; packet.header := struct { u32 magic; }; };
clock { name = c; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 64; map = clock.c.value; } := stamp;
stream {
    packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size; };
    event.header := struct { enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id; variant <id> {
        struct { integer { size = 27; align = 1; map = clock.c.value; } timestamp; } compact;
        struct { u32 id; stamp timestamp; } extended; } v; } align(32);
};
event { name = "ping"; id = 0; fields := struct { u32 n; }; };
event { name = "tick"; id = 1; };
)",
                                 // Without the first event, the second one begins at another position in a 64-bit word.
                                 R"(c1 fc 1f c1 00*4 be64:100 be64:1099511627780 be64:@ be64:@
be32:134217828
f8 00*3 be32:0 00*4 be64:1099511627776 be32:8
be32:2 be32:9
be32:3 be32:10
)");
        const auto cut = golden.cut(101, INT64_MAX);
        QCOMPARE(cut.events.join('\n'), QString("1099511627776 ping {n=8}\n1099511627778 ping {n=9}\n1099511627779 ping {n=10}"));
        QCOMPARE(golden.cut(1099511627777, INT64_MAX).events.join('\n'), QString("1099511627778 ping {n=9}\n1099511627779 ping {n=10}"));
    }

    void sumsDependOnAllFields()
    {
        const QByteArray metadata = R"(trace { major = 1; minor = 8; byte_order = be; packet.header := struct { u32 magic; }; };
clock { name = c; freq = 1000000000; offset = 0; };
stream { packet.context := struct { u32 content_size; u32 packet_size; };
    event.header := struct { integer { size = 32; align = 32; map = clock.c.value; } timestamp; }; };
event { name = "ping"; fields := struct { u32 n; string s; u8 bytes[2]; integer { size = 3; align = 1; } low; }; };
)";
        const auto sumOf = [&](const QByteArray& fields) {
            return GoldenTrace(metadata, "c1 fc 1f c1 be32:@ be32:@ be32:5 " + fields + "\n").sum();
        };
        const ctf::EventSum sum = sumOf("be32:7 61 62 00 01 02 20");
        QCOMPARE(sum.events, std::uint64_t(1));
        QVERIFY(sumOf("be32:7 61 62 00 01 02 20") == sum);
        for (const char* fields :
             {"be32:8 61 62 00 01 02 20", "be32:7 61 63 00 01 02 20", "be32:7 61 62 00 01 03 20", "be32:7 61 62 00 01 02 40"}) {
            const ctf::EventSum other = sumOf(fields);
            QCOMPARE(other.heads, sum.heads);
            QVERIFY2(other.contents != sum.contents, fields);
        }
    }
    void wholePacketsAreCopiedByteByByte()
    {
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/lttng-compact-header.golden").unpackTo(folder.path().toStdString());
        const auto source = ctf::findTraces(folder.path().toStdString()).front();
        const auto trace = *openCtf(source);
        const fs::path out = fs::path(folder.path().toStdString()) / "cut";
        QVERIFY(dynamic_cast<const CuttableTrace&>(*trace).writeCutOut({HostTimestamp::min(), HostTimestamp::max()}, out, {}));
        int files = 0;
        for (const StreamInfo& stream : trace->streams())
            for (const fs::path& file : stream.files) {
                QCOMPARE(bytesOf(out / file.filename()), bytesOf(file));
                ++files;
            }
        QVERIFY(files > 0);
    }

    void lossesAtTheEdgesStayVisible_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<QString>("lines");
        // The range begins within a packet: how many of its lost events were lost in the range is unknown.
        test::addRow("begin in a packet", QString("lttng-discarded-events"), qint64(1022), qint64(1045),
                     QString("1025 ping cpu3\nlost 0 events 0 packets in 1025..1030 cpu3\nlost 0 events 0 packets in 1025..1030 cpu3\n"
                             "1030 ping cpu3\n1040 ping cpu3\nlost 2 events 0 packets in 1040..1044 cpu3"));
        // Events were lost between the begin of the range and its first packet: they belong to the range.
        test::addRow("begin before a packet", QString("lttng-discarded-events"), qint64(1015), qint64(1025),
                     QString("lost 3 events 0 packets in 1015..1020 cpu3\n1020 ping cpu3\nlost 0 events 0 packets in 1020..1024 cpu3"));
        // Events were lost after the last event of the packet before the range.
        test::addRow("after a closed packet", QString("lttng-discarded-events"), qint64(1042), qint64(1048),
                     QString("lost 0 events 0 packets in 1042..1045 cpu3\n1045 ping cpu3"));
        test::addRow("only a loss", QString("lttng-discarded-events"), qint64(1014), qint64(1018),
                     QString("lost 0 events 0 packets in 1014..1017 cpu3"));
        // Losses before the range do not count.
        test::addRow("later", QString("lttng-discarded-events"), qint64(1045), qint64(1060), QString("1045 ping cpu3"));
        test::addRow("counter wraps", QString("discarded-events"), qint64(1022), qint64(1045),
                     QString("1022 ping cpu3\nlost 10 events 0 packets in 1030..1040 cpu3\n1041 ping cpu3\n"
                             "lost 5 events 0 packets in 1040..1044 cpu3"));
        test::addRow("without losses", QString("discarded-events"), qint64(1021), qint64(1030), QString("1022 ping cpu3"));
    }

    void lossesAtTheEdgesStayVisible()
    {
        QFETCH(QString, name);
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(QString, lines);
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/" + name + ".golden").unpackTo(folder.path().toStdString());
        QCOMPARE(cutOf(folder.path().toStdString(), begin, end).events.join('\n'), lines);
    }

    void unreadableBytesInTheRangeAreCopied()
    {
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/damaged-packet-between.golden").unpackTo(folder.path().toStdString());
        const GoldenResult whole = readGolden(folder.path().toStdString());
        const GoldenResult cut = cutOf(folder.path().toStdString(), 1, INT64_MAX);
        QVERIFY(!whole.diagnostics.isEmpty());
        QCOMPARE(cut.diagnostics.join('\n'), whole.diagnostics.join('\n'));
        QCOMPARE(cut.events.join('\n'), whole.events.join('\n'));
    }

    void eventsWithoutAllBitsOfTheClockAreNotMoved()
    {
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/clock-wraps.golden").unpackTo(folder.path().toStdString());
        const auto trace = *openCtf(ctf::findTraces(folder.path().toStdString()).front());
        const fs::path out = fs::path(folder.path().toStdString()) / "cut";
        const auto written = dynamic_cast<const CuttableTrace&>(*trace).writeCutOut({hostTime(1258), hostTime(2000)}, out, {});
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Unsupported);
        QVERIFY2(written.error().what.find("would get other times") != std::string::npos, written.error().what.c_str());
    }

    void nothingIsWrittenForARangeOutsideOfTheTrace()
    {
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/lttng-discarded-events.golden").unpackTo(folder.path().toStdString());
        const auto trace = *openCtf(ctf::findTraces(folder.path().toStdString()).front());
        const fs::path out = fs::path(folder.path().toStdString()) / "cut";
        const auto written = dynamic_cast<const CuttableTrace&>(*trace).writeCutOut({hostTime(5000), hostTime(6000)}, out, {});
        QVERIFY(written);
        QCOMPARE(written->packets, std::uint64_t(0));
        QVERIFY(!fs::exists(out));
    }

    void stopRequestsEndTheExport()
    {
        const QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/lttng-discarded-events.golden").unpackTo(folder.path().toStdString());
        const auto trace = *openCtf(ctf::findTraces(folder.path().toStdString()).front());
        std::stop_source stop;
        stop.request_stop();
        const auto written = dynamic_cast<const CuttableTrace&>(*trace).writeCutOut(
            {HostTimestamp::min(), HostTimestamp::max()}, fs::path(folder.path().toStdString()) / "cut", stop.get_token());
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Cancelled);
    }

    /// Property: damaged traces give an error or a cut-out with the same events, and never a crash.
    void damagedTracesGiveNoWrongCutOuts()
    {
        std::mt19937 dice(7);
        const QDir goldens(SOURCE_DIR "/tests/golden/ctf");
        for (const QString& name : goldens.entryList({"*.golden"}, QDir::Files, QDir::Name)) {
            for (int round = 0; round < 6; ++round) {
                const QTemporaryDir folder;
                GoldenFile::read(goldens.filePath(name)).unpackTo(folder.path().toStdString());
                QDirIterator files(folder.path(), QDir::Files, QDirIterator::Subdirectories);
                while (files.hasNext()) {
                    const QString path = files.next();
                    QByteArray bytes = bytesOf(path.toStdString());
                    if (bytes.isEmpty() || path.endsWith("metadata"))
                        continue;
                    for (int i = 0; i < 3; ++i)
                        bytes[qsizetype(dice() % std::size_t(bytes.size()))] = char(dice());
                    test::writeFile(path, bytes);
                }
                for (const TraceSource& source : ctf::findTraces(folder.path().toStdString())) {
                    const auto trace = openCtf(source);
                    if (!trace)
                        continue;
                    const auto ranges = rangesOf(**trace, 12);
                    int refused = 0;
                    for (const HostRange& range : ranges) {
                        const std::string difference = checkRange(source, **trace, range, refused);
                        QVERIFY2(difference.empty(), (name.toStdString() + ' ' + textOf(range) + ": " + difference).c_str());
                    }
                }
            }
        }
    }

    void bitsAreWrittenWhereTheyAreRead()
    {
        std::mt19937_64 dice(3);
        for (int i = 0; i < 20'000; ++i) {
            std::array<std::byte, 24> bytes{};
            for (std::byte& it : bytes)
                it = static_cast<std::byte>(dice());
            const auto before = bytes;
            const auto bits = static_cast<unsigned>(1 + dice() % 64);
            const std::uint64_t bit = dice() % (8 * bytes.size() - bits);
            const auto order = dice() % 2 ? ByteOrder::Little : ByteOrder::Big;
            const std::uint64_t value = dice() >> (64 - bits);
            ctf::writeBits(bytes, bit, bits, order, value);
            QCOMPARE(readBits(bytes.data(), bit, bits, order), value);
            ctf::writeBits(bytes, bit, bits, order, readBits(before.data(), bit, bits, order));
            QVERIFY(bytes == before); // No other bit was changed.
        }
    }

    void packetsLargerThanTheBufferAreWritten()
    {
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "stream";
        std::vector<std::byte> expected;
        {
            ctf::PacketOutput output(path);
            for (int packet = 0; packet < 2; ++packet) {
                const std::array head{std::byte(1), std::byte(2), std::byte(3)};
                output.startPacket(head, 20);
                const std::size_t begin = expected.size();
                expected.insert(expected.end(), head.begin(), head.end());
                output.put(5, 4, ByteOrder::Little); // Replaces the last four bits of the head.
                expected.back() = std::byte(0x53);
                for (int i = 0; i < 700'000; ++i) {
                    output.put(static_cast<std::uint64_t>(i) & 0xffffff, 24, ByteOrder::Big);
                    for (const int shift : {16, 8, 0})
                        expected.push_back(static_cast<std::byte>(i >> shift));
                }
                const std::vector<std::byte> block(3 << 20, std::byte(0x77));
                output.copy(block.data(), 8 * block.size());
                expected.insert(expected.end(), block.begin(), block.end());
                output.advanceTo(output.bit() + 8 * (5 << 20));
                expected.resize(expected.size() + (5 << 20));
                output.editHead(2, [](std::span<std::byte> bytes) { bytes[1] = std::byte(9); });
                expected[begin + 1] = std::byte(9);
            }
            QVERIFY(output.finish());
            QCOMPARE(output.bytes(), expected.size());
        }
        QVERIFY(bytesOf(path) == QByteArray(reinterpret_cast<const char*>(expected.data()), qsizetype(expected.size())));
    }
};

HELIO_TEST(CtfCutOutTest)
#include "tst_ctf_cut_out.moc"
