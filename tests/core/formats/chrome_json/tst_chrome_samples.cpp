// Input: samples in Chrome's JSON format. Property: they are samples of their threads, with their call stacks and weights.

#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/opened_text.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <map>

using namespace helio;

namespace {

/// Returns `text` with single quotes replaced by double quotes. The tests write JSON with single quotes, because moc misreads some raw
/// strings.
QByteArray json(QByteArray text) { return text.replace('\'', '"'); }

/// Returns a line "TIME EVENT [CPU] PID/TID COMMAND PERIOD" for each sample of a trace; TIME is in ns.
QStringList samplesIn(const Trace& trace)
{
    QStringList lines;
    MergedEvents events(trace);
    for (SampleView sample; events.next();)
        if (trace.samples() && trace.samples()->read(events.event(), sample))
            lines << QString("%1 %2 [%3] %4/%5 %6 %7")
                         .arg(nanoseconds(events.event().time()))
                         .arg(QString::fromStdString(events.event().type->name))
                         .arg(sample.cpu)
                         .arg(sample.pid)
                         .arg(sample.tid)
                         .arg(QString::fromUtf8(sample.command.data(), qsizetype(sample.command.size())))
                         .arg(sample.period);
    return lines;
}

const QByteArray Frames = "'stackFrames':{'1':{'name':'[root]','category':'root'},'2':{'name':'f','category':'/lib/a.so','parent':1},"
                          "'x':{'name':'g','parent':'2'},'8':{'name':'h','parent':'9'},'9':{'name':'i','parent':'8'}}";
const QByteArray Name = "{'ph':'M','pid':5,'tid':7,'name':'thread_name','args':{'name':'worker'}}";

/// Returns a part of a profile of V8. `nodes` and `samples`: JSON texts; `rest`: further members of "data".
QByteArray chunk(int ts, const QByteArray& nodes, const QByteArray& samples, const QByteArray& rest)
{
    return "{'ph':'P','pid':5,'tid':9,'ts':" + QByteArray::number(ts)
        + ",'id':'0xb','name':'ProfileChunk','args':{'data':{'cpuProfile':{'nodes':" + nodes + ",'samples':" + samples + "}," + rest
        + "}}}";
}

const QByteArray Profile = "{'ph':'P','pid':5,'tid':7,'ts':100,'id':'0xb','name':'Profile','args':{'data':{'startTime':90}}},"
    + chunk(110,
            "[{'id':1,'callFrame':{'functionName':'(root)'}},{'id':2,'parent':1,'callFrame':{'functionName':'main','url':'a.js'}},"
            "{'id':3,'parent':2,'callFrame':{'functionName':'','url':'a.js','lineNumber':4,'columnNumber':1}}]",
            "[2,3]", "'timeDeltas':[10,20]")
    + ',' + chunk(150, "[{'id':4,'parent':1,'callFrame':{'functionName':'(idle)'}}]", "[2,4,3]", "'timeDeltas':[10,30,-5],'endTime':190");

} // namespace

class ChromeSamplesTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: the frames may come before or after the events and the samples.
    void samplesHaveStacks_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray events = "'traceEvents':[" + Name + ",{'ph':'X','pid':5,'tid':7,'ts':1,'dur':9,'name':'slice'}]";
        const QByteArray samples = "'samples':[{'cpu':3,'tid':7,'ts':2,'name':'cycles','sf':'x','weight':50},"
                                   "{'cpu':'-1','pid':5,'tid':'7','ts':'4.5','name':'cycles','sf':2,'weight':'7'}]";
        QTest::newRow("frames last") << json('{' + events + ',' + samples + ',' + Frames + '}');
        QTest::newRow("frames first") << json('{' + Frames + ',' + samples + ',' + events + '}');
    }
    void samplesHaveStacks()
    {
        QFETCH(QByteArray, text);
        const OpenedText opened(text, "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(samplesIn(opened.trace()), QStringList({"2000 sample:cycles [3] 5/7  50", "4500 sample:cycles [-1] 5/7  7"}));
        QCOMPARE(opened.folded("cycles", WeightBy::Weight), "worker;[root];f 7\nworker;[root];f;g 50\n");
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    void eventsOfSamplesHaveStacks()
    {
        const OpenedText opened(json("{'traceEvents':[" + Name
                                     + ",{'ph':'P','pid':5,'tid':7,'ts':1,'name':'a','sf':2},"
                                       "{'ph':'P','pid':5,'tid':7,'ts':2,'name':'a','stack':['outer','0x1234']},"
                                       "{'ph':'P','pid':5,'tid':7,'ts':3,'name':'no stack'}],"
                                     + Frames + '}'),
                                "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.folded("samples"), "worker;[root];f 1\nworker;outer;0x1234 1\n");
        QCOMPARE(opened.profile("samples").samples, std::uint64_t(2));
        QVERIFY(opened.trace().diagnostics().empty());
    }

    /// Property: a file without any other event is a trace of its samples.
    void samplesAloneAreATrace()
    {
        const OpenedText opened(json("{'traceEvents':[" + Name + "],'samples':[{'tid':7,'ts':3,'sf':1}]," + Frames + '}'), "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.folded("samples"), "worker;[root] 1\n");
        QCOMPARE(nanoseconds(opened.timeline->range.begin), 3000);
    }

    /// Property: samples of threads with the same id in different processes are not mixed.
    void threadsOfDifferentProcessesAreToldApart()
    {
        const OpenedText opened(
            json("{'traceEvents':[" + Name
                 + ",{'ph':'M','pid':6,'tid':7,'name':'thread_name','args':{'name':'other'}}],"
                   "'samples':[{'pid':5,'tid':7,'ts':3,'sf':1},{'pid':6,'tid':7,'ts':4,'sf':2},{'tid':7,'ts':5,'sf':2}],"
                 + Frames + '}'),
            "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        const QStringList lines = samplesIn(opened.trace());
        QCOMPARE(lines.first(2), QStringList({"3000 sample [-1] 5/7  1", "4000 sample [-1] 6/-1 other (6/7) 1"}));
        QVERIFY2(!lines.at(2).contains(" 5/") && !lines.at(2).contains(" 6/"), qPrintable(lines.at(2)));
        QCOMPARE(opened.folded("samples"), "other (6/7);[root];f 1\nthread (no pid/7);[root];f 1\nworker;[root] 1\n");
    }

    void profilesOfV8AreSamples()
    {
        const OpenedText opened(json("[" + Name + ',' + Profile + ']'), "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(samplesIn(opened.trace()),
                 QStringList({"100000 v8_sample [-1] 5/7  20000", "120000 v8_sample [-1] 5/7  10000", "130000 v8_sample [-1] 5/7  25000",
                              "155000 v8_sample [-1] 5/7  5000", "160000 v8_sample [-1] 5/7  30000"}));
        QCOMPARE(opened.folded("time", WeightBy::Weight), "worker;(idle) 30000\nworker;main 45000\nworker;main;(anonymous):5:2 15000\n");
        QVERIFY(sampleKinds(*opened.timeline).at(0).kind.isTime);
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    void badSamplesAreReported_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("kind");
        const auto samples = [](const QByteArray& sample) {
            return "{'traceEvents':[" + Name + "],'samples':[" + sample + "]," + Frames + '}';
        };
        QTest::newRow("no time") << samples("{'tid':7,'sf':1}") << "bad-sample";
        QTest::newRow("no JSON") << samples("{'tid':7,,}") << "bad-sample";
        QTest::newRow("weight") << samples("{'tid':7,'ts':1,'weight':-1}") << "bad-weight";
        QTest::newRow("huge weight") << samples("{'tid':7,'ts':1,'weight':1e300}") << "bad-weight";
        QTest::newRow("decimals") << samples("{'tid':7,'ts':1,'weight':1.5}") << "rounded";
        QTest::newRow("frame") << samples("{'tid':7,'ts':1,'sf':77}") << "unknown-frame";
        QTest::newRow("stack") << QByteArray("[{'ph':'P','pid':5,'tid':7,'ts':1,'stack':['a',{}]}]") << "bad-stack";
        QTest::newRow("no profile") << '[' + chunk(1, "[]", "[1]", "'timeDeltas':[1]") + ']' << "no-profile";
        QTest::newRow("no start") << QByteArray("[{'ph':'P','pid':5,'tid':7,'ts':1,'name':'Profile','args':{}}]") << "no-start";
        QTest::newRow("counts") << '[' + Profile + ',' + chunk(200, "[]", "[2,2]", "'timeDeltas':[1]") + ']' << "sample-count";
        QTest::newRow("node") << '[' + Profile + ',' + chunk(200, "[]", "[77]", "'timeDeltas':[1]") + ']' << "unknown-node";
        QTest::newRow("time") << '[' + Profile + ',' + chunk(200, "[]", "[2]", "'timeDeltas':['x']") + ']' << "bad-time";
        QTest::newRow("twice") << '[' + Profile + ',' + Profile + ']' << "same-profile";
    }
    void badSamplesAreReported()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, kind);
        const OpenedText opened(json(text), "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QVERIFY2(opened.complaints(kind.toStdString()) >= 1, opened.firstComplaint().c_str());
    }

    /// Property: frames that call each other in a circle end the stack.
    void framesInACircleAreNamedOnce()
    {
        const OpenedText opened(json("{'traceEvents':[" + Name + "],'samples':[{'tid':7,'ts':3,'sf':8}]," + Frames + '}'), "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.folded("samples"), "worker;i;h 1\n");
    }

    /// Input: texts with random damage. Property: reading ends and accesses no invalid memory. Run this test with the sanitizers.
    void damageIsSurvived()
    {
        const QByteArray whole = json("{'traceEvents':[" + Name + ',' + Profile + ",{'ph':'P','pid':5,'tid':7,'ts':2,'stack':['a','b']}],"
                                      + Frames + ",'samples':[{'cpu':3,'tid':7,'ts':2,'name':'cycles','sf':'x','weight':50}]}");
        Dice dice(3);
        int opened = 0;
        for (int round = 0; round < 200; ++round) {
            const OpenedText text(dice.damaged(whole, "{}[]\":,\\0123456789"), "trace.json");
            opened += text.timeline != nullptr;
        }
        QVERIFY2(opened > 50, qPrintable(QString::number(opened)));
    }

    void recordedSamplesAreThoseOfTheText()
    {
        const QString path = sharedFile("formats/chrome-json/simple-with-samples.json");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
        const QJsonObject frames = root["stackFrames"].toObject();
        std::map<QString, int> expected;
        for (const QJsonValue& sample : root["samples"].toArray()) {
            QStringList stack;
            for (QString id = sample["sf"].toVariant().toString(); frames.contains(id); id = frames[id]["parent"].toVariant().toString()) {
                stack.prepend(frames[id]["name"].toString());
                if (frames[id]["parent"].toVariant().toString() == id)
                    break;
            }
            ++expected[stack.join(';')];
        }
        const auto opened = OpenedText::ofFile(path);
        QVERIFY2(opened->timeline, opened->error.c_str());
        std::map<QString, int> found;
        for (const QString& line : QString::fromStdString(opened->folded("samples")).split('\n', Qt::SkipEmptyParts))
            found[line.section(' ', 0, -2).section(';', 1)] += line.section(' ', -1).toInt();
        QCOMPARE(found, expected);
    }

    /// Input: a recording of Chrome. Property: the number of samples, and their total time, are those that Qt's JSON parser finds.
    void aRecordedProfileOfV8EqualsASecondDerivation()
    {
        const QString path = sharedFile("formats/profiles/chrome-69-timeline.json");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        std::uint64_t samples = 0;
        qint64 time = 0;
        qint64 last = 0;
        for (const QJsonValue& event : QJsonDocument::fromJson(file.readAll()).array()) {
            if (event["name"] != "ProfileChunk")
                continue;
            samples += std::uint64_t(event["args"]["data"]["cpuProfile"]["samples"].toArray().size());
            for (const QJsonValue& delta : event["args"]["data"]["timeDeltas"].toArray()) {
                time += last == 0 ? 0 : delta.toInt(); // The first difference is the time before the first sample.
                last = delta.toInt();
            }
        }
        const auto opened = OpenedText::ofFile(path);
        QVERIFY2(opened->timeline, opened->error.c_str());
        const StackProfile profile = opened->profile("time");
        QCOMPARE(profile.samples, samples);
        qint64 weight = 0;
        for (const QString& line : QString::fromStdString(opened->folded("time", WeightBy::Weight)).split('\n', Qt::SkipEmptyParts))
            weight += line.section(' ', -1).toLongLong();
        QCOMPARE(weight, time * 1000);
        QCOMPARE(opened->complaints("no-end"), std::uint64_t(1));
        for (const char* kind : {"unknown-node", "sample-count", "bad-time", "no-profile"})
            QCOMPARE(opened->complaints(kind), std::uint64_t(0));
    }
};

HELIO_TEST(ChromeSamplesTest)
#include "tst_chrome_samples.moc"
