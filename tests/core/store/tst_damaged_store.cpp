// Store files as untrusted input: damaged, hostile, incomplete, or with a name that is already in use.

#include "core/store/assembly/file_store.h"
#include "tests/core/store/random_trace.h"
#include "tests/core/store/store_bytes.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/model_store.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace helio;
using namespace helio::test;

namespace {

/// Runs every query; the results do not matter, but no query may crash.
void askAll(const Store& store)
{
    HostSpans out;
    const HostTimestamp middle = at(RandomTrace::Begin + 100'000);
    for (std::uint32_t n = 0; n < store.tracks().size(); ++n) {
        const TrackId track{n};
        (void)store.intervals(track, Always);
        (void)store.totals(track, range(nanoseconds(middle), nanoseconds(middle) + 50'000));
        (void)store.intervalAt(track, middle);
        (void)store.previousInterval(track, middle);
        (void)store.nextLink(track, middle);
        (void)store.previousLink(track, middle);
        for (const std::int64_t resolution : {INT64_C(10), INT64_C(2000), INT64_C(1) << 35}) {
            out.clear();
            store.spans(track, range(RandomTrace::Begin, RandomTrace::Begin + 1'000'000), Duration(resolution), out);
        }
    }
    (void)store.links(Always, 10);
    (void)store.links(Always);
    (void)store.text(StringId{12});
}

void compareContents(const Store& expected, const Store& actual)
{
    for (std::uint32_t n = 0; n < expected.tracks().size(); ++n)
        QVERIFY(actual.intervals(TrackId{n}, Always) == expected.intervals(TrackId{n}, Always));
    QVERIFY(actual.links(Always) == expected.links(Always));
    QVERIFY(actual.isComplete() && !actual.isDamaged());
}

} // namespace

class TestDamagedStore : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QByteArray m_good;

    QString path(const char* name) const { return m_folder.filePath(name); }
    Result<std::shared_ptr<const Store>> openBytes(const QByteArray& bytes) const
    {
        QFile::remove(path("bytes")); // Removing the file is faster than truncating it.
        QFile file(path("bytes"));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        file.close();
        return openStore(path("bytes").toStdString(), "id");
    }
    QStringList leftovers(const QString& folder) const { return QDir(folder).entryList({"*-tmp-*"}); }

private slots:
    void initTestCase();
    void aFileCutAnywhereDoesNotOpen();
    void aFlippedByteIsRefusedOrReported();
    void hostileSectionsAreRefusedOrRead();
    void aFileCutWhileItIsOpenIsReported();
    void aDamagedFileIsRemovedUnlessItWasBuiltAgain();
    void aFullDiskIsReportedAtOnceAndTheRestIsKeptInMemory_data();
    void aFullDiskIsReportedAtOnceAndTheRestIsKeptInMemory();
    void aFolderThatCannotBeWrittenIsReportedAndTheStoreIsKeptInMemory();
    void aKilledWriterLeavesTheNextOneWorking();
    void twoWritersOfOneStoreDoNotDisturbEachOther();
    void aDroppedBuilderLeavesNothing();
};

void TestDamagedStore::initTestCase()
{
    std::signal(SIGXFSZ, SIG_IGN);
    RandomTrace trace(21, 10, 4'000);
    const auto builder = fileBuilder(path("good"), at(RandomTrace::Begin));
    const std::int64_t end = trace.storeIn(*builder);
    finished(*builder, RandomTrace::Begin, end);
    QFile file(path("good"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_good = file.readAll();
    QVERIFY(bool(openBytes(m_good)));
}

void TestDamagedStore::aFileCutAnywhereDoesNotOpen()
{
    format::Header header;
    std::memcpy(&header, m_good.constData(), sizeof header);
    std::vector<std::uint64_t> cuts{
        0, 1, 8, sizeof header - 1, sizeof header, std::uint64_t(m_good.size()) - 1, std::uint64_t(m_good.size()) - 16};
    for (std::uint32_t i = 0; i < header.sectionCount; ++i)
        for (const int more : {-1, 0, 1})
            cuts.push_back(header.sections[i].offset + header.sections[i].length + std::uint64_t(more));

    for (const std::uint64_t cut : cuts) {
        const auto opened = openBytes(m_good.left(qsizetype(cut)));
        QVERIFY(!opened);
        QVERIFY(opened.error().kind == Error::Kind::Corrupt);
    }
}

void TestDamagedStore::aFlippedByteIsRefusedOrReported()
{
    std::mt19937_64 random(4);
    int reported = 0;
    for (int i = 0; i < 400; ++i) {
        QByteArray bytes = m_good;
        const auto place = qsizetype(random() % std::uint64_t(bytes.size()));
        bytes[place] = char(bytes[place] ^ char(1u << random() % 8));
        const auto opened = openBytes(bytes);
        if (!opened)
            continue;
        askAll(**opened);
        format::Header header;
        std::memcpy(&header, m_good.constData(), sizeof header);
        // Bytes that are never read: those after the blocks, and those between two sections.
        const auto at = std::uint64_t(place);
        const format::Section& data = header.sections[0];
        const bool isRead = std::any_of(header.sections.begin(), header.sections.begin() + header.sectionCount,
                                        [at](const format::Section& s) { return at >= s.offset && at < s.offset + s.length; });
        const bool isSlack = !isRead || (at < data.offset + data.length && at >= data.offset + data.length - format::BlockSlack);
        QVERIFY((*opened)->isDamaged() || isSlack);
        ++reported;
    }
    QVERIFY(reported > 10);
}

void TestDamagedStore::hostileSectionsAreRefusedOrRead()
{
    format::Header header;
    std::memcpy(&header, m_good.constData(), sizeof header);
    std::mt19937_64 random(5);
    for (int i = 0; i < 3000; ++i) {
        QByteArray bytes = m_good;
        const auto& section = header.sections[1 + random() % (header.sectionCount - 1)];
        for (std::uint64_t change = 0; change <= random() % 3 && section.length > 0; ++change) {
            // Change bytes near the beginning of the section most often, because counts are stored there.
            const auto place = section.offset + random() % (random() % 2 ? section.length : std::min<std::uint64_t>(section.length, 20));
            bytes[qsizetype(place)] = char(random() % 3 ? random() : 0xff);
        }
        if (i % 10 == 0) { // Change the section table itself.
            const auto place = offsetof(format::Header, sections) + random() % (sizeof(format::Section) * header.sectionCount);
            bytes[qsizetype(place)] = char(random());
        }
        format::Header changed;
        std::memcpy(&changed, bytes.constData(), sizeof changed);
        bool isInside = true;
        for (std::uint32_t s = 0; s < changed.sectionCount; ++s)
            isInside = isInside && changed.sections[s].offset <= std::uint64_t(bytes.size())
                && changed.sections[s].length <= std::uint64_t(bytes.size()) - changed.sections[s].offset;
        if (isInside)
            rehash(bytes);
        const auto opened = openBytes(bytes);
        if (opened)
            askAll(**opened);
    }
}

void TestDamagedStore::aFileCutWhileItIsOpenIsReported()
{
    const auto opened = openBytes(m_good);
    QVERIFY(bool(opened));
    QVERIFY(!(*opened)->isDamaged());

    QVERIFY(QFile::resize(path("bytes"), 100));
    askAll(**opened);

    QVERIFY((*opened)->isDamaged());
}

void TestDamagedStore::aDamagedFileIsRemovedUnlessItWasBuiltAgain()
{
    QByteArray bytes = m_good;
    bytes.replace(qsizetype(sectionOf(m_good, format::SectionId::Data).offset), 4096, QByteArray(4096, '\0'));
    for (const bool isBuiltAgain : {false, true}) {
        auto opened = openBytes(bytes);
        QVERIFY(bool(opened));
        askAll(**opened);
        QVERIFY((*opened)->isDamaged());
        if (isBuiltAgain)
            QVERIFY(bool(openBytes(m_good)));
        const std::uint64_t before = damagedStoreCount();
        opened = Error{};
        QCOMPARE(damagedStoreCount(), before + 1);
        QCOMPARE(QFile::exists(path("bytes")), isBuiltAgain);
    }
    const std::uint64_t before = damagedStoreCount();
    askAll(**openBytes(m_good));
    QCOMPARE(damagedStoreCount(), before);
    QVERIFY(QFile::exists(path("bytes")));
}

void TestDamagedStore::aFullDiskIsReportedAtOnceAndTheRestIsKeptInMemory_data()
{
    QTest::addColumn<std::size_t>("threads");
    QTest::addColumn<int>("room");
    for (const std::size_t threads : {0, 1, 2, 3})
        for (const int room : {0, 600'000})
            QTest::addRow("%zu threads, after %d bytes", threads, room) << threads << room;
}

void TestDamagedStore::aFullDiskIsReportedAtOnceAndTheRestIsKeptInMemory()
{
    QFETCH(std::size_t, threads);
    QFETCH(int, room);
    QTemporaryDir folder;
    RandomTrace trace(3, 10, 400'000);
    RandomTrace twin = trace;
    const auto model = makeModelStoreBuilder(at(RandomTrace::Begin));
    trace.storeIn(*model);
    rlimit before;
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit little = before;
    little.rlim_cur = static_cast<rlim_t>(room);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &little), 0);

    std::vector<Error> reported;
    std::mutex mutex;
    const auto report = [&](const Error& error) {
        std::lock_guard lock(mutex);
        reported.push_back(error);
    };
    auto builder = fileBuilder(folder.filePath("store"), at(RandomTrace::Begin), "id", {threads, {}, report});
    std::shared_ptr<const Store> snapshot;
    const std::int64_t end = twin.storeIn(*builder, [&, n = 0](std::int64_t now) mutable {
        if (++n % 100 == 0)
            snapshot = builder->snapshot(at(now));
    });
    const std::size_t reportedBefore = reported.size();
    const auto result = builder->finish(summaryOf(RandomTrace::Begin, end));
    builder.reset();
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);

    QCOMPARE(reportedBefore, std::size_t(1));
    QCOMPARE(reported.size(), std::size_t(1));
    QVERIFY(reported[0].kind == Error::Kind::Full);
    QVERIFY(bool(result));
    compareContents(*finished(*model, RandomTrace::Begin, end), **result);
    askAll(*snapshot);
    QVERIFY(!snapshot->isDamaged());
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestDamagedStore::aFolderThatCannotBeWrittenIsReportedAndTheStoreIsKeptInMemory()
{
    QFile file(path("a-file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    RandomTrace trace(3, 10, 400'000);
    RandomTrace twin = trace;
    const auto model = makeModelStoreBuilder(at(RandomTrace::Begin));
    trace.storeIn(*model);
    std::vector<Error> reported;

    const auto builder = fileBuilder(path("a-file") + "/store", at(RandomTrace::Begin), "id",
                                     {1, {}, [&](const Error& error) { reported.push_back(error); }});
    const std::int64_t end = twin.storeIn(*builder);
    const auto store = finished(*builder, RandomTrace::Begin, end);

    QCOMPARE(reported.size(), std::size_t(1));
    QVERIFY(reported[0].kind == Error::Kind::Unreadable);
    compareContents(*finished(*model, RandomTrace::Begin, end), *store);
}

void TestDamagedStore::aKilledWriterLeavesTheNextOneWorking()
{
    const QString folder = path("killed");
    const pid_t child = ::fork();
    if (child == 0) {
        RandomTrace trace(2, 10, 20'000);
        const auto builder = fileBuilder(folder + "/store", at(RandomTrace::Begin));
        trace.storeIn(*builder);
        ::raise(SIGKILL);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(leftovers(folder).size(), 3); // Temporary files of the store and of its directories.
    QVERIFY(!openStore((folder + "/store").toStdString(), "id"));

    auto live = fileBuilder(folder + "/other", at(0));
    QCOMPARE(leftovers(folder).size(), 3); // Only the temporary files of the live builder are left.
    auto builder = fileBuilder(folder + "/store", at(0));
    QCOMPARE(leftovers(folder).size(), 6);
    finished(*std::exchange(builder, nullptr), 0, 1);
    finished(*std::exchange(live, nullptr), 0, 1);

    QVERIFY(bool(openStore((folder + "/store").toStdString(), "id")));
    QVERIFY(bool(openStore((folder + "/other").toStdString(), "id")));
    QVERIFY(leftovers(folder).isEmpty());
}

void TestDamagedStore::twoWritersOfOneStoreDoNotDisturbEachOther()
{
    RandomTrace trace(2, 10, 5'000);
    RandomTrace other(3, 10, 5'000);
    const auto one = fileBuilder(path("both"), at(RandomTrace::Begin));
    const auto two = fileBuilder(path("both"), at(RandomTrace::Begin));
    const std::int64_t endOne = trace.storeIn(*one);
    const std::int64_t endTwo = other.storeIn(*two);
    const auto storeOne = finished(*one, RandomTrace::Begin, endOne);
    const auto intervals = storeOne->intervals(TrackId{0}, Always).size();

    const auto storeTwo = finished(*two, RandomTrace::Begin, endTwo);

    QCOMPARE(storeOne->intervals(TrackId{0}, Always).size(), intervals);
    QVERIFY(!storeOne->isDamaged());
    const auto opened = openStore(path("both").toStdString(), "id");
    QVERIFY(bool(opened));
    QVERIFY((*opened)->intervals(TrackId{0}, Always) == storeTwo->intervals(TrackId{0}, Always));
}

void TestDamagedStore::aDroppedBuilderLeavesNothing()
{
    const QString folder = path("dropped");
    {
        RandomTrace trace(2, 10, 5'000);
        const auto builder = fileBuilder(folder + "/store", at(RandomTrace::Begin));
        trace.storeIn(*builder);
        QCOMPARE(leftovers(folder).size(), 3);
    }

    QVERIFY(QDir(folder).isEmpty());
}

HELIO_TEST(TestDamagedStore)
#include "tst_damaged_store.moc"
