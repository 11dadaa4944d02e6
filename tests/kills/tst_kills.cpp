// Kills: Heliograph is killed by SIGKILL at random moments, and at random changes of files, while it indexes, unpacks, exports, records
// and saves, alone and beside another process that uses the same cache, on a disk with room and on a full one. Each later run must print
// the same as if nothing had been killed; a target is the old file, absent or complete; a session is the last or the next one; and
// temporary files of killed runs are removed by later runs.
//
// HELIOGRAPH_KILLS is the number of kills, 40 by default; HELIOGRAPH_KILLS_SEED seeds the moments.

#include "app/gui/common/session_file.h"
#include "tests/kills/killed_program.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QStorageInfo>

#include <functional>
#include <sys/mount.h>
#include <vector>

using namespace helio;
using test::KillPlace;
using test::KillPlan;

namespace {

// Thousands of kills take longer than the time that QTest gives a function.
[[maybe_unused]] const bool IsPatient = qputenv("QTEST_FUNCTION_TIMEOUT", "36000000");

constexpr int Switches = 60'000; ///< Events of the made trace: indexing takes about 50 ms.

int killCount()
{
    const int wanted = qEnvironmentVariableIntValue("HELIOGRAPH_KILLS");
    return wanted > 0 ? wanted : 40;
}

/// Commands whose output tells that the stores are complete and right.
std::vector<QStringList> readings(const QString& trace)
{
    return {{"states", trace, "--view", "control-flow", "--format", "csv", "--quiet"},
            {"stats", trace, "--view", "resources", "--format", "csv", "--quiet"},
            {"info", trace, "--quiet"},
            {"index", trace, "--quiet"}};
}

/// Result of an operation's kills.
struct Tally {
    int runs = 0;
    int killed = 0; ///< Runs that had not ended when they were killed.
    int mostLeftovers = 0; ///< Maximum number of temporary files after a later run.
};

/// An operation that is killed, and how to see whether it left something wrong.
class Killing {
public:
    Killing()
        : m_dice(seed())
    {
        m_trace = place.path("trace.txt");
        test::writeSwitches(m_trace, Switches);
        m_small = test::copyTree(QStringLiteral(SOURCE_DIR "/resources/samples/workers"), place.path("small"));
        for (const QStringList& reading : readings(m_trace))
            m_expected << place.run(reading).out;
        forgetCache();
    }

    static quint64 seed()
    {
        static const quint64 seed = qEnvironmentVariableIsSet("HELIOGRAPH_KILLS_SEED")
            ? qEnvironmentVariable("HELIOGRAPH_KILLS_SEED").toULongLong()
            : quint64(QDateTime::currentMSecsSinceEpoch());
        return seed;
    }

    const QString& trace() const { return m_trace; }
    const QString& small() const { return m_small; }
    const QList<QByteArray>& expected() const { return m_expected; }
    Dice& dice() { return m_dice; }
    Tally& tally() { return m_tally; }

    void forgetCache() const
    {
        QDir(place.path("home/heliograph")).removeRecursively();
        QDir().mkpath(place.path("home/heliograph"));
    }
    /// Prepares the cache for a run: empty, or with stores of which one is cut off, so that the run replaces it, or as the last run left
    /// it.
    void spoilCache()
    {
        const quint64 way = m_dice.below(8);
        const QDir folder(place.path("home/heliograph"));
        const QStringList stores = folder.entryList({"*.store"}, QDir::Files);
        if (way < 5)
            forgetCache();
        else if (way < 7 && !stores.isEmpty())
            QFile::resize(folder.filePath(stores[qsizetype(m_dice.below(quint64(stores.size())))]), qint64(m_dice.below(100'000)));
    }
    void removeOutput() const
    {
        QDir(place.path("out")).removeRecursively();
        QDir().mkpath(place.path("out"));
    }

    /// Measures a whole run: sets its time and its changes of files, of which plan() makes moments.
    void measure(const QString& program, const QStringList& arguments)
    {
        const QString log = place.path("log");
        QFile::remove(log);
        QElapsedTimer clock;
        clock.start();
        (void)runTool(program, arguments, place.environment());
        m_microseconds = clock.nsecsElapsed() / 1000;
        forgetCache();
        removeOutput();
        const ProgramResult logged = runTool(program, arguments, place.logged(log));
        const QByteArray magic("Disk", 4);
        const QByteArray all = test::readFile(log).value_or(QByteArray());
        m_changes = std::max<qint64>(1, all.count(magic)); // A few more, if contents have these bytes, do no harm.
        QFile::remove(log);
        forgetCache();
        removeOutput();
        if (logged.status != 0)
            qFatal("a run without a kill fails: %s", logged.err.constData());
    }

    void setMeasured(qint64 microseconds, qint64 changes)
    {
        m_microseconds = microseconds;
        m_changes = changes;
    }

    /// Returns a moment in the measured run.
    KillPlan plan()
    {
        KillPlan plan;
        if (m_dice.below(2) == 0)
            plan.atChange = 1 + long(m_dice.below(quint64(m_changes)));
        else
            plan.afterMicroseconds = qint64(m_dice.below(quint64(m_microseconds * 11 / 10)));
        plan.killsHelpers = m_dice.below(2) == 0;
        return plan;
    }

    void kill(const QString& program, const QStringList& arguments)
    {
        KillPlace::Victim victim(place, program, arguments, plan());
        note(victim);
    }
    void note(KillPlace::Victim& victim)
    {
        m_tally.killed += victim.finish();
        ++m_tally.runs;
        if (!victim.hasNoHelpers())
            fault("a helper process is left");
    }

    /// Reads the trace and compares with the output without kills.
    void checkStores(const KillPlace& of)
    {
        const auto commands = readings(m_trace); // The last one tells whether stores were read again, not built.
        for (const std::size_t i : {std::size_t(0), 1 + std::size_t(m_dice.below(commands.size() - 1))}) {
            const ProgramResult result = of.run(commands[i]);
            if (result.status != 0 || !result.err.isEmpty())
                fault(commands[i].front() + " fails: " + result.err);
            else if (i == commands.size() - 1 && !result.out.contains("\nreopened "))
                fault("stores are built again and again: " + result.out);
            else if (i < commands.size() - 1 && result.out != m_expected[qsizetype(i)])
                fault(commands[i].front() + " prints something else");
        }
        countLeftovers(of.path());
    }
    void countLeftovers(const QString& folder)
    {
        m_tally.mostLeftovers = std::max(m_tally.mostLeftovers, int(KillPlace::leftovers(folder).size()));
    }

    /// Checks that runs which write stores, unpack, export and save sessions leave no temporary file of a killed run.
    void checkLeftovers()
    {
        for (const QString& store : QDir(place.path("home/heliograph")).entryList({"*.store"}, QDir::Files))
            QFile::remove(place.path("home/heliograph/" + store));
        (void)place.run({"index", m_small, "--quiet"});
        (void)runTool("tar", {"-C", m_small, "-czf", place.path("last.tar.gz"), "."}, plainEnvironment());
        (void)place.run({"index", place.path("last.tar.gz"), "--quiet"});
        (void)place.run({"export", m_small, "--to", "folded", "-o", place.path("out/last.folded"), "--quiet"});
        (void)place.run({"export", m_small, "--to", "chrome-json", "-o", place.path("out/last.json"), "--quiet"});
        for (const char* const session : {"out/s.heliograph", "home/data/heliograph/heliograph/last.heliograph"})
            if (QFile::exists(place.path(session)))
                (void)saveSession(SessionState(), place.path(session));
        if (const QStringList left = KillPlace::leftovers(place.path()); !left.isEmpty())
            fault("temporary files are never removed: " + left.join(QLatin1Char(' ')));
    }

    void fault(const QString& text) { m_faults << text; }
    QStringList takeFaults() { return std::exchange(m_faults, {}); }

    const KillPlace place;

private:
    Dice m_dice;
    QString m_trace;
    QString m_small;
    QList<QByteArray> m_expected;
    qint64 m_microseconds = 0;
    qint64 m_changes = 1;
    QStringList m_faults;
    Tally m_tally;
};

using Operation = std::function<void(Killing& killing, int round)>;

Operation indexing()
{
    return [](Killing& it, int round) {
        const QStringList arguments{"index", it.trace(), "--quiet"};
        if (round == 0)
            it.measure(HELIOGRAPH_PROGRAM, arguments);
        it.spoilCache();
        it.kill(HELIOGRAPH_PROGRAM, arguments);
        it.checkStores(it.place);
    };
}

Operation unpacking()
{
    return [](Killing& it, int round) {
        const QString archive = it.place.path("workers.tar.gz");
        const QStringList arguments{"stats", archive, "--view", "control-flow", "--format", "csv", "--quiet"};
        static QByteArray expected;
        if (round == 0) {
            (void)runTool("tar", {"-C", it.small(), "-czf", archive, "."}, plainEnvironment());
            expected = it.place.run(arguments).out;
            it.forgetCache();
            it.measure(HELIOGRAPH_PROGRAM, arguments);
        }
        if (it.dice().below(4) > 0)
            it.forgetCache();
        it.kill(HELIOGRAPH_PROGRAM, arguments);
        const ProgramResult result = it.place.run(arguments);
        if (result.status != 0 || result.out != expected || expected.count('\n') < 5)
            it.fault("an archive gives something else: " + result.err);
        it.countLeftovers(it.place.path());
    };
}

/// Removal of unpacked archives, of which the cache has three; each has 20 files.
Operation trimming()
{
    return [](Killing& it, int round) {
        const QString cache = it.place.path("home/heliograph/archives");
        const QStringList names{QString(32, 'a'), QString(32, 'b'), QString(32, 'c')};
        const auto prepare = [&] {
            it.forgetCache();
            for (const QString& name : names)
                for (int i = 0; i < 20; ++i)
                    test::writeFile(cache + '/' + name + "/kernel/channel" + QString::number(i), "content");
        };
        const QStringList arguments{"trim", cache, it.place.path("marks"), "0"};
        if (round == 0)
            it.setMeasured(50'000, 80);
        prepare();
        it.kill(SESSION_SAVER, arguments);
        for (const QString& name : names)
            if (const auto left = QDir(cache + '/' + name + "/kernel").entryList(QDir::Files).size();
                QDir(cache + '/' + name).exists() && left != 20)
                it.fault(QString("an unpacked archive has %1 of its files").arg(left));
        (void)runTool(SESSION_SAVER, arguments, it.place.environment());
        if (!QDir(cache).isEmpty())
            it.fault("archives are left: " + QDir(cache).entryList().join(' '));
        it.countLeftovers(cache);
    };
}

/// Exports to a file, or to a folder, in turns over an old one and where none is.
Operation exporting(QStringList formats, const QString& target, bool isFolder)
{
    struct Known {
        QByteArray complete;
        QStringList command;
    };
    auto known = std::make_shared<std::vector<Known>>();
    return [=](Killing& it, int round) {
        const QString output = it.place.path("out/" + target);
        if (round == 0) {
            for (const QString& format : formats) {
                const QStringList command = format == "report" ? QStringList{"report", it.small(), "-o", output, "--quiet"}
                                                               : QStringList{"export", it.small(), "--to", format, "-o", output, "--quiet"};
                it.removeOutput();
                const ProgramResult result = it.place.run(command);
                if (result.status != 0)
                    qFatal("%s", result.err.constData());
                known->push_back({test::contentOf(it.place.path("out")), command});
            }
            it.removeOutput();
            it.measure(HELIOGRAPH_PROGRAM, known->front().command);
        }
        const auto& [complete, command] = (*known)[it.dice().below(known->size())];
        it.removeOutput();
        const bool hasOld = it.dice().below(2) == 0;
        if (hasOld && isFolder)
            QDir().mkpath(output);
        else if (hasOld)
            test::writeFile(output, "old");
        it.kill(HELIOGRAPH_PROGRAM, command);
        const auto content = [&] { return isFolder ? test::contentOf(output) : test::readFile(output).value_or(QByteArray()); };
        const QByteArray got = content();
        if (it.dice().below(8) > 0) { // Otherwise, a leftover stays until another export.
            if (isFolder) // An existing folder must be empty.
                QDir(output).removeRecursively();
            const ProgramResult result = it.place.run(command);
            if (result.status != 0 || test::contentOf(it.place.path("out")) != complete)
                it.fault("a later export gives something else or leaves something: " + result.err + ' '
                         + QDir(it.place.path("out")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).join(' '));
        }
        const bool isOld = isFolder ? got.isEmpty() : got == (hasOld ? "old" : "");
        if (!isOld && got != content())
            it.fault(QString("the target is half: %1 of %2 bytes").arg(got.size()).arg(content().size()));
        it.countLeftovers(it.place.path());
    };
}

/// Two processes with one cache; one of them, or both, are killed.
Operation twoProcesses()
{
    return [](Killing& it, int round) {
        const QStringList arguments{"index", it.trace(), "--quiet"};
        if (round == 0)
            it.measure(HELIOGRAPH_PROGRAM, arguments);
        const auto commands = readings(it.trace());
        it.spoilCache();
        const std::size_t reading = it.dice().below(commands.size() - 1);
        QStringList other = commands[reading];
        switch (it.dice().below(3)) {
        case 0: other += {"--jobs", "1"}; break;
        case 1: other = arguments; break;
        default: break;
        }
        QProcess survivor;
        survivor.setProcessEnvironment(it.place.environment());
        const bool isFirst = it.dice().below(2) == 0;
        if (isFirst)
            survivor.start(HELIOGRAPH_PROGRAM, other);
        {
            KillPlace::Victim victim(it.place, HELIOGRAPH_PROGRAM, it.dice().below(2) == 0 ? commands[0] : arguments, it.plan());
            if (!isFirst)
                survivor.start(HELIOGRAPH_PROGRAM, other);
            if (it.dice().below(4) == 0) {
                KillPlace::Victim second(it.place, HELIOGRAPH_PROGRAM, arguments, it.plan());
                it.note(second);
            }
            it.note(victim);
        }
        const bool hasEnded = survivor.waitForFinished(60'000);
        const QByteArray out = survivor.readAllStandardOutput();
        if (!hasEnded || survivor.exitStatus() != QProcess::NormalExit || survivor.exitCode() != 0)
            it.fault("the other process fails: " + survivor.readAllStandardError());
        else if (other.front() != "index" && out != it.expected()[qsizetype(reading)])
            it.fault("the other process prints something else");
        else if (other.front() == "index" && !it.place.run(other).out.contains("\nreopened "))
            it.fault("stores of the other process are not kept");
        it.checkStores(it.place);
    };
}

/// File system in memory with 8 MB; unmounted by the destructor.
class SmallDisk {
public:
    explicit SmallDisk(QString folder)
        : m_folder(std::move(folder))
    {
        QDir().mkpath(m_folder);
        m_isMounted = ::mount("none", QFile::encodeName(m_folder).constData(), "tmpfs", 0, "size=8m") == 0;
    }
    ~SmallDisk()
    {
        if (m_isMounted)
            ::umount2(QFile::encodeName(m_folder).constData(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    bool isMounted() const { return m_isMounted; }
    /// Leaves `bytes` free, with a file that fills the rest.
    void fill(qint64 bytes) const
    {
        QFile file(m_folder + "/filler");
        (void)file.open(QIODevice::WriteOnly);
        while (QStorageInfo(m_folder).bytesAvailable() > bytes && file.write(QByteArray(16'384, 'x')) > 0)
            file.flush();
    }
    void empty() const { QFile::remove(m_folder + "/filler"); }

private:
    const QString m_folder;
    bool m_isMounted;
};

Operation onFullDisk(const SmallDisk& disk, const QString& folder)
{
    return [&disk, folder](Killing& it, int round) {
        const KillPlace place(folder);
        const QString target = place.path("out/t.json");
        const QStringList exporting{"export", it.small(), "--to", "chrome-json", "-o", target, "--quiet"};
        static QByteArray complete;
        if (round == 0) {
            it.measure(HELIOGRAPH_PROGRAM, {"index", it.trace(), "--quiet"});
            (void)place.run(exporting);
            complete = test::readFile(target).value_or("none");
        }
        QFile::remove(target);
        const bool hasOld = it.dice().below(2) == 0;
        if (hasOld)
            test::writeFile(target, "old");
        if (it.dice().below(3) > 0)
            QDir(place.path("home/heliograph")).removeRecursively();
        QDir().mkpath(place.path("home/heliograph"));
        disk.fill(qint64(it.dice().below(5'000'000)));
        const bool exports = it.dice().below(2) == 0;
        const auto commands = readings(it.trace());
        {
            KillPlace::Victim victim(place, HELIOGRAPH_PROGRAM, exports ? exporting : commands[0], it.plan());
            it.note(victim);
        }
        const auto checkTarget = [&] {
            const auto got = test::readFile(target);
            if (got && *got != complete && !(hasOld && *got == "old"))
                it.fault(QString("full disk: the target is half, %1 bytes").arg(got->size()));
            if (hasOld && !got)
                it.fault("full disk: the old target is lost");
        };
        checkTarget();
        const ProgramResult reading = place.run(commands[0]);
        if (reading.status == 0 ? reading.out != it.expected()[0] : reading.err.isEmpty())
            it.fault("full disk: a wrong result, or none without a message: " + reading.err);
        const ProgramResult exported = place.run(exporting);
        if (exported.status == 0 ? test::readFile(target) != complete : exported.err.isEmpty())
            it.fault("full disk: a wrong export, or none without a message: " + exported.err);
        checkTarget();
        disk.empty();
        it.checkStores(place);
    };
}

/// Sessions saved by saveSession(), or by a window.
Operation savingSessions(bool byWindow)
{
    return [byWindow](Killing& it, int) {
        const QString path = it.place.path("out/s.heliograph");
        const QString last = it.place.path("home/data/heliograph/heliograph/last.heliograph");
        it.removeOutput();
        QDir(it.place.path("marks")).removeRecursively();
        QDir().mkpath(it.place.path("marks"));
        SessionState first;
        first.traces = {it.small()};
        first.bookmarks = {{{timestamp(1), timestamp(2)}, "save 0"}};
        first.search = "save 0";
        for (const QString& file : {path, last})
            if (!saveSession(first, file))
                qFatal("cannot save a session");
        KillPlan plan;
        if (it.dice().below(2) == 0)
            plan.atChange = 1 + long(it.dice().below(byWindow ? 120 : 60));
        else
            plan.afterMicroseconds = qint64(it.dice().below(byWindow ? 1'500'000 : 150'000));
        plan.killsHelpers = true;
        if (byWindow && it.dice().below(4) == 0) {
            KillPlace::Victim victim(it.place, HELIOGRAPH_PROGRAM, {path}, plan); // Opens it and saves nothing.
            if (plan.atChange > 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(it.dice().below(1500)));
                ::kill(victim.id(), SIGKILL);
            }
            it.note(victim);
        } else {
            KillPlace::Victim victim(it.place, SESSION_SAVER, {byWindow ? "window" : "file", path, it.place.path("marks"), "1000000"},
                                     plan);
            it.note(victim);
        }
        int saved = 0;
        for (const QString& name : QDir(it.place.path("marks")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            saved = std::max(saved, name.toInt());
        for (const QString& file : byWindow ? QStringList{path, last} : QStringList{path}) {
            const auto session = loadSession(file);
            const QString text = !session ? QString::fromStdString(session.error().what)
                : byWindow                ? session->bookmarks.empty() ? QString("no bookmark") : session->bookmarks.front().name
                                          : session->search;
            if (text != QString("save %1").arg(saved) && text != QString("save %1").arg(saved + 1))
                it.fault(QString("%1 is lost: \"%2\" after save %3").arg(file, text).arg(saved));
        }
        it.countLeftovers(it.place.path());
        if (it.dice().below(8) > 0) {
            for (const QString& file : {path, last})
                if (!saveSession(first, file))
                    it.fault("a later session cannot be saved");
            const auto left = KillPlace::leftovers(it.place.path("out")).size() + KillPlace::leftovers(it.place.path("home/data")).size();
            if (left > 0)
                it.fault(QString("%1 temporary files stay after a later session: %2")
                             .arg(left)
                             .arg(QDir(it.place.path("out")).entryList(QDir::AllEntries | QDir::Hidden).join(' ')));
        }
    };
}

Operation recording(const QString& tool)
{
    return [tool](Killing& it, int) {
        it.removeOutput();
        const QString folder = it.place.path("out/r.heliotrace");
        KillPlan plan;
        QStringList command{"record", "sched", "--tool", tool, "--no-open", "-o", folder};
        if (it.dice().below(2) == 0) {
            plan.atChange = 1 + long(it.dice().below(20));
            command += {"--", "true"};
        } else {
            plan.afterMicroseconds = qint64(it.dice().below(1'500'000));
        }
        {
            KillPlace::Victim victim(it.place, HELIOGRAPH_PROGRAM, command, plan);
            it.tally().killed += victim.finish();
            ++it.tally().runs;
            const QString instance = "/sys/kernel/tracing/instances/heliograph-" + QString::number(victim.id());
            const auto isLeft = [&] {
                return QFile::exists(instance)
                    || runTool("pgrep", {"-f", "(perf|trace-cmd) record .*" + it.place.path()}, plainEnvironment()).status == 0;
            };
            if (!QTest::qWaitFor([&] { return !isLeft(); }, 60'000))
                it.fault("a recording stays enabled: " + runTool("pgrep", {"-af", "record .*" + it.place.path()}, plainEnvironment()).out
                         + ' ' + QDir("/sys/kernel/tracing/instances").entryList(QDir::Dirs | QDir::NoDotAndDotDot).join(' ').toUtf8());
            if (!victim.hasNoHelpers())
                it.fault(
                    "a process of the recording is left: "
                    + runTool("ps", {"-o", "pid,ppid,pgid,stat,etime,args", "-s", QString::number(victim.id())}, plainEnvironment()).out);
        }
        const auto description = test::readFile(folder + "/record.json");
        if (description && !QJsonDocument::fromJson(*description).isObject())
            it.fault("record.json is half: " + *description);
        if (!QDir(folder).exists())
            return;
        const ProgramResult read = it.place.run({"info", folder});
        if (read.status != 0 ? read.status < 0 || !read.err.contains("heliograph: ") : read.out.isEmpty())
            it.fault("a killed recording cannot be read and gives no message: " + read.err);
        it.removeOutput(); // No later run writes into the folder of a killed recording.
    };
}

} // namespace

class KillsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qInfo("%d kills, HELIOGRAPH_KILLS_SEED=%llu", killCount(), Killing::seed()); }

    void killedRunsLeaveNothingWrong_data()
    {
        QTest::addColumn<int>("share"); // Number of kills out of 2000.
        test::addRow("index", 400);
        test::addRow("unpack", 150);
        test::addRow("trim", 50);
        test::addRow("export file", 350);
        test::addRow("export folder", 150);
        test::addRow("report", 50);
        test::addRow("two processes", 300);
        test::addRow("full disk", 200);
        test::addRow("record", 50);
        test::addRow("session file", 200);
        test::addRow("window", 100);
    }
    void killedRunsLeaveNothingWrong()
    {
        QFETCH(int, share);
        const QByteArray name = QTest::currentDataTag();
        Killing killing;
        const SmallDisk disk(killing.place.path("disk"));
        Operation operation;
        if (name == "index")
            operation = indexing();
        else if (name == "unpack")
            operation = unpacking();
        else if (name == "trim")
            operation = trimming();
        else if (name == "export file")
            operation = exporting({"chrome-json", "perfetto", "sqlite"}, "t.bin", false);
        else if (name == "export folder")
            operation = exporting({"csv", "ctf"}, "t", true);
        else if (name == "report")
            operation = exporting({"report"}, "t.html", false);
        else if (name == "two processes")
            operation = twoProcesses();
        else if (name == "full disk")
            operation = onFullDisk(disk, killing.place.path("disk"));
        else if (name == "record")
            operation = recording(recordingTool(killing.place));
        else
            operation = savingSessions(name == "window");
        if (name == "full disk" && !disk.isMounted())
            QSKIP("Only root can mount a small disk");
        if (name == "record" && recordingTool(killing.place).isEmpty())
            QSKIP("Nothing can be recorded here");
        const int kills = std::max(1, killCount() * share / 2000);
        QStringList faults;
        for (int round = 0; killing.tally().runs < kills; ++round) {
            operation(killing, round);
            for (const QString& fault : killing.takeFaults())
                faults << QString("round %1: %2").arg(round).arg(fault);
        }
        killing.checkLeftovers();
        faults += killing.takeFaults();
        const Tally& tally = killing.tally();
        qInfo("%s: %d runs, %d of them killed before their end, %lld faults, at most %d temporary files after a later run",
              name.constData(), tally.runs, tally.killed, static_cast<long long>(faults.size()), tally.mostLeftovers);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 10).join('\n')));
    }

private:
    /// Returns the tool that can record the scheduler here; empty if none can.
    static QString recordingTool(const KillPlace& place)
    {
        for (const char* const tool : {"tracefs", "perf"})
            if (place.run({"record", "sched", "--tool", tool, "--no-open", "--quiet", "-o", place.path("tried-") + tool, "--", "true"})
                    .status
                == 0)
                return tool;
        return {};
    }
};

HELIO_TEST(KillsTest)
#include "tst_kills.moc"
