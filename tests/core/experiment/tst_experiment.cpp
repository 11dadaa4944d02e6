#include "core/experiment/experiment.h"
#include "core/experiment/store_directory.h"
#include "core/io/archive.h"
#include "core/io/leftovers.h"
#include "tests/support/made_timeline.h"
#include "tests/support/no_threads.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <tuple>
#include <unistd.h>

using namespace helio;

namespace {

const std::filesystem::path Sample = SOURCE_DIR "/resources/samples/workers";

std::unique_ptr<Experiment> opened(const QString& storeDirectory)
{
    ExperimentOptions options;
    options.storeDirectory = storeDirectory.toStdString();
    auto experiment = Experiment::open({Sample}, options);
    return experiment ? std::move(*experiment) : nullptr;
}

QStringList filesIn(const QString& folder) { return QDir(folder).entryList(QDir::Files | QDir::Hidden); }

bool hasNote(const Timeline& timeline, const std::string& kind)
{
    return std::any_of(timeline.diagnostics.begin(), timeline.diagnostics.end(), [&](const Diagnostic& d) { return d.kind == kind; });
}

/// Every interval of every store: store, track, begin, end, state and value.
std::vector<std::tuple<std::size_t, TrackId, HostTimestamp, HostTimestamp, State, std::uint32_t>> statesOf(const Timeline& timeline)
{
    std::vector<std::tuple<std::size_t, TrackId, HostTimestamp, HostTimestamp, State, std::uint32_t>> all;
    for (std::size_t i = 0; i < timeline.stores.size(); ++i)
        for (std::uint32_t track = 0; timeline.stores[i].store && track < timeline.stores[i].store->tracks().size(); ++track) {
            const Store& store = *timeline.stores[i].store;
            for (const HostInterval& it : store.intervals(TrackId(track), store.summary().range))
                all.emplace_back(i, TrackId(track), it.range.begin, it.range.end, it.state, it.value);
        }
    return all;
}

void write(const QString& path, qint64 bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(QByteArray(bytes, 'x')), bytes);
}

} // namespace

class ExperimentTest : public QObject {
    Q_OBJECT

private slots:
    void aSecondProgramReopensWhatTheFirstOneIndexed()
    {
        QTemporaryDir cache;
        const auto first = opened(cache.path());
        QVERIFY(first);
        first->start();
        QVERIFY(first->wait());
        QVERIFY(first->timeline()->isComplete);
        QVERIFY(!first->progress().wasReopened);

        const auto second = opened(cache.path());
        second->start();
        QVERIFY(second->wait());
        QVERIFY(second->progress().wasReopened);
        QCOMPARE(second->timeline()->range, first->timeline()->range);
        QCOMPARE(second->progress().events, first->progress().events);
    }

    void twoProgramsAtOnceBothSeeTheWholeTrace()
    {
        QTemporaryDir cache;
        const auto one = opened(cache.path());
        const auto other = opened(cache.path());
        one->start();
        other->start();
        QVERIFY(one->wait());
        QVERIFY(other->wait());
        QVERIFY(one->timeline()->isComplete && other->timeline()->isComplete);
        QCOMPARE(one->progress().events, other->progress().events);
        QCOMPARE(filesIn(cache.path()).size(), 3); // Three files: the facts, the kernel's states, and futex waits.
    }

    void whatIsCancelledBeforeItsTraceWasReadIsNotCalledDone()
    {
        QTemporaryDir cache;
        const auto experiment = opened(cache.path());
        experiment->start();
        experiment->cancel();
        const auto done = experiment->wait();
        // Either result is possible: indexing the small trace may end before the cancellation.
        QCOMPARE(bool(done), experiment->timeline()->isComplete);
        if (!done)
            QCOMPARE(done.error().kind, Error::Kind::Cancelled);
        QVERIFY(!hasNote(*experiment->timeline(), "not-indexed"));
    }

    void whatIsIndexedDoesNotDependOnTheThreadsThatTheSystemGives_data()
    {
        QTest::addColumn<int>("left");
        for (const int left : {0, 1, 2, 3})
            QTest::addRow("%d", left) << left;
    }
    void whatIsIndexedDoesNotDependOnTheThreadsThatTheSystemGives()
    {
        QFETCH(int, left);
        const auto indexed = [](int limitOfThreads) {
            QTemporaryDir cache;
            ExperimentOptions options;
            options.storeDirectory = cache.path().toStdString();
            options.jobs = 4;
            // `jobs` exceeds the number of traces, so each trace gets its own indexing thread.
            auto opened = Experiment::open({Sample, SOURCE_DIR "/tests/fixtures/perf/fp.data"}, options);
            const auto experiment = opened ? std::move(*opened) : nullptr;
            int published = 0;
            const test::ThreadLimit limit(limitOfThreads);
            if (!experiment)
                return std::shared_ptr<const Timeline>();
            experiment->start([&] { ++published; });
            const bool isDone = experiment->wait() && experiment->timeline()->isComplete && experiment->progress().isDone;
            return isDone && published > 0 ? experiment->timeline() : nullptr;
        };
        const auto whole = indexed(-1), limited = indexed(left);
        QVERIFY(whole && limited);
        QVERIFY(statesOf(*whole).size() > 1000);
        QVERIFY(statesOf(*limited) == statesOf(*whole));
    }

    void aFolderThatCannotBeWrittenKeepsTheIndexInMemory()
    {
        QTemporaryDir cache;
        write(cache.filePath("file"), 1); // A file in place of a folder: the store folder below it cannot be created.
        const auto experiment = opened(cache.filePath("file") + "/stores");
        experiment->start();
        QVERIFY(experiment->wait());
        QVERIFY(experiment->timeline()->isComplete);
        QVERIFY(hasNote(*experiment->timeline(), "store-in-memory"));
    }

    void aFullDiskKeepsTheIndexInMemory()
    {
        // Ignores the signal, like main(): otherwise SIGXFSZ would end the program when a file exceeds the limit.
        std::signal(SIGXFSZ, SIG_IGN);
        QTemporaryDir cache;
        rlimit before;
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit little{500, before.rlim_max};
        const auto experiment = opened(cache.path());
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &little), 0);
        experiment->start();
        const auto done = experiment->wait();
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
        QVERIFY(done);
        QVERIFY(experiment->timeline()->isComplete);
        QVERIFY(hasNote(*experiment->timeline(), "store-in-memory"));
        QVERIFY(singleStore(*experiment->timeline()).tracks().size() > 10);
        QVERIFY(filesIn(cache.path()).isEmpty());
    }

    void onlyStoresAreTrimmedTheLeastRecentlyUsedFirst()
    {
        QTemporaryDir cache;
        const QString old = QString(32, 'a') + ".store";
        const QString recent = QString(32, 'b') + ".store";
        const QString used = QString(32, 'c') + ".store";
        for (const QString& name : {QString("photos.store"), old, recent, used})
            write(cache.filePath(name), 1000);
        const auto now = std::filesystem::file_time_type::clock::now();
        std::filesystem::last_write_time(cache.filePath(recent).toStdString(), now - std::chrono::hours(1));
        for (const QString& name : {QString("photos.store"), old, used})
            std::filesystem::last_write_time(cache.filePath(name).toStdString(), now - std::chrono::hours(2));
        trimStores(cache.path().toStdString(), 2000, {cache.filePath(used).toStdString()});
        QCOMPARE(filesIn(cache.path()), (QStringList{recent, used, "photos.store"}));
    }

    /// Property: trimming, which reads the whole folder, is not due again at once.
    void aFolderIsTrimmedOnceInAWhile()
    {
        const QTemporaryDir cache, other;
        QVERIFY(isTrimDue(cache.path().toStdString()));
        QVERIFY(!isTrimDue(cache.path().toStdString()));
        QVERIFY(isTrimDue(other.path().toStdString()));
        QVERIFY(!isTrimDue(cache.path().toStdString()));
    }

    void unpackedArchivesThatAreNotOpenAreTrimmedLikeStores()
    {
        QTemporaryDir cache;
        const auto now = std::filesystem::file_time_type::clock::now();
        const TemporaryFolder inUse(cache.path().toStdString(), UnpackingPrefix);
        const QStringList names{QString(32, 'a'), QString(32, 'b'), QString(32, 'c'), "holiday", ".unpacking-123456", ".unpacking-654321"};
        for (const QString& name : names) {
            QVERIFY(QDir(cache.path()).mkpath(name + "/kernel"));
            write(cache.filePath(name + "/kernel/channel"), 1000);
            const bool isRecent = name.startsWith('b') || name.endsWith('1');
            std::filesystem::last_write_time(cache.filePath(name).toStdString(), now - std::chrono::hours(isRecent ? 1 : 90));
        }
        trimArchives(cache.path().toStdString(), 2000, {cache.filePath(names[2] + "/kernel").toStdString()});
        QCOMPARE(QDir(cache.path()).entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name),
                 (QStringList{QString::fromStdString(inUse.path().filename().string()), names[1], names[2], "holiday"}));
    }

    /// Property: copies of remote indexes are trimmed by what they take on the disk, and not while any process uses them.
    void copiesOfRemoteIndexesThatAreNotOpenAreTrimmed()
    {
        QTemporaryDir cache;
        for (const char* name : {"remote-1", "remote-2", "remote-3"}) {
            QVERIFY(QDir(cache.path()).mkpath(name));
            write(cache.filePath(name + QStringLiteral("/.lock")), 0);
            write(cache.filePath(name + QStringLiteral("/a.store")), 1000);
        }
        QVERIFY(QFile::resize(cache.filePath("remote-3/a.store"), 1'000'000));
        const auto now = std::filesystem::file_time_type::clock::now();
        std::filesystem::last_write_time(cache.filePath("remote-3").toStdString(), now + std::chrono::hours(1));
        const int lock = ::open(cache.filePath("remote-1/.lock").toUtf8().constData(), O_RDONLY | O_CLOEXEC);
        QVERIFY(::flock(lock, LOCK_EX) == 0);
        trimArchives(cache.path().toStdString(), 5'000, {});
        ::close(lock);
        QCOMPARE(QDir(cache.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name), (QStringList{"remote-1", "remote-3"}));
    }

    void openingStopsWhereItIsAskedTo()
    {
        QTemporaryDir cache;
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!Experiment::open({Sample}, options, stop.get_token()));
    }
};

HELIO_TEST(ExperimentTest)
#include "tst_experiment.moc"
