#include "tests/support/test_program.h"
#include "widgets/shell/fuzzy_match.h"

#include <QTest>

using namespace helio;

class FuzzyMatchTest : public QObject {
    Q_OBJECT

private slots:
    void lettersMustComeInOrder()
    {
        QVERIFY(fuzzyMatch("zts", "Zoom to the selected range"));
        QVERIFY(!fuzzyMatch("stz", "Zoom to"));
        QVERIFY(!fuzzyMatch("zoomm", "Zoom"));
    }

    void theLettersTakenAreReported()
    {
        const auto match = fuzzyMatch("zs", "Zoom to selection");
        QVERIFY(match);
        QCOMPARE(match->letters, (std::vector<int>{0, 8}));
    }

    void startsOfWordsAndRunsBeatScatteredLetters()
    {
        const auto good = fuzzyMatch("fit", "Fit the whole experiment");
        const auto bad = fuzzyMatch("fit", "Find a row in time");
        QVERIFY(good && bad);
        QVERIFY(good->score > bad->score);
    }

    void blanksInThePatternAreSkipped() { QVERIFY(fuzzyMatch("go time", "Go to time…")); }

    void anEmptyPatternFitsAll() { QVERIFY(fuzzyMatch("", "anything")); }
};

HELIO_TEST(FuzzyMatchTest)
#include "tst_fuzzy_match.moc"
