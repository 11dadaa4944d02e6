// What the analysis of calls makes of entries and exits: rows by depth, segments with the time of their own, and what does not match.

#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

using namespace helio;
using namespace helio::test;

class CallsTest : public QObject {
    Q_OBJECT

private slots:
    void eachDepthHasARowOfItsCalls()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).leave(30, 5).enter(40, 5, 300).enter(45, 5, 200).leave(50, 5).leave(60, 5).leave(90, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-90");
        QCOMPARE(s.states("calls:5/2"), "call(200) 20-30, call(300) 40-60");
        QCOMPARE(s.states("calls:5/3"), "call(200) 45-50");
        QCOMPARE(s.segments(), "100 10-90 self 50, 100+200 20-30 self 10, 100+300 40-60 self 15, 100+300+200 45-50 self 5");
    }

    void threadsHangBelowTheirProcess()
    {
        CallScript s;
        s.process(3).enter(10, 5, 100).enter(11, 3, 100).process(8).enter(12, 9, 100);
        s.run(100);
        QCOMPARE(s.keyOf(s.row("calls:5/1")->parent), "calls:5");
        QCOMPARE(s.keyOf(s.row("calls:5")->parent), "pid:3");
        QCOMPARE(s.keyOf(s.row("calls:3")->parent), "pid:3");
        QCOMPARE(s.keyOf(s.row("calls:9")->parent), "pid:8");
        QCOMPARE(s.row("pid:8")->parent, NoTrack);
        QCOMPARE(s.row("pid:8")->role, TrackRole::Group);
        QCOMPARE(s.row("calls:9")->role, TrackRole::Group);
        QCOMPARE(s.row("calls:9/1")->tid, 9);
        QCOMPARE(s.row("calls:9")->label, "prog");
    }

    void anExitOfAnOuterCallTruncatesTheInnerOnes()
    {
        CallScript s;
        s.begin(10, 5, 100).begin(20, 5, 200).begin(30, 5, 300).end(40, 5, 100).begin(50, 5, 400).end(60, 5, 400);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-40, call(400) 50-60");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 20-40");
        QCOMPARE(s.states("calls:5/3"), "call-truncated(300) 30-40");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(2));
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(0));
    }

    void recursionIsLeftFromTheInside()
    {
        CallScript s;
        s.begin(10, 5, 100).begin(20, 5, 100).begin(30, 5, 100).end(40, 5, 100).end(50, 5, 100).end(60, 5, 100);
        s.run(100);
        QCOMPARE(s.segments(), "100 10-60 self 20, 100+100 20-50 self 20, 100+100+100 30-40 self 10");
    }

    void exitsOfWhatIsNotOpenAreCounted()
    {
        CallScript s;
        s.declare("fast:func_entry", {{"$vpid", 1}, {"$vtid", 1}, {"$procname", "p"}, {"addr", 1}});
        s.end(5, 5, 100).leave(6, 5).begin(10, 5, 100).end(20, 5, 999).leave(25, 5).end(30, 5, 100).end(40, 5, 100);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-30");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(5));
    }

    void lostEventsTruncateWhatIsOpenAndNothingDrifts()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).enter(25, 6, 700);
        s.loss(0, 30, 40);
        s.leave(50, 5).enter(60, 5, 300).leave(70, 5).leave(80, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-30, call(300) 60-70");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 20-30");
        QCOMPARE(s.states("calls:6/1"), "call-truncated(700) 25-30");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(3));
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(2));
    }

    void whatBeganWhileEventsWereLostIsTruncatedWhereTheLossEnds()
    {
        CallScript s;
        s.enter(10, 5, 100);
        s.loss(0, 30, 60);
        s.enter(40, 5, 200).enter(70, 5, 300).leave(80, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-30, call-truncated(200) 40-60, call(300) 70-80");
    }

    void callsWithoutAnExitStayOpen()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).enter(100, 5, 300);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-open(100) 10-100");
        QCOMPARE(s.states("calls:5/2"), "call-open(200) 20-100");
        QCOMPARE(s.states("calls:5/3"), "");
        QCOMPARE(s.segments(), "100 10-100 self 10, 100+200 20-100 self 80, 100+200+300 100-100 self 0");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(0));
    }

    void callsWithoutLengthAreSegmentsAlone()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).leave(20, 5).leave(30, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/2"), "");
        QCOMPARE(s.segments(), "100 10-30 self 20, 100+200 20-20 self 0");
    }

    void callsThatTouchAreTwo()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(20, 5, 200).leave(30, 5).enter(30, 5, 200).leave(40, 5).enter(40, 5, 200).leave(40, 5);
        s.enter(40, 5, 200).leave(50, 5).leave(60, 5).enter(60, 5, 100).leave(70, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-60, call(100) 60-70");
        QCOMPARE(s.states("calls:5/2"), "call(200) 20-30, call(200) 30-40, call(200) 40-50");
        QCOMPARE(s.store().segments().sum(SegmentKindId{}).count, 6u);
    }

    void truncatedCallsThatTouchAreTwo()
    {
        CallScript s;
        s.begin(10, 5, 100).begin(20, 5, 200).end(30, 5, 100).begin(30, 5, 100).begin(30, 5, 200).end(40, 5, 100);
        s.begin(40, 5, 100).begin(40, 5, 200);
        s.loss(0, 50, 60);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-30, call(100) 30-40, call-truncated(100) 40-50");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 20-30, call-truncated(200) 30-40, call-truncated(200) 40-50");
    }

    void noCallEndsBeforeItBeginsWhereTimesGoBack()
    {
        CallScript s;
        s.enter(10, 5, 100).enter(30, 5, 200).leave(20, 5).enter(25, 5, 300).leave(35, 5).leave(40, 5).enter(90, 5, 400);
        s.run(80);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-40");
        QCOMPARE(s.states("calls:5/2"), "call(300) 30-35");
        QCOMPARE(s.segments(), "100 10-40 self 25, 100+200 30-30 self 0, 100+300 30-35 self 5, 400 90-90 self 0");
    }

    void sourcesNestInOneStack()
    {
        CallScript s;
        s.call(10, 5, "main").enter(20, 5, 100).call(30, 5, "back").ret(40, 5, "back").leave(50, 5).ret(60, 5, "main");
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(main) 10-60");
        QCOMPARE(s.states("calls:5/2"), "call(100) 20-50");
        QCOMPARE(s.states("calls:5/3"), "call(back) 30-40");
    }

    void anExitClosesACallOfItsOwnSource()
    {
        CallScript s;
        s.enter(10, 5, 100).call(20, 5, "f").leave(30, 5).ret(40, 5, "f").call(50, 5, "g").ret(60, 5, "f").ret(70, 5, "g");
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call(100) 10-30, call(g) 50-70");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(f) 20-30");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(2));
    }

    void namedFunctionsKnowTheirSource()
    {
        CallScript s;
        s.call(10, 5, "f").ret(20, 5, "f");
        s.run(100);
        const Module& module = s.store().modules()[1];
        QCOMPARE(module.path, "prog.py");
        const RecordedName name = module.names->at(s.store().stacks().nodes()[1].frame().address);
        QCOMPARE(name.function, "f");
        QCOMPARE(name.file, "prog.py");
        QCOMPARE(name.line, 7u);
    }

    void aTidOfAnotherProcessIsAnotherThread()
    {
        CallScript s;
        s.process(3).enter(10, 5, 100).process(4).leave(20, 5).enter(30, 5, 200).leave(40, 5);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-20");
        QCOMPARE(s.states("calls:5#2/1"), "call(200) 30-40");
        QCOMPARE(s.keyOf(s.row("calls:5#2")->parent), "pid:4");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(1));
    }

    void callsEndWithTheirThread()
    {
        CallScript s;
        s.ended(4, 5).ended(5, 15).ended(5, 50).ended(6, 200);
        s.enter(10, 5, 100).enter(12, 5, 200); // It ends at 15.
        s.enter(20, 5, 300).leave(30, 5).enter(40, 5, 400); // Another one, of the same process.
        s.enter(60, 4, 100).enter(70, 6, 100);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-15");
        QCOMPARE(s.states("calls:5/2"), "call-truncated(200) 12-15");
        QCOMPARE(s.states("calls:5#2/1"), "call(300) 20-30, call-truncated(400) 40-50");
        QCOMPARE(s.states("calls:4/1"), "call-open(100) 60-100"); // Who ended was another one before it.
        QCOMPARE(s.states("calls:6/1"), "call-open(100) 70-100");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(3));
    }

    void whatIsLostAfterAThreadEndedChangesNothing()
    {
        CallScript s;
        s.ended(5, 15).enter(10, 5, 100);
        s.loss(0, 20, 30);
        s.enter(40, 6, 100);
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 10-15");
    }

    void withoutContextsTheStreamIsTheThread()
    {
        CallScript s;
        s.environment("vpid", "x").stream(0, 0).stream(1, 0);
        s.event(10, 0, "func_entry", {{"addr", 100}}).event(20, 1, "func_entry", {{"addr", 200}});
        s.event(30, 0, "func_exit", {}).event(40, 1, "func_exit", {});
        s.run(100);
        QCOMPARE(s.states("calls:stream-0/1"), "call(100) 10-30");
        QCOMPARE(s.states("calls:stream-1/1"), "call(200) 20-40");
    }

    void addressesLieInWhatIsMappedThen()
    {
        CallScript s;
        s.enter(5, 1, 1010).leave(6, 1); // before the dump that lists it
        s.of(10, 1, "lttng_ust_statedump:start", {});
        s.mapped(11, "lttng_ust_statedump:bin_info", 1000, 100, "/bin/prog");
        s.enter(20, 1, 1020).enter(21, 1, 5010).leave(22, 1); // code of a library runs before dlopen() returns
        s.mapped(30, "lttng_ust_dl:dlopen", 5000, 50, "/lib/a.so");
        s.enter(40, 1, 5049).leave(41, 1).enter(42, 1, 5050).leave(43, 1);
        s.unmapped(50, "lttng_ust_lib:unload", 5000);
        s.mapped(60, "lttng_ust_lib:load", 5000, 80, "/lib/b.so");
        s.enter(70, 1, 5060).leave(71, 1).leave(80, 1);
        s.run(100);
        QCOMPARE(s.states("calls:1/1"), "call(/bin/prog+10) 5-6, call(/bin/prog+20) 20-80");
        QCOMPARE(s.states("calls:1/2"),
                 "call(/lib/a.so+10) 21-22, call(/lib/a.so+49) 40-41, call(/lib/b.so+50) 42-43, call(/lib/b.so+60) 70-71");
    }

    void containersHaveFilesOfTheirOwn()
    {
        CallScript s;
        const auto mapped = [&](std::int64_t at, std::int64_t ns, const char* path) {
            s.of(at, 7, "lttng_ust_lib:load", {{"$pid_ns", ns}, {"baddr", 1000}, {"memsz", 100}, {"path", path}});
        };
        const auto call = [&](std::int64_t at, std::int64_t ns) {
            s.of(at, 7, "fast:func_entry", {{"$pid_ns", ns}, {"addr", 1010}});
            s.of(at + 5, 7, "fast:func_exit", {{"$pid_ns", ns}});
        };
        mapped(1, 50, "/bin/alpha");
        mapped(2, 60, "/bin/beta");
        call(10, 50);
        call(20, 60);
        call(30, 50);
        s.run(100);
        QCOMPARE(s.states("calls:7@50/1"), "call(/bin/alpha+10) 10-15, call(/bin/alpha+10) 30-35");
        QCOMPARE(s.states("calls:7@60/1"), "call(/bin/beta+10) 20-25");
    }

    void whatADumpDoesNotListWasGoneWhenItBegan()
    {
        CallScript s;
        const auto start = [&](std::int64_t at) { s.of(at, 1, "lttng_ust_statedump:start", {}); };
        start(10);
        s.mapped(11, "lttng_ust_statedump:bin_info", 1000, 100, "/bin/a");
        s.mapped(12, "lttng_ust_statedump:bin_info", 2000, 100, "/bin/b");
        start(30);
        s.mapped(31, "lttng_ust_statedump:bin_info", 2000, 100, "/bin/b");
        start(50);
        s.mapped(51, "lttng_ust_statedump:bin_info", 900, 300, "/bin/later");
        s.enter(20, 1, 1010).leave(21, 1).enter(40, 1, 1010).leave(41, 1).enter(60, 1, 1010).leave(61, 1).enter(62, 1, 2010).leave(63, 1);
        s.run(100);
        // At 40 the first one has been gone for 10, and the last one comes only in 10. The last dump has nothing of those before.
        QCOMPARE(s.states("calls:1/1"), "call(/bin/a+10) 20-21, call(/bin/later+110) 40-41, call(/bin/later+110) 60-61, call(2010) 62-63");
    }

    void anotherProgramOfAProcessHasNothingOfTheFormer()
    {
        CallScript s;
        const auto dump = [&](std::int64_t at, std::int64_t vdso, std::int64_t program, const char* path) {
            s.of(at, 9, "lttng_ust_statedump:start", {});
            s.mapped(at + 1, "lttng_ust_statedump:bin_info", program, 100, path);
            s.mapped(at + 2, "lttng_ust_statedump:bin_info", program + 500, 100, "/lib/c.so");
            s.mapped(at + 3, "lttng_ust_statedump:bin_info", vdso, 0, "[linux-vdso.so.1]");
            s.of(at + 4, 9, "lttng_ust_statedump:end", {});
        };
        dump(1, 9000, 1000, "/bin/a");
        s.mapped(10, "lttng_ust_dl:dlopen", 5000, 50, "/lib/a.so");
        s.enter(20, 1, 1010).enter(21, 1, 5010).enter(22, 2, 1020);
        dump(30, 9000, 1000, "/bin/a"); // The same program.
        s.enter(40, 1, 5011).leave(41, 1);
        dump(100, 7000, 2000, "/bin/b"); // Another one: what is open ended.
        s.enter(110, 1, 1010).enter(111, 1, 2010).leave(112, 1).enter(113, 1, 5010).leave(114, 1).leave(115, 1);
        s.enter(140, 1, 2020);
        s.enter(150, 1, 3010).leave(151, 1).enter(160, 1, 3020); // The third one runs before its dump.
        dump(170, 6000, 3000, "/bin/b");
        s.leave(180, 1);
        s.run(200);
        QCOMPARE(s.states("calls:1/1"),
                 "call-truncated(/bin/a+10) 20-100, call(1010) 110-115, call-truncated(/bin/b+20) 140-150, call(/bin/b+10) 150-151, "
                 "call(/bin/b+20) 160-180");
        QCOMPARE(s.states("calls:1/2"), "call-truncated(/lib/a.so+10) 21-100, call(/bin/b+10) 111-112, call(5010) 113-114");
        QCOMPARE(s.states("calls:1/3"), "call(/lib/a.so+11) 40-41");
        QCOMPARE(s.states("calls:2/1"), "call-truncated(/bin/a+20) 22-100");
        QCOMPARE(s.reported("mixed-processes"), std::uint64_t(0));
    }

    void whatWasLostOfADumpMakesNoOtherProgram()
    {
        CallScript s;
        const auto begin = [&](std::int64_t at) { s.of(at, 9, "lttng_ust_statedump:start", {}); };
        const auto end = [&](std::int64_t at) { s.of(at, 9, "lttng_ust_statedump:end", {}); };
        begin(1);
        for (int i = 0; i < 4; ++i)
            s.mapped(2 + i, "lttng_ust_statedump:bin_info", 1000 + 100 * i, 100, "/bin/a");
        end(10);
        s.enter(20, 1, 1010);
        begin(30);
        s.loss(0, 31, 32);
        s.mapped(33, "lttng_ust_statedump:bin_info", 1300, 100, "/bin/a");
        end(35);
        s.enter(50, 2, 1010).leave(51, 2);
        s.run(100);
        QCOMPARE(s.states("calls:1/1"), "call-truncated(/bin/a+10) 20-31"); // Of the loss.
        QCOMPARE(s.states("calls:2/1"), "call(/bin/a+10) 50-51");
    }

    void processesThatCannotBeToldApartHaveNoNames_data()
    {
        QTest::addColumn<int>("second"); // When the second dump begins.
        QTest::addColumn<int>("program"); // Of the second dump.
        QTest::addColumn<bool>("areOne");
        QTest::newRow("one after the other") << 20 << 2000 << false;
        QTest::newRow("both at once") << 3 << 2000 << false;
        QTest::newRow("at the same place") << 20 << 1000 << false;
        QTest::newRow("one that is listed again") << 20 << 0 << true;
    }
    void processesThatCannotBeToldApartHaveNoNames()
    {
        QFETCH(int, second);
        QFETCH(int, program);
        QFETCH(bool, areOne);
        CallScript s;
        const auto dump = [&](int at, int base, const char* path) { // Nobody recorded the vpid.
            s.event(at, 0, "lttng_ust_statedump:start", {{"$vtid", 9}});
            s.event(at + 5, 0, "lttng_ust_statedump:bin_info", {{"$vtid", 9}, {"baddr", base}, {"memsz", 100}, {"path", path}});
        };
        const auto end = [&](int at) { s.event(at, 0, "lttng_ust_statedump:end", {{"$vtid", 9}}); };
        dump(1, 1000, "/bin/a");
        if (second < 10) {
            dump(second + 5, program, "/bin/b");
            end(18);
        } else {
            end(18);
            areOne ? dump(second, 1000, "/bin/a") : dump(second, program, "/bin/b");
        }
        end(30);
        s.event(40, 0, "fast:func_entry", {{"$vtid", 5}, {"addr", 1010}}).event(50, 0, "fast:func_exit", {{"$vtid", 5}});
        s.run(100);
        QCOMPARE(s.states("calls:5/1"), areOne ? "call(/bin/a+10) 40-50" : "call(1010) 40-50");
        QCOMPARE(s.reportedOfMappings("mixed-processes"), std::uint64_t(areOne ? 0 : 1));
    }

    void aPidOfSeveralContainersHasNoNames()
    {
        CallScript s; // Nobody recorded pid_ns.
        const auto start = [&](std::int64_t at) { s.of(at, 9, "lttng_ust_statedump:start", {}); };
        const auto end = [&](std::int64_t at) { s.of(at, 9, "lttng_ust_statedump:end", {}); };
        start(1);
        start(2);
        s.mapped(3, "lttng_ust_statedump:bin_info", 1000, 100, "/bin/a").mapped(4, "lttng_ust_statedump:bin_info", 2000, 100, "/bin/b");
        end(5);
        end(6);
        s.enter(20, 1, 1010).leave(21, 1);
        s.run(100);
        QCOMPARE(s.states("calls:1/1"), "call(1010) 20-21");
        QCOMPARE(s.reportedOfMappings("mixed-processes"), std::uint64_t(1));
    }

    void exitsWithoutEntriesAreSaidOnce()
    {
        CallScript s;
        s.environment("domain", "ust");
        s.call(10, 5, "f");
        for (int i = 0; i < 100; ++i)
            s.leave(11 + i, 5);
        s.ret(200, 5, "f");
        s.run(300);
        QCOMPARE(s.states("calls:5/1"), "call(f) 10-200");
        QCOMPARE(s.reported("orphan-exits"), std::uint64_t(0));
        QCOMPARE(s.reported("missing-entries"), std::uint64_t(1));
        const auto& all = s.store().summary().anomalies;
        const auto it = std::ranges::find(all, "missing-entries", &Diagnostic::kind);
        QCOMPARE(it->what, "Entries were not recorded: fast:func_exit is left out; lttng enable-event -u fast:func_entry records them");
    }

    void lossesCostWhatIsOpen()
    {
        CallScript s;
        for (int i = 0; i < 100; ++i)
            s.enter(10 * i, 1 + i, 100).enter(10 * i + 1, 1 + i, 200).leave(10 * i + 2, 1 + i);
        s.loss(0, 2000, 2010);
        s.enter(2020, 5, 300);
        s.loss(0, 2030, 2040);
        s.run(3000);
        QCOMPARE(s.states("calls:5/1"), "call-truncated(100) 40-2000, call-truncated(300) 2020-2030");
        QCOMPARE(s.states("calls:100/1"), "call-truncated(100) 990-2000");
        QCOMPARE(s.reported("truncated-calls"), std::uint64_t(101));
    }

    void aFileThatIsOpenedTwiceIsClosedTwice()
    {
        CallScript s;
        s.mapped(10, "lttng_ust_dl:dlopen", 5000, 50, "/lib/a.so").mapped(20, "lttng_ust_dl:dlopen", 5000, 50, "/lib/a.so");
        s.unmapped(30, "lttng_ust_dl:dlclose", 5000);
        s.mapped(50, "lttng_ust_dl:dlopen", 5000, 60, "/lib/b.so");
        s.enter(40, 1, 5001).leave(41, 1).enter(55, 1, 5001).leave(56, 1);
        s.run(100);
        QCOMPARE(s.states("calls:1/1"), "call(/lib/a.so+1) 40-41, call(/lib/b.so+1) 55-56");
    }

    void oneHundredThousandDeep()
    {
        constexpr int Depth = 100'000;
        CallScript s;
        for (int i = 0; i < Depth; ++i)
            s.enter(i, 5, 100);
        for (int i = 0; i < Depth; ++i)
            s.leave(Depth + i, 5);
        s.run(2 * Depth);
        QCOMPARE(s.states("calls:5/1"), "call(100) 0-199999");
        QCOMPARE(s.states("calls:5/100000"), "call(100) 99999-100000");
        QVERIFY(!s.row("calls:5/100001"));
        QCOMPARE(s.store().segments().sum(SegmentKindId{}).count, std::uint64_t(Depth));
    }

    void tenThousandThreads()
    {
        constexpr int Count = 10'000;
        CallScript s;
        for (int i = 0; i < Count; ++i)
            s.process(1 + i / 100).enter(i, 1 + i, 100);
        for (int i = 0; i < Count; ++i) // The other way round: no two events of a thread follow each other.
            s.process(1 + (Count - 1 - i) / 100).enter(Count + i, Count - i, 200);
        for (int i = 0; i < Count; ++i)
            s.process(1 + i / 100).leave(2 * Count + i, 1 + i);
        s.run(3 * Count);
        for (const int i : {0, 1, 99, 100, 4711, Count - 1}) {
            const std::string thread = "calls:" + std::to_string(1 + i);
            QCOMPARE(s.states(thread + "/1"), QString("call-open(100) %1-%2").arg(i).arg(3 * Count).toStdString());
            QCOMPARE(s.states(thread + "/2"), QString("call(200) %1-%2").arg(2 * Count - 1 - i).arg(2 * Count + i).toStdString());
            QCOMPARE(s.keyOf(s.row(thread)->parent), "pid:" + std::to_string(1 + i / 100));
        }
        QVERIFY(!s.row("calls:1#2"));
        QCOMPARE(s.store().segments().sum(SegmentKindId{}).count, std::uint64_t(2 * Count));
        QCOMPARE(s.store().tracks().size(), std::size_t(3 * Count + Count / 100));
    }

    /// Against a stack that is kept in the simplest way, with exits that are lost and invented at random.
    void anyOrderOfEntriesAndExits_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 40; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void anyOrderOfEntriesAndExits()
    {
        QFETCH(int, seed);
        Dice dice(static_cast<std::uint64_t>(seed));
        struct Open {
            std::int64_t begin, address, inCallees;
        };
        struct Closed {
            std::int64_t begin, end, self, address;
            std::size_t depth;
            auto operator<=>(const Closed&) const = default;
        };
        std::vector<Open> open;
        std::vector<Closed> expected;
        std::uint64_t orphans = 0;
        const auto pop = [&](std::int64_t at) {
            const Open it = open.back();
            open.pop_back();
            if (!open.empty())
                open.back().inCallees += at - it.begin;
            expected.push_back({it.begin, at, at - it.begin - it.inCallees, it.address, open.size()});
        };
        CallScript s;
        s.declare("full:func_exit", {{"$vpid", 1}, {"$vtid", 1}, {"$procname", "p"}, {"addr", 1}});
        for (std::int64_t at = 1; at < 400; ++at) {
            const auto address = static_cast<std::int64_t>(100 + dice.below(4));
            if (dice.below(2) == 0) {
                s.begin(at, 5, address);
                open.push_back({at, address, 0});
                continue;
            }
            s.end(at, 5, address);
            std::size_t found = open.size();
            while (found > 0 && open[found - 1].address != address)
                --found;
            orphans += found == 0 ? 1 : 0;
            while (found > 0 && open.size() >= found)
                pop(at);
        }
        while (!open.empty())
            pop(500);
        s.run(500);

        std::vector<Closed> actual;
        s.store().segments().visit(SegmentKindId{}, {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some) {
                const auto nodes = s.store().stacks().nodes();
                std::size_t depth = 0;
                for (StackId up = nodes[static_cast<std::size_t>(it.stack())].parent(); up != NoStack; ++depth)
                    up = nodes[static_cast<std::size_t>(up)].parent();
                const auto address = static_cast<std::int64_t>(nodes[static_cast<std::size_t>(it.stack())].frame().address);
                actual.push_back({nanoseconds(it.begin), nanoseconds(it.end), it.value, address, depth});
            }
        });
        std::ranges::sort(expected);
        std::ranges::sort(actual);
        QCOMPARE(actual.size(), expected.size());
        QVERIFY(actual == expected);
        QCOMPARE(s.reported("orphan-exits"), orphans);
    }
};

HELIO_TEST(CallsTest)
#include "tst_calls.moc"
