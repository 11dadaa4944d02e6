// Segments and messages as things that lasted, by name, against what was made and what was matched.

#include "core/query/pieces/pieces.h"
#include "core/query/rows/duration_spread.h"
#include "core/query/traffic/transits.h"
#include "tests/support/made_pieces.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace helio;

namespace {

std::vector<std::int64_t> lengthsMade(int host, int parity)
{
    std::vector<std::int64_t> all;
    for (int i = parity; i < MadePieces::Turns; i += 2)
        all.push_back(MadePieces::lengthOf(host, i));
    return all;
}

} // namespace

class PiecesTest : public QObject {
    Q_OBJECT

private slots:
    void kindsAreThoseOfSegmentsThatAreNoCalls()
    {
        const auto kinds = pieceKinds(*MadePieces::make({"web"}));
        QCOMPARE(kinds.size(), 1U);
        QCOMPARE(kinds[0], (PieceKind{"turns", "Turns", "Turn"}));
    }

    void eachNameHasItsPercentiles()
    {
        const auto timeline = MadePieces::make({"web"});
        const auto lines = pieceLengths(*timeline, "turns");
        QCOMPARE(lines.size(), 2U);
        for (const NamedLengths& it : lines) {
            auto expected = lengthsMade(0, it.name == "odd");
            auto found = lengthsOfPieces(*timeline, "turns", it.name);
            std::ranges::sort(found);
            QCOMPARE(found, expected);
            QCOMPARE(it.lengths.count, std::uint64_t(20));
            QCOMPARE(it.lengths.median.count(), expected[9]);
            QCOMPARE(it.lengths.p90.count(), expected[17]);
            QCOMPARE(it.lengths.p99.count(), expected[19]);
        }
    }

    /// A worker on one machine is another than that on the next.
    void hostsAreKeptApart()
    {
        const auto timeline = MadePieces::make({"web", "db"});
        std::vector<std::string> names;
        for (const NamedLengths& it : pieceLengths(*timeline, "turns"))
            names.push_back(it.name);
        std::ranges::sort(names);
        QCOMPARE(names, (std::vector<std::string>{"even on db", "even on web", "odd on db", "odd on web"}));
        auto found = lengthsOfPieces(*timeline, "turns", "odd on db");
        std::ranges::sort(found);
        QCOMPARE(found, lengthsMade(1, 1));
    }

    void whatIsNotThereHasNone()
    {
        const auto timeline = MadePieces::make({"web"});
        QVERIFY(pieceLengths(*timeline, "nothing").empty());
        QVERIFY(lengthsOfPieces(*timeline, "turns", "nobody").empty());
    }

    void packetsAreByConnection()
    {
        const QTemporaryDir stores;
        const auto experiment = test::openedTwoHosts(stores.path().toStdString());
        const auto timeline = experiment->timeline();
        const auto kinds = pieceKinds(*timeline);
        QVERIFY(std::ranges::find(kinds, PieceKind{"packet", "Packets", "Connection"}) != kinds.end());
        std::map<std::string, std::vector<std::int64_t>> expected;
        eachTransit(*timeline, "packet", {Timestamp::min(), Timestamp::max()},
                    [&](const Transit& it) { expected[connectionOf(*timeline, it)].push_back(helio::lengthOf(it.range).count()); });
        const auto lines = pieceLengths(*timeline, "packet");
        QCOMPARE(lines.size(), expected.size());
        QVERIFY(lines.size() > 3);
        for (const NamedLengths& it : lines) {
            auto& all = expected[it.name];
            std::ranges::sort(all);
            QCOMPARE(it.lengths.count, std::uint64_t(all.size()));
            QCOMPARE(it.lengths.median.count(), all[(all.size() * 50 + 99) / 100 - 1]);
            QCOMPARE(it.lengths.most.count(), all.back());
        }
    }
};

HELIO_TEST(PiecesTest)
#include "tst_pieces.moc"
