// Numbers drawn as a line below the bars of their row.

#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/panels/render.h"

#include <QTest>

#include <tuple>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }

} // namespace

class RowLinesTest : public QObject {
    Q_OBJECT

private slots:
    void aCpuRowCarriesItsFrequencyBelowItsBand()
    {
        RenderRequest request;
        request.timeline = MadeTimeline::make(1);
        request.view = "resources";
        request.window = {at(0), at(4000)};
        request.size = {1100, 130};
        const Theme theme = Theme::make(Theme::Kind::Dark);

        const QImage image = renderView(request, theme);

        // Pixels of the first row (y 30 to 54): a bar of 14 pixels from 3 on, and the frequency line from 19 to 22.
        QCOMPARE(image.pixelColor(600, 30 + 3), theme.color("cpu.user"));
        QCOMPARE(image.pixelColor(600, 30 + 16), theme.color("cpu.user"));
        QCOMPARE(image.pixelColor(400, 30 + 20), theme.color("freq.1"));
        QCOMPARE(image.pixelColor(910, 30 + 20), theme.color("freq.4"));
        QCOMPARE(image.pixelColor(910, 30 + 22), theme.color("surface.timeline"));
    }

    /// Property: numbers of any analysis are drawn as lines in the colour that it chose; each kind of numbers has its own scale.
    void anyNumbersCanBeALineBelowTheirRow()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const StateSetId states = *builder->stateSet({"queue", {{"open"}}, {}});
        const StateSetId numbers = *builder->stateSet({"length", {{"value", StateCategory::None, {"#ff0000", "", ""}}}, {}});
        const auto add = [&](const std::string& key, const char* kind, TrackId parent, StateSetId set, TrackDrawing band) {
            Track track{.view = "queues", .kind = kind, .key = key, .label = key, .parent = parent, .states = set};
            track.valueKind = band == TrackDrawing::Line ? ValueKind::Number : ValueKind::None;
            track.band = band;
            return builder->addTrack(track);
        };
        for (const auto& [name, kind, most] : {std::tuple("a", "length", 10), {"b", "length", 5}, {"c", "weight", 1000}}) {
            const TrackId row = add(name, "queue", NoTrack, states, TrackDrawing::Bars);
            const TrackId line = add(std::string(name) + "/line", kind, row, numbers, TrackDrawing::Line);
            builder->set(hostTime(0), row, State{0});
            builder->set(hostTime(0), line, State{0}, std::uint32_t(-3)); // A negative value must get the first colour of the ramp.
            builder->set(hostTime(2000), line, State{0}, std::uint32_t(most));
        }
        builder->set(hostTime(0), add("d", "queue", NoTrack, states, TrackDrawing::Bars), State{0});
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(4000)};
        Timeline timeline;
        addTrace(timeline, {*builder->finish(std::move(summary)), std::make_shared<MadeTrace>()});
        RenderRequest request;
        request.timeline = std::make_shared<const Timeline>(timeline);
        request.view = "queues";
        request.window = {at(0), at(4000)};
        request.size = {1100, 130};
        const Theme theme = Theme::make(Theme::Kind::Dark);

        QCOMPARE(naturalHeight(request), 30 + 3 * 24 + 20); // Only the three rows with bars have a height; rows of numbers have none.
        const QImage image = renderView(request, theme);

        const auto ramp = theme.rampOf({"value", StateCategory::None, {"#ff0000", "", ""}});
        const auto pixel = [&](int row, int x) { return image.pixelColor(x, 30 + 24 * row + 20); };
        QCOMPARE(ramp[4], QColor(Qt::red));
        QCOMPARE(pixel(0, 400), ramp[0]);
        QCOMPARE(pixel(0, 900), ramp[4]);
        QCOMPARE(pixel(1, 900), ramp[2]); // Half the value of the first row: the middle of the colour ramp.
        // The last colour of the ramp: the kind "weight" has a scale of its own, on which 1000 is the maximum.
        QCOMPARE(pixel(2, 900), ramp[4]);
    }
};

HELIO_TEST(RowLinesTest)
#include "tst_row_lines.moc"
