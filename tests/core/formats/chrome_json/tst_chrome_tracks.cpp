// Input: traces in Chrome's JSON format. Property: the analyses show the slices, asynchronous slices, counters, instants and flows that a
// second, independent parser (derive()) finds in the text.

#include "core/latency/intervals/intervals.h"
#include "core/profiling/calls/call_durations.h"
#include "core/profiling/calls/call_facts.h"
#include "core/profiling/calls/recorded_slice.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/timeline_access.h"
#include "tests/core/analyses/counters/counter_points.h"
#include "tests/support/opened_text.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace helio;
using namespace helio::test;

namespace {

/// Returns `text` with single quotes replaced by double quotes. The tests write JSON with single quotes, because moc misreads some raw
/// strings.
QByteArray json(QByteArray text) { return text.replace('\'', '"'); }

qint64 nanosecondsIn(const QJsonValue& microseconds)
{
    const double number = microseconds.isString() ? microseconds.toString().toDouble() : microseconds.toDouble();
    return std::llround(static_cast<long double>(number) * 1000);
}

QString idIn(const QJsonValue& id) { return id.toVariant().toString(); }

/// Sorted lines of text, one per result. They are compared as texts so that failures show readable differences.
using Lines = QStringList;

Lines sorted(Lines lines)
{
    lines.sort();
    return lines;
}

QString sliceLine(const QString& name, qint64 begin, qint64 end) { return QString("%1 %2 %3").arg(begin).arg(end).arg(name); }

/// Content of a trace, derived from its text with Qt's JSON parser instead of Heliograph's reader.
struct Derived {
    Lines slices;
    Lines async;
    Lines instants;
    Lines counters;
    Lines flows; ///< Begin and end of each flow, one line per flow.
    qint64 last = 0;
};

std::vector<QJsonObject> eventsIn(const QByteArray& text)
{
    QJsonDocument document = QJsonDocument::fromJson(text);
    if (document.isNull()) // The closing bracket of the array may be missing.
        document = QJsonDocument::fromJson(text.trimmed().endsWith(',') ? text.trimmed().chopped(1) + "]" : text + "]");
    const QJsonArray array = document.isArray() ? document.array() : document.object()["traceEvents"].toArray();
    std::vector<QJsonObject> events;
    for (const QJsonValue& value : array)
        if (const QJsonObject event = value.toObject(); event.contains("ts") && event["ph"] != "M")
            events.push_back(event);
    std::ranges::stable_sort(events, {}, [](const QJsonObject& event) { return nanosecondsIn(event["ts"]); });
    return events;
}

Derived derive(const QByteArray& text)
{
    Derived all;
    const std::vector<QJsonObject> events = eventsIn(text);
    for (const QJsonObject& event : events)
        all.last = std::max(all.last, nanosecondsIn(event["ts"]) + std::max<qint64>(0, nanosecondsIn(event["dur"])));
    struct Open {
        QString name;
        qint64 begin;
    };
    std::map<QString, std::vector<Open>> threads;
    std::map<QString, std::vector<Open>> operations;
    for (const QJsonObject& event : events) {
        const QString phase = event["ph"].toString();
        const QString name = event["name"].toString();
        const qint64 time = nanosecondsIn(event["ts"]);
        const QString process = idIn(event["pid"]);
        auto& thread = threads[process + '/' + idIn(event["tid"])];
        const bool isNestable = phase == "b" || phase == "e" || phase == "n";
        const bool isObject = phase == "N" || phase == "D" || phase == "O";
        const QJsonObject id2 = event["id2"].toObject();
        const QString id = id2.contains("local") ? process + idIn(id2["local"])
            : id2.contains("global")             ? idIn(id2["global"])
                                                 : idIn(event["id"]);
        const QString key = QStringList{isNestable ? "n" : isObject ? "o" + process : "s" + name, event["cat"].toString(), id}.join('\n');
        const QString opName = isObject ? name + ' ' + idIn(event["id"]) : name;
        if (phase == "X") {
            all.slices << sliceLine(name, time, time + nanosecondsIn(event["dur"]));
        } else if (phase == "B") {
            thread.push_back({name, time});
        } else if (phase == "E") {
            const auto isOwn = [&](const Open& it) { return name.isEmpty() || it.name.isEmpty() || it.name == name; };
            for (bool isOpen = std::ranges::any_of(thread, isOwn); isOpen;) {
                isOpen = !isOwn(thread.back());
                all.slices << sliceLine(thread.back().name, thread.back().begin, time);
                thread.pop_back();
            }
        } else if (phase == "b" || phase == "S" || phase == "N") {
            operations[key].push_back({opName, time});
        } else if (phase == "e" || phase == "F" || phase == "D") {
            auto& open = operations[key];
            const auto own = std::find_if(open.rbegin(), open.rend(), [&](const Open& it) { return it.name == opName; });
            for (bool isOwn = own == open.rend(); !isOwn;) {
                isOwn = open.back().name == opName;
                all.async << sliceLine(open.back().name, open.back().begin, time);
                open.pop_back();
            }
        } else if (phase == "i" || phase == "I" || phase == "R") {
            all.instants << QString("%1 %2").arg(time).arg(name);
        } else if (phase == "n" || phase == "T" || phase == "p" || phase == "O") {
            const QString step = event["args"].toObject()["step"].toString();
            all.instants << QString("%1 %2").arg(time).arg(phase == "O" ? "snapshot" : phase != "n" && !step.isEmpty() ? step : name);
        } else if (phase == "C") {
            const QJsonObject args = event["args"].toObject();
            const QString counter = event.contains("id") ? name + ' ' + idIn(event["id"]) : name;
            for (auto it = args.begin(); it != args.end(); ++it)
                if (it.value().isDouble())
                    all.counters << QString("%1 %2 %3 %4").arg(time).arg(process, counter, it.key()) + ' '
                            + QString::number(it.value().toDouble(), 'g', 17);
        }
    }
    for (const auto* left : {&threads, &operations})
        for (const auto& [key, open] : *left)
            for (const Open& it : open)
                (left == &threads ? all.slices : all.async) << sliceLine(it.name, it.begin, all.last);
    all.slices.sort();
    all.async.sort();
    all.instants.sort();
    all.counters.sort();
    return all;
}

/// Returns the segments of a kind, e.g. "call": one line "BEGIN END NAME" each, times in ns.
Lines segmentsOf(const OpenedText& opened, std::string_view kind)
{
    Lines lines;
    forEachStore(*opened.timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto kinds = store.segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (kinds[i].id == kind)
                store.segments().visit(SegmentKindId(static_cast<std::uint8_t>(i)), {HostTimestamp::min(), HostTimestamp::max()},
                                       [&](std::span<const HostSegment> some) {
                                           for (const HostSegment& it : some)
                                               lines << sliceLine(QString::fromStdString(frameText(*opened.timeline, index, it.stack())),
                                                                  nanoseconds(it.begin), nanoseconds(it.end));
                                       });
    });
    return sorted(lines);
}

/// Calls `take(store, track, interval)` for each interval of the tracks with Track::kind `kind`.
template <typename Take> void eachInterval(const OpenedText& opened, std::string_view kind, const Take& take)
{
    forEachStore(*opened.timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        for (std::size_t i = 0; i < store.tracks().size(); ++i) {
            const Track& track = store.tracks()[i];
            if (track.kind != kind)
                continue;
            const auto id = TrackId(static_cast<std::uint32_t>(i));
            for (const HostInterval& it : store.intervals(id, {HostTimestamp::min(), HostTimestamp::max()}))
                take(store, track, it);
        }
    });
}

/// Returns the instants of a trace: one line "TIME NAME" each, times in ns. Of several instants with the same row and time, each is stored
/// 1 ns later than the one before.
Lines instantsOf(const OpenedText& opened)
{
    Lines lines;
    eachInterval(opened, "instants", [&](const Store& store, const Track&, const HostInterval& it) {
        lines << QString("%1 %2").arg(nanoseconds(it.range.begin)).arg(QString::fromUtf8(store.text(StringId{it.value})));
    });
    return sorted(lines);
}

Lines countersOf(const OpenedText& opened)
{
    Lines lines;
    forEachStore(*opened.timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        const auto all = store.counters().series();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].view != "app-counters")
                continue;
            const QStringList parts = QString::fromStdString(all[i].id).split('/');
            const Track& owner = store.tracks()[static_cast<std::size_t>(all[i].track)];
            for (const CounterPoint& point : pointsOf(store, all[i].id))
                lines << QString("%1 %2 %3 %4").arg(nanoseconds(point.time)).arg(owner.pid).arg(parts[1], parts.value(2, "value")) + ' '
                        + QString::number(point.value.number(all[i].number), 'g', 17);
        }
    });
    return sorted(lines);
}

/// Returns the store with counters that applications recorded; `opened.store()` if no store has such counters.
const Store& counterStore(const OpenedText& opened)
{
    const Store* found = nullptr;
    forEachStore(*opened.timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        if (!store.counters().series().empty() && store.counters().series().front().view == "app-counters")
            found = &store;
    });
    return found ? *found : opened.store();
}

QByteArray contentsOf(const QString& path)
{
    if (path.endsWith(".gz")) {
        QProcess unpack;
        unpack.start("gzip", {"-dc", path});
        return unpack.waitForFinished() ? unpack.readAllStandardOutput() : QByteArray();
    }
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Returns the tracks of the view "call-stack": one line "KEY 'LABEL' <PARENT-KEY" each, e.g. "calls:2/1 '1' <calls:2".
Lines rowsOf(const OpenedText& opened)
{
    Lines lines;
    forEachStore(*opened.timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        for (const Track& track : store.tracks())
            if (track.view == "call-stack")
                lines << QString::fromStdString(
                    track.key + " '" + track.label + "'"
                    + (track.parent == NoTrack ? std::string() : " <" + store.tracks()[static_cast<std::size_t>(track.parent)].key));
    });
    return sorted(lines);
}

/// Returns the arrows of flows: one line "FROM-ROW@TIME TO-ROW@TIME NAME" each, times in us.
Lines flowsOf(const OpenedText& opened)
{
    Lines lines;
    forEachStore(*opened.timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        const auto kinds = store.linkKinds();
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            if (kinds[kind].id != "flow")
                continue;
            for (const Link& link : store.links({HostTimestamp::min(), HostTimestamp::max()}, 0, nullptr, {}, 1U << kind)) {
                const auto end = [&](TrackId row, HostTimestamp at) {
                    return QString("%1@%2")
                        .arg(QString::fromStdString(store.tracks()[static_cast<std::size_t>(row)].key))
                        .arg(double(nanoseconds(at)) / 1000);
                };
                lines << end(link.from, link.fromTime) + ' ' + end(link.to, link.toTime) + ' ' + QString::fromUtf8(store.text(link.detail));
            }
        }
    });
    return sorted(lines);
}

} // namespace

class ChromeTracksTest : public QObject {
    Q_OBJECT

private slots:
    void everythingIsThatOfTheText_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"big_trace.json", "flow.json", "main_thread_has_unclosed_slices.json", "x_event_trace.json", "only-begin-events.json",
              "out-of-order.json", "simultaneous-anonymous-calls.json", "must-retain-original-order.json", "mismatched-args.json",
              "simple-object.json", "simple-partial-whitespace.json", "unbalanced-args.json", "x-events-matching-end.json",
              "zero-duration-events.json", "thread_time_visualisation.json.gz", "trace-with-bad-world-bounds.json",
              "end-event-with-empty-stack.json", "event-reordering-name-match.json", "multi-thread-with-samples.json"})
            QTest::newRow(file) << QString("formats/chrome-json/") + file;
        for (const char* file : {"json-json_all_slice_types.json", "json-json_extreme_vals.json", "json-json_id2_global_int_id.json",
                                 "json-json_id2_local_string_id.json", "parsing-flow_events_json_v2.json"})
            QTest::newRow(file) << QString("formats/perfetto/") + file;
    }
    void everythingIsThatOfTheText()
    {
        QFETCH(QString, file);
        const QString path = sharedFile(file);
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const Derived expected = derive(contentsOf(path));

        const auto opened = OpenedText::ofFile(path);

        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(segmentsOf(*opened, "call"), expected.slices);
        QCOMPARE(segmentsOf(*opened, "async"), expected.async);
        QCOMPARE(countersOf(*opened), expected.counters);
        Lines instants = instantsOf(*opened);
        QCOMPARE(instants.size(), expected.instants.size());
        // Only the names are compared, because instants with the same row and time are stored 1 ns apart.
        QStringList names;
        QStringList expectedNames;
        for (qsizetype i = 0; i < instants.size(); ++i) {
            names << instants[i].section(' ', 1);
            expectedNames << expected.instants[i].section(' ', 1);
        }
        QCOMPARE(sorted(names), sorted(expectedNames));
    }

    void operationsHaveTracksOfTheirProcess()
    {
        const OpenedText opened(
            json("[{'ph':'M','pid':1,'tid':0,'name':'process_name','args':{'name':'Browser'}},"
                 "{'ph':'B','pid':1,'tid':2,'ts':1,'name':'s'},{'ph':'E','pid':1,'tid':2,'ts':2},"
                 "{'ph':'b','pid':1,'tid':2,'ts':3,'cat':'c','id':1,'name':'load'},"
                 "{'ph':'b','pid':1,'tid':2,'ts':4,'cat':'c','id':2,'name':'load'},"
                 "{'ph':'b','pid':1,'tid':3,'ts':5,'cat':'c','id':1,'name':'part'},"
                 "{'ph':'n','pid':1,'tid':2,'ts':6,'cat':'c','id':1,'name':'mark'},"
                 "{'ph':'e','pid':1,'tid':2,'ts':7,'cat':'c','id':1,'name':'part'},"
                 "{'ph':'e','pid':1,'tid':2,'ts':8,'cat':'c','id':1,'name':'load'},"
                 "{'ph':'e','pid':1,'tid':2,'ts':9,'cat':'c','id':2,'name':'load'},"
                 "{'ph':'i','pid':1,'tid':2,'ts':10,'name':'p','s':'p'},{'ph':'i','pid':1,'tid':2,'ts':11,'name':'g','s':'g'},"
                 "{'ph':'i','pid':7,'tid':2,'ts':12,'name':'t'}]"),
            "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(rowsOf(opened),
                 Lines({"calls:2 '2' <pid:1", "calls:2/1 '1' <calls:2", "calls:2@1 '2' <pid:7", "calls:2@1/instants 'Instants' <calls:2@1",
                        "instants 'Global instants'", "pid:1 'Browser'", "pid:1/instants 'Instants' <pid:1", "pid:7 'pid 7'",
                        "track:1 'load' <pid:1", "track:1/1 '1' <track:1", "track:1/2 '2' <track:1", "track:1/3 '3' <track:1",
                        "track:1/instants 'Instants' <track:1"}));
        // Threads come first, then tracks; global instants come before all processes.
        Lines shown;
        for (const Row& row : rows(*opened.timeline, "call-stack"))
            if (row.kind != "depth")
                shown << QString::fromStdString(row.id);
        QCOMPARE(shown,
                 Lines({"instants", "pid:1", "pid:1/instants", "calls:2", "track:1", "track:1/instants", "pid:7", "calls:2@1",
                        "calls:2@1/instants"}));
        QCOMPARE(segmentsOf(opened, "async"), Lines({"3000 8000 load", "4000 9000 load", "5000 7000 part"}));
    }

    /// Property: views show no made-up number for a thread whose id is no TID of Linux.
    void madeUpNumbersOfThreadsAreNotShown()
    {
        const OpenedText opened(
            json("[{'ph':'X','pid':1,'tid':0,'ts':1,'dur':2,'name':'a'},{'ph':'X','pid':1,'tid':2,'ts':1,'dur':2,'name':'b'}]"),
            "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        Lines shown;
        for (const Row& row : rows(*opened.timeline, "call-stack"))
            if (row.kind == "thread")
                shown << QString("%1 %2").arg(QString::fromStdString(row.label)).arg(row.shownTid());
        QCOMPARE(sorted(shown), Lines({"2 2", "tid 0 -1"}));
    }

    void flowsBindToSlices()
    {
        const auto slice = [](const char* name, int tid, int ts, int dur) {
            return QString(json("{'ph':'X','pid':1,'tid':%1,'name':'%2','ts':%3,'dur':%4},")).arg(tid).arg(name).arg(ts).arg(dur).toUtf8();
        };
        const auto flow = [](const char* phase, int tid, int ts, const char* more = "") {
            return QString(json("{'ph':'%1','pid':1,'tid':%2,'ts':%3,'id':'0x9','cat':'c','name':'f'%4},"))
                .arg(phase)
                .arg(tid)
                .arg(ts)
                .arg(json(more))
                .toUtf8();
        };
        const OpenedText opened("[" + slice("a", 1, 0, 10) + slice("inner", 1, 2, 4) + slice("b", 2, 20, 5) + slice("c", 3, 30, 5)
                                    + slice("d", 3, 50, 5) + flow("s", 1, 3) + flow("t", 2, 21) + flow("f", 3, 40)
                                    + flow("f", 3, 32, ",'bp':'e'"),
                                "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(flowsOf(opened), Lines({"calls:1/2@3 calls:2/1@21 f", "calls:2/1@21 calls:3/1@32 f", "calls:2/1@21 calls:3/1@50 f"}));
    }

    /// Property: after the end of a flow, a step with its id starts another flow; further ends belong to the flow that has ended.
    void flowIdsAreUsedAgainAfterTheEnd()
    {
        QString events = "[";
        for (const int ts : {10, 20, 30, 40, 50, 60})
            events += QString(json("{'ph':'X','pid':1,'tid':1,'name':'a','ts':%1,'dur':5},")).arg(ts);
        const char* const phases[] = {"s", "f", "f", "t", "t", "f"};
        for (int i = 0; i < 6; ++i)
            events +=
                QString(json("{'ph':'%1','pid':1,'tid':1,'ts':%2,'id':7,'cat':'c','name':'f','bp':'e'},")).arg(phases[i]).arg(i * 10 + 11);
        const OpenedText opened(events.toUtf8(), "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(flowsOf(opened),
                 Lines({"calls:1/1@11 calls:1/1@21 f", "calls:1/1@11 calls:1/1@31 f", "calls:1/1@41 calls:1/1@51 f",
                        "calls:1/1@51 calls:1/1@61 f"}));
    }

    void flowsOfTheSecondVersionAreMembersOfSlices()
    {
        const QString path = sharedFile("formats/perfetto/parsing-flow_events_json_v2.json");
        if (path.isEmpty())
            QSKIP(qPrintable(missingTrace("formats")));
        const auto opened = OpenedText::ofFile(path);
        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(flowsOf(*opened),
                 Lines({"calls:15794/1@3200 calls:15894/1@3331 0x402", "calls:15794/1@3200 calls:15895/1@3333 0x402",
                        "calls:15903/1@3002 calls:15794/1@3200 0x402", "calls:15904/1@0 calls:15895/1@1001 0x403"}));
    }

    /// Property: recordedSliceFields() returns the category and arguments of the events at a slice's begin and end. It returns nothing if
    /// another slice has the same row, time and name.
    void slicesShowWhatTheirEventsRecorded()
    {
        const OpenedText opened(json("[{'ph':'B','pid':1,'tid':2,'ts':1,'name':'a','cat':'c','args':{'x':1}},"
                                     "{'ph':'E','pid':1,'tid':2,'ts':9,'args':{'y':[2]}},"
                                     "{'ph':'X','pid':1,'tid':3,'ts':1,'dur':2,'name':'a','args':{}},"
                                     "{'ph':'X','pid':1,'tid':4,'ts':1,'dur':2,'name':'b','cat':'1'},"
                                     "{'ph':'X','pid':1,'tid':4,'ts':1,'dur':2,'name':'b','cat':'2'},"
                                     "{'ph':'X','pid':1,'tid':5,'ts':1,'dur':8,'tts':100,'tdur':5.5,'name':'c'},"
                                     "{'ph':'B','pid':1,'tid':6,'ts':1,'tts':100,'name':'d'},"
                                     "{'ph':'E','pid':1,'tid':6,'ts':9,'tts':103},"
                                     "{'ph':'b','pid':1,'tid':2,'ts':3,'cat':'c','id':7,'name':'load','args':{'url':'u'}},"
                                     "{'ph':'e','pid':1,'tid':2,'ts':8,'cat':'c','id':7,'name':'load'}]"),
                                "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const auto names = callNamesOf(opened.timeline);
        QStringList found;
        for (const Row& row : rows(*opened.timeline, "call-stack")) {
            const auto call = row.valueKind == ValueKind::Frame ? callAt(*opened.timeline, row.ref, row.life.begin) : std::nullopt;
            if (!call)
                continue;
            QString line = QString::fromStdString(row.id) + ':';
            for (const SliceField& field : recordedSliceFields(opened.timeline, callFacts(*opened.timeline, *names, *call)))
                line += QString::fromStdString(' ' + field.name + '=' + field.value) + (field.isAtEnd ? "!" : "");
            found << line;
        }
        QCOMPARE(sorted(found),
                 Lines({"calls:2/1: cat=c args={\"x\":1} args={\"y\":[2]}!", "calls:3/1:", "calls:4/1:", "calls:4/2:",
                        "calls:5/1: cpu_ns=5500", "calls:6/1: cpu_ns=3000!", "track:1/1: cat=c args={\"url\":\"u\"} id=7"}));
    }

    /// Input: thousands of slices on two threads, many at equal times. Property: one reader for all of them finds the same fields, in any
    /// order, as a reader for each.
    void oneReaderFindsTheFieldsOfManySlices()
    {
        QByteArray events;
        for (int i = 0; i < 3'000; ++i)
            events += QString("%1{'ph':'X','pid':1,'tid':%2,'ts':%3,'dur':%4,'name':'s','args':{'n':%5}}")
                          .arg(i > 0 ? "," : "")
                          .arg(2 + i % 2)
                          .arg(i / 2 * 10)
                          .arg(1 + i % 9)
                          .arg(i)
                          .toUtf8();
        const OpenedText opened(json("[" + events + "]"), "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const auto names = callNamesOf(opened.timeline);
        std::vector<CallFacts> calls;
        for (const Row& row : rows(*opened.timeline, "call-stack"))
            for (const Interval& interval : intervals(*opened.timeline, row.ref, opened.timeline->range))
                if (const auto call = callAt(*opened.timeline, row.ref, interval.range.begin); row.valueKind == ValueKind::Frame && call)
                    calls.push_back(callFacts(*opened.timeline, *names, *call));
        QVERIFY(calls.size() > 2'000);
        std::ranges::stable_sort(calls, {}, [](const CallFacts& it) { return it.call.range.begin; });
        RecordedSliceReader forward(opened.timeline);
        RecordedSliceReader jumping(opened.timeline);
        std::size_t found = 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const CallFacts& jumped = calls[i * 7'919 % calls.size()];
            found += forward.fieldsOf(calls[i]).size();
            if (i % 50 == 0) {
                QCOMPARE(forward.fieldsOf(calls[i]), recordedSliceFields(opened.timeline, calls[i]));
                QCOMPARE(jumping.fieldsOf(jumped), recordedSliceFields(opened.timeline, jumped));
            }
        }
        QVERIFY(found >= calls.size());
    }

    /// Input: ends with the name of an outer slice; the inner slice is on the row of the outer one, and on a row of its own, because it
    /// overlaps a complete event. Property: both slices end there.
    void namedEndsEndInnerSlices()
    {
        for (const char* between : {"", "{'ph':'X','pid':1,'tid':2,'ts':1,'dur':4,'name':'y'},"}) {
            const OpenedText opened(json(QByteArray("[{'ph':'B','pid':1,'tid':2,'ts':0,'name':'a'},") + between
                                         + "{'ph':'B','pid':1,'tid':2,'ts':3,'name':'b'},{'ph':'E','pid':1,'tid':2,'ts':10,'name':'a'},"
                                           "{'ph':'i','pid':1,'tid':2,'ts':30,'name':'end'}]"),
                                    "trace.json");
            QVERIFY2(opened.timeline, opened.error.c_str());
            Lines slices = segmentsOf(opened, "call");
            slices.removeAll("1000 5000 y");
            QCOMPARE(slices, Lines({"0 10000 a", "3000 10000 b"}));
            QCOMPARE(opened.complaints("end-of-outer"), std::uint64_t(1));
        }
    }

    /// Input: two slices of f with CPU times, one of g without. Property: CPU times are known for single slices, and summed up where all
    /// slices have one.
    void slicesHaveTheirRecordedCpuTimes()
    {
        const OpenedText opened(json("[{'ph':'X','pid':1,'tid':5,'ts':1,'dur':8,'tts':100,'tdur':5.5,'name':'f'},"
                                     "{'ph':'B','pid':1,'tid':5,'ts':10,'tts':106,'name':'f'},{'ph':'E','pid':1,'tid':5,'ts':19,'tts':109},"
                                     "{'ph':'X','pid':1,'tid':5,'ts':20,'dur':8,'tts':110,'tdur':1,'name':'g'},"
                                     "{'ph':'X','pid':1,'tid':5,'ts':30,'dur':8,'name':'g'}]"),
                                "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        QStringList single;
        forEachSegment(*opened.timeline, "call", {Timestamp::min(), Timestamp::max()}, [&](const Segment& call) {
            const auto onCpu = callTime(*opened.timeline, call).onCpu;
            single << (onCpu ? QString::number(onCpu->count()) : QString("unknown"));
        });
        QCOMPARE(single, (QStringList{"5500", "3000", "1000", "unknown"}));
        SampleFilter filter;
        filter.kinds = {"call"};
        QStringList sums;
        for (const CallDurations& it : callDurations(*opened.timeline, filter, false))
            sums << QString::fromStdString(it.function.name) + (it.onCpu ? ' ' + QString::number(it.onCpu->count()) : QString());
        QCOMPARE(sorted(sums), Lines({"f 8500", "g"}));
        QVERIFY(!findIntervalKind(opened.timeline, "call-cpu-time"));
    }

    void countersKeepTheirNumbers()
    {
        const OpenedText opened(json("[{'ph':'M','pid':5,'tid':0,'name':'process_name','args':{'name':'GPU'}},"
                                     "{'ph':'C','pid':5,'tid':1,'ts':1,'name':'mem','args':{'used':9007199254740993,'free':1}},"
                                     "{'ph':'C','pid':5,'tid':1,'ts':2,'name':'mem','args':{'used':-2,'free':1.5}},"
                                     "{'ph':'C','pid':5,'tid':1,'ts':2,'name':'fps','id':'7','args':{'value':60}}]"),
                                "trace.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(seriesOf(counterStore(opened)),
                 "process:5/fps 7 (GPU (5), app-counters), process:5/mem/free (GPU (5), app-counters), process:5/mem/used (GPU (5), "
                 "app-counters)");
        QCOMPARE(integersOf(counterStore(opened), "process:5/mem/used"), "1=9007199254740993 2=-2");
        QCOMPARE(realsOf(counterStore(opened), "process:5/mem/free"), "1=1 2=1.5");
    }
};

HELIO_TEST(ChromeTracksTest)
#include "tst_chrome_tracks.moc"
