// Property: counts, shares and folded stacks of recordings equal perf's output, and off-CPU times equal sums over the switches.

#include "core/experiment/timeline.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/function_table.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "core/symbol/unwinding/unwinder.h"
#include "tests/support/made_timeline.h"
#include "tests/support/perf_recording.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace helio;

namespace {

const char* const Collection = PerfRecording::Collection;

using Lines = std::map<QString, qint64>;

QStringList linesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts) : QStringList();
}

/// Maps a name from perf to the name that Heliograph gives the same frame:
/// - "@plt": perf's name for a PLT entry whose function is chosen at start; Heliograph has the function's name.
/// - _dl_start_user: perf names the return address itself; the call before it, the last instruction of _start, is in _start.
/// - "[libc.so.6]": Heliograph gives code without a name its module's name; these texts have "[unknown]".
/// - __pfx_clear_bss: perf names the return address itself, which lies in the following function after a call that never returns.
/// - vdso: its file is not recorded; perf ran on the recorded machine, where the file existed.
/// - execve: an exec clears the mappings while the kernel loads the new program; perf keeps the old mappings.
/// - Other names of one function: "__GI_munmap", "__munmap", "__libc_start_main_impl", "__libc_start_main@@GLIBC_2.34".
QString sameName(QString name)
{
    if (name == "__exp_finite@plt" || name == "strchr@plt")
        return "@plt";
    if (name == "__vdso_gettimeofday" || name.startsWith('['))
        return "[unknown]";
    if (name == "_dl_start_user")
        return "start";
    if (name == "__pfx_clear_bss")
        return "x86_64_start_reservations";
    static const QRegularExpression version("@@.*$");
    name.remove(version);
    if (name.startsWith("__GI_"))
        name.remove(0, 5);
    if (name.endsWith("_impl"))
        name.chop(5);
    while (name.startsWith('_'))
        name.remove(0, 1);
    return name;
}

QString sameNames(const QString& line)
{
    QStringList frames = line.split(';');
    for (int i = 1; i < frames.size(); ++i)
        frames[i] = sameName(frames[i]);
    if (const qsizetype at = frames.indexOf("x64_sys_execve"); at > 0 && frames.contains("load_elf_binary"))
        // Also replaces the kernel function execve, both in perf's output and in Heliograph's.
        frames.replaceInStrings("execve", "[unknown]");
    return frames.join(';');
}

Lines foldedLines(const QStringList& text)
{
    Lines lines;
    for (const QString& line : text)
        lines[sameNames(line.section(' ', 0, -2))] += line.section(' ', -1).toLongLong();
    return lines;
}

/// Returns the percentages in each line of a perf report, such as "29.12". The key consists of command, module and function:
/// "matinit|matinit|gradient_". Lines with an address instead of a function's name are left out.
std::map<QString, QStringList> reportLines(const QString& path)
{
    static const QRegularExpression line(R"(^\s+((?:\d+\.\d\d%\s+)+)(\S.*?)\s{2,}(\S+)\s+\[.\]\s(.*?)\s*$)");
    std::map<QString, QStringList> shares;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return shares;
    for (const QString& text : QString::fromUtf8(file.readAll()).split('\n')) {
        static const QRegularExpression address("^(0x)?[0-9a-f]{16}$");
        if (const auto match = line.match(text); match.hasMatch() && !address.match(match.captured(4)).hasMatch())
            shares[match.captured(2) + '|' + match.captured(3) + '|' + match.captured(4)] =
                match.captured(1).remove('%').split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
    }
    return shares;
}

QString percent(std::uint64_t part, std::uint64_t whole) { return QString::number(100.0 * double(part) / double(whole), 'f', 2); }

/// A perf recording that is indexed and has symbols.
class Recorded : public PerfRecording {
public:
    using PerfRecording::PerfRecording;

    StackProfile profile(const std::string& kind = {}) const
    {
        SampleFilter filter;
        for (const SampleKindFacts& facts : sampleKinds(*timeline))
            if (facts.kind.name == kind || facts.kind.name.starts_with(kind + ':'))
                filter.kinds = {facts.kind.name};
        return collectStacks(*timeline, filter);
    }

    Lines folded(const std::string& kind, bool expandsInlined) const
    {
        const StackProfile collected = profile(kind);
        NamingOptions naming;
        naming.expandsInlined = expandsInlined;
        std::string text;
        writeFolded(buildCallTree(collected, nameStacks(collected, *timeline, naming)), WeightBy::Samples, [&](std::string_view part) {
            text += part;
            return true;
        });
        return foldedLines(QString::fromStdString(text).split('\n', Qt::SkipEmptyParts));
    }
};

QString text(const QString& name) { return realTrace(Collection) + "/text/" + name; }

} // namespace

class RecordedStacksTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        if (realTrace(Collection).isEmpty())
            QSKIP(qPrintable(missingTrace(Collection)));
    }

    void asManySamplesAsPerfCounts_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<quint64>("samples");
        QTest::newRow("solo") << "cpu-clock" << quint64(4419);
        QTest::newRow("parallel4") << "cpu-clock" << quint64(18258);
        QTest::newRow("solo-z") << "cpu-clock" << quint64(4412);
        QTest::newRow("solo-dwarf") << "cpu-clock" << quint64(430);
        QTest::newRow("solo-noa") << "cpu-clock" << quint64(2797);
        QTest::newRow("parallel4-multi3") << "page-faults" << quint64(1992);
        QTest::newRow("parallel4-multi3 ") << "context-switches" << quint64(390);
        QTest::newRow("parallel4-multi3  ") << "cpu-clock" << quint64(3169);
        QTest::newRow("parallel4-sched") << "sched:sched_switch" << quint64(1884);
    }
    void asManySamplesAsPerfCounts()
    {
        QFETCH(QString, kind);
        QFETCH(quint64, samples);
        const Recorded recorded(QString(QTest::currentDataTag()).trimmed());

        const StackProfile profile = recorded.profile(kind.toStdString());

        QCOMPARE(profile.samples, samples);
        QCOMPARE(profile.notUnwound, std::uint64_t(0));
    }

    /// Property: stacks are correct if the facts' store is missing and rebuilt while the store of samples exists.
    void stacksAreUnwoundBeforeTheFactsAreRead()
    {
        const Recorded recorded("solo-dwarf");
        const StackProfile whole = collectStacks(*recorded.timeline, {});
        Timeline timeline = *recorded.timeline;
        timeline.traces[0].facts = nullptr;
        timeline.traces[0].unwound = nullptr;
        const StackProfile early = collectStacks(timeline, {});
        QCOMPARE(early.samples, std::uint64_t(430));
        QCOMPARE(early.samples, whole.samples);
        QCOMPARE(early.nodes.size(), whole.nodes.size());
    }

    void aStackIsUnwoundOnce()
    {
        const Recorded recorded("solo-dwarf");
        const TimelineTrace& trace = recorded.timeline->traces[0];
        UnwoundStacks& kept = *trace.unwound;
        constexpr std::uint64_t Mark = 0x123456789;
        std::uint64_t marked = 0;
        singleStore(*recorded.timeline)
            .samples()
            .visit(SampleKindId{}, {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSample> part) {
                for (const HostSample& sample : part)
                    marked = !sample.isUnwound ? sample.event : marked;
            });
        kept.add(marked, {{{UnknownModule, Mark}}, UnwindEnd::Complete});

        const StackProfile first = recorded.profile("cpu-clock");

        QVERIFY(std::any_of(first.nodes.begin(), first.nodes.end(), [](const CollectedNode& n) { return n.frame.address == Mark; }));
        std::size_t known = 0;
        for (std::uint64_t event = 0; event < trace.facts->summary().events; ++event)
            known += kept.find(event).has_value();
        QVERIFY2(known > 100, qPrintable(QString::number(known)));
        const StackProfile second = recorded.profile("cpu-clock");
        QCOMPARE(second.nodes.size(), first.nodes.size());
        QCOMPARE(second.stacks.size(), first.stacks.size());
    }

    void foldedStacksEqualPerfs_data()
    {
        QTest::addColumn<bool>("expandsInlined");
        for (const char* name : {"solo", "parallel4", "solo-z", "solo-noa"})
            QTest::newRow(name) << false;
        QTest::newRow("solo-dwarf") << true;
        QTest::newRow("parallel4-multi3") << false;
    }
    void foldedStacksEqualPerfs()
    {
        QFETCH(bool, expandsInlined);
        const QString name = QTest::currentDataTag();
        const Recorded recorded(name);
        Lines ours; // Number of samples of each folded stack, summed up over all events, like in perf's folded text.
        for (const SampleKindFacts& facts : sampleKinds(*recorded.timeline))
            for (const auto& [line, count] : recorded.folded(facts.kind.name, expandsInlined))
                ours[line] += count;
        const Lines theirs = foldedLines(linesOf(text(name + ".folded.txt")));

        qint64 equal = 0;
        qint64 all = 0;
        for (const auto& [line, count] : theirs) {
            all += count;
            const auto own = ours.find(line);
            equal += own == ours.end() ? 0 : std::min(own->second, count);
            if (own == ours.end() || own->second != count)
                qInfo() << "perf" << line << count << (own == ours.end() ? 0 : own->second);
        }
        for (const auto& [line, count] : ours)
            if (!theirs.contains(line))
                qInfo() << "ours" << line << count;

        QCOMPARE(equal, all);
    }

    void sharesEqualPerfReport_data()
    {
        QTest::addColumn<QString>("report");
        for (const char* name : {"solo", "parallel4", "solo-z", "solo-noa"})
            QTest::newRow(name) << QString(name);
    }
    void sharesEqualPerfReport()
    {
        QFETCH(QString, report);
        const Recorded recorded(report);
        const StackProfile profile = recorded.profile("cpu-clock");
        NamingOptions naming;
        naming.expandsInlined = false;
        const FunctionTable table = buildFunctionTable(profile, nameStacks(profile, *recorded.timeline, naming));
        std::map<QString, QStringList> ours;
        for (const FunctionRow& row : table.rows)
            ours[QString::fromStdString(row.comm + '|' + row.module + '|'
                                        + table.functions[static_cast<std::size_t>(row.function)].label())] = {
                percent(row.total.weight, table.whole.weight), percent(row.self.weight, table.whole.weight)};

        // Frame names in perf's report that sameName() replaces: these lines are not compared.
        const QStringList renamed{"@plt", "_dl_start_user", "__pfx_clear_bss", "__vdso_gettimeofday", "__GI___execve"};
        int wrong = 0;
        int compared = 0;
        for (const auto& [key, shares] : reportLines(text(report + ".report-children.txt"))) {
            if (renamed.contains(key.section('|', 2)))
                continue;
            ++compared;
            if (ours[key] != shares) {
                ++wrong;
                qInfo() << key << shares << ours[key];
            }
        }

        QVERIFY(compared > 5);
        QCOMPARE(wrong, 0);
    }

    /// Property: off-CPU time, summed over all threads, equals the sum of the times from each printed switch-out to the thread's next
    /// switch-in.
    void timeOffTheCpuEqualsTheSumOfTheSwitches()
    {
        static const QRegularExpression line(
            R"(\s(\d+)\.(\d+): +sched:sched_switch: .*prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+))");
        // Time of the switch-out in µs, and true if the thread could have continued; by TID.
        std::map<qint64, std::pair<qint64, bool>> away;
        std::map<bool, qint64> sums; // Off-CPU time in µs of threads that could have continued (true) and of all others (false).
        qint64 last = 0;
        for (const QString& text : linesOf(text("parallel4-sched.script.txt"))) {
            const auto match = line.match(text);
            if (!match.hasMatch())
                continue;
            const qint64 at = match.captured(1).toLongLong() * 1'000'000 + match.captured(2).toLongLong();
            last = at;
            if (const auto came = away.find(match.captured(5).toLongLong()); came != away.end()) {
                sums[came->second.second] += at - came->second.first;
                away.erase(came);
            }
            if (const qint64 tid = match.captured(3).toLongLong(); tid != 0 && !QString("XZ").contains(match.captured(4).at(0)))
                away[tid] = {at, match.captured(4).startsWith('R')};
        }
        for (const auto& [tid, since] : away)
            sums[since.second] += last - since.first;
        const Recorded recorded("parallel4-sched");

        const auto preempted = recorded.profile("off-cpu:preempted");
        const auto blocked = recorded.profile("off-cpu:blocked");
        const auto waiting = recorded.profile("off-cpu:waiting");

        // Tolerance: the text is in µs, so each of at most 4000 times may differ by 1 µs.
        QVERIFY2(std::abs(qint64(preempted.weight / 1000) - sums[true]) < 4000,
                 qPrintable(QString("%1 %2").arg(preempted.weight / 1000).arg(sums[true])));
        QVERIFY2(std::abs(qint64((blocked.weight + waiting.weight) / 1000) - sums[false]) < 8000,
                 qPrintable(QString("%1 %2").arg((blocked.weight + waiting.weight) / 1000).arg(sums[false])));
        QVERIFY(waiting.weight > 0);

        // Each wait has a waker, except for waits that last until the recording's end.
        const auto wokenBy = recorded.profile("off-cpu:woken-by");
        QVERIFY(wokenBy.weight > 0);
        QVERIFY(wokenBy.weight <= blocked.weight);
    }
};

HELIO_TEST(RecordedStacksTest)
#include "tst_recorded_stacks.moc"
