#include "core/formats/profiles/cpuprofile_reader.h"
#include "core/formats/profiles/gecko_reader.h"
#include "core/formats/profiles/json_profile.h"
#include "core/formats/profiles/speedscope_reader.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/opened_text.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

using namespace helio;

namespace {

/// Returns `text` with single quotes replaced by double quotes. The tests write JSON with single quotes, because moc misreads some raw
/// strings.
QByteArray json(QByteArray text) { return text.replace('\'', '"'); }

const QByteArray CpuProfile =
    json("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','url':'','lineNumber':-1},'hitCount':0,'children':[2,4]},"
         "{'id':2,'callFrame':{'functionName':'main','url':'file:///a.js','lineNumber':0},'hitCount':1,'children':[3]},"
         "{'id':3,'callFrame':{'functionName':'','url':'file:///a.js','lineNumber':5,'columnNumber':2},'hitCount':2,'children':[]},"
         "{'id':4,'callFrame':{'functionName':'(idle)','url':'','lineNumber':-1},'hitCount':1}],"
         "'startTime':1000,'endTime':1100,'samples':[2,3,3,4],'timeDeltas':[10,20,30,5]}");

const QByteArray Speedscope = json(
    "{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{'frames':[{'name':'a'},{'name':'b','file':'b.c','line':7},"
    "{'name':'c'}]},'profiles':["
    "{'type':'evented','name':'one','unit':'milliseconds','startValue':0,'endValue':10,'events':[{'type':'O','frame':0,'at':1},"
    "{'type':'O','frame':1,'at':2},{'type':'C','frame':1,'at':5},{'type':'C','frame':0,'at':6},{'type':'O','frame':2,'at':8}]},"
    "{'type':'sampled','name':'two','unit':'seconds','startValue':0.5,'endValue':3,'samples':[[0,1],[0],[]],'weights':[1,0.25,1]}]}");

const QByteArray Processed = json(
    "{'meta':{'startTime':1000,'interval':1,'preprocessedProfileVersion':48},'libs':[{'name':'app','path':'/bin/app','codeId':'ABCD'}],"
    "'threads':[{'name':'worker','processName':'app','pid':'7','tid':8,'stringArray':['main','inner','0x99','lib.js','a.js'],"
    "'samples':{'length':4,'stack':[0,1,2,null],'time':[1,2.5,3,4],'weight':null,'weightType':'samples'},"
    "'stackTable':{'length':3,'prefix':[null,0,0],'frame':[0,1,2]},"
    "'frameTable':{'length':3,'address':[16,-1,153],'func':[0,1,2],'line':[12,null,null],'inlineDepth':[0,1,0]},"
    "'funcTable':{'length':3,'name':[0,1,2],'resource':[0,-1,0],'fileName':[4,4,null]},"
    "'resourceTable':{'length':1,'lib':[0],'name':[0]},'markers':{'length':1,'name':[3],'startTime':[1]}}]}");

const QByteArray Raw =
    json("{'meta':{'version':12,'startTime':1000},'libs':[],'threads':[{'name':'GeckoMain','pid':3,'tid':3,"
         "'samples':{'schema':{'stack':0,'time':1},'data':[[1,1.5],[2,2]]},'stackTable':{'schema':{'prefix':0,'frame':1},"
         "'data':[[null,0],[0,1],[1,2]]},'frameTable':{'schema':{'location':0,'line':3},'data':[[0],[1,null,null,9],[2]]},"
         "'stringTable':['(root)','f (http://x/a.js:1:2)','js::RunScript'],'markers':{'schema':{'name':0},'data':[]}}],"
         "'processes':[{'meta':{'startTime':2000},'threads':[{'name':'Web','pid':4,'tid':4,'samples':{'schema':{'time':0,'stack':1},"
         "'data':[[1,0]]},'stackTable':{'schema':{'frame':0,'prefix':1},'data':[[0,null]]},'frameTable':{'schema':{'location':0},"
         "'data':[[0]]},'stringTable':['g']}]}]}");

/// Returns a line "TIME PERIOD" for each sample of a trace; TIME is in ns.
QStringList timesAndPeriods(const Trace& trace)
{
    QStringList lines;
    MergedEvents events(trace);
    SampleView sample;
    while (events.next()) {
        if (trace.samples()->read(events.event(), sample))
            lines << QString("%1 %2").arg(nanoseconds(events.event().time())).arg(sample.period);
    }
    return lines;
}

/// Returns a line "TIME EVENT [PID/TID] FIELDS" for each event of a trace that is no sample; TIME is in ns. Empty fields are omitted.
QStringList trackEventsIn(const Trace& trace)
{
    QStringList lines;
    MergedEvents events(trace);
    SampleView sample;
    while (events.next()) {
        if (trace.samples() && trace.samples()->read(events.event(), sample))
            continue;
        QString ids;
        for (const NamedValue& field : decodeContext(events.event()))
            ids += (ids.isEmpty() ? "" : "/") + QString::fromStdString(displayText(field.value));
        QString line =
            QString("%1 %2 [%3]").arg(nanoseconds(events.event().time())).arg(QString::fromStdString(events.event().type->name), ids);
        for (const NamedValue& field : decodeSection(events.event(), Section::Payload))
            if (const std::string value = displayText(field.value); !value.empty())
                line += QString::fromStdString(' ' + field.name + '=' + value);
        lines << line;
    }
    return lines;
}

using FoldedSums = std::map<QString, qint64>;

/// Returns the sum of the values of each folded stack, keyed by the stack without its first frame (the thread's name).
FoldedSums sumsOf(const std::string& folded)
{
    FoldedSums sums;
    for (const QString& line : QString::fromStdString(folded).split('\n', Qt::SkipEmptyParts)) {
        const QString stack = line.section(' ', 0, -2);
        sums[stack.contains(';') ? stack.section(';', 1) : QString()] += line.section(' ', -1).toLongLong();
    }
    return sums;
}

QJsonObject objectAt(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read");
    return QJsonDocument::fromJson(file.readAll()).object();
}

} // namespace

/// Input: profiles in JSON formats: Chrome's .cpuprofile, speedscope, and Firefox (Gecko).
class JsonProfilesTest : public QObject {
    Q_OBJECT

private slots:
    void cpuProfilesHaveTheTimeUntilTheNextSample()
    {
        const OpenedText opened(CpuProfile, "a.cpuprofile");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.trace().info().format, "cpuprofile");
        QCOMPARE(timesAndPeriods(opened.trace()), (QStringList{"1010000 20000", "1030000 30000", "1060000 5000", "1065000 35000"}));
        QCOMPARE(opened.folded("time", WeightBy::Weight),
                 "JavaScript;(idle) 35000\nJavaScript;main 20000\nJavaScript;main;(anonymous):6:3 35000\n");
        QCOMPARE(opened.profile("time").samples, std::uint64_t(4));
        QVERIFY(opened.trace().diagnostics().empty());
    }

    void cpuProfilesWithoutTimesHaveCounts()
    {
        QByteArray text = CpuProfile;
        const OpenedText opened(text.left(text.indexOf(json(",'startTime'"))) + '}', "a.cpuprofile");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QVERIFY(!opened.trace().info().hasTimes);
        QCOMPARE(opened.folded("samples"), "JavaScript;(idle) 1\nJavaScript;main 1\nJavaScript;main;(anonymous):6:3 2\n");
    }

    void nodesInACircleAreReported()
    {
        const OpenedText opened(json("{'nodes':[{'id':1,'callFrame':{'functionName':'a'},'hitCount':1},{'id':2,'callFrame':"
                                     "{'functionName':'b'},'parent':3},{'id':3,'callFrame':{'functionName':'c'},'parent':2}],"
                                     "'startTime':0,'samples':[1,2,9],'timeDeltas':[1,1,1]}"),
                                "a.cpuprofile");

        QCOMPARE(opened.profile("time").samples, std::uint64_t(3));
        QCOMPARE(opened.complaints("cycle"), std::uint64_t(1));
        QCOMPARE(opened.complaints("unknown-node"), std::uint64_t(2));
    }

    void speedscopeProfilesAreThreads()
    {
        const OpenedText opened(Speedscope, "a.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.trace().info().format, "speedscope");
        QCOMPARE(timesAndPeriods(opened.trace()),
                 (QStringList{"1000000 1000000", "2000000 3000000", "5000000 1000000", "8000000 2000000", "500000000 1000000000",
                              "1500000000 250000000"})); // The last sample of "two" has no frames: nothing ran.
        QCOMPARE(opened.folded("time", WeightBy::Weight),
                 "one;a 2000000\none;a;b 3000000\none;c 2000000\ntwo;a 250000000\ntwo;a;b 1000000000\n");
        QCOMPARE(opened.complaints("open-frames"), std::uint64_t(1));
        const auto kinds = sampleKinds(*opened.timeline);
        QCOMPARE(kinds.at(0).kind.origin, SampleKind::Origin::Summed);
        QVERIFY(kinds.at(0).kind.isTime);
    }

    void speedscopeBytesHaveNoTimes()
    {
        const OpenedText opened(json("{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{'frames':[{'name':'a'}]},"
                                     "'profiles':[{'type':'sampled','name':'p','unit':'bytes','startValue':0,'endValue':3,"
                                     "'samples':[[0],[0,7]],'weights':[100,20]}]}"),
                                "a.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QVERIFY(!opened.trace().info().hasTimes);
        QCOMPARE(sampleKinds(*opened.timeline).at(0).kind.unit, "bytes");
        QCOMPARE(opened.folded("bytes", WeightBy::Weight), "p;a 100\np;a;[unknown] 20\n");
        QCOMPARE(opened.complaints("unknown-frame"), std::uint64_t(1));
    }

    void processedProfilesOfFirefoxAreRead()
    {
        const OpenedText opened(Processed, "profile.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.trace().info().format, "Firefox profile");
        QVERIFY(opened.trace().info().clock.isAbsolute);
        QCOMPARE(timesAndPeriods(opened.trace()), (QStringList{"1001000000 1", "1002500000 1", "1003000000 1", "1004000000 1"}));
        QCOMPARE(opened.folded("samples"), "worker 1\nworker;main 1\nworker;main;[app] 1\nworker;main;inner 1\n");
        const StackProfile profile = opened.profile("samples");
        QCOMPARE(profile.threads.at(0).pid, 7);
        QCOMPARE(profile.threads.at(0).tid, 8);
        const auto modules = opened.trace().modules();
        QVERIFY(std::ranges::any_of(modules, [](const Module& it) { return it.buildId == "abcd" && it.isLoadRelative && !it.names; }));
        QCOMPARE(trackEventsIn(opened.trace()), QStringList({"1001000000 instant [7/8] scope=thread track=0 nest=0 name=lib.js"}));
        QVERIFY(opened.trace().diagnostics().empty());
    }

    void rawProfilesOfFirefoxAreRead()
    {
        const OpenedText opened(Raw, "profile.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(timesAndPeriods(opened.trace()), (QStringList{"1001500000 1", "1002000000 1", "2001000000 1"}));
        QCOMPARE(opened.folded("samples"), "GeckoMain;f 1\nGeckoMain;f;js::RunScript 1\nWeb;g 1\n");
        QVERIFY(opened.trace().diagnostics().empty());
    }

    /// Property: markers are slices and instants of their threads. A slice that overlaps another one without nesting is on a track.
    void markersOfFirefoxAreSlices_data()
    {
        QTest::addColumn<QByteArray>("markers");
        QTest::newRow("columns") << json(
            "{'name':[0,1,2,3,3,4],'startTime':[1,2,3,4,null,9],'endTime':[6,4,7,null,5,null],"
            "'phase':[1,1,1,2,3,0],'category':[0,0,0,0,0,1],'data':[{'type':'x','n':1},null,null,null,null,{}]}");
        QTest::newRow("rows") << json(
            "{'schema':{'name':0,'startTime':1,'endTime':2,'phase':3,'category':4,'data':5},'data':["
            "[0,1,6,1,0,{'type':'x','n':1}],[1,2,4,1,0],[2,3,7,1,0],[3,4,null,2,0],[3,null,5,3,0],[4,9,null,0,1]]}");
    }
    void markersOfFirefoxAreSlices()
    {
        QFETCH(QByteArray, markers);
        const OpenedText opened(
            json("{'meta':{'startTime':1000,'preprocessedProfileVersion':48,'categories':[{'name':'DOM'},{'name':'GC'}]},"
                 "'threads':[{'name':'T','pid':7,'tid':8,'stringArray':['outer','inner','overlapping','two','instant'],"
                 "'samples':{'stack':[],'time':[]},'stackTable':{},'frameTable':{},'markers':")
                + markers + "}]}",
            "profile.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(trackEventsIn(opened.trace()),
                 QStringList({"1001000000 span_begin [7/8] name=outer cat=DOM args={\"type\":\"x\",\"n\":1}",
                              "1002000000 span_begin [7/8] name=inner cat=DOM",
                              "1003000000 track_info [7/8] track=1 parent=0 name=Overlapping markers order=0",
                              "1003000000 track_begin [7/8] track=1 nest=1 name=overlapping cat=DOM", "1004000000 span_end [7/8]",
                              "1004000000 span_begin [7/8] name=two cat=DOM", "1005000000 span_end [7/8]", "1006000000 span_end [7/8]",
                              "1007000000 track_end [7/8] track=1 nest=1",
                              "1009000000 instant [7/8] scope=thread track=0 nest=0 name=instant cat=GC"}));
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
        QCOMPARE(opened.trace().processRecords().front().name, "T");
    }

    void badMarkersAreReported()
    {
        const OpenedText opened(json("{'meta':{'startTime':1000,'preprocessedProfileVersion':48},'threads':[{'name':'T','pid':7,'tid':0,"
                                     "'stringArray':['a'],'samples':{},'markers':{'name':[0,0,0,0,0],'startTime':[1,5,null,2,3],"
                                     "'endTime':[null,4,1,null,null],'phase':[1,1,3,2,7]}}]}"),
                                "profile.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(
            trackEventsIn(opened.trace()),
            QStringList({"1002000000 track_info [7] track=1 parent=0 name=T order=0", "1002000000 track_begin [7] track=1 nest=1 name=a"}));
        QCOMPARE(opened.complaints("bad-marker"), std::uint64_t(3));
        QCOMPARE(opened.complaints("end-without-begin"), std::uint64_t(1));
        QCOMPARE(opened.complaints("no-marker-end"), std::uint64_t(1));
    }

    /// Property: tables that all threads share are converted once, not once for each thread.
    void sharedTablesOfFirefoxAreConvertedOnce()
    {
        const QByteArray thread =
            json("{'name':'t','tid':1,'samples':{'stack':[0],'time':[1]},'stackTable':{'prefix':[null],'frame':[0]}}");
        const QByteArray text = json("{'meta':{'startTime':0,'preprocessedProfileVersion':60},'shared':{'stringArray':['main'],"
                                     "'frameTable':{'func':[0,0,0]},'funcTable':{'name':[0]},'resourceTable':{}},'threads':[")
            + QByteArrayList(100, thread).join(',') + "]}";
        SampleRecording recording("x");

        QVERIFY(profiles::readGecko({text.data(), std::size_t(text.size())}, recording, {}));
        QCOMPARE(recording.events.events().size(), std::size_t(100));
        QCOMPARE(recording.stacks.addFrame({}, Module::Kind::Unknown), std::uint32_t(3)); // The index is the number of earlier frames.
        QCOMPARE(recording.stacks.takeTree().size(), std::size_t(2));
    }

    /// Property: the keys that identify a format are searched in the beginning of a text only.
    void formatsAreFoundInTheBeginning()
    {
        const auto behind = [](qsizetype blanks, const QByteArray& key) { return '{' + QByteArray(blanks, ' ') + key; };
        const auto view = [](const QByteArray& text) { return std::string_view(text.data(), std::size_t(text.size())); };
        for (const qsizetype blanks : {1 << 20, 17 << 20}) {
            QCOMPARE(profiles::isGecko(view(behind(blanks, "\"preprocessedProfileVersion\""))), blanks == 1 << 20);
            QCOMPARE(profiles::isSpeedscope(view(behind(blanks, "speedscope.app/file-format-schema.json"))), blanks == 1 << 20);
        }
    }

    void cutProfilesKeepTheirBeginning()
    {
        const OpenedText opened(CpuProfile.chopped(5), "a.cpuprofile"); // The file is cut: its end is "'timeDeltas':[10,20,3".

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.complaints("truncated"), std::uint64_t(1));
        QCOMPARE(timesAndPeriods(opened.trace()).size(), qsizetype(2));
    }

    void bracketsAreCompleted_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("completed");
        QTest::newRow("in a number") << QByteArray("{\"a\":[1,23") << QByteArray("{\"a\":[1]}");
        QTest::newRow("after a comma") << QByteArray("{\"a\":[1],") << QByteArray("{\"a\":[1]}");
        QTest::newRow("in a key") << QByteArray("{\"a\":[1],\"b]") << QByteArray("{\"a\":[1]}");
        QTest::newRow("before a value") << QByteArray("{\"a\":{}, \"b\": ") << QByteArray("{\"a\":{}}");
        QTest::newRow("escaped") << QByteArray("[\"\\\"]\",\"\\") << QByteArray("[\"\\\"]\"]");
        QTest::newRow("whole") << QByteArray("{}") << QByteArray();
        QTest::newRow("crossed") << QByteArray("{]") << QByteArray();
    }
    void bracketsAreCompleted()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, completed);
        std::size_t end = 0;
        QCOMPARE(QByteArray::fromStdString(profiles::completedJson({text.data(), std::size_t(text.size())}, end)), completed);
    }

    void textsThatAreNoJsonAreRefused()
    {
        SampleRecording recording("x");
        for (const char* text : {"", "[]", "{]", "{\"nodes\":1}", "{\"profiles\":[]}", "nonsense"}) {
            QVERIFY(!profiles::readCpuProfile(text, recording, {}));
            QVERIFY(!profiles::readSpeedscope(text, recording, {}));
            QVERIFY(!profiles::readGecko(text, recording, {}));
        }
    }

    void damageIsSurvived()
    {
        Dice dice(5);
        const auto read = [](QByteArray bytes) {
            const std::string_view view(bytes.data(), std::size_t(bytes.size()));
            (void)(profiles::isCpuProfile(view) || profiles::isSpeedscope(view) || profiles::isGecko(view));
            for (const auto& reader : {profiles::readCpuProfile, profiles::readSpeedscope, profiles::readGecko}) {
                SampleRecording recording("x");
                (void)reader(view, recording, {});
                recording.finish();
                QVERIFY(recording.events.events().size() <= 20);
            }
        };
        for (const QByteArray& whole : {CpuProfile, Speedscope, Processed, Raw}) {
            for (qsizetype size = 0; size < whole.size(); size += 3)
                read(whole.first(size));
            for (int round = 0; round < 1000; ++round)
                read(dice.damaged(whole, "0123456789-{}[],:\"e."));
        }
    }

    void readingIsStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        SampleRecording recording("x");
        QVERIFY(!profiles::readCpuProfile({CpuProfile.data(), std::size_t(CpuProfile.size())}, recording, stop.get_token()));
        QVERIFY(!profiles::readSpeedscope({Speedscope.data(), std::size_t(Speedscope.size())}, recording, stop.get_token()));
        QVERIFY(!profiles::readGecko({Raw.data(), std::size_t(Raw.size())}, recording, stop.get_token()));
    }

    void aRecordedCpuProfileEqualsASecondDerivation()
    {
        const QString path = sharedFile("formats/profiles/simple.cpuprofile");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const QJsonObject profile = objectAt(path);
        std::map<int, QString> names;
        std::map<int, int> callers;
        for (const QJsonValue& node : profile["nodes"].toArray()) {
            const QJsonObject call = node["callFrame"].toObject();
            const QString name = call["functionName"].toString();
            names[node["id"].toInt()] = name.isEmpty()
                ? QString("(anonymous):%1:%2").arg(call["lineNumber"].toInt() + 1).arg(call["columnNumber"].toInt() + 1)
                : name;
            for (const QJsonValue& child : node["children"].toArray())
                callers[child.toInt()] = node["id"].toInt();
        }
        FoldedSums expected;
        const QJsonArray samples = profile["samples"].toArray();
        const QJsonArray deltas = profile["timeDeltas"].toArray();
        qint64 end = qint64(profile["startTime"].toDouble());
        for (const QJsonValue& delta : deltas)
            end += delta.toInt();
        for (qsizetype i = 0; i < samples.size(); ++i) {
            QStringList stack;
            for (int id = samples[i].toInt(); names.at(id) != "(root)"; id = callers.at(id))
                stack.prepend(names.at(id));
            expected[stack.join(';')] +=
                1000 * (i + 1 < samples.size() ? deltas[i + 1].toInt() : qint64(profile["endTime"].toDouble()) - end);
        }
        const auto opened = OpenedText::ofFile(path);

        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(sumsOf(opened->folded("time", WeightBy::Weight)), expected);
        QCOMPARE(opened->profile("time").samples, std::uint64_t(samples.size()));
    }

    void anOldCpuProfileHasTheStacksOfTheNewOne()
    {
        const QString path = sharedFile("formats/profiles/node-example.cpuprofile");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const auto opened = OpenedText::ofFile(path);

        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(sumsOf(opened->folded("time")),
                 (FoldedSums{{"(anonymous):1", 1}, {"(anonymous):1;a;b;d", 14}, {"(anonymous):1;a;c;d", 14}}));
        QCOMPARE(opened->complaints("no-end"), std::uint64_t(1));
    }

    void recordedSpeedscopeFilesAreRead()
    {
        const QString twoPath = sharedFile("formats/profiles/two-sampled.speedscope.json");
        const QString onePath = sharedFile("formats/profiles/simple.speedscope.json");
        if (twoPath.isEmpty() || onePath.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const auto two = OpenedText::ofFile(twoPath);
        QVERIFY2(two->timeline, two->error.c_str());
        QCOMPARE(two->folded("time", WeightBy::Weight),
                 "one;a;b 5000000000\none;a;b;c 5000000000\none;a;b;d 4000000000\n"
                 "two;a;b 5000000000\ntwo;a;b;c 5000000000\ntwo;a;b;d 4000000000\n");
        const auto one = OpenedText::ofFile(onePath);
        QVERIFY2(one->timeline, one->error.c_str());
        QVERIFY(!one->trace().info().hasTimes); // The unit of the speedscope profile is "none", not a unit of time.
        QCOMPARE(one->profile("samples").samples, std::uint64_t(14));
    }

    void aRecordedProfileOfFirefoxEqualsASecondDerivation()
    {
        const QString path = sharedFile("formats/profiles/simple-firefox-63.json");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const QJsonObject profile = objectAt(path)["profile"].toObject();
        FoldedSums expected;
        QStringList times;
        for (const QJsonValue& thread : profile["threads"].toArray()) {
            const QJsonArray strings = thread["stringTable"].toArray();
            for (const QJsonValue& sample : thread["samples"]["data"].toArray()) {
                QStringList stack;
                for (QJsonValue at = sample[0]; !at.isNull();) {
                    const QJsonValue node = thread["stackTable"]["data"][at.toInt()];
                    const QString location = strings[thread["frameTable"]["data"][node[1].toInt()][0].toInt()].toString();
                    static const QRegularExpression place(R"(^(.+) \(.*:\d+:\d+\)$)");
                    const auto match = place.match(location);
                    if (location != "(root)")
                        stack.prepend(match.hasMatch() ? match.captured(1) : location);
                    at = node[0];
                }
                ++expected[stack.join(';')];
                times << QString("%1 1").arg(std::llround(profile["meta"]["startTime"].toDouble() * 1e6)
                                             + std::llround(sample[1].toDouble() * 1e6));
            }
        }
        const auto opened = OpenedText::ofFile(path);

        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(sumsOf(opened->folded("samples")), expected);
        QCOMPARE(timesAndPeriods(opened->trace()), times);
    }
};

HELIO_TEST(JsonProfilesTest)
#include "tst_json_profiles.moc"
