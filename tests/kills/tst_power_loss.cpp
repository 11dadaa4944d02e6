// Power loss: while Heliograph indexes, unpacks, exports and saves, a library logs all changes of files. From the log, the test builds what
// a power loss at a moment may leave (disk_log.h): only what was synced is certain. On each of these disks, a run must print the same as on
// an empty one; a target is the old file, absent or complete, and complete once Heliograph has said so; a session is the last or the next
// one.
//
// Some moments are tried; with HELIOGRAPH_KILLS of at least 2000, the moments around changes of names and syncs (all, if they are not very
// many), and 100 random ones.

#include "app/gui/common/session_file.h"
#include "tests/kills/disk_log.h"
#include "tests/kills/killed_program.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <vector>

using namespace helio;
using test::DiskLog;
using test::KillPlace;

namespace {

constexpr int TracedSwitches = 20'000;
constexpr std::size_t MostMoments = 100; ///< Random moments of each kind that are tried if all are to be tried.

bool triesAll() { return qEnvironmentVariableIntValue("HELIOGRAPH_KILLS") >= 2000; }

/// A logged run, and the check of what a power loss leaves of it.
struct Scene {
    QString program = HELIOGRAPH_PROGRAM;
    QStringList arguments;
    /// Prepares the place before the run.
    std::function<void(const KillPlace& place)> prepare = [](const KillPlace&) {};
    /// Returns what is wrong with a disk after power loss; empty if nothing. `hasEnded`: the run had ended successfully before.
    std::function<QString(const KillPlace& left, const DiskLog& log, bool hasEnded)> check;
};

QString checkReading(const KillPlace& left, const QStringList& arguments, const QByteArray& expected)
{
    const ProgramResult result = left.run(arguments);
    if (result.status != 0 || !result.err.isEmpty())
        return arguments.front() + " fails: " + result.err;
    return result.out == expected ? QString() : arguments.front() + " prints something else";
}

} // namespace

class PowerLossTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_trace = test::writeSwitches(m_folder.filePath("trace.txt"), TracedSwitches);
        m_small = test::copyTree(QStringLiteral(SOURCE_DIR "/resources/samples/workers"), m_folder.filePath("small"));
    }

    void whatIsLeftIsOldOrComplete_data()
    {
        QTest::addColumn<QString>("work");
        for (const char* const work :
             {"index", "unpack", "chrome-json", "sqlite", "csv", "ctf", "report", "render", "session file", "session window"})
            QTest::newRow(work) << QString(work);
    }
    void whatIsLeftIsOldOrComplete()
    {
        QFETCH(QString, work);
        const KillPlace place;
        Scene scene = sceneOf(work, place);
        scene.prepare(place);
        DiskLog log(place.path());
        const QString file = m_folder.filePath("log");
        QFile::remove(file);
        const ProgramResult result = runTool(scene.program, scene.arguments, place.logged(file));
        QVERIFY2(result.status == 0, result.err.constData());
        QVERIFY(log.read(file));

        Dice dice(qHashBits(work.constData(), std::size_t(work.size()) * sizeof(QChar)));
        std::set<std::size_t> points{log.size()};
        std::set<std::size_t> turns;
        for (DiskLog turning = log; turning.done() < turning.size();) {
            if (turning.isTurningPoint())
                turns.insert({turning.done(), turning.done() + 1});
            QVERIFY2(turning.apply(), qPrintable(QString("change %1 does not fit").arg(turning.done())));
            if (turning.done() == turning.size()) {
                // The log is complete: replayed, it gives what is on the disk.
                Dice unused(1);
                const auto replayed = turning.afterLoss(DiskLog::Loss::Nothing, unused);
                const auto present = turning.present();
                for (const auto& [path, content] : present)
                    QVERIFY2(replayed.contains(path) && replayed.at(path) == content, ("not logged: " + path).c_str());
                QCOMPARE(replayed.size(), present.size());
            }
        }
        if (triesAll() && turns.size() <= MostMoments)
            points.insert(turns.begin(), turns.end());
        for (std::size_t i = 0; i < (triesAll() ? MostMoments : 2); ++i)
            points.insert(std::size_t(dice.below(log.size())));
        for (std::size_t i = 0; i < (triesAll() ? MostMoments : 2) && !turns.empty(); ++i)
            points.insert(*std::next(turns.begin(), std::ptrdiff_t(dice.below(turns.size()))));

        const QTemporaryDir replayed;
        std::set<DiskLog::Tree> seen;
        int disks = 0;
        for (const std::size_t point : points) {
            while (log.done() < point)
                log.apply();
            for (const DiskLog::Loss loss : DiskLog::AllLosses) {
                const DiskLog::Tree tree = log.afterLoss(loss, dice);
                const bool hasEnded = point == log.size();
                if (!seen.insert(tree).second && !hasEnded && work != "session file" && work != "session window")
                    continue;
                ++disks;
                log.write(tree, replayed.path());
                const QString problem = scene.check(KillPlace(replayed.path()), log, hasEnded);
                QVERIFY2(problem.isEmpty(),
                         qPrintable(QString("after change %1 of %2, loss %3: %4").arg(point).arg(log.size()).arg(int(loss)).arg(problem)));
            }
        }
        qInfo("%s: %zu changes, %zu moments, %d different disks", qPrintable(work), log.size(), points.size(), disks);
    }

    /// Property: a store of which pages are missing although they were synced is never misread.
    void storesWithMissingPagesAreNotMisread()
    {
        const KillPlace place;
        const std::vector<QStringList> commands{{"states", m_trace, "--view", "control-flow", "--format", "csv", "--quiet"},
                                                {"stats", m_trace, "--view", "resources", "--format", "csv", "--quiet"},
                                                {"info", m_trace, "--quiet"}};
        QList<QByteArray> expected;
        for (const QStringList& command : commands)
            expected << place.run(command).out;
        Dice dice(5);
        const QDir cache(place.path("home/heliograph"));
        int same = 0;
        int said = 0;
        for (int round = 0; round < (triesAll() ? 300 : 8); ++round) {
            const QStringList stores = cache.entryList({"*.store"}, QDir::Files);
            QVERIFY(!stores.isEmpty());
            const bool isLargest = dice.below(4) > 0;
            const QString largest =
                *std::ranges::max_element(stores, {}, [&](const QString& it) { return QFileInfo(cache.filePath(it)).size(); });
            const QString path = cache.filePath(isLargest ? largest : stores[qsizetype(dice.below(quint64(stores.size())))]);
            QByteArray bytes = test::readFile(path).value_or(QByteArray());
            const bool isWhole = dice.below(4) == 0; // About half of the pages, else one.
            const auto only = qsizetype(dice.below(quint64(bytes.size() + 4095) / 4096));
            for (qsizetype page = 0; page * 4096 < bytes.size(); ++page)
                if (isWhole ? dice.below(2) == 0 : page == only)
                    bytes.replace(page * 4096, 4096, QByteArray(std::min<qsizetype>(4096, bytes.size() - page * 4096), '\0'));
            test::writeFile(path, bytes);
            for (std::size_t i = 0; i < commands.size(); ++i) {
                const ProgramResult result = place.run(commands[i]);
                const bool isSame = result.out == expected[qsizetype(i)];
                same += isSame;
                said += !isSame;
                QVERIFY2(isSame || (result.status != 0 && !result.err.isEmpty()),
                         qPrintable(QString("round %1, %2: a damaged store is misread, exit status %3, %4")
                                        .arg(round)
                                        .arg(commands[i].front())
                                        .arg(result.status)
                                        .arg(QString::fromUtf8(result.err))));
            }
            for (std::size_t i = 0; i < commands.size(); ++i) {
                const ProgramResult later = place.run(commands[i]);
                QVERIFY2(later.out == expected[qsizetype(i)] && later.status == 0, "a damaged store is not replaced");
            }
            // Pages that no command read may still be missing.
            if (test::readFile(path) == bytes)
                QFile::remove(path);
            for (const QStringList& command : commands)
                (void)place.run(command);
        }
        qInfo("missing pages: %d runs print the same, %d say that they cannot", same, said);
    }

private:
    Scene sceneOf(const QString& work, const KillPlace& place) const
    {
        Scene scene;
        if (work == "index") {
            const QStringList reading{"states", m_trace, "--view", "control-flow", "--format", "csv", "--quiet"};
            const QByteArray expected = KillPlace().run(reading).out;
            scene.arguments = {"index", m_trace, "--quiet"};
            scene.check = [=](const KillPlace& left, const DiskLog&, bool) { return checkReading(left, reading, expected); };
        } else if (work == "unpack") {
            const QString archive = m_folder.filePath("workers.tar.gz");
            (void)runTool("tar", {"-C", m_small, "-czf", archive, "."}, plainEnvironment());
            scene.arguments = {"stats", archive, "--view", "control-flow", "--format", "csv", "--quiet"};
            const QByteArray expected = KillPlace().run(scene.arguments).out;
            scene.check = [reading = scene.arguments, expected](const KillPlace& left, const DiskLog&, bool) {
                return checkReading(left, reading, expected);
            };
        } else if (work.startsWith("session")) {
            const bool byWindow = work.endsWith("window");
            const QString path = place.path("out/s.heliograph");
            scene.program = SESSION_SAVER;
            scene.arguments = {byWindow ? "window" : "file", path, place.path("marks"), byWindow ? "3" : "5"};
            scene.prepare = [path, small = m_small](const KillPlace& at) {
                SessionState first;
                first.traces = {small};
                first.search = "save 0";
                first.bookmarks = {{{timestamp(1), timestamp(2)}, "save 0"}};
                for (const QString& file : {path, at.path("home/data/heliograph/heliograph/last.heliograph")})
                    if (!saveSession(first, file))
                        qFatal("cannot save a session");
            };
            scene.check = [byWindow](const KillPlace& left, const DiskLog& log, bool) {
                Dice unused(1);
                int saved = 0;
                for (const auto& [name, content] : log.afterLoss(DiskLog::Loss::Nothing, unused))
                    if (const std::size_t at = name.rfind("/marks/"); at != std::string::npos)
                        saved = std::max(saved, std::atoi(name.c_str() + at + 7));
                QStringList files{left.path("out/s.heliograph")};
                if (byWindow)
                    files << left.path("home/data/heliograph/heliograph/last.heliograph");
                for (const QString& file : files) {
                    const auto session = loadSession(file);
                    const QString text = !session ? QString::fromStdString(session.error().what)
                        : byWindow                ? session->bookmarks.empty() ? QString("no bookmark") : session->bookmarks.front().name
                                                  : session->search;
                    if (text != QString("save %1").arg(saved) && text != QString("save %1").arg(saved + 1))
                        return QString("%1 is lost: \"%2\" after save %3").arg(file, text).arg(saved);
                }
                return QString();
            };
        } else {
            const bool isFolder = work == "csv" || work == "ctf";
            const QString target = "out/t" + QString(work == "report" ? ".html" : work == "render" ? ".png" : isFolder ? "" : ".bin");
            const auto command = [=, this](const KillPlace& at) {
                if (work == "report")
                    return QStringList{"report", m_small, "-o", at.path(target), "--quiet"};
                if (work == "render")
                    return QStringList{"render", m_small, "--view", "control-flow", "-o", at.path(target), "--quiet"};
                return QStringList{"export", m_small, "--to", work, "-o", at.path(target), "--quiet"};
            };
            const KillPlace reference;
            if (const ProgramResult result = reference.run(command(reference)); result.status != 0)
                qFatal("%s", result.err.constData());
            // Reports contain the command, with the path of the target. Temporary folders have names of one length.
            const auto withoutPlace = [](QByteArray text, const KillPlace& at) { return text.replace(at.path().toUtf8(), "PLACE"); };
            const QByteArray complete = withoutPlace(test::contentOf(reference.path("out")), reference);
            scene.arguments = command(place);
            scene.prepare = [=](const KillPlace& at) {
                if (!isFolder)
                    test::writeFile(at.path(target), "old");
            };
            scene.check = [=, &place](const KillPlace& left, const DiskLog&, bool hasEnded) {
                const auto now = [&](const KillPlace& writer) {
                    return withoutPlace(isFolder ? test::contentOf(left.path(target))
                                                 : test::readFile(left.path(target)).value_or(QByteArray("lost")),
                                        writer);
                };
                const QByteArray got = now(place);
                const bool isOld = isFolder ? got.isEmpty() : got == "old";
                if (isOld && hasEnded)
                    return QString("the target is old although the export ended");
                if (isFolder) // It must be empty for another export.
                    QDir(left.path(target)).removeRecursively();
                const ProgramResult later = left.run(command(left));
                if (later.status != 0 || withoutPlace(test::contentOf(left.path("out")), left) != complete)
                    return "a later export fails or leaves something: " + QString::fromUtf8(later.err);
                return isOld || got == now(left) ? QString() : QString("the target is half: %1 bytes").arg(got.size());
            };
        }
        return scene;
    }

    const QTemporaryDir m_folder;
    QString m_trace;
    QString m_small;
};

HELIO_TEST(PowerLossTest)
#include "tst_power_loss.moc"
