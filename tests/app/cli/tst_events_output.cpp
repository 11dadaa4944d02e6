#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/made_ctf.h"
#include "tests/support/perf_builder.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace helio;

namespace {

QJsonObject object(const QByteArray& line) { return QJsonDocument::fromJson(line).object(); }

/// Returns the text of a value in a JSON line, from `"key":` to the following `,` or `}`. QJson would round large integers.
QByteArray rawNumber(const QByteArray& line, const QByteArray& key)
{
    const QByteArray name = '"' + key + "\":";
    const qsizetype begin = line.indexOf(name);
    if (begin < 0)
        return {};
    qsizetype end = begin + name.size();
    while (end < line.size() && line[end] != ',' && line[end] != '}')
        ++end;
    return line.mid(begin + name.size(), end - begin - name.size());
}

/// Converts "[1795260713.822983870] host name: { cpu_id = 0 }, { ... }" to "ns name cpu".
QByteArray key(const QByteArray& babeltraceLine)
{
    static const QRegularExpression pattern(R"(^\[(\d+)\.(\d{9})\] (?:\S+ )?(\S+): (?:\{ cpu_id = (\d+))?)");
    const auto match = pattern.match(QString::fromUtf8(babeltraceLine));
    return (match.captured(1) + match.captured(2) + ' ' + match.captured(3) + ' ' + match.captured(4)).toUtf8();
}

QByteArray key(const QJsonObject& event, const QByteArray& line)
{
    const QByteArray cpu = event["cpu"].isNull() ? QByteArray() : QByteArray::number(event["cpu"].toInt());
    return rawNumber(line, "time_ns") + ' ' + event["name"].toString().toUtf8() + ' ' + cpu;
}

/// Names of the payload's simple fields that differ between a line of babeltrace2 and one of Heliograph.
QStringList differences(const QByteArray& theirs, const QByteArray& ours)
{
    static const QRegularExpression field("(?<=[{,] )([A-Za-z_]\\w*) = (\"(?:[^\"\\\\]|\\\\.)*\"|-?\\d+(?= )|-?\\d+(?=,)|0x[0-9A-F]+)");
    const QString payload = QString::fromUtf8(theirs.mid(theirs.lastIndexOf(", { ") + 2));
    const QByteArray fields = ours.mid(ours.indexOf("\"fields\":"));
    QStringList wrong;
    for (auto it = field.globalMatch(payload); it.hasNext();) {
        const auto match = it.next();
        const QString value = match.captured(2);
        const QByteArray name = match.captured(1).toUtf8();
        bool isNumber = false;
        const auto number = value.toULongLong(&isNumber, 0); // Base 0 accepts decimal, hexadecimal and octal numbers.
        const QByteArray expected = isNumber ? QByteArray::number(number) : value.toUtf8();
        if (payload.count(' ' + match.captured(1) + " = ") == 1 && rawNumber(fields, name) != expected
            && !fields.contains('"' + name + "\":" + expected))
            wrong << match.captured(1) + ": " + value + " / " + rawNumber(fields, name);
    }
    return wrong;
}

} // namespace

class EventsOutputTest : public QObject {
    Q_OBJECT

private slots:
    void eventsOfAStreamWithoutAClockHaveNoTimes()
    {
        const QTemporaryDir folder;
        writeStreamWithoutClock(folder.path(), "packet.context := struct { stamp timestamp_begin; stamp timestamp_end; }; ",
                                MadeBytes().u32(0xc1fc1fc1).u32(0).u64(100).u64(200).u64(150).u8(1).bytes,
                                MadeBytes().u32(0xc1fc1fc1).u32(1).u8(3).bytes);
        const auto linesOf = [&](const char* format) {
            return heliograph({"events", folder.path(), "--format", format}).out.trimmed().split('\n');
        };
        const QList<QByteArray> json = linesOf("json"), csv = linesOf("csv"), text = linesOf("text");
        QCOMPARE(json.size(), 2);
        QVERIFY2(json[0].startsWith("{\"time_ns\":null"), json[0]);
        QVERIFY2(json[1].startsWith("{\"time_ns\":5000000150"), json[1]);
        QVERIFY2(csv[1].startsWith(",0,"), csv[1]);
        QVERIFY2(csv[2].startsWith("5000000150,0,"), csv[2]);
        QVERIFY2(text[0].startsWith("- "), text[0]);
    }

    void initTestCase()
    {
        m_json = heliograph({"events", sampleTrace(), "--format", "json"});
        QCOMPARE(m_json.status, 0);
        m_lines = m_json.lines();
    }

    void theCountIsThatOfTheLines()
    {
        const ProgramResult count = heliograph({"events", sampleTrace(), "--count"});
        const ProgramResult csv = heliograph({"events", sampleTrace(), "--format", "csv"});
        const ProgramResult text = heliograph({"events", sampleTrace()});

        QCOMPARE(count.out, QByteArray::number(m_lines.size()) + '\n');
        QCOMPARE(csv.lines().size(), m_lines.size() + 1);
        QCOMPARE(text.lines().size(), m_lines.size());
    }

    void theLastEventIsOfTheThreadThatItsCpuHad()
    {
        const QJsonObject last = object(m_lines.last());
        int tid = -1;
        for (const QByteArray& line : m_lines)
            if (const QJsonObject event = object(line); event["name"] == "sched_switch" && event["cpu"] == last["cpu"])
                tid = event["fields"]["next_tid"].toInt();
        QVERIFY(tid > 0 && last["name"] != "sched_switch");

        const ProgramResult its = heliograph({"events", sampleTrace(), "--filter", "tid == " + QString::number(tid), "--format", "json"});
        QCOMPARE(its.lines().last(), m_lines.last());
    }

    void everyEventIsTheOneThatBabeltracePrints()
    {
        if (QStandardPaths::findExecutable("babeltrace2").isEmpty())
            QSKIP("babeltrace2 is not installed");
        const auto theirs = babeltrace2({"--no-delta", "--clock-seconds", sampleTrace()}).lines();

        QCOMPARE(m_lines.size(), theirs.size());
        for (qsizetype i = 0; i < theirs.size(); ++i) {
            QCOMPARE(key(object(m_lines[i]), m_lines[i]), key(theirs[i]));
            const QStringList wrong = differences(theirs[i], m_lines[i]);
            QVERIFY2(wrong.isEmpty(), (wrong.join("; ").toUtf8() + '\n' + theirs[i] + '\n' + m_lines[i]).constData());
        }
    }

    void aLineOfJsonHasTheMembersThatAreDocumented()
    {
        for (const QByteArray& line : m_lines) {
            const QJsonObject event = object(line);
            QVERIFY2(!event.isEmpty(), line.constData());
            for (const char* name : {"time_ns", "trace", "stream", "cpu", "name", "fields"})
                QVERIFY2(event.contains(name), name);
            QVERIFY(event["fields"].isObject());
            if (event["name"].toString() != "sched_switch")
                continue;
            QVERIFY(event["fields"]["prev_comm"].isString());
            QVERIFY(event["fields"]["prev_tid"].isDouble());
            QVERIFY(event["fields"]["prev_state"].isDouble() || event["fields"]["prev_state"]["labels"].isArray());
        }
    }

    void largeIntegersAreExact()
    {
        // 64-bit addresses must be exact; a double would round them.
        const auto found = std::any_of(m_lines.begin(), m_lines.end(), [](const QByteArray& line) {
            bool ok = false;
            const auto value = rawNumber(line, "function").toULongLong(&ok);
            return ok && value > (1ull << 63) && value % 2'048 != 0;
        });

        QVERIFY(found);
    }

    void aWindowIsHalfOpen()
    {
        const QByteArray first = rawNumber(m_lines[100], "time_ns");
        const QByteArray last = rawNumber(m_lines[200], "time_ns");
        const auto window = heliograph({"events", sampleTrace(), "--format", "json", "--begin", first, "--end", last}).lines();

        QCOMPARE(window, m_lines.mid(100, 100));
        const QByteArray begin = rawNumber(m_lines[0], "time_ns");
        const QByteArray offset = '+' + QByteArray::number(first.toLongLong() - begin.toLongLong()) + "ns";
        QCOMPARE(heliograph({"events", sampleTrace(), "--begin", offset, "--count"}).out, QByteArray::number(m_lines.size() - 100) + '\n');
        const auto time = QDateTime::fromMSecsSinceEpoch(first.toLongLong() / 1'000'000, Qt::UTC);
        const QString ofDay = time.toString("HH:mm:ss") + QStringLiteral(".%1").arg(first.toLongLong() % 1'000'000'000, 9, 10, QChar('0'));
        QCOMPARE(heliograph({"events", sampleTrace(), "--begin", ofDay, "--count"}).out, QByteArray::number(m_lines.size() - 100) + '\n');
    }

    void filterSelectsMatchingEvents_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("pattern"); // Text in the JSON lines that the filter must select; no other line contains it.
        QTest::newRow("name") << QStringList{"--filter", "name == \"sched_switch\""} << "\"name\":\"sched_switch\"";
        QTest::newRow("pattern") << QStringList{"--filter", "name =~ \"^irq_\""} << "\"name\":\"irq_";
        QTest::newRow("field") << QStringList{"--filter", "next_comm == \"worker-0\""} << "\"next_comm\":\"worker-0\"";
        QTest::newRow("fields.") << QStringList{"--filter", "fields.prev_tid == 252"} << "\"prev_tid\":252,";
        QTest::newRow("cpu") << QStringList{"--cpu", "2"} << "\"cpu\":2,\"name\"";
        QTest::newRow("cpu in a filter") << QStringList{"--filter", "cpu == 2"} << "\"cpu\":2,\"name\"";
        QTest::newRow("word") << QStringList{"--filter", "worker-1"} << "worker-1";
        QTest::newRow("both") << QStringList{"--cpu", "0", "--filter", "name == \"sched_switch\""} << "\"cpu\":0,\"name\":\"sched_switch\"";
    }
    void filterSelectsMatchingEvents()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, pattern);
        QList<QByteArray> expected = m_lines;
        expected.removeIf([&](const QByteArray& line) { return !line.contains(pattern.toUtf8()); });

        const ProgramResult answer = heliograph(QStringList{"events", sampleTrace(), "--format", "json"} + options);

        QVERIFY(!expected.isEmpty() && expected.size() < m_lines.size());
        QCOMPARE(answer.lines(), expected);
    }

    void timesInAFilterCountFromTheBegin()
    {
        const qint64 begin = rawNumber(m_lines[0], "time_ns").toLongLong();
        const qint64 at = rawNumber(m_lines[100], "time_ns").toLongLong();
        const QString elapsed = QStringLiteral("+%1ns").arg(at - begin);
        const QString ofDay = QDateTime::fromMSecsSinceEpoch(at / 1'000'000, Qt::UTC).toString("HH:mm:ss")
            + QStringLiteral(".%1").arg(at % 1'000'000'000, 9, 10, QChar('0'));

        QCOMPARE(heliograph({"events", sampleTrace(), "--format", "json", "--filter", "time < " + elapsed}).lines(), m_lines.mid(0, 100));
        QCOMPARE(heliograph({"events", sampleTrace(), "--format", "json", "--filter", "time < " + ofDay}).lines(), m_lines.mid(0, 100));
    }

    void aFilterThatMeansNothingIsSaid()
    {
        const ProgramResult states = heliograph({"events", sampleTrace(), "--count", "--filter", "state == \"preempted\""});
        const ProgramResult field = heliograph({"events", sampleTrace(), "--count", "--filter", "bogus_field == 5"});

        QCOMPARE(states.status, 2);
        QVERIFY2(states.err.contains("heliograph states --filter"), states.err.constData());
        QCOMPARE(field.status, 0);
        QCOMPARE(field.out, QByteArray("0\n"));
        QVERIFY2(field.err.contains("no event has a field \"bogus_field\""), field.err.constData());
    }

    void hostsAreNamed()
    {
        const QByteArray all = QByteArray::number(m_lines.size()) + '\n';

        QCOMPARE(heliograph({"events", sampleTrace(), "--count", "--host", "kern2"}).out, all);
        QCOMPARE(heliograph({"events", sampleTrace(), "--count", "--filter", "host == \"kern2\""}).out, all);
    }

    void aThreadsEventsAreThoseOfItsTimeOnACpu()
    {
        // The events have no tid, so an event's thread is the thread that runs on its CPU. Expected are all events between a switch-in of
        // worker-0 (252) and its switch-out on the same CPU.
        qsizetype expected = 0;
        QHash<int, bool> isOn;
        for (const QByteArray& line : m_lines) {
            const QJsonObject event = object(line);
            const int cpu = event["cpu"].toInt();
            expected += isOn.value(cpu);
            if (event["name"].toString() == "sched_switch")
                isOn[cpu] = event["fields"]["next_tid"].toInt() == 252;
        }

        QVERIFY(expected > 100);
        QCOMPARE(heliograph({"events", sampleTrace(), "--count", "--thread", "252"}).out, QByteArray::number(expected) + '\n');
        QCOMPARE(heliograph({"events", sampleTrace(), "--count", "--filter", "tid == 252"}).out, QByteArray::number(expected) + '\n');
        QCOMPARE(heliograph({"events", sampleTrace(), "--count", "--row", "tid:252"}).out, QByteArray::number(expected) + '\n');
    }

    void aProcessIsAllItsThreads()
    {
        long long sum = 0;
        for (const char* tid : {"251", "252", "253", "254", "255"})
            sum += heliograph({"events", sampleTrace(), "--count", "--thread", tid}).out.trimmed().toLongLong();

        QCOMPARE(heliograph({"events", sampleTrace(), "--count", "--process", "mixwork"}).out.trimmed().toLongLong(), sum);
    }

    void anOffsetShiftsTimes()
    {
        const QByteArray time = rawNumber(m_lines[0], "time_ns");
        const auto shifted = heliograph({"events", sampleTrace(), "--format", "csv", "--offset", sampleTrace() + "/kernel=-1000"}).lines();

        QCOMPARE(shifted.size(), m_lines.size() + 1);
        QCOMPARE(csvCells(shifted[1]).first().toLongLong(), time.toLongLong() - 1'000);
    }

    void aWindowHoldsAllItsEventsWhereTimeGoesBack_data()
    {
        QTest::addColumn<QString>("begin");
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("numbers");
        test::addRow("before the first event", "0", "600", "3 4 6");
        test::addRow("behind the step back", "1000", "9000", "1 2 5");
        test::addRow("one of them", "500", "501", "4");
        test::addRow("between", "600", "1000", "");
        test::addRow("all", "0", "9000", "1 2 3 4 5 6");
    }
    void aWindowHoldsAllItsEventsWhereTimeGoesBack()
    {
        QFETCH(QString, begin);
        QFETCH(QString, end);
        QFETCH(QString, numbers);
        const QTemporaryDir folder;
        const MadeBytes made;
        test::writeFile(folder.filePath("metadata"), R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u64 timestamp; u8 id; }; };
event { name = "e"; id = 0; fields := struct { u8 n; }; };
)");
        QByteArray events;
        for (const auto& [time, n] : {std::pair(4000, 1), {5000, 2}, {100, 3}, {500, 4}, {4500, 5}, {599, 6}})
            events += made.empty().u64(quint64(time)).u8(0).u8(quint8(n)).bytes;
        test::writeFile(folder.filePath("stream"), events);
        // The first run finds no store, the second one does.
        for (const bool isIndexed : {false, true}) {
            if (isIndexed)
                QCOMPARE(heliograph({"index", folder.path()}).status, 0);
            QStringList found;
            QStringList arguments{"events", folder.path(), "--begin", begin, "--end", end, "--format", "json", "--quiet"};
            if (isIndexed)
                arguments << "--filter"
                          << "n >= 0";
            const ProgramResult answer = heliograph(arguments);
            QCOMPARE(answer.status, 0);
            for (const QByteArray& line : answer.lines())
                found << rawNumber(line, "n");
            QCOMPARE(found.join(' '), numbers);
        }
    }

    void damageIsSaidOnceItWasRead()
    {
        const QTemporaryDir folder;
        test::writeFile(folder.filePath("metadata"), R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u8 id; }; };
event { name = "e"; id = 0; fields := struct { u8 n; }; };
)");
        test::writeFile(folder.filePath("stream"), QByteArray::fromHex("00010002ff0000"));
        const ProgramResult events = heliograph({"events", folder.path(), "--count"});
        const ProgramResult info = heliograph({"info", folder.path()});

        const QByteArray said = "/stream: Corrupt data (unknown event ID 255); the last 3 bytes of the packet at byte 0 are not read.\n";
        QCOMPARE(events.out, QByteArray("2\n"));
        QVERIFY2(events.err.endsWith(said), events.err.constData());
        QVERIFY2(info.err.endsWith(said), info.err.constData());
        QCOMPARE(events.status, info.status);
        QCOMPARE(heliograph({"events", folder.path(), "--count", "--quiet"}).err, QByteArray());
    }

    void anErrorOfSeveralLinesIsSeveralLines()
    {
        const ProgramResult answer = heliograph({"events", "/nowhere/a", "/nowhere/b"});

        QCOMPARE(answer.err,
                 QByteArray("heliograph: /nowhere/a: no such file or folder\nheliograph: /nowhere/b: no such file or folder\n"));
    }

private:
    ProgramResult m_json;
    QList<QByteArray> m_lines;
};

HELIO_TEST(EventsOutputTest)
#include "tst_events_output.moc"
