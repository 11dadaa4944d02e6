#include "core/experiment/timeline.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/views.h"
#include "core/store/store.h"
#include "tests/support/fake_trace.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

MadeTimelineTrace traceWith(std::vector<Diagnostic> anomalies, std::vector<Loss> losses, std::string name = "kernel")
{
    TraceInfo info;
    info.name = name;
    MadeTimelineTrace it;
    it.trace = std::make_shared<test::FakeTrace>(info, std::vector<std::string>{"a"}, std::vector<std::vector<test::FakeEvent>>{{{5}}});
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track track;
    track.kind = name == "kernel" ? "cpu" : "thread";
    track.role = name == "kernel" ? TrackRole::Cpu : TrackRole::Thread;
    builder->addTrack(track);
    for (const Loss& loss : losses)
        builder->addLoss(loss);
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(1000)};
    summary.anomalies = std::move(anomalies);
    it.store = *builder->finish(summary);
    return it;
}

Timeline timelineOf(std::vector<MadeTimelineTrace> pieces)
{
    Timeline timeline;
    for (MadeTimelineTrace& piece : pieces)
        addTrace(timeline, std::move(piece));
    return timeline;
}

const Message* find(const std::vector<Message>& all, const std::string& kind)
{
    const auto at = std::ranges::find(all, kind, &Message::kind);
    return at == all.end() ? nullptr : &*at;
}

} // namespace

class MessagesTest : public QObject {
    Q_OBJECT

private slots:
    void whatAViewNeedsMostIsWhatIsToBeRecorded()
    {
        Timeline timeline;
        timeline.traces.emplace_back().missing = {{"resources", {"a"}, "no irqs", "perf record -e irq", false},
                                                  {"control-flow", {"b"}, "no calls", "perf record -e calls", false},
                                                  {"control-flow", {"c"}, "no states", "perf record -e switch", true}};

        QCOMPARE(adviseRecordingOf(timeline, "control-flow"), std::string("Record them with: perf record -e switch"));
        QCOMPARE(adviseRecordingOf(timeline, "resources"), std::string("Record them with: perf record -e irq"));
        QCOMPARE(adviseRecordingOf(timeline, "other"), std::string());
    }

    void whatManyTracesHaveIsSaidOnce()
    {
        std::vector<MadeTimelineTrace> pieces;
        for (int i = 0; i < 200; ++i)
            pieces.push_back(
                traceWith({{Diagnostic::Severity::Warning, "odd", "stream", 0, 2, "something is odd"}}, {}, "app-" + std::to_string(i)));
        pieces.push_back(traceWith({{Diagnostic::Severity::Error, "seldom", "", 0, 7, "7 events are odd"}}, {}));

        const auto all = damages(timelineOf(std::move(pieces)));

        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].count, std::uint64_t(400));
        QVERIFY2(all[0].text.starts_with("stream: Something is odd. 2 occurrences. ("), all[0].text.c_str());
        QVERIFY2(all[0].text.ends_with(" 199 more traces have similar problems."), all[0].text.c_str());
        // The text has the count already, so it is not appended.
        QVERIFY2(all[1].text.starts_with("7 events are odd. ("), all[1].text.c_str());
    }

    void aLossWithoutANumberIsNotCalledMissingPackets()
    {
        const auto textOf = [](Loss loss) { return damages(timelineOf({traceWith({}, {loss})}))[0].text; };

        QCOMPARE(textOf({{hostTime(1), hostTime(2)}, 0, 0, 1, 0}),
                 std::string("An unknown number of events was lost on CPU 1. States there are unknown."));
        QCOMPARE(textOf({{hostTime(1), hostTime(2)}, 0, 2, -1, 0}),
                 std::string("2 packets are missing or unreadable. States there are unknown."));
        QCOMPARE(textOf({{hostTime(1), hostTime(2)}, 3, 0, -1, 0}), std::string("3 events were lost. States there are unknown."));
    }

    void eventsThatWereSampledAreNotSaidToBeMissing()
    {
        Timeline timeline;
        MissingEvents need{"control-flow", {"sched:sched_switch"}, "threads have no states", "", true};
        need.isSampled = true;
        timeline.traces.emplace_back().missing = {need};

        const auto all = messages(timeline);

        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(all[0].text),
                 QString("Threads have no states: sched:sched_switch was only sampled, not fully recorded."));
    }

    void diagnosticsOfOneKindAreOneLineWithTheirCount()
    {
        const Timeline timeline = timelineOf({traceWith({{Diagnostic::Severity::Warning, "backward-time", "a", 0, 2, "time goes back"},
                                                         {Diagnostic::Severity::Warning, "backward-time", "b", 0, 3, "time goes back"}},
                                                        {})});

        const auto all = messages(timeline);

        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(all[0].count, std::uint64_t(5));
        QCOMPARE(QString::fromStdString(all[0].text), QString("a: Time goes back. 5 occurrences."));
    }

    void whatAnotherTraceOfTheHostHasIsNotMissed()
    {
        Timeline timeline = timelineOf({traceWith({}, {}), traceWith({}, {})});
        MissingEvents need;
        need.anyOf = {"sched_switch"};
        need.consequence = "threads have no states";
        timeline.traces[0].missing = {need};

        QVERIFY(!find(messages(timeline), "missing-events"));
        need.anyOf = {"sched:sched_switch"}; // The event's name in perf recordings.
        timeline.traces[1].missing = {need};
        QVERIFY(find(messages(timeline), "missing-events"));
    }

    /// Property: missing states are a note for profiles and slices, which record none by design, and a warning for a recording of events.
    void thatAProfileHasNoStatesIsANote_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isWarning");
        QTest::newRow("a profile") << QByteArray("app 7 [000] 1.000001: 1000 cpu-clock: \n\t 10 main+0x2 (/opt/app)\n\n") << false;
        QTest::newRow("slices") << QByteArray(R"([{"ph":"X","pid":1,"tid":2,"ts":1,"dur":9,"name":"a"}])") << false;
        QTest::newRow("events") << QByteArray("app 7 [000] 1.000001: irq:irq_handler_entry: irq=1 name=x\n\n") << true;
    }
    void thatAProfileHasNoStatesIsANote()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isWarning);
        const OpenedText opened(text);
        QVERIFY2(opened.timeline, opened.error.c_str());

        const auto all = messages(*opened.timeline);

        const auto states =
            std::ranges::find_if(all, [](const Message& message) { return message.text.starts_with("Threads have no states"); });
        QVERIFY(states != all.end());
        QCOMPARE(states->severity == Diagnostic::Severity::Warning, isWarning);
    }

    void lossesAreOneLineACpuWithTheFirstPlace()
    {
        const auto loss = [](int begin, std::uint64_t events) { return Loss{{hostTime(begin), hostTime(begin + 10)}, events, 0, 1, 0}; };
        const Timeline timeline = timelineOf({traceWith({}, {loss(100, 1200), loss(300, 4)})});

        const auto all = messages(timeline);
        const Message* lost = find(all, "lost-events");

        QVERIFY(lost);
        QCOMPARE(QString::fromStdString(lost->text),
                 QString::fromUtf8("1\u2009204 events were lost on CPU 1, in 2 gaps. States there are unknown."));
        QVERIFY(!lost->places.empty() && lost->places.front().begin == timestamp(100));
    }

    /// Input: lost events of two user-space traces of one host. Property: messages name the trace, and do not mention states, which these
    /// traces do not have.
    void lossesOfOneHostNameTheirTraces()
    {
        const Loss loss{{hostTime(1), hostTime(2)}, 17, 0, 0, 0};
        const Timeline timeline = timelineOf({traceWith({}, {loss}, "app-1"), traceWith({}, {loss}, "app-2")});
        QStringList texts;
        for (const Message& message : messages(timeline))
            texts << QString::fromStdString(message.text);
        QVERIFY2(texts.contains("17 events were lost on CPU 0 of app-1.") && texts.contains("17 events were lost on CPU 0 of app-2."),
                 qPrintable(texts.join('\n')));
    }

    void whatWasNotRecordedSaysHowToRecordIt()
    {
        Timeline timeline = timelineOf({traceWith({}, {})});
        timeline.traces[0].missing = {
            {"control-flow", {"sched_switch"}, "threads have no states", "lttng enable-event -k sched_switch", true}};

        const auto all = messages(timeline);

        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(all[0].text), QString("Threads have no states: sched_switch was not recorded."));
        QCOMPARE(QString::fromStdString(all[0].command), QString("lttng enable-event -k sched_switch"));
    }

    void whatAnalysesOfFilesLackIsSaidOnlyWhereTheirViewIsAskedFor()
    {
        Timeline timeline = timelineOf({traceWith({}, {}), traceWith({}, {})});
        for (TimelineTrace& it : timeline.traces)
            it.missing = {
                {"mine.rows", {"my:event"}, "events that Mine is made of were not recorded", "lttng enable-event -u my:event", true}};

        QVERIFY(messages(timeline).empty());
        QCOMPARE(findMissingEvents(timeline, "mine.rows").size(), std::size_t(2));
        QCOMPARE(findMissingEvents(timeline, "control-flow").size(), std::size_t(0));
    }

    void whatSeveralTracesLackIsOneLine()
    {
        Timeline timeline;
        for (const char* host : {"web", "db", "client"}) {
            addTrace(timeline, {traceWith({}, {}).store, traceWith({}, {}).trace, {}, host});
            if (timeline.traces.back().host < 2)
                timeline.traces.back().missing = {{"resources", {"irq_handler_entry"}, "interrupts are not shown", "lttng", false}};
        }

        const auto all = messages(timeline);

        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(all[0].text), QString("Interrupts are not shown: irq_handler_entry was not recorded on web, db."));
    }

    void unsynchronizedClocksAreSetInTheirDock()
    {
        Timeline timeline;
        timeline.diagnostics = {
            {Diagnostic::Severity::Warning, std::string(UnsynchronizedClocks), "", 0, 1, "the clocks of a and b are not synchronized"}};

        const auto all = messages(timeline);

        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(all[0].text),
                 QString("The clocks of a and b are not synchronized. Set the offsets in the Clocks dock."));
    }

    void theMostSevereComesFirst()
    {
        Timeline timeline;
        timeline.diagnostics = {{Diagnostic::Severity::Info, "clock", "", 0, 1, "clocks shifted"},
                                {Diagnostic::Severity::Error, "open", "", 0, 1, "not a trace"}};

        const auto all = messages(timeline);

        QCOMPARE(all.size(), std::size_t(2));
        QVERIFY(all[0].severity == Diagnostic::Severity::Error);
    }
};

HELIO_TEST(MessagesTest)
#include "tst_messages.moc"
