#include "core/compare/annotation_difference.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// Makes an annotation: lines 1 and 2 of a file with `first` and `second` samples, and one instruction for each line.
Annotation made(const std::string& file, std::uint64_t first, std::uint64_t second, const std::string& text = "nop")
{
    Annotation it;
    it.files = {file};
    it.lines = {{0, 1, {{first, first}, {first, first}}, false}, {0, 2, {{second, second}, {second, second}}, false}};
    it.sums = {{first + second, first + second}, {first + second, first + second}};
    for (std::uint64_t i = 0; i < 2; ++i) {
        Instruction instruction;
        instruction.address = 0x10 + i;
        instruction.size = 1;
        instruction.text = text;
        it.code.instructions.push_back(instruction);
        const std::uint64_t samples = i == 0 ? first : second;
        it.addresses.push_back({instruction.address, {{samples, samples}, {samples, samples}}, false});
    }
    it.lineOf = {0, 1};
    return it;
}

} // namespace

class AnnotationDifferenceTest : public QObject {
    Q_OBJECT

private slots:
    void linesOfOneFileHaveBothSides()
    {
        const AnnotationDifference it = compareAnnotations(made("/src/f.c", 3, 4), made("/src/f.c", 30, 40));
        QCOMPARE(it.code.files, std::vector<std::string>{"/src/f.c"});
        QCOMPARE(it.lines.size(), std::size_t(2));
        QCOMPARE(it.lines[1].self.a.samples, 4u);
        QCOMPARE(it.lines[1].self.b.samples, 40u);
        QCOMPARE(it.sums.self.a.samples, 7u);
        QCOMPARE(it.addresses.size(), std::size_t(2));
        QCOMPARE(it.addresses[0].self.b.samples, 30u);
        QCOMPARE(it.code.lineOf, (std::vector<std::uint32_t>{0, 1}));
    }

    void aFileThatWasBuiltElsewhereIsKnownByItsName()
    {
        const AnnotationDifference it = compareAnnotations(made("/home/a/f.c", 3, 4), made("/build/f.c", 30, 40));
        QCOMPARE(it.code.files, std::vector<std::string>{"/build/f.c"});
        QCOMPARE(it.lines[0].self.a.samples, 3u);
        QCOMPARE(it.lines[0].self.b.samples, 30u);
    }

    void filesOfOneNameAreKnownByTheirFolders()
    {
        Annotation a = made("/home/a/src/x/mod.rs", 3, 4);
        a.files.push_back("/home/a/src/y/mod.rs");
        a.lines.push_back({1, 1, {{5, 5}, {5, 5}}, false});
        Annotation b = made("/build/src/y/mod.rs", 30, 40);
        b.files.push_back("/build/src/x/mod.rs");
        b.lines.push_back({1, 1, {{50, 50}, {50, 50}}, false});
        const AnnotationDifference it = compareAnnotations(a, b);
        QCOMPARE(it.code.files, (std::vector<std::string>{"/build/src/y/mod.rs", "/build/src/x/mod.rs"}));
        QCOMPARE(it.lines.size(), std::size_t(4));
        QCOMPARE(it.lines[0].self.a.samples, 5u);
        QCOMPARE(it.lines[0].self.b.samples, 30u);
        QCOMPARE(it.lines[2].self.a.samples, 3u); // This is line 1 of the file x/mod.rs.
        QCOMPARE(it.lines[2].self.b.samples, 50u);
    }

    void filesWhoseNameIsThatOfSeveralStayApart()
    {
        Annotation a = made("/home/p/mod.rs", 3, 4);
        a.files.push_back("/home/q/mod.rs");
        a.lines.push_back({1, 1, {{5, 5}, {5, 5}}, false});
        const AnnotationDifference it = compareAnnotations(a, made("/build/r/mod.rs", 30, 40));
        QCOMPARE(it.code.files, (std::vector<std::string>{"/build/r/mod.rs", "/home/p/mod.rs", "/home/q/mod.rs"}));
        QCOMPARE(it.lines[0].self.a.samples, 0u);
        QCOMPARE(it.lines.size(), std::size_t(5));
    }

    void itSaysWhoseInstructionsAreMissing()
    {
        Annotation a = made("/f.c", 3, 4);
        a.code.instructions.clear();
        a.code.noCodeReason = "no file";
        const AnnotationDifference it = compareAnnotations(a, made("/f.c", 30, 40));
        QVERIFY(it.addresses.empty());
        QCOMPARE(it.noCodeReason[0], "no file");
        QCOMPARE(it.noCodeReason[1], "");
    }

    void linesOfOneSideAloneStay()
    {
        Annotation a = made("/f.c", 3, 4);
        a.lines[1].line = 7;
        const AnnotationDifference it = compareAnnotations(a, made("/f.c", 30, 40));
        QCOMPARE(it.code.lines.size(), std::size_t(3));
        QCOMPARE(it.code.lines[2].line, 7u);
        QCOMPARE(it.lines[2].self.a.samples, 4u);
        QCOMPARE(it.lines[2].self.b.samples, 0u);
        // The code shown is side B's, so B's annotation determines the lines.
        QCOMPARE(it.code.lineOf, (std::vector<std::uint32_t>{0, 1}));
    }

    void instructionsCompareOnlyWhereTheyAreTheSame()
    {
        const AnnotationDifference it = compareAnnotations(made("/f.c", 3, 4, "nop"), made("/f.c", 30, 40, "ret"));
        QVERIFY(it.addresses.empty());
        QCOMPARE(it.lines.size(), std::size_t(2));
    }

    void aFunctionOfOneSideComparesWithNothing()
    {
        const AnnotationDifference gone = compareAnnotations(made("/f.c", 3, 4), {});
        QCOMPARE(gone.lines[0].self.a.samples, 3u);
        QCOMPARE(gone.addresses[1].self.a.samples, 4u);
        QCOMPARE(gone.addresses[1].self.b.samples, 0u);
        const AnnotationDifference came = compareAnnotations({}, made("/f.c", 3, 4));
        QCOMPARE(came.lines[0].self.b.samples, 3u);
        QVERIFY(compareAnnotations({}, {}).lines.empty());
    }
};

HELIO_TEST(AnnotationDifferenceTest)
#include "tst_annotation_difference.moc"
