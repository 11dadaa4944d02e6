#include "app/gui/record/command_box.h"

#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>

#include <algorithm>

namespace helio {
namespace {

constexpr int BrokenWidth = 86; ///< Length in characters at which commands are broken.

/// Shows the program of each command, the first two words of its first line, in bold.
class ProgramHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

private:
    void highlightBlock(const QString& line) override
    {
        if (line.startsWith(' '))
            return;
        QTextCharFormat bold;
        bold.setFontWeight(QFont::Bold);
        qsizetype end = line.indexOf(' ');
        if (line.startsWith("perf ") || line.startsWith("lttng ") || line.startsWith("trace-cmd "))
            end = line.indexOf(' ', end + 1);
        setFormat(0, int(end < 0 ? line.size() : end), bold);
    }
};

/// Splits a list of events, the argument of -e, into parts of at most `width` characters; each but the last ends with a comma.
QStringList splitEvents(const QString& events, int width)
{
    QStringList parts{QString()};
    for (const QString& event : events.split(',')) {
        if (!parts.last().isEmpty() && parts.last().size() + event.size() + 1 > width)
            parts << QString();
        parts.last() += (parts.last().isEmpty() ? "" : ",") + event;
    }
    return parts;
}

} // namespace

QString brokenCommand(const QString& command, int width)
{
    if (command.size() <= width)
        return command;
    QStringList lines{QString()};
    bool isOfCommand = false; // True after "--": the recorded command is not broken.
    const QStringList words = command.split(' ');
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words.at(i);
        const bool begins = !isOfCommand && !lines.last().trimmed().isEmpty() && (word == "-e" || word == "-o" || word == "--");
        if (begins)
            lines << QStringLiteral("  ");
        isOfCommand = isOfCommand || word == "--";
        const bool isEventList = !isOfCommand && i > 0 && words.at(i - 1) == "-e" && word.size() + 6 > width;
        const QStringList parts = isEventList ? splitEvents(word, width - 8) : QStringList{word};
        for (qsizetype k = 0; k < parts.size(); ++k) {
            if (k > 0) // perf and trace-cmd take several -e.
                lines << QStringLiteral("  -e");
            lines.last() += (lines.last().trimmed().isEmpty() ? "" : " ") + parts.at(k);
        }
    }
    return lines.join(QStringLiteral(" \\\n"));
}

CommandBox::CommandBox(QWidget* parent)
    : QWidget(parent)
    , m_text(new QPlainTextEdit)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_text->setReadOnly(true);
    m_text->setFont(fonts().fixed(11));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Commands"));
    m_text->setTabChangesFocus(true);
    new ProgramHighlighter(m_text->document());
    layout->addWidget(m_text);
}

void CommandBox::setCommands(const QStringList& commands)
{
    QStringList broken;
    for (const QString& command : commands)
        broken << brokenCommand(command, BrokenWidth);
    setText(broken.join('\n'));
}

void CommandBox::setText(const QString& text)
{
    if (text != m_text->toPlainText())
        m_text->setPlainText(text);
    updateGeometry();
}

QSize CommandBox::sizeHint() const
{
    constexpr int LeastLines = 3, Padding = 26; // Margins of the document, the frame and a horizontal scroll bar, in pixels.
    const int lines = std::max(LeastLines, m_text->document()->blockCount());
    return {200, QFontMetrics(m_text->font()).lineSpacing() * lines + Padding};
}

QString CommandBox::text() const { return m_text->toPlainText(); }

} // namespace helio
