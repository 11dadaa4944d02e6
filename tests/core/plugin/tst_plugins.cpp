#include "core/plugin/plugin_analysis.h"
#include "core/plugin/plugin_file.h"
#include "core/plugin/plugin_load_lock.h"
#include "core/plugin/plugins.h"
#include "tests/support/fake_trace.h"
#include "tests/support/indexed.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace helio;

namespace fs = std::filesystem;

namespace {

/// Home folder of a user, with some of the test plug-ins.
class Home {
public:
    Home()
    {
        QDir(m_folder.path()).mkdir("plugins");
        QDir(m_folder.path()).mkdir("system");
    }

    fs::path root() const { return m_folder.path().toStdString(); }
    fs::path folder() const { return root() / "plugins"; }
    PluginFolders places() const { return {{folder(), root() / "system"}, root() / "notes"}; }

    /// Copies a plug-in into the folder, over an existing one.
    fs::path put(const char* plugin, const char* name = nullptr) const
    {
        const fs::path file = folder() / (std::string(name ? name : plugin) + ".so");
        fs::remove(file);
        fs::copy_file(std::string(PLUGINS "/") + plugin + ".so", file);
        return fs::canonical(file);
    }

private:
    const QTemporaryDir m_folder;
};

QString stateOf(const PluginInfo& plugin)
{
    const std::string text =
        plugin.file.stem().string() + ' ' + std::string(wordOf(plugin.state)) + (plugin.reason.empty() ? "" : ": ") + plugin.reason;
    return QString::fromStdString(text);
}

QString statesOf(const Plugins& plugins)
{
    QStringList all;
    for (const PluginInfo& plugin : plugins.found())
        all << stateOf(plugin);
    return all.join("; ");
}

QString problemOf(const Status& status) { return status ? QString("none") : QString::fromStdString(status.error().what); }

/// Runs `run` in a child process, which may crash. Returns the result of `run`; -1 if a signal ended the child.
template <typename Run> int inChild(const Run& run)
{
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        signal(SIGILL, SIG_DFL);
        _exit(run());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class PluginsTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsLoadedBeforeAPersonAllowsIt()
    {
        const Home home;
        home.put("aborts");
        home.put("numbers");
        Plugins plugins(home.places());
        plugins.loadAllowed();
        QVERIFY(!plugins.isAnyLoaded());
        QCOMPARE(statesOf(plugins), QString("aborts not-asked: awaiting your permission; numbers not-asked: awaiting your permission"));
    }

    void whatIsAllowedIsLoadedNowAndFromThenOn()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        Plugins plugins(home.places());
        QCOMPARE(problemOf(plugins.allow(file)), QString("none"));
        const PluginInfo found = plugins.found().front();
        QVERIFY(found.state == PluginState::Loaded);
        QCOMPARE(found.analyses.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(found.analyses[0].id + ' ' + found.analyses[0].title), QString("numbers All numbers"));
        QCOMPARE(found.size, std::uint64_t(fs::file_size(file)));

        Plugins later(home.places());
        QCOMPARE(statesOf(later), QString("numbers allowed"));
        later.loadAllowed();
        QCOMPARE(statesOf(later), QString("numbers loaded"));
        Analyses analyses = *Analyses::builtin();
        later.addTo(analyses);
        later.addTo(analyses); // Adding the analyses again changes nothing.
        QCOMPARE(analyses.all().size(), Analyses::builtin()->all().size() + 1);
        QVERIFY(analyses.find("numbers"));
    }

    void itsNameAloneIsEnough()
    {
        const Home home;
        home.put("numbers");
        Plugins plugins(home.places());
        QCOMPARE(problemOf(plugins.allow("numbers.so")), QString("none"));
        QCOMPARE(statesOf(plugins), QString("numbers loaded"));
    }

    void whatChangedIsAskedAgain()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        QVERIFY(Plugins(home.places()).allow(file));
        home.put("measures", "numbers");
        Plugins plugins(home.places());
        plugins.loadAllowed();
        QVERIFY(!plugins.isAnyLoaded());
        QCOMPARE(statesOf(plugins), QString("numbers changed: it has changed since you decided about it"));
        QVERIFY(needsUserDecision(plugins.found().front().state));
    }

    void whatChangedWhileItIsLoadedWaitsForTheNextStart()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow(file));
        home.put("measures", "numbers");
        QCOMPARE(statesOf(plugins), QString("numbers changed: it has changed since you decided about it"));
        QVERIFY(plugins.allow(file));
        QCOMPARE(statesOf(plugins), QString("numbers allowed: it has changed since it was loaded; the next start loads the new version"));
        plugins.loadAllowed();
        QCOMPARE(plugins.found().front().analyses.front().id, std::string("numbers"));
    }

    /// Input: a plug-in file that `cp` overwrites while it is loaded. Property: the process continues with the old content.
    void overwrittenPluginDoesNotCrash()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow(file));
        fs::resize_file(file, 0);
        Analyses analyses;
        plugins.addTo(analyses);
        const test::FakeTrace trace({}, {"tick"}, {{{10, 5, 0}, {30, 20, 0}}});
        QVERIFY(analyses.find("numbers")->appliesTo(trace));
        QVERIFY(test::indexed(trace, {analyses.find("numbers")}));
        QCOMPARE(statesOf(plugins), QString("numbers changed: it has changed since you decided about it"));
    }

    void onlyWhatWasLookedAtIsCopied()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        const auto found = readPluginFile(file);
        QVERIFY(found);
        const auto copy = makeSealedCopy(file, found->hash);
        QVERIFY(copy);
        QFile bytes(QString::fromStdString(copy->string()));
        QVERIFY(bytes.open(QIODevice::ReadOnly));
        QCOMPARE(QCryptographicHash::hash(bytes.readAll(), QCryptographicHash::Sha256).toHex().toStdString(), found->hash);
        QVERIFY(!std::ofstream(*copy, std::ios::in | std::ios::out).put('x').flush());
        home.put("measures", "numbers");
        const auto other = makeSealedCopy(file, found->hash);
        QVERIFY(!other);
        QCOMPARE(QString::fromStdString(other.error().what),
                 QString::fromStdString(file.string()) + ": it changed while it was being loaded");
    }

    void whatIsForbiddenStaysSoWhateverItBecomes()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow(file));
        QVERIFY(plugins.forbid(file));
        QCOMPARE(statesOf(plugins), QString("numbers forbidden: it was forbidden; it stays loaded until heliograph exits"));
        home.put("measures", "numbers");
        Plugins later(home.places());
        later.loadAllowed();
        QCOMPARE(statesOf(later), QString("numbers forbidden: it was forbidden"));
        QVERIFY(later.allow(file)); // The user can allow the plug-in again.
        QCOMPARE(statesOf(later), QString("numbers loaded"));
    }

    /// Property: a forbidden plug-in cannot be unloaded, but it is not offered again until it is allowed.
    void whatIsForbiddenIsOfferedNoMoreUntilItIsAllowed()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        home.put("measures");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow(file));
        QVERIFY(plugins.allow("measures.so"));
        const auto offered = [&] {
            Analyses all;
            plugins.addTo(all);
            QStringList ids;
            for (const auto& kind : all.all())
                ids << QString::fromStdString(std::string(kind->id()) + " of " + plugins.fileOf(*kind).filename().string());
            ids.sort();
            return ids.join("; ");
        };
        const QString both = "measures of measures.so; measures-not of measures.so; numbers of numbers.so";
        QCOMPARE(offered(), both);
        QVERIFY(plugins.forbid(file));
        QCOMPARE(offered(), QString("measures of measures.so; measures-not of measures.so"));
        QVERIFY(plugins.allow(file));
        QCOMPARE(offered(), both);
        const auto named = loadPlugin(PLUGINS "/numbers.so");
        QVERIFY(named);
        QVERIFY(plugins.fileOf(*named->front()).empty());
    }

    void whatDoesNotWorkIsSaidAndNotTriedAgain_data()
    {
        QTest::addColumn<QString>("plugin");
        QTest::addColumn<QString>("reason");
        test::addRow("wrong version", "newer", "it has no analysis for version 1 of the plug-in interface");
        test::addRow("missing symbol", "no_plugin", "not a plug-in: it has no function heliograph_analysis()");
        test::addRow("lacks functions", "unfinished", "its analysis \"unfinished\" lacks a function");
    }
    void whatDoesNotWorkIsSaidAndNotTriedAgain()
    {
        QFETCH(QString, plugin);
        QFETCH(QString, reason);
        const Home home;
        const fs::path file = home.put(plugin.toUtf8().constData(), "it");
        QCOMPARE(problemOf(Plugins(home.places()).allow(file)), QString::fromStdString(file.string()) + ": " + reason);
        Plugins later(home.places());
        later.loadAllowed();
        QCOMPARE(statesOf(later), "it unusable: " + reason);
        home.put("numbers", "it"); // A repaired file is a changed file: it needs the user's consent again.
        QCOMPARE(statesOf(later), QString("it changed: it has changed since you decided about it"));
    }

    void whatIsNoLibraryIsSaid()
    {
        const Home home;
        QFile file(QString::fromStdString((home.folder() / "text.so").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("int main() {}");
        file.close();
        Plugins plugins(home.places());
        QVERIFY(!plugins.allow("text.so"));
        QVERIFY2(statesOf(plugins).startsWith("text unusable: not a plug-in: "), qPrintable(statesOf(plugins)));
    }

    void whatIsNoRegularFileIsRefusedAtOnce()
    {
        const Home home;
        QCOMPARE(::mkfifo((home.folder() / "pipe.so").c_str(), 0600), 0);
        Plugins plugins(home.places());
        QCOMPARE(statesOf(plugins),
                 QString("pipe unusable: %1: not a regular file").arg(QString::fromStdString((home.folder() / "pipe.so").string())));
        // Must return at once. If the pipe were opened, the call would block, because the pipe has no writer.
        QVERIFY(!plugins.allow("pipe.so"));
        QVERIFY(!loadPlugin(home.folder() / "pipe.so"));
    }

    void twoOfOneIdAreNotBothLoaded()
    {
        const Home home;
        home.put("numbers");
        home.put("numbers", "other");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow("numbers.so"));
        QVERIFY(!plugins.allow("other.so"));
        QCOMPARE(statesOf(plugins), QString("numbers loaded; other unusable: analysis \"numbers\": the name is already used"));
    }

    void oneThatEndsTheProgramIsNotTriedAgainByItself()
    {
        const Home home;
        const fs::path file = home.put("aborts");
        home.put("numbers");
        QCOMPARE(inChild([&] { return Plugins(home.places()).allow(file) ? 1 : 2; }), -1);

        const QString crashed = "aborts crashed: heliograph crashed while loading or running it; it is not loaded again automatically";
        QCOMPARE(inChild([&] {
                     Plugins next(home.places());
                     next.loadAllowed();
                     return statesOf(next).startsWith(crashed) ? 0 : 1;
                 }),
                 0);
        Plugins plugins(home.places());
        QVERIFY(plugins.allow("numbers.so")); // Other plug-ins are still loaded.
        QCOMPARE(statesOf(plugins), crashed + "; numbers loaded");
        // The user can try the plug-in again, which crashes again.
        QCOMPARE(inChild([&] { return Plugins(home.places()).allow(file) ? 1 : 2; }), -1);
        home.put("measures", "aborts");
        QCOMPARE(statesOf(plugins), QString("aborts changed: it has changed since you decided about it; numbers loaded"));
    }

    /// Input: two processes that load the same plug-in at the same time. Property: it does not count as crashed.
    void whatAnotherProgramLoadsAtTheMomentHasNotCrashed()
    {
        const Home home;
        const fs::path notes = home.places().notes;
        int loading[2], end[2];
        QVERIFY(pipe(loading) == 0 && pipe(end) == 0);
        const pid_t other = fork();
        if (other == 0) {
            ::close(end[1]); // Otherwise the child would wait forever if the test ends early.
            const auto mark = PluginLoadLock::make(notes, "1234");
            char byte = mark ? '1' : '0';
            (void)!write(loading[1], &byte, 1);
            (void)!read(end[0], &byte, 1);
            _exit(0); // The child ends without removing the mark that it is loading the plug-in, as after a crash.
        }
        char byte = 0;
        QVERIFY(read(loading[0], &byte, 1) == 1 && byte == '1');
        QVERIFY(!PluginLoadLock::hasCrashed(notes, "1234"));
        QVERIFY(write(end[1], &byte, 1) == 1);
        waitpid(other, nullptr, 0);
        QVERIFY(PluginLoadLock::hasCrashed(notes, "1234"));
        QVERIFY(!PluginLoadLock::hasCrashed(notes, "12"));
        PluginLoadLock::forgetCrash(notes, "1234");
        QVERIFY(!PluginLoadLock::hasCrashed(notes, "1234"));
    }

    void withoutAPlaceForTheMarkNothingIsLoaded()
    {
        const Home home;
        home.put("numbers");
        // Because of this file, the folder for decisions and crash notes cannot be created.
        QFile file(QString::fromStdString((home.root() / "notes").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        Plugins plugins(home.places());
        QVERIFY(!plugins.allow("numbers.so"));
        QVERIFY(!plugins.isAnyLoaded());
    }

    void whatOthersMayHaveWrittenIsRefused()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow(file));
        fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
        Plugins later(home.places());
        later.loadAllowed();
        QCOMPARE(statesOf(later), QString("numbers unsafe: it is writable by everyone"));
        QCOMPARE(problemOf(later.allow(file)), QString::fromStdString(file.string()) + ": it is writable by everyone");
        fs::permissions(file, fs::perms::others_write, fs::perm_options::remove);
        fs::permissions(home.folder(), fs::perms::others_write, fs::perm_options::add);
        QCOMPARE(statesOf(later), QString("numbers unsafe: its folder is writable by everyone"));
        fs::permissions(home.folder(), fs::perms::others_write, fs::perm_options::remove);
        if (chown(file.c_str(), 12345, gid_t(-1)) != 0)
            QSKIP("only root may give files away");
        QCOMPARE(statesOf(later), QString("numbers unsafe: it belongs to another user (UID 12345)"));
        QVERIFY(!later.isAnyLoaded());
    }

    void filesElsewhereCannotBeAllowed()
    {
        const Home home;
        Plugins plugins(home.places());
        QVERIFY(problemOf(plugins.allow(PLUGINS "/numbers.so")).contains("is not in a plug-in folder"));
        QCOMPARE(problemOf(plugins.allow("nowhere.so")), QString("nowhere.so: No such file or directory"));
        QVERIFY(problemOf(plugins.forbid(PLUGINS "/numbers.so")).contains("is not in a plug-in folder"));
    }

    /// Property: one file under two names (links) is one plug-in.
    void linksAreFollowed()
    {
        const Home home;
        const fs::path file = home.put("numbers");
        fs::create_symlink(file, home.root() / "system" / "again.so");
        Plugins plugins(home.places());
        QVERIFY(plugins.allow(home.root() / "system" / "again.so"));
        QCOMPARE(statesOf(plugins), QString("numbers loaded"));
    }
};

HELIO_TEST(PluginsTest)
#include "tst_plugins.moc"
