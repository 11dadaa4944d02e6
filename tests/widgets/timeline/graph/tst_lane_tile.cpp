#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/lane_tile.h"

#include <QTest>

#include <random>

using namespace helio;
using namespace std::chrono_literals;

namespace {

const StateSet Threads =
    test::statesNamed("thread", {"unknown", "running-user", "running-syscall", "blocked", "sleeping", "wait-cpu", "preempted"});
constexpr QRgb Ground = 0xff102030;
constexpr QRgb Dirt = 0xffff00ff; ///< Colour of the image before painting; must not remain.

Timestamp at(std::int64_t ns) { return timestamp(ns); }

/// Makes spans of all kinds, single bars and folded ones, without a gap.
Spans madeSpans(std::int64_t begin, std::int64_t end)
{
    std::mt19937 random(7);
    Spans spans;
    for (std::int64_t t = begin; t < end;) {
        const std::int64_t length = 1 + std::int64_t(random() % 400);
        const auto state = std::uint8_t(random() % Threads.states.size());
        spans.spans.push_back({{at(t), at(std::min(end, t + length))}, Duration(length), 1, 0, 1U << state, 0, State{state}});
        t += length;
    }
    return spans;
}

TileShape shapeOf(TimeRange window, int width, int first, int columns)
{
    TileShape shape;
    shape.scale = TimeScale(window, width);
    shape.first = first;
    shape.columns = columns;
    shape.band = 13;
    shape.baseline = 16;
    LaneStyles looks(Theme::make(Theme::Kind::Dark));
    shape.look = looks.of(Threads);
    return shape;
}

struct Canvas {
    Canvas(int w, int h)
        : pixels(std::size_t(w * h), Ground)
        , raster{pixels.data(), w, h, w}
    {
    }
    void paint(const LaneTile& tile, const TimeScale& scale, int x, int top)
    {
        std::ranges::fill(pixels, Dirt);
        tile.paint(raster, scale, x, top, std::vector<QRgb>(std::size_t(raster.width), Ground).data());
    }
    QRgb at(int x, int y) const { return pixels[std::size_t(y * raster.width + x)]; }
    std::vector<QRgb> pixels;
    Raster raster;
};

} // namespace

class LaneTileTest : public QObject {
    Q_OBJECT

private slots:
    void aTileLooksLikeTheLaneItWasMadeOf()
    {
        const TimeRange window{at(10'000), at(20'000)};
        const Spans spans = madeSpans(10'000, 20'000);
        const TileShape shape = shapeOf(window, 500, 0, 500);
        Canvas painted(500, 16);
        LaneLayout layout;
        layOutLane(spans, shape.look->stacked(), {shape.scale, 0, 500, window.begin}, shape.band, layout);
        paintLane(painted.raster, layout, shape.look->palette, {16, 0, 0});
        Canvas copied(500, 16);
        copied.paint(LaneTile(spans, window, shape), shape.scale, 0, 0);
        QVERIFY(copied.pixels == painted.pixels);
        QVERIFY(std::ranges::count(copied.pixels, Ground) < std::ptrdiff_t(copied.pixels.size()));
    }

    void aPannedTileIsTheSamePictureFurtherOn()
    {
        const Spans spans = madeSpans(5'000, 25'000); // 20 ns a pixel, with a margin of 250 columns on both sides.
        const LaneTile tile(spans, {at(5'000), at(25'000)}, shapeOf({at(10'000), at(20'000)}, 500, -250, 1000));
        Canvas before(500, 16);
        before.paint(tile, tile.shape().scale, 0, 0);
        Canvas after(500, 16);
        after.paint(tile, TimeScale({at(10'800), at(20'800)}, 500), 0, 0);
        for (int x = 0; x + 40 < 500; ++x)
            for (int y = 0; y < 16; ++y)
                QCOMPARE(after.at(x, y), before.at(x + 40, y));
    }

    void aTileOfAnotherZoomIsShownStretched()
    {
        const Spans spans = madeSpans(10'000, 20'000);
        const LaneTile tile(spans, {at(10'000), at(20'000)}, shapeOf({at(10'000), at(20'000)}, 500, 0, 500));
        Canvas before(500, 16);
        before.paint(tile, tile.shape().scale, 0, 0);
        Canvas after(500, 16);
        after.paint(tile, TimeScale({at(12'000), at(17'000)}, 500), 0, 0);
        for (int x = 0; x < 500; ++x)
            for (int y = 0; y < 16; ++y)
                QCOMPARE(after.at(x, y), before.at(100 + x / 2, y));
    }

    void whereATileKnowsNothingItsGroundShows()
    {
        const TimeRange window{at(10'000), at(20'000)};
        const LaneTile tile(madeSpans(10'000, 20'000), window, shapeOf(window, 500, 0, 500));
        for (const TimeScale& scale : {TimeScale({at(18'000), at(28'000)}, 500), TimeScale({at(5'000), at(25'000)}, 500),
                                       TimeScale({at(900'000), at(910'000)}, 500), TimeScale({at(0), at(1)}, 500)}) {
            Canvas canvas(500, 16);
            canvas.paint(tile, scale, 0, 0);
            for (int x = 0; x < 500; ++x) {
                if (scale.timeAt(x + 1.0) < window.begin || scale.timeAt(x) > window.end)
                    QCOMPARE(canvas.at(x, 15), Ground);
            }
        }
    }

    void aTileHalfOutsideOfTheRasterIsCut()
    {
        const TimeRange window{at(10'000), at(20'000)};
        const TileShape shape = shapeOf(window, 500, 0, 500);
        const LaneTile tile(madeSpans(10'000, 20'000), window, shape);
        Canvas whole(500, 16);
        whole.paint(tile, shape.scale, 0, 0);
        Canvas part(100, 8);
        part.paint(tile, shape.scale, -50, -4);
        for (int x = 0; x < 100; ++x)
            for (int y = 0; y < 8; ++y)
                QCOMPARE(part.at(x, y), whole.at(x + 50, y + 4));
        part.paint(tile, shape.scale, -50, 12);
        part.paint(tile, shape.scale, 90, -20);
        part.paint(tile, TimeScale({at(12'000), at(17'000)}, 500), -50, -4);
    }
};

HELIO_TEST(LaneTileTest)
#include "tst_lane_tile.moc"
