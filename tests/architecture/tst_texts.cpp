// Checks the texts that users see: their terms, their case, their length.

#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace helio;

namespace {

struct VisibleText {
    QString file; ///< Path of the source file, relative to the source folder.
    QString text; ///< Text of the literal, joined with adjacent literals; escapes as in the source.
    bool isTranslated = false; ///< True if the literal is an argument of tr().
};

/// Collects all string literals with a space from the sources below a folder.
std::vector<VisibleText> textsIn(const QString& folder)
{
    static const QRegularExpression token(
        "//[^\\n]*|/\\*.*?\\*/"
        "|R\"[^(]*\\(.*?\\)[^\"]*\"|'(?:[^'\\\\\\n]|\\\\.)+'|\\s*#\\s*include[^\\n]*|(\\btr\\(\\s*)?((?:\"(?:[^\"\\\\\\n]|\\\\.)*\"\\s*)+)",
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression part("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    std::vector<VisibleText> texts;
    const QString root = QStringLiteral(SOURCE_DIR "/");
    for (QDirIterator it(root + folder, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
        QFile file(it.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString source = QString::fromUtf8(file.readAll());
        for (const auto& match : token.globalMatch(source)) {
            if (match.captured(2).isEmpty())
                continue;
            QString text;
            for (const auto& piece : part.globalMatch(match.captured(2)))
                text += piece.captured(1);
            if (text.contains(' '))
                texts.push_back({file.fileName().mid(root.size()), text, !match.captured(1).isEmpty()});
        }
    }
    return texts;
}

QString where(const VisibleText& it) { return it.file + ": " + it.text; }

} // namespace

class TextsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* folder : {"app", "core", "widgets"})
            for (VisibleText& text : textsIn(folder))
                m_all.push_back(std::move(text));
        QVERIFY(m_all.size() > 4000);
        QVERIFY(std::ranges::count_if(m_all, &VisibleText::isTranslated) > 1200);
    }

    /// Visible texts contain no expressions for which the guide's glossary has a term.
    void textsUseTheTermsOfTheField()
    {
        static const QRegularExpression habits(
            R"(\b(nobody|somebody|anybody|is not known|are not known|nothing is known|unless given|of theirs|quicker|stretch(es)?|lately|)"
            R"(tak(e|es|en) away|looks? into|gives? it up|in itself|how sure|surest|sure to|the same of|lasted how long|)"
            R"(what (it|they) waited|what the time|it is no |of no thread|whoever|to be had|went on|goes on|kept off|had by|taken off|at rest|)"
            R"(give it once|none here|waits? for a cpu|memory blocks never freed|pieces of)\b)",
            QRegularExpression::CaseInsensitiveOption);
        QStringList wrong;
        for (const VisibleText& it : m_all)
            if (const auto match = habits.match(it.text); match.hasMatch())
                wrong << match.captured() + " in " + where(it);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void textsOfTheWindowAreInSentenceCase()
    {
        // Capitalized words that are allowed inside a sentence: names of keys, products, docks and menus.
        static const QRegularExpression name(
            "^(Double|Enter|Esc|Delete|Ctrl|Shift|Alt|Tab|F\\d+|Events|Heliograph|Analysis|Compare|Messages|Inspect|Show|Source|Functions|"
            "Server|"
            "Linux|Requests|Python|Run|Details|KiB|MiB|Latency|Clocks|Statistics|Bookmarks|Left|Right|Up|Down|Space|Home|End|Page)\\b");
        static const QRegularExpression sentence("(?<=[.:?!\u2026])\\s+|\\\\n|\u203a|>|\\\\?\"|\u201c|\u201d|\\(|\u00b7|, or ");
        static const QRegularExpression capitalized("^[A-Z][a-z]+");
        static const QRegularExpression markup("<[^>]*>");
        QStringList wrong;
        for (const VisibleText& it : m_all) {
            if (!it.isTranslated)
                continue;
            for (const QString& part : QString(it.text).remove(markup).split(sentence))
                for (const QString& word : part.split(' ', Qt::SkipEmptyParts).mid(1))
                    if (capitalized.match(word).hasMatch() && !name.match(word).hasMatch())
                        wrong << word + " in " + where(it);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    /// Texts of the window have at most 190 characters, except for texts with a command to type or with paragraphs.
    void textsOfTheWindowAreShort()
    {
        constexpr int Longest = 190;
        static const QRegularExpression command("\\\\n|perf record|lttng |-finstrument");
        QStringList wrong;
        for (const VisibleText& it : m_all)
            if (it.isTranslated && it.text.size() > Longest && !command.match(it.text).hasMatch())
                wrong << QString::number(it.text.size()) + ": " + where(it);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void noTextGuessesAPlural()
    {
        QStringList wrong;
        for (const VisibleText& it : m_all)
            if (it.text.contains("(s)") || it.text.contains("(es)"))
                wrong << where(it);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

private:
    std::vector<VisibleText> m_all;
};

HELIO_TEST(TextsTest)
#include "tst_texts.moc"
