#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/open_trace.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace helio;

namespace {

/// An event of a trace: time in ns, CPU, thread and name, as a key of its order, and the texts of its fields.
struct PlainEvent {
    qint64 time = 0;
    int cpu = 0;
    int tid = 0;
    QString name;
    QStringList fieldNames; ///< Only of events that Heliograph reads.
    QStringList values;
    QString text; ///< All fields as trace-cmd prints them.
};

/// Returns the events that `trace-cmd report -t` (times in ns) prints for the file `path`, with further `options`.
std::vector<PlainEvent> eventsOfTraceCmd(const QString& path, const QStringList& options)
{
    QProcess process;
    process.start("trace-cmd", QStringList{"report", "-t"} + options + QStringList(path));
    if (!process.waitForFinished(120'000))
        return {};
    static const QRegularExpression line(R"re(^\s*.*-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}): (\w+):\s*(.*?)$)re");
    std::vector<PlainEvent> events;
    for (const QString& it : QString::fromUtf8(process.readAllStandardOutput()).split('\n')) {
        const auto match = line.match(it);
        if (match.hasMatch())
            events.push_back({match.captured(3).toLongLong() * 1'000'000'000 + match.captured(4).toLongLong(),
                              match.captured(2).toInt(),
                              match.captured(1).toInt(),
                              match.captured(5),
                              {},
                              {},
                              match.captured(6)});
    }
    return events;
}

std::vector<PlainEvent> eventsOf(const Trace& trace)
{
    std::vector<PlainEvent> all;
    MergedEvents events(trace);
    while (events.next()) {
        PlainEvent& event = all.emplace_back();
        event.time = nanoseconds(events.event().time());
        event.cpu = events.event().cpu();
        event.name = QString::fromStdString(events.event().type->name);
        for (const NamedValue& field : decodeContext(events.event()))
            if (field.name == "tid")
                event.tid = QString::fromStdString(displayText(field.value)).toInt();
        for (const NamedValue& field : decodeSection(events.event(), Section::Payload)) {
            event.fieldNames << QString::fromStdString(field.name);
            event.values << QString::fromStdString(displayText(field.value));
        }
    }
    return all;
}

/// Returns the number in a text; trace-cmd prints flags in hexadecimal without "0x".
quint64 numberIn(const QString& text, int base, bool& isNumber)
{
    return text.startsWith('-') ? quint64(text.toLongLong(&isNumber, base)) : text.toULongLong(&isNumber, base);
}

/// True if trace-cmd's text of a field means the same value as ours. It prints names instead of the addresses of functions, bytes
/// instead of the elements of arrays, and numbers of 32 bits with or without their sign.
bool isSameValue(const QString& printed, const QString& ours)
{
    static const QRegularExpression symbol("^[a-z_][a-z_0-9.]*$");
    if (printed == ours || (ours.startsWith("0x") && symbol.match(printed).hasMatch()))
        return true;
    if (printed.startsWith("ARRAY[")) {
        QByteArray bytes;
        for (const QString& byte : printed.mid(6).chopped(1).split(", "))
            bytes += char(byte.toUInt(nullptr, 16));
        const QStringList elements = ours.mid(1).chopped(1).split(',');
        const qsizetype size = bytes.size() / elements.size();
        for (qsizetype i = 0; i < elements.size(); ++i) {
            quint64 value = 0;
            for (qsizetype at = size - 1; at >= 0; --at)
                value = value << 8 | quint8(bytes[i * size + at]);
            bool isNumber = false;
            const quint64 own = numberIn(elements[i], 0, isNumber);
            if (!isNumber || value != (size < 8 ? own & ((quint64(1) << 8 * size) - 1) : own))
                return false;
        }
        return size * elements.size() == bytes.size();
    }
    for (const int base : {0, 16}) {
        bool isFirst = false;
        bool isSecond = false;
        const quint64 difference = numberIn(printed, base, isFirst) - numberIn(ours, 0, isSecond);
        if (isFirst && isSecond && (difference == 0 || difference == quint64(1) << 32 || difference == ~quint64(0) << 32))
            return true;
    }
    return false;
}

/// Returns the first field of our event whose value differs from trace-cmd's; empty if there is none.
QString differenceOf(const PlainEvent& ours, const PlainEvent& printed)
{
    const QString text = ' ' + printed.text;
    std::vector<qsizetype> begins;
    qsizetype at = 0;
    for (const QString& name : ours.fieldNames) {
        at = text.indexOf(' ' + name + '=', at);
        if (at < 0)
            return name + " is missing in: " + printed.text;
        begins.push_back(at++);
    }
    for (qsizetype i = 0; i < ours.fieldNames.size(); ++i) {
        const qsizetype begin = begins[std::size_t(i)] + ours.fieldNames[i].size() + 2;
        const qsizetype end = i + 1 < ours.fieldNames.size() ? begins[std::size_t(i) + 1] : text.size();
        if (const QString value = text.mid(begin, end - begin); !isSameValue(value, ours.values[i]))
            return ours.name + ": " + ours.fieldNames[i] + "=" + value + " and " + ours.values[i];
    }
    return {};
}

} // namespace

/// Property: recordings of trace-cmd equal the whole output of `trace-cmd report`.
class TraceDatRecordedTest : public QObject {
    Q_OBJECT

private slots:
    void everyTextIsWhatTraceCmdPrints_data() { everyEventIsWhatTraceCmdPrints_data(); }
    /// Input: recordings of trace-cmd. Property: the text of each event equals the text that `trace-cmd report` prints.
    void everyTextIsWhatTraceCmdPrints()
    {
        QFETCH(QString, collection);
        QFETCH(QString, file);
        if (QStandardPaths::findExecutable("trace-cmd").isEmpty())
            QSKIP("trace-cmd is missing");
        HELIO_REQUIRE_TRACE(path, collection, file);
        const std::vector<PlainEvent> printed = eventsOfTraceCmd(path, {});
        const auto trace = openTrace("trace.dat", path.toStdString());
        QVERIFY(trace);
        const auto texts = trace->makeEventTexts();
        using Key = std::tuple<qint64, int, QString>;
        // Texts of events, keyed by time, CPU and event name, because events of two CPUs with the same time may be in either order.
        std::map<Key, QStringList> ours;
        std::map<Key, QStringList> theirs;
        for (const PlainEvent& event : printed)
            theirs[{event.time, event.cpu, event.name}] << event.text;
        MergedEvents events(*trace);
        while (events.next()) {
            std::string text;
            QVERIFY(texts->append(text, events.event()));
            const Key key{nanoseconds(events.event().time()), events.event().cpu(), QString::fromStdString(events.event().type->name)};
            ours[key] << QString::fromStdString(text).trimmed();
        }

        QVERIFY(printed.size() > 1000);
        QCOMPARE(ours.size(), theirs.size());
        for (const auto& [key, lines] : theirs)
            QCOMPARE(ours[key], lines);
    }

    void everyEventIsWhatTraceCmdPrints_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("file");
        for (const char* collection : {"ftrace-vm", "ftrace-host"})
            for (const char* file : {"trace-mono.dat", "trace-local.dat", "trace-v7z.dat", "trace-v6.dat"})
                if (QString(file) != (QString(collection) == "ftrace-vm" ? "trace-v6.dat" : "trace-v7z.dat"))
                    QTest::addRow("%s %s", collection, file) << collection << file;
    }
    void everyEventIsWhatTraceCmdPrints()
    {
        QFETCH(QString, collection);
        QFETCH(QString, file);
        if (QStandardPaths::findExecutable("trace-cmd").isEmpty())
            QSKIP("trace-cmd is missing");
        HELIO_REQUIRE_TRACE(path, collection, file);
        std::vector<PlainEvent> printed = eventsOfTraceCmd(path, {"-R", "-N"}); // -R: raw field values; -N: no plugins.
        std::string error;

        const auto trace = openTrace("trace.dat", path.toStdString(), &error);

        QVERIFY2(trace, error.c_str());
        QVERIFY(trace->diagnostics().empty());
        std::vector<PlainEvent> ours = eventsOf(*trace);
        QVERIFY(printed.size() > 1000);
        QCOMPARE(ours.size(), printed.size());
        // Events of two CPUs with the same time may come in either order.
        const auto keyOf = [](const PlainEvent& event) { return std::pair(event.time, event.cpu); };
        std::ranges::stable_sort(ours, {}, keyOf);
        std::ranges::stable_sort(printed, {}, keyOf);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            QCOMPARE(ours[i].time, printed[i].time);
            QCOMPARE(ours[i].cpu, printed[i].cpu);
            QCOMPARE(ours[i].tid, printed[i].tid);
            QCOMPARE(ours[i].name, printed[i].name);
            const QString difference = differenceOf(ours[i], printed[i]);
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        }
    }

    void textOfTheKernelHasTheEventsOfItsHeader_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<int>("events");
        QTest::newRow("vm") << "ftrace-vm" << 16111;
        QTest::newRow("host") << "ftrace-host" << 8344;
    }
    /// Input: a copy of the file `trace` of tracefs. Property: all its lines are events, as many as its header says.
    void textOfTheKernelHasTheEventsOfItsHeader()
    {
        QFETCH(QString, collection);
        QFETCH(int, events);
        HELIO_REQUIRE_TRACE(path, collection, "systrace-like.txt");

        const auto trace = openTrace("ftrace text", path.toStdString());

        QVERIFY(trace);
        QVERIFY(trace->diagnostics().empty());
        QCOMPARE(int(eventsOf(*trace).size()), events);
    }
};

HELIO_TEST(TraceDatRecordedTest)
#include "tst_trace_dat_recorded.moc"
