#include "core/formats/chrome_json/chrome_json_reader.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/open_trace.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace helio;

namespace {

QString textIn(const std::vector<NamedValue>& fields, std::string_view name)
{
    for (const NamedValue& field : fields)
        if (field.name == name)
            return QString::fromStdString(displayText(field.value));
    return {};
}

/// Returns "TIME BEGIN name [vpid/vtid] other fields" for an event.
QString described(const EventView& event)
{
    const auto context = decodeContext(event);
    QString text = QString("%1 %2 [%3/%4]")
                       .arg(nanoseconds(event.time()))
                       .arg(QString::fromStdString(event.type->name))
                       .arg(textIn(context, "vpid"), textIn(context, "vtid"));
    for (const NamedValue& field : decodeSection(event, Section::Payload)) {
        const std::string value = displayText(field.value);
        if (!value.empty())
            text += QString::fromStdString(" " + field.name + "=" + value);
    }
    return text;
}

/// Number and total duration in ns of slices.
struct SliceSum {
    int count = 0;
    qint64 total = 0;
    bool operator==(const SliceSum&) const = default;
};
/// Returns JSON that is written with single quotes. (moc misreads some raw strings.)
QByteArray json(QByteArray text) { return text.replace('\'', '"'); }

using SliceSums = std::map<QString, SliceSum>;

qint64 nanosecondsIn(const QJsonValue& microseconds)
{
    return std::llround((microseconds.isString() ? microseconds.toString().toDouble() : microseconds.toDouble()) * 1000);
}

/// Returns the closed slices of a trace by name, derived from the text by Qt's reader of JSON.
SliceSums slicesOfText(const QByteArray& text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text);
    const QJsonArray array = document.isArray() ? document.array() : document.object()["traceEvents"].toArray();
    std::vector<QJsonObject> events;
    for (const QJsonValue& value : array)
        events.push_back(value.toObject());
    std::ranges::stable_sort(events, {}, [](const QJsonObject& event) { return nanosecondsIn(event["ts"]); });
    SliceSums sums;
    std::map<std::pair<QString, QString>, std::vector<QJsonObject>> open;
    for (const QJsonObject& event : events) {
        const QString phase = event["ph"].toString();
        auto& slices = open[{event["pid"].toVariant().toString(), event["tid"].toVariant().toString()}];
        const auto add = [&](const QString& name, qint64 duration) {
            ++sums[name].count;
            sums[name].total += duration;
        };
        if (phase == "X") {
            add(event["name"].toString(), nanosecondsIn(event["dur"]));
        } else if (phase == "B") {
            slices.push_back(event);
        } else if (phase == "E" && !slices.empty()) {
            add(slices.back()["name"].toString(), nanosecondsIn(event["ts"]) - nanosecondsIn(slices.back()["ts"]));
            slices.pop_back();
        }
    }
    return sums;
}

/// Returns the closed slices of a trace by name, from its events.
SliceSums slicesOfTrace(const Trace& trace)
{
    SliceSums sums;
    std::map<QString, std::vector<std::pair<QString, qint64>>> open;
    MergedEvents events(trace);
    while (events.next()) {
        const auto context = decodeContext(events.event());
        auto& slices = open[textIn(context, "vpid") + "/" + textIn(context, "vtid")];
        const qint64 time = nanoseconds(events.event().time());
        if (events.event().type->name == "span_begin") {
            slices.emplace_back(textIn(decodeSection(events.event(), Section::Payload), "name"), time);
        } else if (events.event().type->name == "span_end") {
            SliceSum& sum = sums[slices.back().first];
            ++sum.count;
            sum.total += time - slices.back().second;
            slices.pop_back();
        }
    }
    return sums;
}

} // namespace

/// Input: traces in JSON of all forms that programs write.
class ChromeJsonTest : public QObject {
    Q_OBJECT

private:
    QStringList contentOf(const QByteArray& text)
    {
        QFile file(m_folder.filePath("trace.json"));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size())
            qFatal("cannot write");
        file.close();
        std::string error;
        m_trace = openTrace("Chrome JSON", m_folder.filePath("trace.json").toStdString(), &error);
        if (!m_trace)
            return {error.empty() ? QString("not recognized") : QString::fromStdString(error)};
        QStringList lines;
        MergedEvents events(*m_trace);
        while (events.next())
            if (events.event().type->name != "process_info") // Each process has a process_info event at the trace's begin.
                lines << described(events.event());
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            lines << QString::fromStdString(diagnostic.kind + " " + std::to_string(diagnostic.count));
        return lines;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;

private slots:
    void allFormsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray events = json("{'ph':'B','pid':1,'tid':2,'ts':1,'name':'a'}, {'ph':'E','pid':1,'tid':2,'ts':3}");
        QTest::newRow("array") << "[" + events + "]";
        QTest::newRow("object") << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [" + events + "], \"metadata\": {\"a\": [1, \"}\"]}}";
        QTest::newRow("events last") << json("{'stackTraces': {'1': {'x': ']\\''}}, 'n': 1.5, 'b': true, 'traceEvents': [") + events + "]}";
        QTest::newRow("unclosed array") << "[\n" + events;
        QTest::newRow("comma at the end") << "[" + events + ",\n]";
        QTest::newRow("comma at the open end") << "[" + events + ",\n";
        QTest::newRow("blanks") << " \r\n\t[ " + events + " ] \n";
        QTest::newRow("byte order mark") << "\xef\xbb\xbf[" + events + "]";
        QTest::newRow("texts for numbers") << json(
            "[{'ph':'B','pid':'1','tid':'2','ts':'1.0','name':'a'}, {'ph':'E','pid':'1','tid':'2','ts':'3'}]");
    }
    void allFormsAreRead()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(contentOf(text), QStringList({"1000 span_begin [1/2] name=a", "3000 span_end [1/2]"}));
    }

    /// The format is detected from the first 64 KiB of a text, unless the first event is longer.
    void longFirstEventsAreRead_data()
    {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QByteArray>("end");
        QTest::newRow("array") << QByteArray("\n[\n") << QByteArray("]");
        QTest::newRow("object") << QByteArray("{\"traceEvents\":[") << QByteArray("]}");
    }
    void longFirstEventsAreRead()
    {
        QFETCH(QByteArray, begin);
        QFETCH(QByteArray, end);
        const QByteArray name(100'000, 'n');
        QCOMPARE(contentOf(begin + json("{'ph':'i','pid':1,'tid':2,'ts':1,'name':'") + name + "\"}" + end),
                 QStringList("1000 instant [1/2] scope=thread track=0 nest=0 name=" + QString::fromLatin1(name)));
        QCOMPARE(contentOf("[{\"name\": \"" + name + "\"}]"), QStringList("not recognized"));
    }

    void phasesBecomeEvents_data()
    {
        QTest::addColumn<QByteArray>("event");
        QTest::addColumn<QStringList>("content");
        const auto row = [](const char* name, const char* event, const QStringList& content) {
            QTest::newRow(name) << QByteArray(event) << content;
        };
        row("complete", json("{'ph':'X','pid':1,'tid':2,'ts':1.0005,'dur':2.25,'name':'a','cat':'c','args':{'x':[1]}}"),
            {"1000 span_begin [1/2] name=a cat=c args={\"x\":[1]}", "3250 span_end [1/2]"});
        row("without duration", json("{'ph':'X','pid':1,'tid':2,'ts':1,'tdur':2,'name':'a'}"),
            {"1000 span_begin [1/2] name=a cpu_ns=2000", "1000 span_end [1/2]", "no-duration 1"});
        row("instant", json("{'ph':'i','pid':1,'tid':2,'ts':1,'name':'a','s':'g'}"),
            {"1000 instant [1/2] scope=global track=0 nest=0 name=a"});
        row("counter", json("{'ph':'C','pid':1,'tid':2,'ts':1,'name':'a','args':{'x':1,'y':-2.5,'z':'no','value':'7'}}"),
            {"1000 counter [1/2] scope=process track=0 name=a series=x value=1",
             "1000 counter [1/2] scope=process track=0 name=a series=y value=-2.5",
             "1000 counter [1/2] scope=process track=0 name=a value=7"});
        row("asynchronous", json("{'ph':'b','pid':1,'tid':2,'ts':1,'name':'a','id':'0x7'}"),
            {"1000 track_info [1/] track=1 parent=0 name=a order=0", "1000 track_begin [1/2] track=1 nest=1 name=a id=0x7"});
        row("local id", json("{'ph':'e','pid':1,'tid':2,'ts':1,'name':'a','id2':{'local':7}}"),
            {"1000 track_info [1/] track=1 parent=0 name=a order=0", "1000 track_end [1/2] track=1 nest=1 name=a"});
        row("step", json("{'ph':'T','pid':1,'tid':2,'ts':1,'name':'a','id':7,'args':{'step':'s'}}"),
            {"1000 track_info [1/] track=1 parent=0 name=a order=0",
             "1000 instant [1/2] scope=track track=1 nest=1 name=s args={\"step\":\"s\"} id=7"});
        row("object", json("{'ph':'N','pid':1,'tid':2,'ts':1,'name':'a','id':'0x7'}"),
            {"1000 track_info [1/] track=1 parent=0 name=Objects: a order=0", "1000 track_begin [1/2] track=1 nest=1 name=a 0x7 id=0x7"});
        row("member of a flow", json("{'ph':'X','pid':1,'tid':2,'ts':1,'dur':1,'name':'a','bind_id':'0x5','flow_in':true}"),
            {"1000 span_begin [1/2] name=a", "1000 flow_end [1/2] track=0 nest=0 id=0x5 binding=enclosing", "2000 span_end [1/2]"});
        row("end of a flow", json("{'ph':'f','pid':1,'tid':2,'ts':1,'name':'a','id':5}"),
            {"1000 flow_end [1/2] track=0 nest=0 name=a id=5 binding=next"});
        row("memory dump", json("{'ph':'v','pid':1,'tid':2,'ts':1,'name':'a','id':5}"),
            {"1000 memory_dump [1/2] name=a id=5", "memory-dump 1"});
        row("flow", json("{'ph':'s','pid':1,'tid':2,'ts':1,'name':'a','id':5}"),
            {"1000 flow_begin [1/2] track=0 nest=0 name=a id=5 binding=enclosing"});
        row("escapes", json("{'ph':'i','pid':1,'tid':2,'ts':1,'name':'\\'a\\'\\n\\u00e4\\u0000b'}"),
            {"1000 instant [1/2] scope=thread track=0 nest=0 name=\"a\"\n\u00e4"});
        row("exponent", json("{'ph':'i','pid':1,'tid':2,'ts':1.5e3,'name':'a'}"),
            {"1500000 instant [1/2] scope=thread track=0 nest=0 name=a"});
        row("large time", json("{'ph':'i','pid':1,'tid':2,'ts':1700000000123456.789,'name':'a'}"),
            {"1700000000123456789 instant [1/2] scope=thread track=0 nest=0 name=a"});
        row("negative time", json("{'ph':'i','pid':1,'tid':2,'ts':-1.5,'name':'a'}"),
            {"-1500 instant [1/2] scope=thread track=0 nest=0 name=a"});
        row("unknown phase", json("{'ph':'i','pid':1,'tid':2,'ts':1,'name':'a'},{'ph':'?','pid':1,'tid':2,'ts':1,'name':'a'}"),
            {"1000 instant [1/2] scope=thread track=0 nest=0 name=a", "unknown-phase 1"});
        row("no time", json("{'ph':'i','pid':1,'tid':2,'name':'a'}"), {"no-time 1"});
        row("end with the name of an outer slice",
            json("{'ph':'B','pid':1,'tid':2,'ts':1,'name':'a'},{'ph':'B','pid':1,'tid':2,'ts':2,'name':'b'},"
                 "{'ph':'E','pid':1,'tid':2,'ts':3,'name':'a'},{'ph':'X','pid':1,'tid':2,'ts':4,'dur':1,'name':'c'}"),
            {"1000 span_begin [1/2] name=a", "2000 span_begin [1/2] name=b", "3000 span_end [1/2] name=a", "4000 span_begin [1/2] name=c",
             "5000 span_end [1/2]", "end-of-outer 1"});
        row("end with a name that no open slice has",
            json("{'ph':'B','pid':1,'tid':2,'ts':1,'name':'a'},{'ph':'E','pid':1,'tid':2,'ts':2,'name':'c'},"
                 "{'ph':'E','pid':1,'tid':2,'ts':3,'name':'a'}"),
            {"1000 span_begin [1/2] name=a", "3000 span_end [1/2]", "end-of-other-name 1"});
        row("end without begin", json("{'ph':'E','pid':1,'tid':2,'ts':1}"), {"end-without-begin 1"});
    }
    void phasesBecomeEvents()
    {
        QFETCH(QByteArray, event);
        QFETCH(QStringList, content);
        QCOMPARE(contentOf("[" + event + "]"), content);
    }

    /// Property: complete events nest by time whatever their order in the text; of events with one begin the longest is the outermost.
    void completeEventsNestInAnyOrder()
    {
        const auto event = [](const char* name, int ts, int dur) {
            return QString(json("{'ph':'X','pid':1,'tid':1,'name':'%1','ts':%2,'dur':%3}")).arg(name).arg(ts).arg(dur).toUtf8();
        };
        const QByteArrayList events{event("a", 0, 10), event("b", 0, 4), event("c", 4, 6), event("d", 4, 0), event("e", 9, 1)};
        QStringList expected;
        for (const char* line : {"0 a", "0 b", "4000", "4000 c", "4000 d", "4000", "9000 e", "10000", "10000", "10000"})
            expected << QString(line).section(' ', 0, 0) + " span_"
                    + (QString(line).contains(' ') ? "begin [1/1] name=" + QString(line).section(' ', 1) : "end [1/1]");
        QCOMPARE(contentOf("[" + events.join(',') + "]"), expected);
        QByteArrayList reversed(events.rbegin(), events.rend());
        QCOMPARE(contentOf("[" + reversed.join(',') + "]"), expected);
    }

    /// Property: a complete event that overlaps another one has a row of its own, and keeps its times.
    void overlappingEventsHaveTheirOwnRow()
    {
        const QStringList lines =
            contentOf(json("[{'ph':'X','pid':1,'tid':1,'name':'a','ts':0,'dur':10},"
                           "{'ph':'X','pid':1,'tid':1,'name':'b','ts':5,'dur':10}, {'ph':'X','pid':1,'tid':1,'name':'c','ts':6,'dur':1}]"));
        QCOMPARE(lines,
                 QStringList({"0 span_begin [1/1] name=a", "5000 span_begin [1/1] name=b", "6000 span_begin [1/1] name=c",
                              "7000 span_end [1/1]", "10000 span_end [1/1]", "15000 span_end [1/1]", "overlap 1"}));
        std::vector<std::uint32_t> rows;
        MergedEvents events(*m_trace);
        while (events.next())
            rows.push_back(std::uint32_t(FieldRef(*events.event().type, Section::StreamContext, "pid_ns").integerOr(events.event(), 0)));
        QCOMPARE(rows, std::vector<std::uint32_t>({0xeffffffc, 0xeffffffc, 1, 0xeffffffc, 0xeffffffc, 0xeffffffc, 1}));
    }

    void threadsAreNamed()
    {
        contentOf(json("[{'ph':'M','pid':1,'tid':0,'name':'process_name','args':{'name':'Browser'}},"
                       "{'ph':'M','pid':1,'tid':2,'name':'thread_name','args':{'name':'Worker'}},"
                       "{'ph':'i','pid':1,'tid':1,'ts':5,'name':'x'}, {'ph':'i','pid':1,'tid':2,'ts':6,'name':'x'},"
                       "{'ph':'i','pid':1,'tid':'pool','ts':7,'name':'x'}]"));
        QStringList names;
        for (const ProcessRecord& record : m_trace->processRecords())
            names << QString("%1 %2/%3 %4")
                         .arg(nanoseconds(record.time))
                         .arg(record.pid)
                         .arg(record.tid)
                         .arg(QString::fromStdString(record.name));
        names.sort();
        QCOMPARE(names, QStringList({"5000 1/1 Browser", "5000 1/1073741826 pool", "5000 1/2 Worker"}));

        QStringList contexts;
        MergedEvents events(*m_trace);
        while (events.next())
            contexts << QString::fromStdString(
                std::string(FieldRef(*events.event().type, Section::StreamContext, "procname").text(events.event())));
        QCOMPARE(contexts, QStringList({"", "Browser", "Worker", "pool"}));
    }

    /// Property: the text of the system's trace in a file is returned, also of a file that ends within it; the placeholder of the format's
    /// documentation is no trace.
    void tracesOfTheSystemAreReturned()
    {
        const QByteArray events = json("{'traceEvents':[{'ph':'i','pid':1,'tid':2,'ts':1,'name':'a'}],'systemTraceEvents':");
        const auto embeddedIn = [&](const QByteArray& text) {
            const auto read = chromejson::readChromeJson({text.constData(), std::size_t(text.size())}, "a", {});
            QStringList texts;
            for (const EmbeddedText& it : read ? read->embedded : std::vector<EmbeddedText>())
                texts << QString::fromStdString(it.name + ": " + it.text);
            return texts;
        };
        QCOMPARE(embeddedIn(events + json("'SystemTraceData'}")), QStringList());
        QCOMPARE(embeddedIn(events + json("'# tracer: nop\\nbash \\\"x\\\" \\u00e4\\n'}")),
                 QStringList(QString::fromUtf8("systemTraceEvents: # tracer: nop\nbash \"x\" \u00e4\n")));
        QCOMPARE(embeddedIn(events + json("'line 1\\nline 2\\nlin")), QStringList("systemTraceEvents: line 1\nline 2\n"));
        QCOMPARE(embeddedIn(events + json("{'type':'fuchsia','events':[]}}")), QStringList());
        QCOMPARE(contentOf(events + json("{'type':'fuchsia','events':[]}}")).last(), QString("unread-system-trace 1"));
    }

    /// Property: the call stack of a slice or an instant is an argument, outermost function first, as a list of names ("stack") or an
    /// element of "stackFrames" ("sf").
    void callStacksOfSlicesAreArguments()
    {
        QCOMPARE(contentOf(json("{'traceEvents':["
                                "{'ph':'X','pid':1,'tid':2,'ts':1,'dur':5,'name':'a','sf':7,'args':{'x':1}},"
                                "{'ph':'B','pid':1,'tid':2,'ts':2,'name':'b','stack':['main','f']},"
                                "{'ph':'i','pid':1,'tid':2,'ts':3,'name':'c','sf':8,'args':{ }},"
                                "{'ph':'i','pid':1,'tid':2,'ts':3.5,'name':'d','sf':9}],"
                                "'stackFrames':{'7':{'name':'g \\\"','parent':'8'},'8':{'name':'main'}}}"))
                     .filter("args="),
                 QStringList({"1000 span_begin [1/2] name=a args={\"callstack\":[\"main\",\"g \\\"\"],\"x\":1}",
                              "2000 span_begin [1/2] name=b args={\"callstack\":[\"main\",\"f\"]}",
                              "3000 instant [1/2] scope=thread track=0 nest=0 name=c args={\"callstack\":[\"main\"]}"}));
        // A frame that is its own caller ends nothing but the stack.
        QCOMPARE(contentOf(json("{'traceEvents':[{'ph':'i','pid':1,'tid':2,'ts':3,'name':'c','sf':8}],"
                                "'stackFrames':{'8':{'name':'f','parent':'8'}}}"))
                     .size(),
                 1);
    }

    void cutTextsKeepTheirEvents()
    {
        const QByteArray text = json("{'traceEvents':[{'ph':'i','pid':1,'tid':2,'ts':1,'name':'a'},{'ph':'i','pid':1,'tid':2,'ts':2,'na");
        QCOMPARE(contentOf(text), QStringList({"1000 instant [1/2] scope=thread track=0 nest=0 name=a", "truncated 1"}));
        QCOMPARE(
            contentOf(json("[{'ph':'i','pid':1,'tid':2,'ts':1,'name':'a'},{'ph':'i',,},{'ph':'i','pid':1,'tid':2,'ts':3,'name':'b'}]")),
            QStringList({"1000 instant [1/2] scope=thread track=0 nest=0 name=a", "3000 instant [1/2] scope=thread track=0 nest=0 name=b",
                         "invalid-event 1"}));
    }

    void otherTextsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("other JSON") << json("{'a': [{'ph': 'i'}]}");
        QTest::newRow("other array") << json("[{'name': 'x'}]");
        QTest::newRow("numbers") << QByteArray("[1, 2, 3]");
        QTest::newRow("speedscope") << json("{'$schema': 'https://www.speedscope.app/file-format-schema.json', 'profiles': []}");
        QTest::newRow("text") << QByteArray("hello");
        QTest::newRow("empty") << QByteArray();
    }
    void otherTextsAreRefused()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(contentOf(text), QStringList("not recognized"));
    }

    /// Property: for any bytes, reading ends and accesses no invalid memory. Run this test with the sanitizers.
    void damagedTextsAreReadWithoutHarm()
    {
        const QByteArray whole =
            json("{'displayTimeUnit':'ms','traceEvents':[{'ph':'X','pid':1,'tid':1,'name':'a\\'','ts':0,'dur':10,'args':{'x':{'y':[1,2]}}},"
                 "{'ph':'M','pid':1,'tid':2,'name':'thread_name','args':{'name':'W'}},{'ph':'C','pid':1,'tid':2,'ts':1e1,'name':'a','args':"
                 "{'x':1}},"
                 "{'ph':'b','pid':'p','tid':2,'ts':'5.5','name':'a','id2':{'global':'0x1'}}],'stackFrames':{'1':{'name':'f'}}}");
        for (qsizetype size = 0; size <= whole.size(); ++size)
            contentOf(whole.left(size));
        Dice dice(17);
        int opened = 0;
        for (int round = 0; round < 1000; ++round) {
            contentOf(dice.damaged(whole, "{}[]\":,\\"));
            opened += m_trace != nullptr;
        }
        QVERIFY2(opened > 300, qPrintable(QString::number(opened)));
    }

    void slicesAreThoseOfTheText_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"big_trace.json", "flow.json", "main_thread_has_unclosed_slices.json", "x_event_trace.json", "only-begin-events.json",
              "out-of-order.json", "simultaneous-anonymous-calls.json", "must-retain-original-order.json", "mismatched-args.json"})
            QTest::newRow(file) << file;
    }
    /// Input: traces that Chrome recorded, and small ones. Property: number and total duration of all closed slices equal those that a
    /// second derivation finds in the text.
    void slicesAreThoseOfTheText()
    {
        QFETCH(QString, file);
        const QString path = sharedFile("formats/chrome-json/" + file);
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        QFile text(path);
        QVERIFY(text.open(QIODevice::ReadOnly));
        const SliceSums expected = slicesOfText(text.readAll());
        std::string error;

        const auto trace = openTrace("Chrome JSON", path.toStdString(), &error);

        QVERIFY2(trace, error.c_str());
        const SliceSums found = slicesOfTrace(*trace);
        for (const auto& [name, sum] : expected) {
            QVERIFY2(found.contains(name), qPrintable(name));
            QCOMPARE(found.at(name).count, sum.count);
            QCOMPARE(found.at(name).total, sum.total);
        }
        QCOMPARE(found.size(), expected.size());
    }
};

HELIO_TEST(ChromeJsonTest)
#include "tst_chrome_json.moc"
