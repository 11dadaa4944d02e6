// Arrows: links of kinds that analyses declare, in one store and in several.

#include "core/query/rows/arrows.h"
#include "core/query/rows/timeline_access.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

LinkKindInfo kindNamed(std::string id, std::vector<std::string> views = {})
{
    LinkKindInfo info;
    info.id = std::move(id);
    info.views = std::move(views);
    return info;
}

/// Finishes a store with one link of each kind, 10 ns apart.
std::shared_ptr<const Store> storeWith(StoreBuilder& builder, const std::vector<LinkKindInfo>& kinds)
{
    const TrackId track = builder.addTrack({});
    const TrackId other = builder.addTrack({});
    std::int64_t at = 0;
    for (const LinkKindInfo& info : kinds) {
        const auto kind = builder.linkKind(info);
        at += 10;
        builder.link({*kind, track, other, hostTime(at), hostTime(at + 5), 0, {}});
    }
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(1000)};
    return *builder.finish(std::move(summary));
}

QString found(const Timeline& timeline, const LinkIds& kinds)
{
    QStringList texts;
    for (const Arrow& arrow : arrows(timeline, kinds, timeline.range))
        texts << QString("%1 %2").arg(kindOf(timeline, arrow).id.c_str()).arg(nanoseconds(arrow.fromTime));
    return texts.join(", ");
}

} // namespace

class ArrowsTest : public QObject {
    Q_OBJECT

private slots:
    void anAnalysisHasKindsOfItsOwn()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Timeline timeline;
        addTrace(timeline, {storeWith(*builder, {kindNamed("request", {"servers"}), kindNamed("lock")})});

        QCOMPARE(linkKindsInView(timeline, "servers").ids, (LinkIds{"request", "lock"}.ids));
        QCOMPARE(linkKindsInView(timeline, "control-flow").ids, (LinkIds{"lock"}.ids));
        QCOMPARE(found(timeline, {"request"}), QString("request 10"));
        QCOMPARE(found(timeline, {"lock", "request"}), QString("request 10, lock 20"));
        QCOMPARE(found(timeline, {"wakeup"}), QString());
        QCOMPARE(found(timeline, {}), QString());
    }

    void whatIsHiddenAtFirstIsShownWithAll()
    {
        LinkKindInfo hidden = kindNamed("noise");
        hidden.isHiddenByDefault = true;
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Timeline timeline;
        addTrace(timeline, {storeWith(*builder, {hidden, kindNamed("lock")})});
        QCOMPARE(linkKindsInView(timeline, "any", false).ids, (LinkIds{"lock"}.ids));
        QCOMPARE(linkKindsInView(timeline, "any", true).ids, (LinkIds{"noise", "lock"}.ids));
    }

    /// Property: a kind has one id in all stores, although each store numbers its kinds in the order of declaration.
    void oneKindIsOneIdInAllStores()
    {
        Timeline timeline;
        addTrace(timeline, {storeWith(*makeMemoryStoreBuilder(hostTime(0)), {kindNamed("lock"), kindNamed("request")})});
        addTrace(timeline, {storeWith(*makeMemoryStoreBuilder(hostTime(0)), {kindNamed("request"), kindNamed("lock")})});

        QCOMPARE(linkKindsInView(timeline, "any").ids, (LinkIds{"lock", "request"}.ids));
        QCOMPARE(found(timeline, {"lock"}), QString("lock 10, lock 20"));
        const TrackRef second{StoreIndex{1}, TrackId{0}};
        const auto next = nextArrow(timeline, second, timestamp(0), LinkIds{"lock"});
        QCOMPARE(next.size(), std::size_t(1));
        QCOMPARE(next.front().fromTime, timestamp(20));
        QCOMPARE(QString::fromStdString(kindOf(timeline, next.front()).id), QString("lock"));
    }

    /// Input: links at different host times that have one experiment time, because the clock runs twice as fast. Property: a search for
    /// a later link never returns the current one.
    void theNextIsNeverTheSameAgain()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const TrackId track = builder->addTrack({});
        const auto kind = builder->linkKind(kindNamed("lock"));
        for (const std::int64_t at : {11, 30, 51})
            builder->link({*kind, track, NoTrack, hostTime(at), hostTime(at), 0, {}});
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(1000)};
        Timeline timeline;
        const auto clock = ClockTransform::through({{hostTime(0), timestamp(0), {}}, {hostTime(2000), timestamp(1000), {}}});
        addTrace(timeline, {*builder->finish(std::move(summary)), nullptr, *clock});

        std::vector<std::int64_t> times;
        const TrackRef row{StoreIndex{0}, track};
        for (auto next = nextArrow(timeline, row, timestamp(-1), LinkIds{"lock"}); !next.empty() && times.size() < 9;
             next = nextArrow(timeline, row, next[0].fromTime, LinkIds{"lock"}))
            times.push_back(nanoseconds(next[0].fromTime));
        QCOMPARE(times, (std::vector<std::int64_t>{5, 15, 25}));
    }

    void kindsAreInTheFile()
    {
        const QTemporaryDir place;
        LinkKindInfo whole{"request", "Request", "Bytes", {"servers", "clients"}, "#336699", LinkLine::Dotted, 3, true, true};
        const auto builder = makeFileStoreBuilder(place.filePath("store").toStdString(), "links", hostTime(0));
        const auto written = storeWith(*builder, {whole, kindNamed("lock")});
        const auto opened = openStore(place.filePath("store").toStdString(), "links");
        QVERIFY(opened);
        QCOMPARE((*opened)->linkKinds().size(), written->linkKinds().size());
        const auto first = static_cast<std::size_t>(LinkKind::FirstOwn);
        QVERIFY((*opened)->linkKinds()[first] == whole);
        QVERIFY((*opened)->linkKinds()[0].id.empty());
        QCOMPARE((*opened)->links({hostTime(0), hostTime(100)}).size(), std::size_t(2));
    }

    void whatCannotBeIsRefused()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        QVERIFY(!builder->linkKind({}));
        const std::size_t own = MostLinkKinds - static_cast<std::size_t>(LinkKind::FirstOwn);
        for (std::size_t i = 0; i < own; ++i)
            QVERIFY(builder->linkKind(kindNamed("kind " + std::to_string(i))));
        const auto again = builder->linkKind(kindNamed("kind 3"));
        QVERIFY(again);
        QCOMPARE(static_cast<std::size_t>(*again), static_cast<std::size_t>(LinkKind::FirstOwn) + 3);
        const auto refused = builder->linkKind(kindNamed("one more"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Unsupported);
        // Wake-ups have a fixed link kind. This kind can still be added after an analysis has used up all ids for its own kinds.
        QVERIFY(builder->linkKind(kindNamed("wakeup"), LinkKind::Wakeup));
    }
};

HELIO_TEST(ArrowsTest)
#include "tst_arrows.moc"
