// The commands of recordings, and the checks before them, for machines of all kinds.

#include "core/recording/checks.h"
#include "core/recording/plan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

/// Returns a machine on which root can use all tools.
MachineFacts everything()
{
    MachineFacts facts;
    facts.host = "db1";
    facts.kernel = "6.1.0";
    facts.cpus = 4;
    facts.user = "root";
    facts.uid = 0;
    facts.canTrace = facts.isRoot = facts.showsKernelAddresses = facts.hasLttngModules = facts.canReadTracefs = true;
    facts.versions = {"6.1.2", "2.13.9", "3.1.6", "6.1.0"};
    facts.tracefs = "/sys/kernel/tracing";
    facts.freeBytes = std::int64_t{100} << 30;
    return facts;
}

/// Returns the machine of a user without privileges, as Debian installs it, with perf and LTTng.
MachineFacts ordinary()
{
    MachineFacts facts = everything();
    facts.user = "ann";
    facts.uid = 1000;
    facts.canTrace = facts.isRoot = facts.showsKernelAddresses = facts.canReadTracefs = false;
    facts.perfParanoid = 3;
    return facts;
}

RecordingRequest requestFor(const char* preset, std::vector<std::string> command = {})
{
    static const RecordingPresets presets = findPresets({});
    RecordingRequest request;
    request.preset = *presets.find(preset);
    request.target.command = std::move(command);
    request.target.workingFolder = "/home/ann";
    request.folder = "/data/x y.heliotrace";
    request.session = "heliograph-42";
    return request;
}

QStringList commandsOf(const RecordingRequest& request, const MachineFacts& facts)
{
    QStringList lines;
    for (const std::string& line : shownCommands(planRecording(request, facts), request.folder.native()))
        lines << QString::fromStdString(line);
    return lines;
}

std::vector<RecordingCheck> checksOf(const RecordingRequest& request, const MachineFacts& facts)
{
    return checkRecording(request, facts, planRecording(request, facts));
}

const RecordingCheck* findCheck(const std::vector<RecordingCheck>& checks, std::string_view id)
{
    const auto found = std::ranges::find(checks, id, &RecordingCheck::id);
    return found == checks.end() ? nullptr : &*found;
}

} // namespace

class PlanTest : public QObject {
    Q_OBJECT

private slots:
    void perfRecordsACommandByItself()
    {
        MachineFacts facts = everything();
        facts.hasFramePointers = true;
        QCOMPARE(commandsOf(requestFor("cpu", {"./app", "--mode=a b"}), facts),
                 QStringList{"perf record -k CLOCK_MONOTONIC -m 8M --buildid-all -g -F 999 -o '/data/x y.heliotrace'/perf.data -- ./app "
                             "'--mode=a b'"});
    }

    void dwarfReplacesMissingFramePointers()
    {
        MachineFacts facts = everything();
        QVERIFY(commandsOf(requestFor("cpu", {"./app"}), facts).front().contains(" --call-graph dwarf "));
        facts.hasFramePointers = false;
        QVERIFY(commandsOf(requestFor("cpu", {"./app"}), facts).front().contains(" --call-graph dwarf "));
        QVERIFY(commandsOf(requestFor("cpu"), facts).front().contains(" -a "));
        QVERIFY(commandsOf(requestFor("cpu"), facts).front().contains(" -g "));
        facts.hasFramePointers = true;
        QVERIFY(commandsOf(requestFor("cpu", {"./app"}), facts).front().contains(" -g "));
    }

    void tracepointsAreNotSampled()
    {
        RecordingRequest request = requestFor("off-cpu");
        request.target.duration = std::chrono::milliseconds(2500);
        QCOMPARE(commandsOf(request, everything()),
                 QStringList{"perf record -a -k CLOCK_MONOTONIC -m 8M --buildid-all -g -e cpu-clock/freq=499/ -e sched:sched_switch,"
                             "sched:sched_waking,sched:sched_wakeup_new,sched:sched_process_fork,sched:sched_process_exec,"
                             "sched:sched_process_exit -o '/data/x y.heliotrace'/perf.data -- sleep 2.5"});
    }

    void systemCallsAreLastWithoutThoseOfPerf()
    {
        RecordingRequest request = requestFor("locks");
        request.tool = RecordingTool::Perf;
        QVERIFY(commandsOf(request, everything())
                    .front()
                    .contains("lock:contention_end -e syscalls:sys_enter_futex,syscalls:sys_exit_futex --exclude-perf -o"));
    }

    void eventsThatTheKernelLacksAreLeftOut()
    {
        MachineFacts facts = everything();
        facts.kernelEvents = {"sched:sched_switch", "sched:sched_waking"};
        RecordingRequest request = requestFor("sched");
        QVERIFY(commandsOf(request, facts).front().contains(" -e sched:sched_switch,sched:sched_waking -o"));
        const auto checks = checksOf(request, facts);
        const RecordingCheck* const events = findCheck(checks, "events");
        QVERIFY(events);
        QCOMPARE(events->outcome, RecordingCheck::Outcome::Warning);
        QVERIFY(events->detail.starts_with("2 of 8 tracepoints; missing: sched:sched_wakeup_new, "));
        facts.kernelEvents = {"sched:sched_waking"};
        QVERIFY(!allowsRecording(checksOf(request, facts)));
    }

    void lttngComesFirstWhereItsModulesAre()
    {
        const QStringList lines = commandsOf(requestFor("disk"), everything());
        QCOMPARE(lines.first(), "lttng create heliograph-42 --output='/data/x y.heliotrace'/lttng");
        QCOMPARE(lines.at(1), "lttng enable-channel --kernel --session=heliograph-42 --subbuf-size=1024k --num-subbuf=8 heliograph");
        QCOMPARE(lines.at(2), "lttng enable-event --kernel --session=heliograph-42 --channel=heliograph sched_switch");
        QVERIFY(lines.contains("lttng enable-event --kernel --session=heliograph-42 --channel=heliograph --syscall --all"));
        QCOMPARE(lines.mid(lines.size() - 4),
                 (QStringList{"lttng start heliograph-42", "sleep infinity", "lttng stop heliograph-42", "lttng destroy heliograph-42"}));

        MachineFacts facts = everything();
        facts.hasLttngModules = false;
        QCOMPARE(planRecording(requestFor("disk"), facts).tool, RecordingTool::Perf);
        facts.versions[std::size_t(RecordingTool::Perf)].clear();
        QCOMPARE(planRecording(requestFor("disk"), facts).tool, RecordingTool::TraceCmd);
        facts.versions[std::size_t(RecordingTool::TraceCmd)].clear();
        QCOMPARE(planRecording(requestFor("disk"), facts).tool, RecordingTool::Tracefs);
    }

    void wordsOfPresetFilesAreNoCommands()
    {
        RecordingRequest request = requestFor("calls", {"app"});
        request.preset.userContexts = {"vpid;id"};
        request.preset.userEvents = {"$(id)"};
        request.preset.preloads = {"`id`"};
        const QStringList lines = commandsOf(request, ordinary());
        QVERIFY(lines.contains("lttng add-context --userspace --session=heliograph-42 --channel=heliograph --type='vpid;id'"));
        QVERIFY(lines.contains("lttng enable-event --userspace --session=heliograph-42 --channel=heliograph '$(id)'"));
        QVERIFY(lines.contains("env LD_PRELOAD='`id`' app"));
    }

    void callsPreloadTheLibrariesThatExist()
    {
        MachineFacts facts = ordinary();
        facts.libraries = {{"liblttng-ust-cyg-profile-fast.so", "liblttng-ust-cyg-profile-fast.so.1"}};
        facts.commandPath = "/bin/app";
        const RecordingRequest request = requestFor("calls", {"app", "x"});
        const QStringList lines = commandsOf(request, facts);
        QVERIFY(lines.contains("env LD_PRELOAD=liblttng-ust-cyg-profile-fast.so.1:liblttng-ust-dl.so app x"));
        QVERIFY(lines.contains("lttng add-context --userspace --session=heliograph-42 --channel=heliograph --type=vpid --type=vtid "
                               "--type=procname"));
        auto checks = checksOf(request, facts);
        QCOMPARE(findCheck(checks, "libraries")->outcome, RecordingCheck::Outcome::Failed);
        facts.libraries["liblttng-ust-dl.so"] = "liblttng-ust-dl.so.1";
        checks = checksOf(request, facts);
        QCOMPARE(findCheck(checks, "libraries")->outcome, RecordingCheck::Outcome::Passed);
        QCOMPARE(findCheck(checks, "instrumented")->outcome, RecordingCheck::Outcome::Warning);
        QVERIFY(!findCheck(checks, "privileges"));
        QVERIFY(allowsRecording(checks));
        QVERIFY(!allowsRecording(checksOf(requestFor("calls"), facts)));
    }

    void ftraceUsesAnInstanceOfItsOwn()
    {
        RecordingRequest request = requestFor("sched");
        request.tool = RecordingTool::TraceCmd;
        QStringList lines = commandsOf(request, everything());
        QVERIFY(lines.first().startsWith("trace-cmd record -B heliograph-42 -C mono -b 16384 -e sched:sched_switch "));
        QCOMPARE(lines.last(), "! [ -d /sys/kernel/tracing/instances/heliograph-42 ] || rmdir /sys/kernel/tracing/instances/heliograph-42");
        request.tool = RecordingTool::Tracefs;
        lines = commandsOf(request, everything());
        QCOMPARE(lines.first(), "mkdir /sys/kernel/tracing/instances/heliograph-42");
        QVERIFY(lines.contains("echo 1 > /sys/kernel/tracing/instances/heliograph-42/events/sched/sched_switch/enable"));
        QCOMPARE(lines.last(), "! [ -d /sys/kernel/tracing/instances/heliograph-42 ] || rmdir /sys/kernel/tracing/instances/heliograph-42");
    }

    void ringsAreSavedOnRequest()
    {
        const RecordingRequest request = requestFor("snapshot");
        QVERIFY(commandsOf(request, everything()).first().contains(" --snapshot "));
        MachineFacts facts = everything();
        facts.hasLttngModules = false;
        const RecordingPlan plan = planRecording(request, facts);
        QVERIFY(plan.recorder.find(" --overwrite --switch-output=signal ") != std::string::npos);
        QCOMPARE(plan.saver, std::string("kill -USR2 \"$recorder\""));
    }

    void rootRunsTheToolAndTheUserTheCommand()
    {
        RecordingRequest request = requestFor("cpu", {"./app"});
        request.elevation = Elevation::Sudo;
        const MachineFacts facts = ordinary();
        QVERIFY(commandsOf(request, facts).front().contains(" -- setpriv --reuid=1000 "));
        QVERIFY(commandsOf(request, facts).front().endsWith(" ./app"));
        request.runsCommandAsRoot = true;
        QVERIFY(commandsOf(request, facts).front().endsWith(" -- ./app"));
    }

    void privilegesDependOnWhatIsRecorded_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<bool>("hasCommand");
        QTest::addColumn<int>("paranoid");
        QTest::addColumn<bool>("isAllowed");
        test::addRow("command at 2", QString("cpu"), true, 2, true);
        test::addRow("command at 3", QString("cpu"), true, 3, false);
        test::addRow("machine at 0", QString("cpu"), false, 0, true);
        test::addRow("machine at 1", QString("cpu"), false, 1, false);
        test::addRow("tracepoints at -1", QString("off-cpu"), false, -1, true);
        test::addRow("tracepoints at 0", QString("off-cpu"), true, 0, false);
    }
    void privilegesDependOnWhatIsRecorded()
    {
        QFETCH(QString, preset);
        QFETCH(bool, hasCommand);
        QFETCH(int, paranoid);
        QFETCH(bool, isAllowed);
        MachineFacts facts = ordinary();
        facts.perfParanoid = paranoid;
        RecordingRequest request = requestFor(preset.toUtf8(), hasCommand ? std::vector<std::string>{"true"} : std::vector<std::string>());
        auto checks = checksOf(request, facts);
        const RecordingCheck* const found = findCheck(checks, "privileges");
        QVERIFY(found);
        QCOMPARE(found->outcome == RecordingCheck::Outcome::Passed, isAllowed);
        QCOMPARE(found->needsRoot, !isAllowed);
        QCOMPARE(found->remedy.empty(), isAllowed);
        request.elevation = Elevation::Pkexec;
        checks = checksOf(request, facts);
        QCOMPARE(findCheck(checks, "privileges")->outcome, RecordingCheck::Outcome::Passed);
    }

    void missingToolsAndSpaceStopARecording()
    {
        MachineFacts facts = everything();
        facts.versions = {};
        auto checks = checksOf(requestFor("cpu"), facts);
        QCOMPARE(findCheck(checks, "tool")->remedy, std::string("sudo apt-get install linux-perf"));
        QVERIFY(!allowsRecording(checks));
        facts = everything();
        facts.freeBytes = 1000;
        checks = checksOf(requestFor("cpu"), facts);
        QCOMPARE(findCheck(checks, "disk")->outcome, RecordingCheck::Outcome::Failed);
        RecordingRequest request = requestFor("cpu");
        request.tool = RecordingTool::Lttng;
        QVERIFY(!allowsRecording(checksOf(request, everything())));
    }

    void factsAreReadFromTheProbe()
    {
        const auto facts = readMachineFacts("host=a b\nkernel=6.1\ncpus=8\nuid=1000\nuser=ann\ngroups= ann tracing \n"
                                            "capabilities=000001ffffffffff\nparanoid=-1\naddress=ffffffff81000000 T _text\n"
                                            "perf=perf version 6.1.158\nlttng=lttng (LTTng Trace Control) 2.13.9 - Nordicit\ntrace-cmd=\n"
                                            "tracefs=/t\nevents=a:b c:d \nlibrary=l.so l.so.1\nlibrary=m.so \nfree_kib=2048\nnonsense\n"
                                            "command=/bin/x\ninstrumented=yes\nend=probe\n");
        QVERIFY(facts);
        QCOMPARE(facts->host, std::string("a b"));
        QCOMPARE(facts->cpus, 8u);
        QVERIFY(facts->canTrace && facts->isRoot && facts->isInTracingGroup && facts->showsKernelAddresses && facts->isInstrumented);
        QCOMPARE(facts->perfParanoid, -1);
        QCOMPARE(facts->version(RecordingTool::Perf), std::string("6.1.158"));
        QCOMPARE(facts->version(RecordingTool::Lttng), std::string("2.13.9"));
        QVERIFY(!facts->has(RecordingTool::TraceCmd));
        QCOMPARE(facts->kernelEvents, (std::set<std::string>{"a:b", "c:d"}));
        QCOMPARE(facts->libraries.at("l.so"), std::string("l.so.1"));
        QCOMPARE(facts->libraries.at("m.so"), std::string());
        QCOMPARE(facts->freeBytes, std::int64_t{2} << 20);

        QVERIFY(!readMachineFacts("host=a\n"));
        const auto hidden = readMachineFacts("address=0000000000000000 T _text\ncapabilities=0\nfree_kib=x\nend=probe\n");
        QVERIFY(hidden && !hidden->showsKernelAddresses && !hidden->canTrace && hidden->freeBytes == -1);
    }

    void bytesHaveDecimalUnits()
    {
        QCOMPARE(bytesText(512), std::string("512 B"));
        QCOMPARE(bytesText(8'640'000), std::string("8.6 MB"));
        QCOMPARE(bytesText(41'234'000'000), std::string("41.2 GB"));
        QCOMPARE(bytesText(999'960), std::string("1.0 MB"));
    }
};

HELIO_TEST(PlanTest)
#include "tst_plan.moc"
