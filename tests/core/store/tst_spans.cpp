// Store::spans(): the level-of-detail query is compared with an exact scan of all intervals.

#include "tests/core/store/random_trace.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/test_program.h"

#include <array>
#include <bit>
#include <cmath>
#include <set>

using namespace helio;
using namespace helio::test;

namespace {

using Intervals = std::vector<HostInterval>;

/// A track whose intervals are hard to combine into spans. Two functions give the length and the state of each interval.
struct Pattern {
    const char* name;
    std::int64_t (*length)(std::uint64_t i, std::uint64_t random); ///< Length of interval i in ns; negative for a gap.
    std::uint8_t (*state)(std::uint64_t i, std::uint64_t random);
};

const Pattern Patterns[] = {
    {"alternating nanoseconds", [](std::uint64_t, std::uint64_t) -> std::int64_t { return 1; },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 2); }},
    {"as long as a pixel", [](std::uint64_t, std::uint64_t) -> std::int64_t { return 1000; },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 3); }},
    {"almost a pixel", [](std::uint64_t, std::uint64_t) -> std::int64_t { return 999; },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 3); }},
    {"powers of two", [](std::uint64_t i, std::uint64_t) { return std::int64_t(1) << i % 24; },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 32); }},
    {"all 32 states", [](std::uint64_t, std::uint64_t r) { return std::int64_t(1 + r % 50); },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 32); }},
    {"one in ten thousand", [](std::uint64_t, std::uint64_t) -> std::int64_t { return 7; },
     [](std::uint64_t i, std::uint64_t r) { return std::uint8_t(r % 10'000 == 0 ? 9 : i % 2); }},
    {"a pixel, then sixteen short", [](std::uint64_t i, std::uint64_t) -> std::int64_t { return i % 17 ? 1 : 1000; },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 5); }},
    {"gaps", [](std::uint64_t i, std::uint64_t r) { return i % 2 ? -std::int64_t(1 + r % 900) : std::int64_t(1 + r % 700); },
     [](std::uint64_t, std::uint64_t r) { return std::uint8_t(r % 4); }},
    {"rare bursts",
     [](std::uint64_t i, std::uint64_t r) { return i % 200 == 99 ? -std::int64_t(1 + r % 50'000'000) : std::int64_t(1 + r % 40); },
     [](std::uint64_t, std::uint64_t r) { return std::uint8_t(r % 6); }},
    {"gaps of a pixel", [](std::uint64_t i, std::uint64_t) -> std::int64_t { return i % 9 == 8 ? -1000 : 20; },
     [](std::uint64_t i, std::uint64_t) { return std::uint8_t(i % 4); }},
};

constexpr std::int64_t Start = 1'499'999'999'999'999'123;

std::int64_t storePattern(StoreBuilder& builder, const Pattern& pattern, std::size_t steps)
{
    std::mt19937_64 random(1);
    const TrackId track = builder.addTrack({});
    std::int64_t now = Start;
    for (std::size_t i = 0; i < steps; ++i) {
        const std::int64_t length = pattern.length(i, random());
        if (length < 0)
            builder.end(hostTime(now), track);
        else
            builder.set(hostTime(now), track, State(pattern.state(i, random())), static_cast<std::uint32_t>(i % 50));
        now += std::abs(length);
    }
    return now;
}

/// Expected content of a column, computed from the intervals.
struct Truth {
    std::array<double, 32> times{};
    std::uint32_t mask = 0;
    std::uint32_t count = 0;
    Duration longest{};
    std::set<std::pair<int, std::uint32_t>> longestOnes;

    Truth(const Intervals& all, HostRange range)
    {
        auto it = std::partition_point(all.begin(), all.end(), [&](const HostInterval& i) { return i.range.end <= range.begin; });
        for (; it != all.end() && it->range.begin < range.end; ++it) {
            ++count;
            mask |= 1u << static_cast<unsigned>(it->state);
            times[static_cast<std::size_t>(it->state)] += double(it->range.clippedTo(range).duration().count());
            if (it->range.duration() > longest)
                longestOnes.clear();
            longest = std::max(longest, it->range.duration());
            if (it->range.duration() == longest)
                longestOnes.emplace(int(it->state), it->value);
        }
    }
};

void checkSpan(const HostSpan& span, const HostSpans& out, const Intervals& all, std::int64_t resolution)
{
    const Truth truth(all, span.range);
    QVERIFY(!span.range.isEmpty());
    QCOMPARE(span.mask, truth.mask);
    QCOMPARE(span.count, truth.count);
    QVERIFY(span.longest == truth.longest);
    QVERIFY(truth.longestOnes.contains({int(span.state), span.value}));
    if (span.count == 1)
        return;
    const std::int64_t begin = nanoseconds(span.range.begin);
    const std::int64_t inside = begin + resolution / 4;
    const std::int64_t bucket = inside - ((inside % resolution) + resolution) % resolution;
    const std::int64_t end = nanoseconds(span.range.end);
    const bool fitsThere = end <= bucket + resolution + resolution / 4;
    // True if the span ends at most a quarter of the resolution after the beginning of the bucket.
    const bool fitsBefore = end <= bucket + resolution / 4;
    QVERIFY(fitsThere || fitsBefore);
    QVERIFY(span.longest.count() < resolution);
    const double whole = double(span.range.duration().count());
    std::size_t share = span.firstShare;
    int sum = 0;
    for (std::size_t state = 0; state < 32; ++state) {
        if ((span.mask >> state & 1) == 0)
            continue;
        QVERIFY(share < out.shares.size());
        sum += out.shares[share];
        const double exact = truth.times[state] * 255 / whole;
        QVERIFY2(std::abs(out.shares[share++] - exact) <= 2, qPrintable(QString::number(exact)));
    }
    QVERIFY(sum <= 255);
}

/// Checks all guarantees of Store::spans() for one time range.
void check(const Store& store, TrackId track, const Intervals& all, HostRange window, std::int64_t resolution)
{
    HostSpans out;
    store.spans(track, window, Duration(resolution), out);

    const std::int64_t pixels = (window.duration().count() + resolution - 1) / resolution;
    QVERIFY2(out.spans.size() <= std::size_t(2 * pixels + 1), qPrintable(QString("%1 %2").arg(out.spans.size()).arg(pixels)));
    HostTimestamp last = window.begin;
    for (const HostSpan& span : out.spans) {
        QVERIFY(span.range.begin >= last && span.range.end <= window.end);
        last = span.range.end;
        checkSpan(span, out, all, resolution);
        if (QTest::currentTestFailed())
            return;
    }

    // A gap that is wide enough to be visible is not covered by a span.
    auto above = out.spans.begin();
    for (std::size_t i = 1; i < all.size(); ++i) {
        const HostRange gap = HostRange{all[i - 1].range.end, all[i].range.begin}.clippedTo(window);
        if (gap.isEmpty() || all[i].range.begin - all[i - 1].range.end < Duration(resolution))
            continue;
        while (above != out.spans.end() && above->range.end <= gap.begin)
            ++above;
        QVERIFY(above == out.spans.end() || above->range.begin >= gap.end);
    }

    // No interval is lost: every part of it in the time range is covered by spans, and a long interval has a span of its own.
    auto span = out.spans.begin();
    for (const HostInterval& interval : all) {
        const HostRange part = interval.range.clippedTo(window);
        if (part.isEmpty())
            continue;
        while (span != out.spans.end() && span->range.end <= part.begin)
            ++span;
        auto under = span;
        for (HostTimestamp at = part.begin; at < part.end; at = under++->range.end)
            QVERIFY(under != out.spans.end() && under->range.begin <= at);
        if (interval.range.duration().count() >= resolution)
            QVERIFY(span->count == 1 && span->range == part && span->longest == interval.range.duration());
    }
}

const std::int64_t Resolutions[] = {1, 3, 16, 100, 1000, 1024, 5555, 40'000, 1'000'000, 77'777'777, std::int64_t(1) << 40};

void checkAll(const Store& store, TrackId track, std::uint64_t seed)
{
    const Intervals all = store.intervals(track, Always);
    std::mt19937_64 random(seed);
    const HostRange life = store.tracks()[static_cast<std::size_t>(track)].life;
    const auto length = static_cast<std::uint64_t>(life.duration().count());
    for (const std::int64_t resolution : Resolutions) {
        for (int i = 0; i < 8; ++i) {
            const std::int64_t width =
                std::min<std::int64_t>(resolution, INT64_C(1) << 50) * std::int64_t(1 + random() % 300) + std::int64_t(random() % 5);
            const std::int64_t begin = nanoseconds(life.begin) - 10 + std::int64_t(random() % (length + 20));
            const std::int64_t snapped = random() % 2 ? begin - begin % resolution : begin;
            check(store, track, all, range(snapped, snapped + width), resolution);
            if (QTest::currentTestFailed())
                return;
        }
        if (std::int64_t(length) / resolution < 5000)
            check(store, track, all, range(nanoseconds(life.begin) - 5, nanoseconds(life.end) + 5), resolution);
    }
}

} // namespace

class TestSpans : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::unique_ptr<StoreBuilder> make(const QString& kind)
    {
        return kind == "memory" ? makeMemoryStoreBuilder(at(0)) : fileBuilder(m_folder.filePath("spans"), at(0));
    }
    void kinds()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("memory") << "memory";
        QTest::newRow("file") << "file";
    }

private slots:
    void nothingIsLostOnARandomTrace_data() { kinds(); }
    void nothingIsLostOnARandomTrace();
    void nothingIsLostOnHardPatterns_data() { kinds(); }
    void nothingIsLostOnHardPatterns();
    void panningDoesNotChangeWhatStaysInView();
    void appendingNeedsNoMemoryOnceThereIsRoom();
    void aStoppedQuerySaysNoMore();
    void extremeTimesAndWindowsAreAnswered_data() { kinds(); }
    void extremeTimesAndWindowsAreAnswered();
};

void TestSpans::nothingIsLostOnARandomTrace()
{
    QFETCH(QString, kind);
    RandomTrace trace(3, 9, 20'000);
    const auto builder = make(kind);
    const std::int64_t end = trace.storeIn(*builder);
    const auto store = finished(*builder, RandomTrace::Begin, end);

    for (std::uint32_t track = 0; track < store->tracks().size() && !QTest::currentTestFailed(); ++track)
        checkAll(*store, TrackId{track}, track);
}

void TestSpans::nothingIsLostOnHardPatterns()
{
    QFETCH(QString, kind);
    for (const Pattern& pattern : Patterns) {
        const auto builder = make(kind);
        const std::int64_t end = storePattern(*builder, pattern, 30'000);
        const auto store = finished(*builder, Start, end);

        checkAll(*store, TrackId{0}, 1);
        QVERIFY2(!QTest::currentTestFailed(), pattern.name);
    }
}

void TestSpans::panningDoesNotChangeWhatStaysInView()
{
    for (const Pattern& pattern : Patterns) {
        const auto builder = make("file");
        const std::int64_t end = storePattern(*builder, pattern, 100'000);
        const auto store = finished(*builder, Start, end);
        Duration covered{};
        for (const StateTotal& total : store->totals(TrackId{0}, Always))
            covered += total.total;
        // The beginning of the queried range may cut an interval. If the track has gaps, this may change the spans that begin up to a
        // quarter of a bucket after the first bucket border, so these spans are not compared.
        const bool hasGaps = covered < store->tracks()[0].life.duration();
        for (const std::int64_t resolution : {std::int64_t(50), std::int64_t(700), std::int64_t(3000), (end - Start) / 500}) {
            const std::int64_t width = 200 * resolution;
            HostSpans before;
            for (int step = 0; step < 60; ++step) {
                const std::int64_t begin = Start + step * (resolution / 3 + 1);
                HostSpans now;
                store->spans(TrackId{0}, range(begin, begin + width), Duration(resolution), now);
                // Both results must be equal from the first bucket border inside the current range to the last bucket border inside the
                // preceding range. Spans across these two borders may differ.
                const std::int64_t quarter = resolution / 4;
                const std::int64_t first = ((begin + quarter) / resolution + 1) * resolution;
                const std::int64_t last = (begin - (resolution / 3 + 1) + width - quarter - 1) / resolution * resolution;
                const HostRange kept = range(first + (hasGaps ? quarter : 0), last - quarter);
                const auto inside = [&](const HostSpans& spans) {
                    std::vector<std::pair<HostSpan, std::uint8_t>> result;
                    for (const HostSpan& span : spans.spans)
                        if (span.range.begin >= kept.begin && span.range.end <= kept.end)
                            result.emplace_back(span, span.count > 1 ? spans.shares[span.firstShare] : 0);
                    return result;
                };
                const auto a = inside(before);
                const auto b = inside(now);
                const bool isSame = std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
                    return x.first.range == y.first.range && x.first.mask == y.first.mask && x.first.count == y.first.count
                        && x.second == y.second;
                });
                QVERIFY2(step == 0 || isSame, pattern.name);
                before = std::move(now);
            }
        }
    }
}

void TestSpans::appendingNeedsNoMemoryOnceThereIsRoom()
{
    const auto builder = make("file");
    const std::int64_t end = storePattern(*builder, Patterns[3], 30'000);
    const auto store = finished(*builder, Start, end);
    HostSpans out;
    store->spans(TrackId{0}, range(Start, end), Duration(5000), out);
    const auto* spans = out.spans.data();
    const auto* shares = out.shares.data();

    out.clear();
    store->spans(TrackId{0}, range(Start, end), Duration(5000), out);

    QCOMPARE(out.spans.data(), spans);
    QCOMPARE(out.shares.data(), shares);
}

void TestSpans::aStoppedQuerySaysNoMore()
{
    const auto builder = make("file");
    const std::int64_t end = storePattern(*builder, Patterns[0], 3'000);
    const auto store = finished(*builder, Start, end);
    std::stop_source source;
    source.request_stop();
    HostSpans out;

    store->spans(TrackId{0}, range(Start, end), Duration(1), out, source.get_token());

    QVERIFY(out.spans.empty());
    QVERIFY(store->intervals(TrackId{0}, range(Start, end), source.get_token()).empty());
}

void TestSpans::extremeTimesAndWindowsAreAnswered()
{
    QFETCH(QString, kind);
    const auto builder = make(kind);
    const TrackId track = builder->addTrack({});
    builder->set(hostTime(INT64_MIN), track, State(1));
    builder->set(hostTime(-5), track, State(2));
    builder->set(hostTime(5), track, State(3));
    const auto store = finished(*builder, INT64_MIN, INT64_MAX);

    for (const std::int64_t resolution : {INT64_C(1), INT64_C(1) << 40, INT64_MAX}) {
        HostSpans out;
        store->spans(track, range(-100, 100), Duration(resolution), out);
        // Unless the resolution is 1 ns, the interval from -5 to 5 is shorter than a bucket and is split at the bucket border 0.
        QCOMPARE(out.spans.size(), std::size_t(resolution == 1 ? 3 : 4));
    }
    HostSpans out;
    store->spans(track, Always, Duration(INT64_MAX), out);
    // Two long intervals, and two spans for the short interval, which is split at the bucket border 0.
    QCOMPARE(out.spans.size(), std::size_t(4));
    QCOMPARE(store->intervals(track, Always).size(), std::size_t(3));
    QCOMPARE(store->totals(track, Always).size(), std::size_t(3));
    store->spans(track, range(10, -10), Duration(1), out);
    QCOMPARE(out.spans.size(), std::size_t(4));
}

HELIO_TEST(TestSpans)
#include "tst_spans.moc"
