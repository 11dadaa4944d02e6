// Input: calls by address, and the mappings of processes. Property: a call's address belongs to the file that was mapped at the call's
// time.

#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

class CallAddressesTest : public QObject {
    Q_OBJECT

private slots:
    void addressesLieInWhatIsMappedThen()
    {
        CallScript s;
        s.enter(5, 1, 1010).leave(6, 1); // This call comes before the state dump that lists its mapping.
        s.of(10, 1, "lttng_ust_statedump:start", {});
        s.mapped(11, "lttng_ust_statedump:bin_info", 1000, 100, "/bin/prog");
        s.enter(20, 1, 1020).enter(21, 1, 5010).leave(22, 1); // Functions of the library already run before the event of dlopen().
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
        // At 40, no program is known to be mapped: the state dump at 30 no longer lists /bin/a, and the one at 50 lists /bin/later for the
        // first time. The call at 40 therefore gets /bin/later, the next mapping in time. Calls after 50 find only /bin/later, because the
        // state dump at 50 does not list the earlier mappings.
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
        // This state dump lists /bin/a again: the process still runs the same program, so its calls stay open.
        dump(30, 9000, 1000, "/bin/a");
        s.enter(40, 1, 5011).leave(41, 1);
        dump(100, 7000, 2000, "/bin/b"); // This state dump lists another program, so the calls of /bin/a end.
        s.enter(110, 1, 1010).enter(111, 1, 2010).leave(112, 1).enter(113, 1, 5010).leave(114, 1).leave(115, 1);
        s.enter(140, 1, 2020);
        // The third program already calls functions before the state dump at 170 lists its modules.
        s.enter(150, 1, 3010).leave(151, 1).enter(160, 1, 3020);
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
        // The lost events at 31 end the call, but the state dump before the loss stays valid.
        QCOMPARE(s.states("calls:1/1"), "call-truncated(/bin/a+10) 20-31");
        QCOMPARE(s.states("calls:2/1"), "call(/bin/a+10) 50-51");
    }

    void processesThatCannotBeToldApartHaveNoNames_data()
    {
        QTest::addColumn<int>("second"); // Time in ns at which the second state dump begins.
        QTest::addColumn<int>("program"); // Base address of the program in the second state dump; not used if `areOne` is true.
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
        const auto dump = [&](int at, int base, const char* path) { // Adds a state dump without the context vpid.
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
        CallScript s; // A trace without the context pid_ns.
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

    /// Input: a recording with two channels, A and B, each of which records all events, so that it contains the state dump twice. Property:
    /// two equal dumps with one PID count as one process.
    void whatTwoChannelsRecordedIsOneProcess()
    {
        CallScript s;
        for (const std::int64_t channel : {0, 1})
            s.of(1 + channel, 9, "lttng_ust_statedump:start", {});
        for (const std::int64_t channel : {0, 1})
            s.mapped(3 + channel, "lttng_ust_statedump:bin_info", 1000, 100, "/bin/a");
        for (const std::int64_t channel : {0, 1})
            s.of(5 + channel, 9, "lttng_ust_statedump:end", {});
        s.enter(20, 1, 1010).leave(21, 1);
        s.run(100);
        QCOMPARE(s.states("calls:1/1"), "call(/bin/a+10) 20-21");
        QCOMPARE(s.reportedOfMappings("mixed-processes"), std::uint64_t(0));
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
};

HELIO_TEST(CallAddressesTest)
#include "tst_call_addresses.moc"
