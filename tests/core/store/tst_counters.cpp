// Counters: the file store must give the same results as the model in memory at any zoom, and damage must be detected.

#include "core/store/counters/counter_blocks.h"
#include "core/store/counters/counter_numbers.h"
#include "tests/core/store/random_points.h"
#include "tests/core/store/random_windows.h"
#include "tests/core/store/store_bytes.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/model_store.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace helio;
using namespace helio::test;

namespace {

using Points = std::vector<CounterPoint>;

Points visited(const CounterSet& set, CounterSeriesId series, HostRange range = Always)
{
    Points all;
    set.visit(series, range, [&](std::span<const CounterPoint> part) {
        QVERIFY(!part.empty());
        all.insert(all.end(), part.begin(), part.end());
    });
    return all;
}

CounterPoint point(std::int64_t time, std::int64_t value) { return {at(time), CounterValue::fromInteger(value)}; }
CounterPoint realPoint(std::int64_t time, double value) { return {at(time), CounterValue::fromReal(value)}; }

/// Compares two results except for the means, which are rounded.
bool areEqual(const CounterColumns& a, const CounterColumns& b)
{
    const auto facts = [](const CounterColumn& c) {
        return std::tuple(c.begin, c.count, c.first.time, c.first.value.bits(), c.last.time, c.last.value.bits(), c.least.bits(),
                          c.most.bits());
    };
    return a.before == b.before && std::ranges::equal(a.columns, b.columns, {}, facts, facts);
}

/// Compares means with a tolerance that depends on `largest`, the largest value of the series: a column may begin with a value that is
/// larger than all its points.
bool areMeansEqual(const CounterColumns& a, const CounterColumns& b, double largest)
{
    return std::ranges::equal(a.columns, b.columns, [largest](const CounterColumn& x, const CounterColumn& y) {
        return std::abs(x.mean - y.mean) <= largest * 1e-9;
    });
}

void compareWindow(const CounterSet& expected, const CounterSet& actual, CounterSeriesId series, HostRange window, RandomWindows& windows,
                   double largest)
{
    QVERIFY(visited(actual, series, window) == visited(expected, series, window));
    const Duration resolution = windows.resolution(window);
    const CounterColumns right = expected.spans(series, window, resolution);
    const CounterColumns columns = actual.spans(series, window, resolution);
    QVERIFY(areEqual(columns, right));
    QVERIFY(areMeansEqual(columns, right, largest));
    QVERIFY(actual.valueAt(series, window.begin) == expected.valueAt(series, window.begin));
    QVERIFY(actual.next(series, window.begin) == expected.next(series, window.begin));
    QVERIFY(actual.previous(series, window.begin) == expected.previous(series, window.begin));
}

void compareSeries(const CounterSet& expected, const CounterSet& actual, CounterSeriesId series, int count)
{
    const Points all = visited(expected, series);
    QCOMPARE(all.size(), std::size_t(expected.count(series)));
    QCOMPARE(actual.count(series), expected.count(series));
    double largest = 0;
    std::vector<std::int64_t> times;
    for (const CounterPoint& one : all) {
        times.push_back(nanoseconds(one.time));
        largest = std::max(largest, std::abs(one.value.number(expected.series()[static_cast<std::size_t>(series)].number)));
    }
    RandomWindows windows(std::move(times), 3 + static_cast<std::uint64_t>(series));
    for (int i = 0; i < count && !QTest::currentTestFailed(); ++i)
        compareWindow(expected, actual, series, i == 0 ? Always : windows.window(), windows, largest);
}

void compareAll(const Store& expected, const Store& actual, const RandomPoints& points, int windows)
{
    QVERIFY(std::ranges::equal(actual.counters().series(), expected.counters().series()));
    for (std::size_t shape = 0; shape < RandomPoints::Shapes.size(); ++shape) {
        compareSeries(expected.counters(), actual.counters(), points.series(shape), windows);
        QVERIFY2(!QTest::currentTestFailed(), RandomPoints::Shapes[shape]);
    }
    QVERIFY(!actual.isDamaged());
}

constexpr std::array Directories{format::SectionId::CounterSeries, format::SectionId::CounterBlocks, format::SectionId::CounterLevels};

} // namespace

class CountersTest : public QObject {
    Q_OBJECT

private:
    StoreFiles m_files;
    QByteArray m_good; ///< Content of a store file with 3000 points in each series of RandomPoints.

    QString path(const char* name) const { return m_files.path(name); }
    QByteArray made(const char* name) const
    {
        RandomPoints points(5, 3000);
        const auto builder = fileBuilder(path(name), at(0));
        points.begin(*builder);
        points.add(*builder, 100);
        finished(*builder, 0, points.end());
        return m_files.bytesOf(name);
    }
    Result<std::shared_ptr<const Store>> opened(const QByteArray& bytes) const { return m_files.opened(bytes); }
    static std::vector<CounterEntry> blocksIn(const QByteArray& bytes)
    {
        return entriesIn<CounterEntry>(bytes, format::SectionId::CounterBlocks);
    }
    static void askAll(const Store& store)
    {
        const CounterSet& set = store.counters();
        for (std::uint32_t n = 0; n <= set.series().size(); ++n) {
            const CounterSeriesId series{n};
            if (n < set.series().size())
                QVERIFY(set.series()[n].track == NoTrack || std::size_t(set.series()[n].track) < store.tracks().size());
            for (const HostRange range : {Always, test::range(RandomPoints::Begin, RandomPoints::Begin + 200'000)}) {
                const Points all = visited(set, series, range);
                QVERIFY(std::ranges::is_sorted(all, {}, &CounterPoint::time));
                (void)set.spans(series, range, Duration(INT64_C(1) << 50));
                (void)set.next(series, range.begin);
                (void)set.previous(series, range.end);
                (void)set.valueAt(series, range.begin);
            }
            (void)set.spans(series, range(RandomPoints::Begin, RandomPoints::Begin + 200'000), Duration(100));
        }
    }

private slots:
    void initTestCase()
    {
        m_good = made("good");
        QVERIFY(bool(opened(m_good)));
    }

    void theFileStoreAnswersAsTheModel()
    {
        RandomPoints one(1), other(1);
        const auto model = makeModelStoreBuilder(at(0));
        const auto file = fileBuilder(path("contract"), at(0));
        one.begin(*model);
        other.begin(*file);
        for (const int percent : {1, 60}) {
            one.add(*model, percent);
            other.add(*file, percent);
            compareAll(*model->snapshot(at(one.end())), *file->snapshot(at(one.end())), one, 20);
        }
        one.add(*model, 100);
        other.add(*file, 100);

        // Compare the model with the store that was read from the file.
        compareAll(*finished(*model, 0, one.end()), *finished(*file, 0, one.end()), one, 50);
    }

    void whatWasAddedComesBack_data()
    {
        QTest::addColumn<bool>("isFile");
        QTest::newRow("memory") << false;
        QTest::newRow("file") << true;
    }
    void whatWasAddedComesBack()
    {
        QFETCH(bool, isFile);
        const auto builder = isFile ? fileBuilder(path("few"), at(0)) : makeMemoryStoreBuilder(at(0));
        const TrackId track = builder->addTrack({});
        CounterSink& sink = builder->counters();
        const CounterSeriesId level =
            *sink.addSeries({"memory", "level", "Level", "B", CounterSeries::Kind::Gauge, CounterNumber::Integer, track});
        const CounterSeriesId load = *sink.addSeries({"", "load", "Load", "", CounterSeries::Kind::Gauge, CounterNumber::Real});
        QCOMPARE(*sink.addSeries({"memory", "level", "Another"}), level);
        sink.addInteger(level, at(10), 4);
        sink.addReal(level, at(20), 7.6);
        sink.addInteger(level, at(15), 1); // Adds a point whose time is before that of the previous point.
        sink.addReal(level, at(30), 1e300);
        sink.addReal(load, at(5), 0.5);
        sink.addReal(load, at(6), std::nan(""));
        sink.addReal(load, at(7), -INFINITY);
        sink.addInteger(load, at(8), -2);

        const auto store = finished(*builder, 0, 100);

        const CounterSet& set = store->counters();
        QCOMPARE(set.series().size(), std::size_t(2));
        QCOMPARE(set.series()[0].title, std::string("Level"));
        QCOMPARE(set.series()[0].view, std::string("memory"));
        QCOMPARE(set.series()[1].view, std::string());
        QCOMPARE(set.series()[0].track, track);
        QVERIFY(visited(set, level) == (Points{point(10, 4), point(20, 8), point(20, 1), point(30, INT64_MAX)}));
        QVERIFY(visited(set, load) == (Points{realPoint(5, 0.5), realPoint(8, -2)}));
        QVERIFY(set.valueAt(level, at(9)) == std::nullopt);
        QVERIFY(set.valueAt(level, at(20)) == point(20, 1));
        QVERIFY(set.valueAt(level, at(25)) == point(20, 1));
        QVERIFY(set.previous(level, at(20)) == point(10, 4));
        QVERIFY(set.next(level, at(10)) == point(20, 8));
        QVERIFY(set.next(level, at(30)) == std::nullopt);
        QVERIFY(visited(set, CounterSeriesId{2}).empty());

        const CounterColumns columns = set.spans(level, range(12, 28), Duration(10));
        QVERIFY(columns.before == point(10, 4));
        QCOMPARE(columns.columns.size(), std::size_t(1));
        QVERIFY(columns.columns[0].first == point(20, 8) && columns.columns[0].last == point(20, 1));
        QVERIFY(columns.columns[0].least == CounterValue::fromInteger(1) && columns.columns[0].most == CounterValue::fromInteger(8));
        QCOMPARE(columns.columns[0].mean, 1.0); // Mean over the time from 20 to 28, in which the value is 1.
        // Mean of the value 4 (from 12 to 20) and the value 1 (from 20 to 28).
        QCOMPARE(set.spans(level, range(12, 28), Duration(100)).columns[0].mean, 2.5);
    }

    void aSpikeIsInEveryPictureOfItsTime()
    {
        const auto builder = fileBuilder(path("spike"), at(0));
        const CounterSeriesId series = *builder->counters().addSeries({"", "level", "Level"});
        constexpr std::int64_t Spike = 654'321'000;
        for (std::int64_t i = 0; i < 1'000'000; ++i)
            builder->counters().addInteger(series, at(i * 1000), i * 1000 == Spike ? 77 : i % 3);
        const auto store = finished(*builder, 0, 1'000'000'000);

        for (std::int64_t length = 1'000'000'000; length >= 10; length /= 10) {
            const HostRange window = range(Spike - Spike % length, Spike - Spike % length + length);
            const CounterColumns columns = store->counters().spans(series, window, Duration(length / 1920 + 1));
            QVERIFY(columns.columns.size() <= 1922);
            const auto highest = std::ranges::max(columns.columns, {}, [](const CounterColumn& c) { return c.most.integer(); });
            QCOMPARE(highest.most.integer(), std::int64_t(77));
            QVERIFY(highest.begin <= at(Spike) && highest.begin + Duration(length / 1920 + 1) > at(Spike));
        }
    }

    void aStoreWithoutCountersHasNoSectionsOfThem()
    {
        auto builder = fileBuilder(path("none"), at(0));

        const auto store = finished(*builder, 0, 1);

        QVERIFY(store->counters().series().empty());
        QVERIFY(sectionOf(m_files.bytesOf("none"), format::SectionId::CounterSeries).id == format::SectionId::None);
        QVERIFY(sectionOf(m_good, format::SectionId::CounterSeries).id != format::SectionId::None);
    }

    void veryManySeriesHaveShorterBlocksAndNoMoreThanAStoreCanHold()
    {
        const auto builder = fileBuilder(path("many"), at(0));
        CounterSink& sink = builder->counters();
        std::vector<CounterSeriesId> all;
        for (int i = 0; i < 65'536; ++i)
            all.push_back(*sink.addSeries({"", std::to_string(i), ""}));
        const auto more = sink.addSeries({"", "one more", ""});
        QVERIFY(!more);
        QCOMPARE(more.error().kind, Error::Kind::Unsupported);
        for (int time = 0; time < 17; ++time)
            for (const CounterSeriesId series : all)
                sink.addInteger(series, at(time), static_cast<std::int64_t>(series) * time);

        const auto store = finished(*builder, 0, 17);

        for (const std::uint32_t n : {0u, 40'000u, 65'535u}) {
            QCOMPARE(store->counters().count(CounterSeriesId{n}), std::uint64_t(17));
            QVERIFY(store->counters().valueAt(CounterSeriesId{n}, at(16)) == point(16, std::int64_t(n) * 16));
        }
        QVERIFY(blocksIn(m_files.bytesOf("many")).size() > 65'536);
    }

    void theSamePointsGiveTheSameBytes() { QVERIFY(made("twice") == m_good); }

    void aDamagedBlockIsMissingAndItsSumsAreNot()
    {
        const CounterSeriesId series{0};
        const auto good = *opened(m_good);
        QByteArray bytes = m_good;
        const auto block = blocksIn(bytes)[2];
        bytes[qsizetype(sectionOf(bytes, format::SectionId::Counters).offset + block.offset + block.bytes / 2)] ^= 0x10;

        const auto store = *opened(bytes);

        const CounterColumns right = good->counters().spans(series, Always, Duration::max());
        QVERIFY(areEqual(store->counters().spans(series, Always, Duration::max()), right));
        QCOMPARE(right.columns[0].count, std::uint64_t(3000));
        QVERIFY(!store->isDamaged());
        QCOMPARE(visited(store->counters(), series).size(), 3000 - CounterBlockPoints);
        QVERIFY(store->isDamaged());
    }

    void sectionsThatAreWrongAreCorrupt() { QCOMPARE(m_files.countRefused(m_good, Directories), Directories.size()); }

    void hostileSectionsAreRefusedOrRead() { QVERIFY(m_files.askHostile(m_good, Directories, 600, askAll) > 10); }

    void blocksOfAnyBytesAreWhatTheirEntrySaysOrRefused()
    {
        Dice dice(3);
        const format::Section data = sectionOf(m_good, format::SectionId::Counters);
        const auto blocks = blocksIn(m_good);
        Points out;
        int refused = 0;
        for (int round = 0; round < 4000; ++round) {
            CounterEntry block = blocks[dice.below(blocks.size())];
            QByteArray bytes =
                m_good.mid(qsizetype(data.offset + block.offset), qsizetype(dice.below(9) ? block.bytes : dice.below(block.bytes)));
            for (std::uint64_t i = dice.below(4); i > 0 && !bytes.isEmpty(); --i)
                bytes[qsizetype(dice.below(std::uint64_t(bytes.size())))] = char(dice.below(256));
            if (dice.below(4) == 0)
                block.count = dice.below(CounterBlockPoints) + 1;
            CounterSeries series;
            series.kind = dice.below(4) ? CounterSeries::Kind::Gauge : CounterSeries::Kind::Accumulating;
            series.number = dice.below(4) ? CounterNumber::Integer : CounterNumber::Real;
            const std::span<const std::byte> raw(reinterpret_cast<const std::byte*>(bytes.constData()), std::size_t(bytes.size()));
            if (!decodePoints(block, series, raw, out)) {
                ++refused;
                QVERIFY(out.empty());
                continue;
            }
            QCOMPARE(out.size(), std::size_t(block.count));
            QVERIFY(haveSameSums(sumOf(std::span<const CounterPoint>(out), series.number), block));
            QVERIFY(std::ranges::all_of(out, [&](const CounterPoint& p) { return isFinite(p.value, series.number); }));
        }
        QVERIFY(refused > 100 && refused < 3900);
    }
};

HELIO_TEST(CountersTest)
#include "tst_counters.moc"
