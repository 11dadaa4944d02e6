// Input: curves that count different things. Property: each has its own scale.

#include "tests/support/test_program.h"
#include "widgets/timeline/curves/curve_scene.h"

#include <QTest>

using namespace helio;

namespace {

CurveLine line(const char* title, bool isHidden = false)
{
    CurveLine line;
    line.title = title;
    line.isHidden = isHidden;
    return line;
}

} // namespace

class OwnScalesTest : public QObject {
    Q_OBJECT

private slots:
    void thoseOfOneTitleShareAScale()
    {
        std::vector<CurveLine> lines{line("cycles"), line("page-faults"), line("cycles")};
        const std::vector<ValueRange> ranges{{0, 2e9}, {0, 90}, {1e9, 3e9}};
        QVERIFY(OwnScales().apply(lines, ranges, true, 5));
        QCOMPARE(lines[0].scale, (ValueScale{0, 3e9}));
        QCOMPARE(lines[2].scale, lines[0].scale);
        QCOMPARE(lines[1].scale, (ValueScale{0, 100}));
    }

    void oneTitleNeedsNoneOfItsOwn()
    {
        std::vector<CurveLine> lines{line("cycles"), line("page-faults", true), line("cycles")};
        lines[0].scale = {0, 5};
        QVERIFY(!OwnScales().apply(lines, std::vector<ValueRange>{{0, 2}, {}, {0, 3}}, true, 5));
        for (const CurveLine& it : lines)
            QVERIFY(!it.scale.isValid());
    }

    void whatHasNoValuesHasAScaleAllTheSame()
    {
        std::vector<CurveLine> lines{line("cycles"), line("page-faults")};
        QVERIFY(OwnScales().apply(lines, std::vector<ValueRange>{{0, 2}, {}}, true, 5));
        QVERIFY(lines[0].scale.isValid() && lines[1].scale.isValid());
    }

    void aScaleIsKeptWhileItsValuesFit()
    {
        OwnScales scales;
        std::vector<CurveLine> lines{line("a"), line("b")};
        QVERIFY(scales.apply(lines, std::vector<ValueRange>{{0, 90}, {0, 9}}, true, 5));
        QVERIFY(scales.apply(lines, std::vector<ValueRange>{{0, 60}, {0, 1}}, true, 5));
        QCOMPARE(lines[0].scale.high, 100.0);
        QVERIFY(lines[1].scale.high < 5);
        QVERIFY(scales.apply(lines, std::vector<ValueRange>{{0, 2}, {0, 1}}, false,
                             5)); // Scales that may not shrink stay as they are, because more values may follow.
        QCOMPARE(lines[0].scale.high, 100.0);
    }

    /// Property: the top of each scale is the top of the area.
    void linesAreDrawnOnTheirOwnScales()
    {
        CurveScene scene;
        scene.size = {800, 200};
        scene.values = {0, 1};
        std::vector<CurveLine> lines{line("a"), line("b"), line("c")};
        scene.lines = &lines;
        QVERIFY(!scene.hasOwnScales());
        lines[0].scale = {0, 1000};
        lines[1].scale = {-4, 4};
        QVERIFY(scene.hasOwnScales());
        QCOMPARE(scene.yOf(lines[0], 1000), scene.yOf(1));
        QCOMPARE(scene.yOf(lines[0], 0), scene.yOf(0));
        QCOMPARE(scene.yOf(lines[1], 0), scene.yOf(0.5));
        QCOMPARE(scene.yOf(lines[2], 1), scene.yOf(1)); // This curve has no scale of its own, so it is drawn on the scene's scale.
    }
};

HELIO_TEST(OwnScalesTest)
#include "tst_own_scales.moc"
