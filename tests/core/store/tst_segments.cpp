// Segments: the file store must give the same results as the model in memory at any zoom, and damage must be detected.

#include "core/store/segments/segment_blocks.h"
#include "core/store/segments/segment_order.h"
#include "tests/core/store/random_segments.h"
#include "tests/core/store/random_windows.h"
#include "tests/core/store/store_bytes.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/model_store.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <tuple>

using namespace helio;
using namespace helio::test;

namespace {

using Segments = std::vector<HostSegment>;

Segments visited(const SegmentSet& set, SegmentKindId kind, HostRange range = Always)
{
    Segments all;
    set.visit(kind, range, [&](std::span<const HostSegment> part) {
        QVERIFY(!part.empty());
        all.insert(all.end(), part.begin(), part.end());
    });
    return all;
}

HostSegment segment(std::int64_t begin, std::int64_t end, SegmentKindId kind = {}) { return {at(begin), at(end), 0, {}, NoTrack, kind}; }

/// Compares the results of every query for a time range.
void compareWindow(const SegmentSet& expected, const SegmentSet& actual, SegmentKindId kind, HostRange window, RandomWindows& windows)
{
    QVERIFY(visited(actual, kind, window) == visited(expected, kind, window));
    const std::size_t most = windows.count();
    QVERIFY(actual.longest(kind, window, most) == expected.longest(kind, window, most));
    QVERIFY(actual.spread(kind, window) == expected.spread(kind, window));
    const Duration resolution = windows.resolution(window);
    QVERIFY(actual.spans(kind, window, resolution) == expected.spans(kind, window, resolution));
    QVERIFY(actual.next(kind, window.begin) == expected.next(kind, window.begin));
    QVERIFY(actual.previous(kind, window.begin) == expected.previous(kind, window.begin));
}

void compareKind(const SegmentSet& expected, const SegmentSet& actual, SegmentKindId kind, int count)
{
    const Segments all = visited(expected, kind);
    QCOMPARE(all.size(), std::size_t(expected.sum(kind).count));
    QVERIFY(actual.sum(kind) == expected.sum(kind));
    std::vector<std::int64_t> times;
    for (const HostSegment& one : all)
        times.insert(times.end(), {nanoseconds(one.begin), nanoseconds(one.end)});
    RandomWindows windows(std::move(times), 3 + static_cast<std::uint64_t>(kind));
    for (int i = 0; i < count && !QTest::currentTestFailed(); ++i)
        compareWindow(expected, actual, kind, i == 0 ? Always : windows.window(), windows);
    for (std::size_t i = 0; i + 1 < all.size(); i += all.size() / 50 + 1) {
        const auto after = std::upper_bound(all.begin(), all.end(), all[i], segmentComesBefore);
        QVERIFY(actual.next(all[i]) == (after == all.end() ? std::nullopt : std::optional(*after)));
        QVERIFY(actual.previous(all[i]) == expected.previous(all[i]));
    }
}

void compareAll(const Store& expected, const Store& actual, const RandomSegments& segments, int windows)
{
    QVERIFY(std::ranges::equal(actual.segments().kinds(), expected.segments().kinds()));
    for (std::size_t shape = 0; shape < RandomSegments::Shapes.size(); ++shape) {
        compareKind(expected.segments(), actual.segments(), segments.kind(shape), windows);
        QVERIFY2(!QTest::currentTestFailed(), RandomSegments::Shapes[shape]);
    }
    QVERIFY(!actual.isDamaged());
}

constexpr std::array Directories{format::SectionId::SegmentKinds, format::SectionId::SegmentBlocks, format::SectionId::SegmentLevels};

} // namespace

class SegmentsTest : public QObject {
    Q_OBJECT

private:
    StoreFiles m_files;
    QByteArray m_good; ///< Content of a store file with 3000 segments of each kind in RandomSegments.

    QString path(const char* name) const { return m_files.path(name); }
    QByteArray made(const char* name) const
    {
        RandomSegments segments(5, 3000);
        const auto builder = fileBuilder(path(name), at(0));
        segments.begin(*builder);
        segments.add(*builder, 100);
        finished(*builder, 0, segments.end());
        return m_files.bytesOf(name);
    }
    Result<std::shared_ptr<const Store>> opened(const QByteArray& bytes) const { return m_files.opened(bytes); }
    static std::vector<SegmentEntry> blocksIn(const QByteArray& bytes)
    {
        return entriesIn<SegmentEntry>(bytes, format::SectionId::SegmentBlocks);
    }
    static void askAll(const Store& store)
    {
        const SegmentSet& set = store.segments();
        for (std::uint8_t n = 0; n <= set.kinds().size(); ++n) {
            const SegmentKindId kind{n};
            for (const HostRange range : {Always, test::range(RandomSegments::Begin, RandomSegments::Begin + 200'000)}) {
                for (const HostSegment& segment : visited(set, kind, range))
                    QVERIFY(segment.begin <= segment.end
                            && (segment.track == NoTrack || std::size_t(segment.track) < store.tracks().size()));
                (void)set.longest(kind, range, 100);
                (void)set.spread(kind, range);
                (void)set.spans(kind, range, Duration(INT64_C(1) << 50));
                (void)set.next(kind, range.begin);
                (void)set.previous(kind, range.end);
            }
            (void)set.spans(kind, range(RandomSegments::Begin, RandomSegments::Begin + 200'000), Duration(100));
        }
    }

private slots:
    void initTestCase()
    {
        m_good = made("good");
        QVERIFY(bool(opened(m_good)));
    }

    void everyStepOfLengthsHoldsThoseBelowTheNext()
    {
        for (std::size_t step = 0; step < HistogramSteps; ++step) {
            QCOMPARE(histogramStep(shortestOfStep(step)), step);
            if (step + 1 == HistogramSteps)
                break;
            const Duration last = shortestOfStep(step + 1) - Duration(1);
            QCOMPARE(histogramStep(last), step);
            QVERIFY((last - shortestOfStep(step)).count() * 8.0 <= double(shortestOfStep(step).count()));
        }
        QCOMPARE(histogramStep(Duration::max()), HistogramSteps - 1);
    }

    void theFileStoreAnswersAsTheModel()
    {
        RandomSegments one(1), other(1);
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
        SegmentSink& sink = builder->segments();
        const SegmentKindId calls = *sink.addKind({"calls", "Calls", "Call", "Result", ""});
        const SegmentKindId irqs = *sink.addKind({"irqs", "Interrupts"});
        QCOMPARE(*sink.addKind({"calls", "Others"}), calls);
        const HostSegment inner{at(20), at(30), -1, builder->string("read"), track, calls};
        const HostSegment outer{at(10), at(50), INT64_MIN, builder->string("main"), NoTrack, calls};
        sink.add(inner);
        sink.add(outer);
        sink.add(segment(70, 60, calls));
        sink.add(segment(15, 16, irqs));

        const auto store = finished(*builder, 0, 100);

        const SegmentSet& set = store->segments();
        QCOMPARE(set.kinds().size(), std::size_t(2));
        QCOMPARE(set.kinds()[0].title, std::string("Calls"));
        QVERIFY(visited(set, calls) == (Segments{outer, inner, segment(70, 70, calls)}));
        QVERIFY(set.sum(calls) == (SegmentSum{3, Duration(50), Duration(0), Duration(40)}));
        QVERIFY(set.longest(calls, range(25, 100), 2) == (Segments{outer, inner}));
        // A segment without duration is found at its time.
        QVERIFY(visited(set, calls, range(70, 71)) == Segments{segment(70, 70, calls)});
        QVERIFY(visited(set, calls, range(71, 99)).empty());
        QVERIFY(visited(set, calls, range(50, 60)).empty()); // The end of a segment does not belong to it.
        QVERIFY(visited(set, irqs) == Segments{segment(15, 16, irqs)});
        QVERIFY(visited(set, SegmentKindId{2}).empty());
    }

    void kindsComeBackAsTheyWere_data() { whatWasAddedComesBack_data(); }
    void kindsComeBackAsTheyWere()
    {
        QFETCH(bool, isFile);
        std::vector<SegmentKind> kinds(3, {{}, "Title", "Function", "Size", "B"});
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            kinds[i].id = std::to_string(i);
            kinds[i].hasFrames = i > 0;
            kinds[i].areCalls = i > 1;
        }
        const auto builder = isFile ? fileBuilder(path("kinds"), at(0)) : makeMemoryStoreBuilder(at(0));
        for (const SegmentKind& kind : kinds)
            builder->segments().add(segment(10, 20, *builder->segments().addKind(kind)));
        QVERIFY(std::ranges::equal(finished(*builder, 0, 100)->segments().kinds(), kinds));
    }

    void theLongestIsInEveryPictureOfItsTime()
    {
        const auto builder = fileBuilder(path("spike"), at(0));
        const SegmentKindId kind = *builder->segments().addKind({"calls", "Calls"});
        constexpr std::int64_t Spike = 654'321'000;
        for (std::int64_t i = 0; i < 1'000'000; ++i)
            builder->segments().add(segment(i * 1000, i * 1000 + 3, kind));
        builder->segments().add(segment(Spike, Spike + 77'777, kind));
        const auto store = finished(*builder, 0, 1'000'000'000);

        for (std::int64_t length = 1'000'000'000; length >= 10; length /= 10) {
            const HostRange window = range(Spike - Spike % length, Spike - Spike % length + length);
            Duration longest{};
            std::uint64_t count = 0;
            const SegmentColumns columns = store->segments().spans(kind, window, Duration(length / 1920 + 1));
            for (const SegmentColumn& column : columns.columns) {
                longest = std::max(longest, column.sum.longest);
                count += column.sum.count;
            }
            QVERIFY(columns.columns.size() <= 1922);
            QCOMPARE(longest, Duration(77'777));
            QCOMPARE(count, store->segments().spread(kind, window).sum.count - columns.earlier.count);
            QCOMPARE(store->segments().longest(kind, window, 1).front(), segment(Spike, Spike + 77'777, kind));
        }
        const HostRange inside = range(Spike + 100, Spike + 200);
        QCOMPARE(store->segments().spans(kind, inside, Duration(1)).earlier.longest, Duration(77'777));
    }

    void aLongTotalStaysAtTheMost()
    {
        const auto builder = fileBuilder(path("total"), at(0));
        const SegmentKindId kind = *builder->segments().addKind({"calls", "Calls"});
        for (int i = 0; i < 2000; ++i)
            builder->segments().add(segment(INT64_MIN, INT64_MAX, kind));

        const auto store = finished(*builder, 0, 1);

        QCOMPARE(store->segments().sum(kind).total, Duration::max());
        QCOMPARE(store->segments().spread(kind, Always).counts[HistogramSteps - 1], std::uint64_t(2000));
        QCOMPARE(store->segments().sum(kind).longest, Duration(2 * TimeLimit));
    }

    void aStoreWithoutSegmentsHasNoSectionsOfThem()
    {
        auto builder = fileBuilder(path("none"), at(0));

        const auto store = finished(*builder, 0, 1);

        QVERIFY(store->segments().kinds().empty());
        QVERIFY(sectionOf(m_files.bytesOf("none"), format::SectionId::SegmentKinds).id == format::SectionId::None);
        QVERIFY(sectionOf(m_good, format::SectionId::SegmentKinds).id != format::SectionId::None);
    }

    void thereAreNotMoreKindsThanAStoreCanHold()
    {
        const auto builder = makeMemoryStoreBuilder(at(0));
        for (int i = 0; i < 255; ++i)
            QVERIFY(bool(builder->segments().addKind({std::to_string(i), ""})));

        const auto more = builder->segments().addKind({"one more", ""});

        QVERIFY(!more);
        QCOMPARE(more.error().kind, Error::Kind::Unsupported);
    }

    void theSameSegmentsGiveTheSameBytes() { QVERIFY(made("twice") == m_good); }

    /// The test adds so many segments that some become blocks while others are still being added.
    void aThreadOfItsOwnWritesTheSameBytes()
    {
        const auto madeBy = [&](const char* name, std::size_t threads) {
            RandomSegments segments(6, 40'000);
            const auto builder = fileBuilder(path(name), at(0), "identity", {.threads = threads});
            segments.begin(*builder);
            segments.add(*builder, 60);
            if (!builder->snapshot(at(segments.end())))
                qFatal("no picture");
            segments.add(*builder, 100);
            finished(*builder, 0, segments.end());
            return m_files.bytesOf(name);
        };
        QVERIFY(madeBy("beside", 1) == madeBy("alone", 0));
    }

    void aStoppedQuestionEndsEarly()
    {
        const auto store = opened(m_good);
        std::stop_source stop;
        int parts = 0;

        (*store)->segments().visit(
            SegmentKindId{0}, Always,
            [&](std::span<const HostSegment>) {
                ++parts;
                stop.request_stop();
            },
            stop.get_token());

        QCOMPARE(parts, 1);
        QVERIFY((*store)->segments().spread(SegmentKindId{0}, Always, stop.get_token()) == SegmentHistogram());
    }

    void aDamagedBlockIsMissingAndItsSumsAreNot()
    {
        const SegmentKindId kind{0};
        const auto good = *opened(m_good);
        QByteArray bytes = m_good;
        const auto block = blocksIn(bytes)[2];
        bytes[qsizetype(sectionOf(bytes, format::SectionId::Segments).offset + block.offset + block.bytes / 2)] ^= 0x10;

        const auto store = *opened(bytes);

        QVERIFY(store->segments().spread(kind, Always) == good->segments().spread(kind, Always));
        QVERIFY(store->segments().spans(kind, Always, Duration::max()) == good->segments().spans(kind, Always, Duration::max()));
        QVERIFY(!store->isDamaged());
        const Segments all = visited(good->segments(), kind);
        QCOMPARE(visited(store->segments(), kind).size(), all.size() - SegmentBlockSegments);
        QVERIFY(store->isDamaged());
    }

    void sectionsThatAreWrongAreCorrupt() { QCOMPARE(m_files.countRefused(m_good, Directories), Directories.size()); }

    void hostileSectionsAreRefusedOrRead() { QVERIFY(m_files.askHostile(m_good, Directories, 600, askAll) > 10); }

    void blocksOfAnyBytesAreWhatTheirEntrySaysOrRefused()
    {
        Dice dice(3);
        const format::Section data = sectionOf(m_good, format::SectionId::Segments);
        const auto blocks = blocksIn(m_good);
        Segments out;
        int refused = 0;
        for (int round = 0; round < 4000; ++round) {
            SegmentEntry block = blocks[dice.below(blocks.size())];
            QByteArray bytes =
                m_good.mid(qsizetype(data.offset + block.offset), qsizetype(dice.below(9) ? block.bytes : dice.below(block.bytes)));
            for (std::uint64_t i = dice.below(4); i > 0 && !bytes.isEmpty(); --i)
                bytes[qsizetype(dice.below(std::uint64_t(bytes.size())))] = char(dice.below(256));
            if (dice.below(4) == 0)
                block.count = dice.below(SegmentBlockSegments) + 1;
            const std::span<const std::byte> raw(reinterpret_cast<const std::byte*>(bytes.constData()), std::size_t(bytes.size()));
            if (!decodeSegments(block, {}, raw, RandomSegments::Tracks, out)) {
                ++refused;
                QVERIFY(out.empty());
                continue;
            }
            QCOMPARE(out.size(), std::size_t(block.count));
            QVERIFY(haveSameSums(sumOf(std::span<const HostSegment>(out)), block));
            QVERIFY(std::ranges::all_of(
                out, [](const HostSegment& s) { return s.track == NoTrack || std::uint32_t(s.track) < RandomSegments::Tracks; }));
        }
        QVERIFY(refused > 100 && refused < 3900);
    }
};

HELIO_TEST(SegmentsTest)
#include "tst_segments.moc"
