#include "tests/support/test_program.h"
#include "widgets/code/code_pane.h"

#include <QTest>

using namespace helio;

class CodePaneTest : public QObject {
    Q_OBJECT

private slots:
    void theLineUnderThePointerKeepsItsHeat()
    {
        for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
            const Theme theme = Theme::make(kind);
            for (int heat = 0; heat <= 4; ++heat) {
                const QColor hot = CodePane::lineBackground(theme, heat, false);

                const QColor lit = CodePane::lineBackground(theme, heat, true);

                QVERIFY(lit != hot);
                // The background of a highlighted line is nearer to the line's heat colour than to the text colour.
                QVERIFY(contrast(lit, hot) < contrast(lit, theme.color("text.primary")));
                QVERIFY2(contrast(lit, theme.color("text.primary")) >= 4.5, qPrintable(QString::number(heat)));
                for (const TokenKind word : {TokenKind::Keyword, TokenKind::String, TokenKind::Number, TokenKind::Comment})
                    for (const QColor& ground : {hot, lit, theme.color("surface.panel"), theme.color("surface.hover")})
                        QVERIFY2(contrast(ground, theme.color(roleOf(word))) >= 4.5, qPrintable(roleOf(word) + QString::number(heat)));
                const int turn = std::abs(lit.hue() - hot.hue());
                QVERIFY2(heat == 0 || std::min(turn, 360 - turn) <= 12, qPrintable(QString::number(heat)));
            }
            QCOMPARE(CodePane::lineBackground(theme, -1, true), theme.color("surface.hover"));
        }
    }
};

HELIO_TEST(CodePaneTest)
#include "tst_code_pane.moc"
