#include "core/query/rows/arrows.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lane_fetcher.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return timestamp(ns); }

/// A view without a widget: requests the threads of a synthetic timeline on 400 pixels, and records which rows arrived.
struct View {
    explicit View(int threads = 5)
        : timeline(MadeTimeline::make(threads))
    {
        for (const Row& row : rows(*timeline, "control-flow"))
            tracks.push_back(row.ref);
        QObject::connect(&fetcher, &LaneFetcher::laneCame, &fetcher, [this](TrackRef row) { came.push_back(row); });
    }

    LaneRequest about(TimeRange window, std::size_t first, std::size_t last)
    {
        LaneRequest request;
        request.timeline = timeline;
        request.scale = TimeScale(window, 400);
        for (std::size_t i = first; i < last; ++i) {
            TileShape tile;
            tile.scale = request.scale;
            tile.band = 10;
            tile.baseline = 12;
            tile.look = looks.of(*timeline, tracks[i], nullptr);
            request.lanes.push_back({tracks[i], tracks[i], {}, tile});
            request.near.push_back(tracks[i]);
        }
        return request;
    }
    LaneRequest about(TimeRange window) { return about(window, 0, tracks.size()); }

    /// Requests lanes and returns the rows that arrived.
    std::vector<TrackRef> ask(LaneRequest request)
    {
        came.clear();
        fetcher.request(std::move(request), looks);
        wait();
        return came;
    }
    void wait() { QTRY_VERIFY(!fetcher.isBusy()); }

    std::shared_ptr<const Timeline> timeline;
    std::vector<TrackRef> tracks;
    std::vector<TrackRef> came;
    LaneStyles looks{Theme::make(Theme::Kind::Dark)};
    LaneFetcher fetcher;
};

const TimeRange All{at(0), at(4000)};

/// Range of a lane's state at a time, if it is drawn as a single bar.
TimeRange stateAt(const Lane& lane, Timestamp time)
{
    for (const Span& span : lane.spans.spans)
        if (span.count == 1 && span.range.contains(time))
            return span.range;
    return {};
}

} // namespace

class LaneFetcherTest : public QObject {
    Q_OBJECT

private slots:
    void lanesComeInTheOrderTheyAreWanted()
    {
        View view;
        QCOMPARE(view.ask(view.about(All)), view.tracks);
        for (std::size_t i = 0; i < view.tracks.size(); ++i) {
            const Lane* lane = view.fetcher.lane(view.tracks[i]);
            QVERIFY(lane);
            const auto later = std::int64_t(i) * 10;
            // In MadeTimeline, thread 0 runs from 150 to 350; each further thread runs 10 ns later.
            QCOMPARE(stateAt(*lane, at(200 + later)), (TimeRange{at(150 + later), at(350 + later)}));
            QCOMPARE(lane->tile.shape().band, 10);
        }
    }

    void aLaneThatShowsWhatIsWantedIsNotAskedAgain()
    {
        View view;
        view.ask(view.about({at(1000), at(2000)}));
        const Lane* kept = view.fetcher.lane(view.tracks[0]);
        QVERIFY(view.ask(view.about({at(1000), at(2000)})).empty());
        // No lane is requested, because a margin beyond the window was fetched.
        QVERIFY(view.ask(view.about({at(1200), at(2200)})).empty());
        QCOMPARE(view.fetcher.lane(view.tracks[0]), kept);
        QCOMPARE(view.ask(view.about({at(2000), at(3000)})), view.tracks);
        QCOMPARE(view.ask(view.about({at(2000), at(2500)})), view.tracks);
    }

    void aLaneOfOtherLooksIsAskedAgain()
    {
        View view;
        view.ask(view.about(All));
        LaneRequest higher = view.about(All);
        higher.lanes[1].tile.band = 13;
        QCOMPARE(view.ask(higher), std::vector{view.tracks[1]});
        view.looks.setFocus("user");
        QCOMPARE(view.ask(view.about(All)), view.tracks);
    }

    // Input: state sets that differ in colours only, as after an edit of the file that defines them. Property: each has its own styles.
    void setsThatDifferInAnythingHaveLooksOfTheirOwn()
    {
        LaneStyles looks(Theme::make(Theme::Kind::Dark));
        const auto setOf = [](const std::string& color) {
            StateStyle style;
            style.color = color;
            return StateSet{"drawn", {StateKind{"unknown"}, StateKind{"busy", StateCategory::None, style}}};
        };
        const StateSet red = setOf("#ff0000"), green = setOf("#00ff00");
        const auto ofRed = looks.of(red), ofGreen = looks.of(green);
        QCOMPARE(ofRed->looks[1].color, QColor(255, 0, 0));
        QCOMPARE(ofGreen->looks[1].color, QColor(0, 255, 0));
        QCOMPARE(looks.of(setOf("#ff0000")), ofRed); // Equal sets share their styles.
        QCOMPARE(looks.of(red, &green)->looks[SecondKindStates + 1].color, QColor(0, 255, 0));
        QCOMPARE(looks.of(red, &red)->looks[SecondKindStates + 1].color, QColor(255, 0, 0));
        QVERIFY(looks.of(red, nullptr, true) != ofRed);
    }

    void rowsOfOneStoreHaveOneLookAndAnotherStoresTheirOwn()
    {
        const auto withColor = [](const std::string& color) {
            const auto builder = makeMemoryStoreBuilder(hostTime(0));
            StateStyle style;
            style.color = color;
            const StateSetId set = *builder->stateSet({"drawn", {StateKind{"unknown"}, StateKind{"busy", StateCategory::None, style}}});
            for (const char* key : {"a", "b"}) {
                Track track;
                track.view = "drawn";
                track.key = key;
                track.states = set;
                builder->addTrack(track);
            }
            auto timeline = std::make_shared<Timeline>();
            addTrace(*timeline, {*builder->finish(StoreSummary{}), std::make_shared<MadeTrace>()});
            return timeline;
        };
        LaneStyles looks(Theme::make(Theme::Kind::Dark));
        const auto lookOf = [&](const Timeline& timeline, std::uint32_t track) {
            return looks.of(timeline, {StoreIndex{0}, TrackId{track}}, nullptr);
        };
        auto red = withColor("#ff0000");
        const auto ofRed = lookOf(*red, 0);
        QCOMPARE(ofRed->looks[1].color, QColor(255, 0, 0));
        QCOMPARE(lookOf(*red, 1), ofRed);
        QCOMPARE(lookOf(*withColor("#ff0000"), 0), ofRed);
        red.reset();
        for (int i = 0; i < 20; ++i) { // A new store can have the address of a deleted one; it still counts as another store.
            const auto other = withColor(i % 2 == 0 ? "#00ff00" : "#0000ff");
            QCOMPARE(lookOf(*other, 1)->looks[1].color, i % 2 == 0 ? QColor(0, 255, 0) : QColor(0, 0, 255));
        }
    }

    void anotherTimelineIsAskedForAtOnceWhileIdle()
    {
        View view;
        view.ask(view.about(All));
        QSignalSpy wanted(&view.fetcher, &LaneFetcher::wanted);
        view.fetcher.timelineChanged();
        QCOMPARE(wanted.count(), 1);
        QVERIFY(view.fetcher.lane(view.tracks[0])); // The old lane is kept until the new one arrives.
        QCOMPARE(view.ask(view.about(All)), view.tracks);
    }

    void anotherTimelineIsAskedForOnceWhatWasAskedHasCome()
    {
        View view;
        QSignalSpy wanted(&view.fetcher, &LaneFetcher::wanted);
        view.fetcher.request(view.about(All), view.looks);
        view.fetcher.timelineChanged();
        view.fetcher.timelineChanged();
        QCOMPARE(wanted.count(), 0);
        view.wait();
        QCOMPARE(view.came, view.tracks);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(view.ask(view.about(All)), view.tracks); // All lanes are requested again, because they belonged to the earlier timeline.
        QCOMPARE(wanted.count(), 1);
    }

    void whatIsCancelledDoesNotCome()
    {
        View view;
        view.fetcher.request(view.about(All), view.looks);
        view.fetcher.cancel();
        QVERIFY(!view.fetcher.isBusy());
        LaneRequest one = view.about(All, 2, 3);
        view.fetcher.request(std::move(one), view.looks);
        view.wait();
        QCOMPARE(view.came, std::vector{view.tracks[2]});
    }

    void nothingIsKeptFromOneExperimentToTheNext()
    {
        View view;
        LaneRequest request = view.about(All);
        request.links = linkKindsInView(*view.timeline, "control-flow");
        request.meters = view.tracks;
        view.ask(std::move(request));
        QVERIFY(!view.fetcher.arrows().empty() && !view.fetcher.shares().empty());
        view.fetcher.clear();
        QVERIFY(view.fetcher.lanes().empty() && view.fetcher.arrows().empty() && view.fetcher.shares().empty());
        QVERIFY(view.fetcher.hasAllArrows());
    }

    void linesOfOneKindHaveOneScale()
    {
        View view;
        LaneRequest request = view.about(All, 0, 0);
        std::vector<TrackRef> lines;
        for (const Row& row : rows(*view.timeline, "resources"))
            if (row.kind == "frequency") {
                lines.push_back(row.ref);
                request.lanes.push_back({.track = row.ref, .row = view.tracks[0], .lineKind = row.kind});
            }
        // The frequencies are drawn as lines in the row of a thread. Each result names this row, not the track of the frequency.
        QCOMPARE(view.ask(std::move(request)), (std::vector{view.tracks[0], view.tracks[0]}));
        for (const TrackRef line : lines) {
            const auto& spans = view.fetcher.lane(line)->spans.spans;
            const auto stepAt = [&](Timestamp time) {
                const auto span = std::ranges::find_if(spans, [&](const Span& it) { return it.range.contains(time); });
                return view.fetcher.lineScales().stepOf("frequency", *span);
            };
            QCOMPARE(stepAt(at(3000)), LineScales::Steps - 1); // 4 GHz, the maximum: the highest step.
            QCOMPARE(stepAt(at(1000)), LineScales::Steps / 4); // 1 GHz: a quarter of the highest step.
        }
        QCOMPARE(view.fetcher.lineScales().stepOf("temperature", Span()), -1);
    }

    void arrowsAndSharesAreThoseOfTheWindow()
    {
        View view;
        LaneRequest request = view.about({at(1000), at(2000)});
        const LinkIds links = linkKindsInView(*view.timeline, "control-flow");
        request.links = links;
        request.meters = {view.tracks[1]};
        QSignalSpy arrowsCame(&view.fetcher, &LaneFetcher::arrowsCame), sharesCame(&view.fetcher, &LaneFetcher::sharesCame);
        view.ask(std::move(request));
        QCOMPARE(arrowsCame.count(), 1);
        QCOMPARE(sharesCame.count(), 1);
        // Four threads are woken every 400 ns: at about 1310 and 1710 in this window.
        QCOMPARE(view.fetcher.arrows().size(), std::size_t(4 * 2));
        QCOMPARE(view.fetcher.arrows(), arrows(*view.timeline, links, {at(1000), at(2000)}));
        QCOMPARE(view.fetcher.arrowTotal(), std::uint64_t(view.fetcher.arrows().size()));
        QVERIFY(view.fetcher.hasAllArrows());
        QCOMPARE(view.fetcher.shares().size(), std::size_t(1));
        QCOMPARE(view.fetcher.shares().at(view.tracks[1]).share,
                 busyShares(*view.timeline, view.tracks, {at(1000), at(2000)})[1].second.share);

        view.ask(view.about({at(1000), at(2000)})); // No link kinds in the request: links are hidden.
        QVERIFY(view.fetcher.arrows().empty() && view.fetcher.hasAllArrows());
        QCOMPARE(view.fetcher.shares().size(), std::size_t(1)); // The share from the first request is kept.

        LaneRequest beyond = view.about({at(100'000), at(200'000)}); // A window after the end of the trace.
        beyond.meters = {view.tracks[1]};
        view.ask(std::move(beyond));
        QVERIFY(view.fetcher.shares().empty());
    }

    void lanesFarAwayAreForgottenOnceTheyAreMany()
    {
        constexpr std::size_t Step = 50;
        View view(700);
        for (std::size_t first = 0; first < view.tracks.size(); first += Step) {
            view.ask(view.about(All, first, first + Step));
            QVERIFY(view.fetcher.lanes().size() <= 200 + 3 * Step);
            for (std::size_t i = first; i < first + Step; ++i)
                QVERIFY(view.fetcher.lane(view.tracks[i]));
        }
        QVERIFY(!view.fetcher.lane(view.tracks[0]));
    }
};

HELIO_TEST(LaneFetcherTest)
#include "tst_lane_fetcher.moc"
