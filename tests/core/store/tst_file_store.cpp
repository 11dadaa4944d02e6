// File store: it must give the same results as the model in memory.

#include "tests/core/store/random_trace.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/model_store.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>

#include <array>
#include <thread>
#include <tuple>

using namespace helio;
using namespace helio::test;

namespace {

bool areEqual(const std::vector<StateTotal>& a, const std::vector<StateTotal>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const StateTotal& x, const StateTotal& y) {
        return x.state == y.state && x.count == y.count && x.total == y.total && x.min == y.min && x.max == y.max;
    });
}

bool areEqual(const Track& a, const Track& b)
{
    return std::tie(a.view, a.kind, a.key, a.label, a.parent, a.states, a.role, a.valueKind, a.band, a.pid, a.tid, a.cpu, a.sortKey,
                    a.intervals, a.isKernelThread)
        == std::tie(b.view, b.kind, b.key, b.label, b.parent, b.states, b.role, b.valueKind, b.band, b.pid, b.tid, b.cpu, b.sortKey,
                    b.intervals, b.isKernelThread)
        && a.life == b.life;
}

std::vector<Link> allParts(const Store& store, HostRange window, std::uint32_t kinds)
{
    std::vector<Link> all;
    std::vector<Link> part;
    for (const auto parts = store.makeLinkReader(window, kinds); parts->next(part);)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Compares the results of every exact query, at random times and over random windows.
void compare(const Store& expected, const Store& actual, RandomTrace& random, std::int64_t end)
{
    QCOMPARE(actual.tracks().size(), expected.tracks().size());
    const auto moment = [&] {
        return RandomTrace::Begin - 1000
            + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(end - RandomTrace::Begin + 2000)));
    };
    for (std::uint32_t n = 0; n < expected.tracks().size(); ++n) {
        const TrackId track{n};
        QVERIFY(areEqual(actual.tracks()[n], expected.tracks()[n]));
        const auto all = expected.intervals(track, Always);
        QVERIFY(actual.intervals(track, Always) == all);
        QVERIFY(areEqual(actual.totals(track, Always), expected.totals(track, Always)));
        for (int i = 0; i < 40; ++i) {
            // Choose the exact end of an interval often, because mistakes are likely there.
            const auto pick = [&] {
                return random.below(2) && !all.empty()
                    ? nanoseconds(all[random.below(all.size())].range.begin) + static_cast<std::int64_t>(random.below(3)) - 1
                    : moment();
            };
            const std::int64_t a = pick();
            const std::int64_t b = random.below(4) ? a + static_cast<std::int64_t>(random.below(100'000)) : pick();
            QVERIFY(actual.intervals(track, range(a, b)) == expected.intervals(track, range(a, b)));
            QVERIFY(areEqual(actual.totals(track, range(a, b)), expected.totals(track, range(a, b))));
            QVERIFY(actual.intervalAt(track, at(a)) == expected.intervalAt(track, at(a)));
            QVERIFY(actual.nextInterval(track, at(a)) == expected.nextInterval(track, at(a)));
            QVERIFY(actual.previousInterval(track, at(a)) == expected.previousInterval(track, at(a)));
            QVERIFY(actual.nextLink(track, at(a)) == expected.nextLink(track, at(a)));
            QVERIFY(actual.previousLink(track, at(a)) == expected.previousLink(track, at(a)));
        }
    }
    QVERIFY(actual.links(Always) == expected.links(Always));
    for (int i = 0; i < 100; ++i) {
        const std::int64_t a = moment();
        const HostRange window = range(a, a + static_cast<std::int64_t>(random.below(i % 2 ? 10'000'000 : 10'000)));
        const std::size_t limit = random.below(3) ? random.below(2000) : 0;
        std::uint64_t expectedTotal = 0;
        std::uint64_t actualTotal = 0;
        QVERIFY(actual.links(window, limit, &actualTotal) == expected.links(window, limit, &expectedTotal));
        QCOMPARE(actualTotal, expectedTotal);
        QVERIFY(actual.links(window, limit) == expected.links(window, limit));
        const auto kinds = static_cast<std::uint32_t>(random.below(16));
        QVERIFY(actual.links(window, limit, &actualTotal, {}, kinds) == expected.links(window, limit, &expectedTotal, {}, kinds));
        QCOMPARE(actualTotal, expectedTotal);
        QVERIFY(allParts(actual, window, ~0u) == expected.links(window));
        QVERIFY(allParts(actual, window, 2) == allParts(expected, window, 2));
    }
    QVERIFY(!actual.isDamaged());
}

void compareFacts(const Store& expected, const Store& actual)
{
    QCOMPARE(actual.isComplete(), expected.isComplete());
    QVERIFY(actual.knownUntil() == expected.knownUntil());
    QVERIFY(actual.summary().range == expected.summary().range);
    QCOMPARE(actual.summary().events, expected.summary().events);
    QCOMPARE(actual.summary().eventsByType, expected.summary().eventsByType);
    QCOMPARE(actual.stateSets().size(), expected.stateSets().size());
    for (std::size_t i = 0; i < expected.stateSets().size(); ++i)
        QVERIFY(actual.stateSets()[i].id == expected.stateSets()[i].id && actual.stateSets()[i].states == expected.stateSets()[i].states);
    for (std::uint32_t i = 0; i < 100; ++i)
        QVERIFY(actual.text(StringId{i}) == expected.text(StringId{i}));
    QCOMPARE(actual.density().size(), expected.density().size());
    for (std::size_t i = 0; i < expected.density().size(); ++i)
        QVERIFY(actual.density()[i].begin == expected.density()[i].begin && actual.density()[i].events == expected.density()[i].events);
    QCOMPARE(actual.losses().size(), expected.losses().size());
    for (std::size_t i = 0; i < expected.losses().size(); ++i)
        QVERIFY(actual.losses()[i].range == expected.losses()[i].range && actual.losses()[i].events == expected.losses()[i].events);
    QCOMPARE(actual.mergeIndex().size(), expected.mergeIndex().size());
    for (std::size_t i = 0; i < expected.mergeIndex().size(); ++i) {
        const MergeCheckpoint& a = actual.mergeIndex()[i];
        const MergeCheckpoint& e = expected.mergeIndex()[i];
        QVERIFY(a.event == e.event && a.time == e.time && a.streams.size() == e.streams.size());
        for (std::size_t s = 0; s < e.streams.size(); ++s)
            QVERIFY(a.streams[s].packet == e.streams[s].packet && a.streams[s].bit == e.streams[s].bit
                    && a.streams[s].clock == e.streams[s].clock && a.streams[s].event == e.streams[s].event
                    && a.streams[s].skip == e.streams[s].skip);
    }
}

StoreSummary fullSummary(std::int64_t end)
{
    StoreSummary summary = summaryOf(RandomTrace::Begin, end);
    summary.events = 1234;
    summary.eventsByType = {1, 0, 300, 7};
    summary.anomalies.push_back({Diagnostic::Severity::Info, "odd", "channel0_0", 77, 3, "Something was odd."});
    return summary;
}

} // namespace

class TestFileStore : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(name); }

private slots:
    void itAnswersAsTheModelDoes_data();
    void itAnswersAsTheModelDoes();
    void aSnapshotAnswersAsTheModelsDoes();
    void reopenedItIsTheSame();
    void theSameInputGivesTheSameBytes_data();
    void theSameInputGivesTheSameBytes();
    void withLittleMemoryBlocksAreShorterAndSayTheSame();
    void buildersThatRunAtOnceShareTheMemoryAndDoNotChangeEachOther();
    void aStoppedBuilderIsCancelledAndLeavesNothing_data();
    void aStoppedBuilderIsCancelledAndLeavesNothing();
    void manyThreadsMayAskAtOnce();
    void anotherIdentityIsNotFound();
    void aTraceWithoutAnythingIsAStore();
};

void TestFileStore::itAnswersAsTheModelDoes_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 4; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestFileStore::itAnswersAsTheModelDoes()
{
    QFETCH(unsigned, seed);
    RandomTrace trace(seed);
    const auto model = makeModelStoreBuilder(at(RandomTrace::Begin));
    const auto file = fileBuilder(path("random"), at(RandomTrace::Begin));

    const std::int64_t end = trace.storeIn(*model);
    QCOMPARE(trace.storeIn(*file), end);
    const auto expected = *model->finish(fullSummary(end));
    const auto actual = *file->finish(fullSummary(end));

    compareFacts(*expected, *actual);
    compare(*expected, *actual, trace, end);
}

void TestFileStore::aSnapshotAnswersAsTheModelsDoes()
{
    RandomTrace trace(7, 14, 12'000);
    RandomTrace twin = trace;
    const auto model = makeModelStoreBuilder(at(RandomTrace::Begin));
    const auto file = fileBuilder(path("snapshot"), at(RandomTrace::Begin));
    std::vector<std::pair<std::shared_ptr<const Store>, std::int64_t>> expected;
    std::vector<std::shared_ptr<const Store>> actual;

    trace.storeIn(*model, [&](std::int64_t now) { expected.emplace_back(model->snapshot(at(now + 1000)), now + 1000); });
    const std::int64_t end = twin.storeIn(*file, [&](std::int64_t now) { actual.push_back(file->snapshot(at(now + 1000))); });
    const auto whole = finished(*file, RandomTrace::Begin, end);

    QCOMPARE(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); i += 3) {
        compareFacts(*expected[i].first, *actual[i]);
        compare(*expected[i].first, *actual[i], trace, expected[i].second);
    }
}

void TestFileStore::reopenedItIsTheSame()
{
    RandomTrace trace(11);
    const auto builder = fileBuilder(path("again"), at(RandomTrace::Begin), "me");
    const std::int64_t end = trace.storeIn(*builder);
    const auto first = *builder->finish(fullSummary(end));

    const auto second = openStore(path("again").toStdString(), "me");

    QVERIFY(bool(second));
    compareFacts(*first, **second);
    compare(*first, **second, trace, end);
    QCOMPARE((*second)->summary().anomalies.size(), std::size_t(1));
    QCOMPARE((*second)->summary().anomalies[0].what, std::string("Something was odd."));
    QCOMPARE((*second)->summary().anomalies[0].offset, 77u);
}

void TestFileStore::theSameInputGivesTheSameBytes_data()
{
    QTest::addColumn<std::size_t>("threads");
    QTest::addColumn<std::size_t>("tracks");
    QTest::addColumn<bool>("hasSnapshots");
    for (const std::size_t threads : {0, 1, 2, 3})
        for (const std::size_t tracks : {12, 3000})
            for (const bool hasSnapshots : {false, true})
                QTest::addRow("%zu threads, %zu tracks%s", threads, tracks, hasSnapshots ? ", while pictures are taken" : "")
                    << threads << tracks << hasSnapshots;
}

void TestFileStore::theSameInputGivesTheSameBytes()
{
    QFETCH(std::size_t, threads);
    QFETCH(std::size_t, tracks);
    QFETCH(bool, hasSnapshots);
    const auto bytesOf = [&](const char* name, bool isPlain) {
        RandomTrace trace(5, tracks, 200'000);
        const auto builder = fileBuilder(path(name), at(RandomTrace::Begin), "id",
                                         // With many tracks, 4 MB of memory do not hold all open blocks, so that blocks are written before
                                         // they are full.
                                         {.threads = isPlain ? 0 : threads, .openBytes = 4'000'000});
        std::vector<std::shared_ptr<const Store>> snapshots;
        const std::int64_t end = trace.storeIn(*builder, [&, calls = 0](std::int64_t now) mutable {
            if (hasSnapshots && !isPlain && ++calls % 8 == 0)
                snapshots.push_back(builder->snapshot(at(now)));
        });
        finished(*builder, RandomTrace::Begin, end);
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };

    const QByteArray plain = bytesOf("one", true);

    QVERIFY(plain.size() > 1'000'000);
    QVERIFY(bytesOf("two", false) == plain);
}

void TestFileStore::withLittleMemoryBlocksAreShorterAndSayTheSame()
{
    RandomTrace trace(6, 40, 60'000);
    const auto model = makeModelStoreBuilder(at(RandomTrace::Begin));
    const auto roomy = fileBuilder(path("roomy"), at(RandomTrace::Begin));
    const auto tight = fileBuilder(path("tight"), at(RandomTrace::Begin), "id", {.openBytes = 40'000});

    const std::int64_t end = trace.storeIn(*model);
    trace.storeIn(*roomy);
    trace.storeIn(*tight);
    const auto expected = *model->finish(fullSummary(end));
    const auto actual = *tight->finish(fullSummary(end));
    finished(*roomy, RandomTrace::Begin, end);

    compare(*expected, *actual, trace, end);
    QVERIFY(QFile(path("tight")).size() > QFile(path("roomy")).size() + 10'000);
}

void TestFileStore::buildersThatRunAtOnceShareTheMemoryAndDoNotChangeEachOther()
{
    const auto bytesOf = [this](const char* name, unsigned seed, FileStoreOptions building) {
        RandomTrace trace(seed, 400, 60'000);
        const auto builder = fileBuilder(path(name), at(RandomTrace::Begin), "id", building);
        const std::int64_t end = trace.storeIn(*builder);
        finished(*builder, RandomTrace::Begin, end);
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const FileStoreOptions third{.openBytes = 300'000, .builders = 3};
    constexpr std::array Names{"first", "second", "third"};
    std::array<QByteArray, 3> alone;
    for (unsigned n = 0; n < 3; ++n)
        alone[n] = bytesOf(Names[n], n, {.openBytes = 100'000});

    std::array<QByteArray, 3> together;
    std::vector<std::jthread> threads;
    for (unsigned n = 0; n < 3; ++n)
        threads.emplace_back([&, n] { together[n] = bytesOf(Names[n], n, third); });
    threads.clear();

    QVERIFY(!alone[0].isEmpty());
    QVERIFY(together == alone);
    // A builder with all of the memory (300,000 bytes) writes a different file than a builder with a third of it. So the test above would
    // fail if the three builders did not share the memory.
    QVERIFY(bytesOf("whole", 0, {.openBytes = 300'000}) != alone[0]);
    QVERIFY(bytesOf("none", 0, {.openBytes = 300'000, .builders = 0}) == bytesOf("whole", 0, {.openBytes = 300'000}));
}

void TestFileStore::aStoppedBuilderIsCancelledAndLeavesNothing_data()
{
    QTest::addColumn<std::size_t>("threads");
    for (const std::size_t threads : {0, 1, 2, 3})
        QTest::addRow("%zu threads", threads) << threads;
}

void TestFileStore::aStoppedBuilderIsCancelledAndLeavesNothing()
{
    QFETCH(std::size_t, threads);
    QTemporaryDir folder;
    std::stop_source stop;
    RandomTrace trace(5, 12, 200'000);
    auto builder = fileBuilder(folder.filePath("store"), at(RandomTrace::Begin), "id", {threads, stop.get_token()});

    const std::int64_t end = trace.storeIn(*builder, [&, n = 0](std::int64_t) mutable {
        if (++n == 100)
            stop.request_stop();
    });
    const auto result = builder->finish(summaryOf(RandomTrace::Begin, end));
    builder.reset();

    QVERIFY(!result);
    QVERIFY(result.error().kind == Error::Kind::Cancelled);
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestFileStore::manyThreadsMayAskAtOnce()
{
    RandomTrace trace(9, 9, 10'000);
    const auto builder = fileBuilder(path("threads"), at(RandomTrace::Begin));
    const std::int64_t end = trace.storeIn(*builder);
    finished(*builder, RandomTrace::Begin, end);
    // The store was just opened, so that none of its blocks is in memory: all threads read the blocks concurrently.
    const auto store = *openStore(path("threads").toStdString(), "id");
    std::array<std::size_t, 4> found{};

    std::vector<std::jthread> threads;
    for (std::size_t& own : found) {
        threads.emplace_back([&own, &store, end] {
            HostSpans out;
            for (std::uint32_t track = 0; track < store->tracks().size(); ++track) {
                own += store->intervals(TrackId{track}, Always).size();
                store->spans(TrackId{track}, range(RandomTrace::Begin, end), Duration(1000), out);
                own += store->totals(TrackId{track}, range(RandomTrace::Begin + 500, end - 500)).size();
                own += store->nextLink(TrackId{track}, at(RandomTrace::Begin)).size();
            }
            own += out.spans.size();
        });
    }
    threads.clear();

    QVERIFY(found[0] > 10'000);
    for (const std::size_t own : found)
        QCOMPARE(own, found[0]);
    QVERIFY(!store->isDamaged());
}

void TestFileStore::anotherIdentityIsNotFound()
{
    finished(*fileBuilder(path("mine"), at(0), "mine"), 0, 10);

    QVERIFY(bool(openStore(path("mine").toStdString(), "mine")));
    const auto other = openStore(path("mine").toStdString(), "yours");
    QVERIFY(!other);
    QVERIFY(other.error().kind == Error::Kind::NotFound);
    QVERIFY(openStore(path("nowhere").toStdString(), "mine").error().kind == Error::Kind::NotFound);
}

void TestFileStore::aTraceWithoutAnythingIsAStore()
{
    const auto store = finished(*fileBuilder(path("empty"), at(0)), 5, 5);

    QVERIFY(store->tracks().empty());
    QVERIFY(store->links(Always).empty());
    QVERIFY(store->density().empty());
    QVERIFY(store->intervals(TrackId{3}, Always).empty());
    QVERIFY(store->intervals(NoTrack, Always).empty());
}

HELIO_TEST(TestFileStore)
#include "tst_file_store.moc"
