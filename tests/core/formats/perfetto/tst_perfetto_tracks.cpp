#include "core/trace/fields/field_ref.h"
#include "core/trace/merged_events.h"
#include "core/trace/process/recorded_names.h"
#include "core/trace/stored/track_events.h"
#include "tests/support/files.h"
#include "tests/support/made_perfetto.h"
#include "tests/support/open_trace.h"
#include "tests/support/printed_fields.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace helio;

namespace {

// Protobuf field numbers in the message TracePacket.
constexpr std::uint32_t TrackEvent = 11;
constexpr std::uint32_t TrackDescriptor = 60;
constexpr std::uint32_t PerfSample = 66;

// Values of the field TrackEvent.type.
constexpr int Begin = 1;
constexpr int End = 2;
constexpr int Instant = 3;
constexpr int Counter = 4;

MadeMessage madeThread(int uuid, int pid, int tid, std::string_view name)
{
    return MadeMessage().number(1, uuid).message(4, MadeMessage().number(1, pid).number(2, tid).text(5, name));
}
MadeMessage madeProcess(int uuid, int pid, std::string_view name)
{
    return MadeMessage().number(1, uuid).message(3, MadeMessage().number(1, pid).text(6, name));
}
MadeMessage madeTrack(int uuid, int parent, std::string_view name) { return MadeMessage().number(1, uuid).number(5, parent).text(2, name); }

MadeMessage madeEvent(int type, int uuid, std::string_view name = {})
{
    MadeMessage made;
    made.number(9, type).number(11, uuid);
    if (!name.empty())
        made.text(23, name);
    return made;
}

MadeMessage named(int number, std::string_view text) { return MadeMessage().number(1, number).text(2, text); }

} // namespace

/// Input: Perfetto traces that the tests build, with track events and call stack samples of applications.
class PerfettoTracksTest : public QObject {
    Q_OBJECT

private:
    QStringList contentOf(const MadePerfetto& made)
    {
        std::string error;
        m_trace = openTrace("Perfetto", test::writeFile(m_folder.filePath("trace.pftrace"), made.bytes()).toStdString(), &error);
        if (!m_trace)
            return {QString::fromStdString(error)};
        QStringList lines;
        MergedEvents events(*m_trace);
        while (events.next())
            lines << printEvent(events.event());
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            lines << QString("%1 %2").arg(QString::fromStdString(diagnostic.kind)).arg(diagnostic.count);
        return lines;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;

private slots:
    /// Property: slices are assigned to their threads, processes or tracks, even if the TrackDescriptors follow the events in the file.
    void tracksHaveTheirOwners()
    {
        MadePerfetto made;
        made.packet(10, TrackEvent, madeEvent(Begin, 2, "frame"));
        made.packet(20, TrackEvent, madeEvent(Begin, 3, "load"));
        made.packet(25, TrackEvent, madeEvent(Begin, 4, "load too"));
        made.packet(30, TrackEvent, madeEvent(End, 3));
        made.packet(40, TrackEvent, madeEvent(Instant, 1, "resumed"));
        made.packet(50, TrackEvent, madeEvent(End, 2));
        made.packet(60, TrackEvent, madeEvent(Instant, 99, "lonely"));
        made.packet(1, TrackDescriptor, madeProcess(1, 7, "browser"));
        made.packet(1, TrackDescriptor, madeThread(2, 7, 8, "main"));
        made.packet(1, TrackDescriptor, madeTrack(3, 1, "requests"));
        made.packet(1, TrackDescriptor, madeTrack(4, 1, "requests")); // Same parent and name as track 3, so both share one row.
        QCOMPARE(contentOf(made),
                 QStringList(
                     {"10 process_info vpid=7: name=browser labels= order=0", "10 thread_info vpid=7 vtid=8: name=main order=0",
                      "10 span_begin vpid=7 vtid=8: name=frame cat= args=", "20 track_info vpid=7: track=1 parent=0 name=requests order=0",
                      "20 track_begin vpid=7: track=1 nest=1 name=load cat= args=",
                      "25 track_begin vpid=7: track=1 nest=2 name=load too cat= args=", "30 track_end vpid=7: track=1 nest=1",
                      "40 track_info vpid=7: track=2 parent=0 name=Process order=0",
                      "40 instant vpid=7: scope=process track=2 nest=3 name=resumed cat= args=", "50 span_end vpid=7 vtid=8:",
                      "60 track_info: track=3 parent=0 name=Track 99 order=0",
                      "60 instant: scope=track track=3 nest=4 name=lonely cat= args="}));
    }

    void tracksHaveTheirOrder()
    {
        MadePerfetto made;
        made.packet(1, TrackDescriptor, madeTrack(1, 0, "top").number(11, 3));
        made.packet(1, TrackDescriptor, madeTrack(2, 1, "b").number(12, -5));
        made.packet(1, TrackDescriptor, madeTrack(3, 1, "a").number(12, 4));
        made.packet(10, TrackEvent, madeEvent(Instant, 3, "x"));
        made.packet(20, TrackEvent, madeEvent(Instant, 2, "y"));
        QCOMPARE(contentOf(made).filter("track_info"),
                 QStringList({"10 track_info: track=1 parent=0 name=top order=0", "10 track_info: track=2 parent=1 name=a order=4",
                              "20 track_info: track=3 parent=1 name=b order=-5"}));
    }

    void tracksThatAreTheirOwnParentsAreRead()
    {
        MadePerfetto made;
        made.packet(1, TrackDescriptor, madeTrack(1, 2, "a"));
        made.packet(1, TrackDescriptor, madeTrack(2, 1, "b"));
        made.packet(10, TrackEvent, madeEvent(Instant, 1, "x"));
        QCOMPARE(contentOf(made).filter("instant").size(), 1);
    }

    /// Property: interned names, categories and annotations are resolved. Events without a track belong to the default track of their
    /// sequence (TracePacketDefaults).
    void internedNamesAndDefaultsAreApplied()
    {
        const MadeMessage interned = MadeMessage()
                                         .message(1, named(1, "cat"))
                                         .message(2, named(1, "slice"))
                                         .message(3, named(1, "count"))
                                         .message(29, named(1, "long text"))
                                         .message(4, MadeMessage().number(1, 1).text(2, "a.cc").text(3, "f").number(4, 12))
                                         .message(5, named(1, "outer"))
                                         .message(5, named(2, "inner"))
                                         .message(6, MadeMessage().number(1, 1).number(2, 1))
                                         .message(6, MadeMessage().number(1, 2).number(2, 2))
                                         .message(7, MadeMessage().number(1, 1).number(2, 1).number(2, 2));
        MadePerfetto made;
        made.packet(1, TrackDescriptor, madeThread(2, 7, 8, "main"));
        made.packet(MadeMessage()
                        .number(8, 10)
                        .number(10, 5)
                        .number(13, 1)
                        .message(12, interned)
                        .message(59, MadeMessage().message(11, MadeMessage().number(11, 2))));
        made.packet(
            MadeMessage().number(8, 20).number(10, 5).number(13, 2).message(TrackEvent,
                                                                            MadeMessage()
                                                                                .number(9, Begin)
                                                                                .packed(3, {1})
                                                                                .text(22, "more")
                                                                                .number(10, 1)
                                                                                .message(4, MadeMessage().number(1, 1).number(3, 4))
                                                                                .message(4, MadeMessage().text(10, "text").number(17, 1))
                                                                                .number(34, 1)
                                                                                .number(56, 1)));
        made.packet(
            MadeMessage().number(8, 30).number(10, 5).number(13, 2).message(TrackEvent, MadeMessage().number(9, Begin).number(10, 9)));
        const QStringList content = contentOf(made);
        QVERIFY2(content.contains("20 span_begin vpid=7 vtid=8: name=slice cat=cat,more "
                                  "args={\"count\":4,\"text\":\"long text\",\"source_location\":{\"file\":\"a.cc\",\"function\":\"f\","
                                  "\"line\":12},\"callstack\":[\"outer\",\"inner\"]}"),
                 qPrintable(content.join('\n')));
        QVERIFY(content.contains("30 span_begin vpid=7 vtid=8: name=? cat= args="));
        QVERIFY(content.contains("unknown-names 1"));
    }

    /// Property: texts that many events refer to are stored whole up to 64 MiB in a small trace. Further ones are cut to 64 bytes, call
    /// stacks are left out, and both are counted.
    void repeatedTextsAreBounded()
    {
        constexpr std::size_t Long = std::size_t{1} << 20;
        const MadeMessage interned = MadeMessage()
                                         .message(2, named(1, "short"))
                                         .message(29, named(1, std::string(Long, 'a')))
                                         .message(5, named(1, std::string(Long, 'f')))
                                         .message(6, MadeMessage().number(1, 1).number(2, 1))
                                         .message(7, MadeMessage().number(1, 1).number(2, 1));
        MadePerfetto made;
        made.packet(MadeMessage().number(10, 5).number(13, 1).message(12, interned));
        const auto add = [&](std::int64_t time, const MadeMessage& event) {
            made.packet(MadeMessage().number(8, time).number(10, 5).number(13, 2).message(TrackEvent, event));
        };
        for (int i = 1; i <= 70; ++i)
            add(i, MadeMessage().number(9, Instant).number(10, 1).message(4, MadeMessage().text(10, "v").number(17, 1)));
        add(71, MadeMessage().number(9, Instant).number(10, 1).number(56, 1));
        const QStringList content = contentOf(made);
        QCOMPARE(content.filter('"' + QString(Long, 'a') + '"').size(), 63);
        QCOMPARE(content.filter('"' + QString(64, 'a') + '"').size(), 7);
        QVERIFY(content.contains("71 instant: scope=track track=1 nest=1 name=short cat= args={\"callstack\":[]}"));
        QCOMPARE(content.last(), QString("cut-texts 8"));
    }

    /// Property: threads of different processes with the same thread ID are distinguished by numbers.
    void threadsWithOneIdAreDistinguished()
    {
        MadePerfetto made;
        for (int pid = 1; pid <= 3; ++pid) {
            made.packet(1, TrackDescriptor, madeThread(pid, pid, 8, "t"));
            made.packet(pid * 10, TrackEvent, madeEvent(Instant, pid, "x"));
        }
        contentOf(made);
        QList<quint32> spaces;
        MergedEvents events(*m_trace);
        while (events.next())
            if (events.event().type->name == "instant")
                spaces << quint32(contextField(*events.event().type, {"pid_ns"}).integer(events.event()).value_or(0));
        QCOMPARE(spaces, QList<quint32>({TrackContext::HostNamespace, 1, 2}));
    }

    void annotationsAreArguments_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("json");
        const auto row = [](const char* name, const MadeMessage& value, const char* json) {
            QTest::newRow(name) << value.array() << QString(json);
        };
        row("bool", MadeMessage().number(2, 1), "true");
        row("unsigned", MadeMessage().number(3, -1), "18446744073709551615");
        row("signed", MadeMessage().number(4, -1), "-1");
        row("double", MadeMessage().real(5, 0.25), "0.25");
        row("text", MadeMessage().text(6, "a\"b"), "\"a\\\"b\"");
        row("pointer", MadeMessage().number(7, 255), "\"0xff\"");
        row("dictionary",
            MadeMessage().message(11, MadeMessage().text(10, "k").number(4, 1)).message(11, MadeMessage().text(10, "l").text(6, "v")),
            "{\"k\":1,\"l\":\"v\"}");
        row("array", MadeMessage().message(12, MadeMessage().number(4, 1)).message(12, MadeMessage().number(4, 2)), "[1,2]");
        row("old dictionary",
            MadeMessage().message(
                8,
                MadeMessage().number(1, 1).text(2, "k").message(
                    3, MadeMessage().number(1, 2).message(4, MadeMessage().number(5, 3)).message(4, MadeMessage().text(8, "x")))),
            "{\"k\":[3,\"x\"]}");
        MadeMessage deep = MadeMessage().number(4, 1);
        for (int i = 0; i < 100; ++i)
            deep = MadeMessage().message(12, deep);
        row("too deep", deep, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"(too deep)\"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    }
    void annotationsAreArguments()
    {
        QFETCH(QByteArray, value);
        QFETCH(QString, json);
        MadePerfetto made;
        const std::string annotation = MadeMessage().text(10, "v").bytes() + value.toStdString();
        made.packet(10, TrackEvent, madeEvent(Instant, 0, "x").text(4, annotation));
        QCOMPARE(contentOf(made).last(), "10 instant: scope=track track=1 nest=1 name=x cat= args={\"v\":" + json + "}");
    }

    /// Property: counters belong to the owner of their parent track. Incremental values are added up, and values are multiplied by
    /// CounterDescriptor.unit_multiplier.
    void countersHaveValuesAndUnits()
    {
        MadePerfetto made;
        made.packet(1, TrackDescriptor, madeThread(2, 7, 8, "main"));
        made.packet(1, TrackDescriptor, madeTrack(3, 2, "cycles").message(8, MadeMessage().number(5, 1).number(4, 10)));
        made.packet(1, TrackDescriptor, madeTrack(4, 0, "size").message(8, MadeMessage().number(3, 3)));
        made.packet(1, TrackDescriptor, madeTrack(5, 0, "load").message(8, MadeMessage().text(6, "%")));
        const auto of = [](std::int64_t time, const MadeMessage& it) {
            return MadeMessage().number(8, time).number(10, 1).message(11, it);
        };
        made.packet(of(10, madeEvent(Counter, 3).number(30, 5)).number(13, 1));
        made.packet(of(20, madeEvent(Begin, 2, "x").packed(31, {3, 4}).packed(12, {2, 99})));
        // SEQ_INCREMENTAL_STATE_CLEARED: incremental values restart at 0.
        made.packet(of(30, madeEvent(Counter, 3).number(30, 1)).number(13, 1));
        made.packet(of(40, madeEvent(Counter, 5).number(30, 2)));
        made.packet(of(50, madeEvent(Counter, 5).real(44, 0.5)));
        QCOMPARE(contentOf(made).filter("counter"),
                 QStringList({"10 counter vpid=7 vtid=8: scope=thread track=0 name=cycles series= unit= value=50",
                              "20 counter vpid=7 vtid=8: scope=thread track=0 name=cycles series= unit= value=70",
                              "20 counter: scope=global track=0 name=size series= unit=B value=99",
                              "30 counter vpid=7 vtid=8: scope=thread track=0 name=cycles series= unit= value=10",
                              "40 counter: scope=global track=0 name=load series= unit=% value=2",
                              "50 counter: scope=global track=0 name=load series= unit=% value=0.5"}));
    }

    /// Property: a state of a track lasts until the track's next state; a state without a name only ends the previous one.
    void statesOfTracksAreSlices()
    {
        constexpr int State = 5;
        MadePerfetto made;
        made.packet(1, TrackDescriptor, madeTrack(3, 0, "phase"));
        made.packet(10, TrackEvent, madeEvent(State, 3, "idle"));
        made.packet(20, TrackEvent, madeEvent(State, 3, "busy"));
        made.packet(30, TrackEvent, madeEvent(State, 3));
        made.packet(40, TrackEvent, madeEvent(State, 3));
        QCOMPARE(contentOf(made).filter(QRegularExpression("track_(begin|end)|unknown")),
                 QStringList({"10 track_begin: track=1 nest=1 name=idle cat= args=", "20 track_end: track=1 nest=1",
                              "20 track_begin: track=1 nest=1 name=busy cat= args=", "30 track_end: track=1 nest=1"}));
    }

    void flowsConnectEvents()
    {
        MadePerfetto made;
        made.packet(1, TrackDescriptor, madeThread(2, 7, 8, "main"));
        made.packet(10, TrackEvent, madeEvent(Begin, 2, "a").fixed(47, 70));
        made.packet(20, TrackEvent, madeEvent(Begin, 2, "b").number(36, 70).fixed(48, 71));
        QCOMPARE(contentOf(made).filter("flow"),
                 QStringList({"10 flow_step vpid=7 vtid=8: track=0 nest=0 cat= name= id=70 binding=enclosing",
                              "20 flow_step vpid=7 vtid=8: track=0 nest=0 cat= name= id=70 binding=enclosing",
                              "20 flow_end vpid=7 vtid=8: track=0 nest=0 cat= name= id=71 binding=enclosing"}));
    }

    /// Input: TrackEvents in the legacy form, which has the phases of Chrome's JSON format (legacy_event). Property: the phases have the
    /// same meaning as in Chrome's JSON format.
    void eventsOfTheOldFormAreRead()
    {
        const auto old = [](char phase, std::string_view name) {
            return MadeMessage().text(22, "c").text(23, name).message(6, MadeMessage().number(2, phase).number(11, 5).number(3, 4));
        };
        MadePerfetto made;
        made.packet(MadeMessage().number(10, 1).message(44, MadeMessage().number(1, 7).number(2, 8).text(5, "main").number(6, 1)));
        const auto at = [](std::int64_t time, const MadeMessage& it) {
            return MadeMessage().number(8, time).number(10, 1).message(11, it);
        };
        made.packet(at(10'000, old('X', "whole")));
        made.packet(at(11'000, old('n', "point")));
        made.packet(at(12'000, old('b', "operation")));
        made.packet(at(13'000, old('e', "operation")));
        made.packet(at(15'000, old('I', "now")));
        made.packet(at(16'000, old('C', "queue").message(4, MadeMessage().text(10, "length").number(4, 3))));
        made.packet(MadeMessage().number(10, 1).message(11, old('B', "timed by itself").number(1, 30)));
        QCOMPARE(
            contentOf(made),
            QStringList(
                {"10000 process_info vpid=7: name= labels= order=0", "10000 thread_info vpid=7 vtid=8: name=main order=0",
                 "10000 span_begin vpid=7 vtid=8: name=whole cat=c args=", "11000 track_info vpid=7: track=1 parent=0 name=point order=0",
                 "11000 instant vpid=7 vtid=8: scope=track track=1 nest=1 name=point cat=c args= id=5",
                 "12000 track_begin vpid=7 vtid=8: track=1 nest=1 name=operation cat=c args= id=5",
                 "13000 track_end vpid=7 vtid=8: track=1 nest=1 name=operation",
                 "14000 span_end vpid=7 vtid=8:", "15000 instant vpid=7 vtid=8: scope=thread track=0 nest=0 name=now cat=c args=",
                 "16000 counter vpid=7 vtid=8: scope=process track=0 name=queue series=length unit= value=3",
                 "31000 span_begin vpid=7 vtid=8: name=timed by itself cat=c args="}));
    }

    /// Input: complete events of the old form (phase X) in the order of their ends; the time and the duration are in us. Property: slices
    /// with the same begin nest by their ends, and their flow points follow them. A slice has a track of its own if it does not nest. An
    /// impossible duration is 0.
    void completeEventsNest()
    {
        MadePerfetto made;
        made.packet(MadeMessage().number(10, 1).message(44, MadeMessage().number(1, 7).number(2, 8).text(5, "main")));
        const auto add = [&](char phase, std::string_view name, std::int64_t time, std::int64_t duration, int tid = 8) {
            const MadeMessage legacy =
                MadeMessage().number(2, phase).number(3, duration).number(11, 5).number(18, 7).number(19, tid).number(12, 1);
            made.packet(MadeMessage().number(8, time * 1000).number(10, 1).message(11, MadeMessage().text(23, name).message(6, legacy)));
        };
        add('s', "flow", 10, 0);
        add('X', "inner", 10, 2);
        add('X', "outer", 10, 5);
        add('X', "next", 15, 5);
        add('X', "overlapping", 18, 4);
        add('X', "negative", 30, -1);
        add('X', "endless", 40, std::numeric_limits<std::int64_t>::max());
        add('B', "begun", 50, 0, 9);
        add('X', "within", 50, 10, 9);
        add('E', "", 60, 0, 9);
        add('X', "after", 60, 5, 9);
        add('B', "begun at the end", 65, 0, 9);
        add('X', "beyond", 66, 5, 9);
        add('E', "", 70, 0, 9);
        add('E', "", 80, 0, 9);
        add('X', "around a stray end", 79, 5, 9);
        QStringList content = contentOf(made);
        content.removeIf([](const QString& line) { return line.contains("process_info") || line.contains("thread_info"); });
        QCOMPARE(content,
                 QStringList({"10000 span_begin vpid=7 vtid=8: name=outer cat= args=",
                              "10000 span_begin vpid=7 vtid=8: name=inner cat= args=",
                              "10000 flow_begin vpid=7 vtid=8: track=0 nest=0 cat= name=flow id=5 binding=enclosing",
                              "12000 span_end vpid=7 vtid=8:",
                              "15000 span_end vpid=7 vtid=8:",
                              "15000 span_begin vpid=7 vtid=8: name=next cat= args=",
                              "18000 track_info vpid=7 vtid=8: track=1 parent=0 name=Overlapping order=0",
                              "18000 track_begin vpid=7 vtid=8: track=1 nest=1 name=overlapping cat= args=",
                              "20000 span_end vpid=7 vtid=8:",
                              "22000 track_end vpid=7 vtid=8: track=1 nest=1",
                              "30000 span_begin vpid=7 vtid=8: name=negative cat= args=",
                              "30000 span_end vpid=7 vtid=8:",
                              "40000 span_begin vpid=7 vtid=8: name=endless cat= args=",
                              "40000 span_end vpid=7 vtid=8:",
                              "50000 span_begin vpid=7 vtid=9: name=begun cat= args=",
                              "50000 span_begin vpid=7 vtid=9: name=within cat= args=",
                              "60000 span_end vpid=7 vtid=9:",
                              "60000 span_end vpid=7 vtid=9:",
                              "60000 track_info vpid=7 vtid=9: track=2 parent=0 name=Overlapping order=0",
                              "60000 track_begin vpid=7 vtid=9: track=2 nest=2 name=after cat= args=",
                              "65000 span_begin vpid=7 vtid=9: name=begun at the end cat= args=",
                              "65000 track_end vpid=7 vtid=9: track=2 nest=2",
                              "66000 track_begin vpid=7 vtid=9: track=2 nest=3 name=beyond cat= args=",
                              "70000 span_end vpid=7 vtid=9:",
                              "71000 track_end vpid=7 vtid=9: track=2 nest=3",
                              "79000 track_begin vpid=7 vtid=9: track=2 nest=4 name=around a stray end cat= args=",
                              "80000 span_end vpid=7 vtid=9:",
                              "84000 track_end vpid=7 vtid=9: track=2 nest=4",
                              "no-duration 2",
                              "overlap 4"}));
    }

    void polledValuesAreCounters()
    {
        MadePerfetto made;
        made.packet(10, 9, MadeMessage().message(1, MadeMessage().number(1, 7).number(3, 2).number(10, -5)));
        made.packet(20, 7,
                    MadeMessage()
                        .message(1, MadeMessage().number(1, 2).number(2, 100))
                        .message(3, MadeMessage().number(1, 1).number(2, 50))
                        .packed(11, {1000, 2000}));
        made.packet(30, 38, MadeMessage().number(3, -7).text(5, "main"));
        QCOMPARE(contentOf(made),
                 QStringList({"10 counter vpid=7: scope=process track=0 name=VmRSS series= unit=B value=2048",
                              "10 counter vpid=7: scope=process track=0 name=oom_score_adj series= unit= value=-5",
                              "20 counter: scope=global track=0 name=MemFree series= unit=B value=102400",
                              "20 [1] counter: scope=cpu track=0 name=CPU time series=user unit=ns value=50",
                              "20 [0] counter: scope=cpu track=0 name=Frequency series= unit=Hz value=1000000",
                              "20 [1] counter: scope=cpu track=0 name=Frequency series= unit=Hz value=2000000",
                              "30 counter: scope=global track=0 name=Battery main: current series= unit=uA value=-7"}));
    }

    /// Property: samples have call stacks with function names and modules, and the name of the sampled event, e.g. cpu-clock.
    void samplesHaveStacks()
    {
        const MadeMessage interned = MadeMessage()
                                         .message(5, named(1, "main"))
                                         .message(5, named(2, "work"))
                                         .message(17, named(1, "usr"))
                                         .message(17, named(2, "prog"))
                                         .message(19, MadeMessage().number(1, 1).number(7, 1).number(7, 2))
                                         .message(6, MadeMessage().number(1, 1).number(2, 1).number(3, 1).number(4, 16))
                                         .message(6, MadeMessage().number(1, 2).number(2, 2).number(3, 1))
                                         .message(6, MadeMessage().number(1, 3).number(3, 1).number(4, 0x2f))
                                         .message(7, MadeMessage().number(1, 1).number(2, 1).number(2, 2))
                                         .message(7, MadeMessage().number(1, 2).packed(2, {1, 3}));
        const MadeMessage timebase = MadeMessage().message(12, MadeMessage().message(1, MadeMessage().number(1, 1000).number(4, 1)));
        const auto sample = [](int stack) { return MadeMessage().number(1, 2).number(2, 7).number(3, 8).number(4, stack).number(5, 2); };
        MadePerfetto made;
        made.packet(MadeMessage().number(10, 1).number(13, 1).message(12, interned).message(59, timebase));
        made.packet(MadeMessage().number(8, 10).number(10, 1).number(13, 2).message(PerfSample, sample(1)));
        made.packet(MadeMessage().number(8, 20).number(10, 1).number(13, 2).message(PerfSample, sample(2)));
        made.packet(MadeMessage().number(8, 30).number(10, 1).message(PerfSample, MadeMessage().number(17, 5)));
        made.packet(MadeMessage().number(8, 40).number(10, 1).message(PerfSample, MadeMessage().number(18, 1)));
        made.packet(MadeMessage().number(8, 50).number(10, 1).message(54, MadeMessage().packed(1, {1, 2}).packed(2, {0, 3})));
        QCOMPARE(contentOf(made),
                 QStringList({"10 [2] cpu-clock pid=7 tid=8: period=1000", "20 [2] cpu-clock pid=7 tid=8: period=1000",
                              "50 profile_sample: period=1", "3050 profile_sample: period=1", "lost-records 5", "skipped-samples 1"}));
        const SampleReader* const samples = m_trace->samples();
        QVERIFY(samples);
        QCOMPARE(samples->events().size(), std::size_t(2));
        QVERIFY(samples->events()[0].isTime);
        QStringList stacks;
        MergedEvents events(*m_trace);
        while (events.next()) {
            SampleView view;
            QVERIFY(samples->read(events.event(), view));
            QString text = QString("%1/%2 %3").arg(view.pid).arg(view.tid).arg(view.period);
            for (std::uint32_t node = view.stack; node != 0; node = samples->stacks()[node].caller) {
                const RecordedFrame& frame = samples->stacks()[node];
                const Module& module = m_trace->modules()[std::size_t(frame.module)];
                text += QString::fromStdString(' ' + std::string(module.names->at(frame.address).function) + '@' + module.path);
            }
            stacks << text;
        }
        QCOMPARE(stacks,
                 QStringList({"7/8 1000 work@/usr/prog main@/usr/prog", "7/8 1000 0x2f@/usr/prog main@/usr/prog",
                              "-1/-1 1 work@/usr/prog main@/usr/prog", "-1/-1 1 0x2f@/usr/prog main@/usr/prog"}));
    }
};

HELIO_TEST(PerfettoTracksTest)
#include "tst_perfetto_tracks.moc"
