#include "tests/support/test_program.h"
#include "widgets/code/source_rows.h"
#include "widgets/profiling/editor_command.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

Annotation made()
{
    Annotation it;
    it.files = {"/src/f.c", "/src/small.h"};
    it.lines = {{0, 2, {{10, 10}, {30, 30}}, false}, {0, 3, {{40, 40}, {50, 50}}, false}, {1, 9, {{50, 50}, {50, 50}}, true}};
    it.sums = {{100, 100}, {130, 130}};
    it.taken = {100, 100};
    for (std::uint64_t i = 0; i < 4; ++i) {
        Instruction instruction;
        instruction.address = 0x100 + 4 * i;
        instruction.size = 4;
        instruction.text = "nop";
        it.code.instructions.push_back(instruction);
        it.addresses.push_back({instruction.address, {}, false});
    }
    it.code.symbol.begin = 0x100;
    it.code.fileAddress = 0x1100;
    it.lineOf = {0, 1, 2, Annotation::NoLine};
    it.addresses[1].sums.self = {40, 40};
    return it;
}

SourceText text(int lines)
{
    SourceText source;
    source.file = "/src/f.c";
    for (int i = 1; i <= lines; ++i)
        source.lines.push_back("\tline " + std::to_string(i));
    return source;
}

} // namespace

class SourceRowsTest : public QObject {
    Q_OBJECT

private slots:
    void theFunctionsFileIsWholeAndOthersAreAroundTheirLines()
    {
        const auto rows = sourceRows(made(), {text(5), text(40)}, {}, {});

        // Two parts: a heading with lines 1 to 5, and a heading with lines 6 to 12.
        QCOMPARE(rows.size(), std::size_t(1 + 5 + 1 + 7));
        QVERIFY(rows[0].isHeading);
        QCOMPARE(rows[2].label, "2");
        QCOMPARE(rows[2].text, "        line 2");
        QCOMPARE(rows[2].shareText, QStringLiteral("10.00\u00a0%"));
        QVERIFY(rows[1].shareText.isEmpty());
        QCOMPARE(rows[7].label, "6");
        QVERIFY(rows[10].isInlined);
    }

    void aLineTooLongToPaintInPartsIsPlainAndWhatBeginsInItGoesOn()
    {
        SourceText source;
        source.lines = {"return 1;", "int a[] = {" + std::string(2000, '1') + "}; /* from here", "to here */ return 2;"};

        const auto rows = sourceRows(made(), {source, text(9)}, tokenizeSources({source, text(9)}, made().files), {});

        QCOMPARE(rows[1].tokens, (std::vector<CodeToken>{{0, 6, TokenKind::Keyword}, {7, 1, TokenKind::Number}}));
        QVERIFY(rows[2].tokens.empty());
        QVERIFY(rows[2].text.endsWith("from here"));
        QCOMPARE(rows[3].tokens.front(), (CodeToken{0, 10, TokenKind::Comment}));
    }

    void withCalleesSharesAreOfAllThatPassesThrough()
    {
        const auto rows = sourceRows(made(), {text(5), text(40)}, {}, {true, WeightBy::Samples});
        QCOMPARE(rows[2].share, 30.0 / 130);
    }

    void aMissingSourceShowsTheLinesThatAreKnown()
    {
        const SourceText missing = readSource("/nowhere/at/all.c", {});
        const auto rows = sourceRows(made(), {missing, missing}, {}, {});
        QCOMPARE(rows.size(), std::size_t(3 + 2 + 3 + 1));
        QVERIFY(rows[1].isHeading);
        QCOMPARE(rows[1].text, "The source file was not found. Double-click to locate it.");
        QCOMPARE(rows[3].label, "2");
        QVERIFY(rows[3].text.isEmpty());
    }

    void anInstructionBelongsToItsLine()
    {
        const auto rows = instructionRows(made(), {});
        QCOMPARE(rows[1].label, "1104");
        QCOMPARE(rows[1].link, 1);
        QCOMPARE(rows[3].link, CodeRow::NoLink);
        QCOMPARE(firstRow(rows), 1);
    }

    void jumpsInsideTheFunctionAreDrawnAndOthersNot()
    {
        Annotation it = made();
        it.code.instructions[3].kind = Instruction::Kind::ConditionalJump;
        it.code.instructions[3].target = 0x104;
        it.code.instructions[0].kind = Instruction::Kind::Jump;
        it.code.instructions[0].target = 0x900;
        it.code.instructions[2].kind = Instruction::Kind::Call;
        it.code.instructions[2].target = 0x100;

        const auto jumps = findJumps(it);

        QCOMPARE(jumps.size(), std::size_t(1));
        QCOMPARE(jumps[0].from, 3);
        QCOMPARE(jumps[0].to, 1);
    }

    void jumpsThatOverlapLieInLanesOfTheirOwn()
    {
        std::vector<CodeJump> jumps{{0, 10, 0}, {2, 4, 0}, {5, 7, 0}, {20, 22, 0}};
        assignJumpLanes(jumps, 4);
        const auto lane = [&](int from) { return std::ranges::find(jumps, from, &CodeJump::from)->lane; };
        QCOMPARE(lane(2), 0);
        QCOMPARE(lane(5), 0);
        QCOMPARE(lane(20), 0);
        QCOMPARE(lane(0), 1);
    }

    void heatGoesByTheRootOfTheShareOfTheHottest()
    {
        QCOMPARE(CodePane::heatLevel(0, 1), 0);
        QCOMPARE(CodePane::heatLevel(1, 1), 4);
        QCOMPARE(CodePane::heatLevel(0.24, 1), 2);
        QCOMPARE(CodePane::heatLevel(0.0001, 1), 1);
    }

    void theEditorIsThePersonsOrTheEnvironments()
    {
        QCOMPARE(editorCommand("/a b.c", 7, "my-editor -l %l %f", "vi", {}, {}), (QStringList{"my-editor", "-l", "7", "/a b.c"}));
        QCOMPARE(editorCommand("/a.c", 7, {}, "code -n", "vi", {}), (QStringList{"code", "-n", "--goto", "/a.c:7"}));
        QCOMPARE(editorCommand("/a.c", 7, {}, {}, "vim", "xterm"), (QStringList{"xterm", "-e", "vim", "+7", "/a.c"}));
        QVERIFY(editorCommand("/a.c", 7, {}, {}, "vim", {}).isEmpty());
        QVERIFY(editorCommand("/a.c", 7, {}, {}, {}, {}).isEmpty());
        QCOMPARE(editorCommand("/a.c", 7, {}, "/home/me/bin/edit -x", "vi", {}), (QStringList{"/home/me/bin/edit", "-x", "/a.c"}));
        QCOMPARE(editorCommand("/a.c", 7, {}, {}, "my-editor", "xterm"), (QStringList{"my-editor", "/a.c"}));
    }
};

HELIO_TEST(SourceRowsTest)
#include "tst_source_rows.moc"
