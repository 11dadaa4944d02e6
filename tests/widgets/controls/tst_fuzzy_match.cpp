#include "tests/support/test_program.h"
#include "widgets/controls/fuzzy_match.h"

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

    void aBetterFitBeatsAnyNumberOfLetters()
    {
        const auto fit = [](const char* pattern, const char* text) {
            const auto match = fuzzyMatch(pattern, text);
            return match ? int(match->fit()) : -1;
        };
        QCOMPARE(fit("dur", "Durations"), int(FuzzyMatch::Fit::Start));
        QCOMPARE(fit("whole", "Fit the whole experiment"), int(FuzzyMatch::Fit::WordStart));
        QCOMPARE(fit("the whole", "Fit the whole experiment"), int(FuzzyMatch::Fit::WordStart));
        QCOMPARE(fit("ratio", "Durations"), int(FuzzyMatch::Fit::Inside));
        QCOMPARE(fit("fitwhole", "Fit the whole experiment"), int(FuzzyMatch::Fit::Words));
        QCOMPARE(fit("postgrs", "postgres"), int(FuzzyMatch::Fit::Words));
        QCOMPARE(fit("zts", "fuzzy parts"), int(FuzzyMatch::Fit::Scattered));
    }

    void aLongerPatternDoesNotFitScatteredLetters()
    {
        QVERIFY(!fuzzyMatch("throttle", "Mark the chosen function on the rows"));
        QVERIFY(!fuzzyMatch("latency", "List all things by their name, only actively"));
    }

    void blanksInThePatternAreSkipped() { QVERIFY(fuzzyMatch("go time", "Go to time…")); }

    void anEmptyPatternFitsAll() { QVERIFY(fuzzyMatch("", "anything")); }
};

HELIO_TEST(FuzzyMatchTest)
#include "tst_fuzzy_match.moc"
