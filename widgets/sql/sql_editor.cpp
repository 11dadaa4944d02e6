#include "widgets/sql/sql_editor.h"

#include "widgets/paint/text.h"
#include "widgets/sql/sql_completion_list.h"
#include "widgets/sql/sql_runner.h"
#include "widgets/theme/themes.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int LeastLetters = 2; ///< Number of letters from which on names are offered without being asked for.

} // namespace

class SqlHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setNames(SqlNames names)
    {
        m_names = std::move(names);
        rehighlight();
    }

private:
    void highlightBlock(const QString& line) override
    {
        bool isInComment = previousBlockState() == 1;
        for (const SqlRange& range : tokenizeSql(line, m_names, isInComment)) {
            QTextCharFormat format;
            format.setForeground(theme().color(roleOf(range.token)));
            if (range.token == SqlToken::Keyword || range.token == SqlToken::Table)
                format.setFontWeight(QFont::Bold);
            setFormat(range.begin, range.length, format);
        }
        setCurrentBlockState(isInComment ? 1 : 0);
    }

    SqlNames m_names;
};

/// Line numbers left of the text.
class SqlEditor::Gutter : public QWidget {
public:
    explicit Gutter(SqlEditor& editor)
        : QWidget(&editor)
        , m_editor(editor)
    {
    }

private:
    void paintEvent(QPaintEvent* event) override { m_editor.paintGutter(event); }

    SqlEditor& m_editor;
};

SqlEditor::SqlEditor(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_highlighter(new SqlHighlighter(document()))
    , m_gutter(new Gutter(*this))
{
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true); // Tab takes a name from the list; otherwise it leaves the editor, as it leaves any field.
    setAccessibleName(tr("Query in SQL"));
    setPlaceholderText(tr("SELECT \u2026"));
    setViewportMargins(GutterWidth, 0, 0, 0);
    connect(this, &QPlainTextEdit::updateRequest, m_gutter, [this](const QRect& rect, int dy) {
        dy != 0 ? m_gutter->scroll(0, dy) : m_gutter->update(0, rect.top(), m_gutter->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::blockCountChanged, m_gutter, qOverload<>(&QWidget::update));
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        updateMarks();
        m_gutter->update();
    });
    connect(document(), &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if ((removed > 0 || added > 0) && hasMistake() && !m_isCompleting) {
            m_mistake = {};
            updateMarks();
        }
    });
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_isCompleting && hasFocus())
            complete(false);
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_list)
            m_list->hide();
    });
    connect(&Themes::instance(), &Themes::changed, this, &SqlEditor::updateLook);
    updateLook();
}

SqlEditor::~SqlEditor() { delete m_list; }

SqlCompletionList* SqlEditor::completions() const { return m_list; }

void SqlEditor::updateLook()
{
    QPalette look;
    look.setColor(QPalette::Base, theme().color("surface.panel"));
    look.setColor(QPalette::Text, theme().color("text.primary"));
    look.setColor(QPalette::PlaceholderText, theme().color("text.hint"));
    look.setColor(QPalette::Highlight, theme().color("surface.selected"));
    look.setColor(QPalette::HighlightedText, theme().color("text.primary"));
    setPalette(look);
    viewport()->setPalette(look);
    setFont(fonts().fixed());
    setTabStopDistance(4 * QFontMetricsF(font()).horizontalAdvance(u' '));
    m_highlighter->rehighlight();
    updateMarks();
    m_gutter->update();
}

void SqlEditor::setNames(SqlNames names)
{
    m_names = names;
    m_highlighter->setNames(std::move(names));
}

void SqlEditor::setQuery(const QString& query)
{
    m_isCompleting = true;
    m_mistake = {};
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    cursor.select(QTextCursor::Document);
    cursor.insertText(query);
    cursor.endEditBlock();
    m_isCompleting = false;
    moveCursor(QTextCursor::Start);
    updateMarks();
}

void SqlEditor::setMistake(std::pair<int, int> range)
{
    m_mistake = range;
    updateMarks();
}

SqlExcerpt SqlEditor::excerptToRun() const
{
    const QTextCursor cursor = textCursor();
    if (!cursor.hasSelection())
        return {toPlainText(), 0};
    return {cursor.selectedText().replace(QChar(0x2029), u'\n'), cursor.selectionStart()}; // Qt separates its lines by U+2029.
}

bool SqlEditor::underlineFailure(const SqlFailure& failure, const SqlExcerpt& ran)
{
    const QString query = toPlainText();
    if (!QStringView(query).mid(ran.offset).startsWith(ran.text))
        return false;
    if (failure.line > 0) {
        const auto [begin, end] = sqlRangeAt(ran.text, failure.line, failure.column);
        setMistake({ran.offset + begin, ran.offset + end});
    }
    return true;
}

QString SqlEditor::failureText(const SqlFailure& failure, const SqlExcerpt& ran) const
{
    if (failure.line <= 0)
        return failure.message;
    const QTextBlock first = document()->findBlock(ran.offset);
    const int column = failure.column + (failure.line == 1 ? ran.offset - first.position() : 0);
    return tr("Line %1, column %2: %3").arg(failure.line + first.blockNumber()).arg(column).arg(failure.message);
}

QString SqlEditor::cursorText() const
{
    return tr("Line %1, column %2").arg(textCursor().blockNumber() + 1).arg(textCursor().positionInBlock() + 1);
}

/// Marks the current line and the mistake.
void SqlEditor::updateMarks()
{
    QList<QTextEdit::ExtraSelection> marks;
    QTextEdit::ExtraSelection line;
    line.format.setBackground(theme().color("surface.hover"));
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    line.cursor = textCursor();
    line.cursor.clearSelection();
    marks << line;
    if (hasMistake()) {
        QTextEdit::ExtraSelection mistake;
        mistake.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mistake.format.setUnderlineColor(theme().color("severity.error"));
        mistake.cursor = QTextCursor(document());
        const int last = std::max(0, document()->characterCount() - 1);
        // A mistake at the end of the text is marked at the last character.
        mistake.cursor.setPosition(std::min(m_mistake.first, std::max(0, last - 1)));
        mistake.cursor.setPosition(std::min(m_mistake.second, last), QTextCursor::KeepAnchor);
        marks << mistake;
    }
    setExtraSelections(marks);
}

void SqlEditor::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    m_gutter->setGeometry(0, 0, GutterWidth, height());
    if (m_list)
        m_list->hide();
}

void SqlEditor::paintGutter(QPaintEvent* event)
{
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), theme().color("surface.group"));
    painter.setFont(fonts().fixed(10.5));
    const int current = textCursor().blockNumber();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > height())
            break;
        painter.setPen(theme().color(block.blockNumber() == current ? "text.primary" : "text.hint"));
        // On the baseline of the text, whose font is larger.
        const QString number = QString::number(block.blockNumber() + 1);
        const double x = GutterWidth - 10 - painter.fontMetrics().horizontalAdvance(number);
        painter.drawText(QPointF(x, std::round(place.top()) + QFontMetrics(font()).ascent()), number);
    }
}

/// Offers the names that fit at the cursor. `isAsked`: the user asked for them, also for a short word.
void SqlEditor::complete(bool isAsked)
{
    const QString query = toPlainText();
    SqlCompletions found = completeSql(query, textCursor().position(), m_names);
    if (!isAsked && !found.isQualified && found.word.size() < LeastLetters)
        found.found.clear();
    if (found.found.empty()) {
        if (m_list)
            m_list->hide();
        return;
    }
    if (!m_list) {
        m_list = new SqlCompletionList(window());
        connect(m_list, &SqlCompletionList::accepted, this, &SqlEditor::acceptCompletion);
    }
    QTextCursor begin = textCursor();
    begin.setPosition(found.begin);
    QRect line = cursorRect(begin);
    line.moveTopLeft(viewport()->mapTo(window(), line.topLeft()));
    m_list->offer(std::move(found), line.translated(-31, 0));
}

void SqlEditor::acceptCompletion()
{
    const SqlCompletion* chosen = m_list ? m_list->current() : nullptr;
    if (!chosen)
        return;
    QString name = chosen->name;
    // A keyword is written like the rest: in lower case if the user began it so.
    const QString word = m_list->offered().word;
    if (chosen->kind == SqlCompletion::Kind::Keyword && !word.isEmpty() && word == word.toLower())
        name = name.toLower();
    m_isCompleting = true;
    QTextCursor cursor = textCursor();
    cursor.setPosition(m_list->offered().begin, QTextCursor::KeepAnchor);
    cursor.insertText(chosen->kind == SqlCompletion::Kind::Function ? name + u'(' : name);
    setTextCursor(cursor);
    m_isCompleting = false;
    m_list->hide();
    setFocus(Qt::OtherFocusReason);
}

void SqlEditor::insertName(const QString& name)
{
    m_isCompleting = true;
    QTextCursor cursor = textCursor();
    const auto charAt = [&](int position) { return document()->characterAt(position); };
    const auto isWordChar = [](QChar c) { return c.isLetterOrNumber() || c == u'_'; };
    const bool needsBefore = !cursor.hasSelection() && cursor.position() > 0 && isWordChar(charAt(cursor.position() - 1));
    cursor.insertText((needsBefore ? QStringLiteral(" ") : QString()) + name);
    setTextCursor(cursor);
    m_isCompleting = false;
    setFocus(Qt::OtherFocusReason);
}

/// Begins a line with the blanks of the line before.
void SqlEditor::indentNewLine()
{
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    const auto first = std::ranges::find_if(line, [](QChar c) { return c != u' ' && c != u'\t'; });
    textCursor().insertText(u'\n' + line.left(first - line.begin()));
    ensureCursorVisible();
}

bool SqlEditor::event(QEvent* event)
{
    if (event->type() == QEvent::KeyPress && m_list && m_list->isVisible()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier) { // Otherwise it would move the focus.
            acceptCompletion();
            return true;
        }
    }
    if (event->type() == QEvent::ShortcutOverride) {
        // Tab, Enter and Esc choose or close the names instead of triggering actions of the window.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isListKey = m_list && m_list->isVisible() && (key->key() == Qt::Key_Escape || key->key() == Qt::Key_Tab);
        const bool isAsking = key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier;
        if (isListKey || isAsking) {
            event->accept();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

void SqlEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isOpen = m_list && m_list->isVisible();
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (event->key() == Qt::Key_Space && modifiers == Qt::ControlModifier)
        return complete(true);
    if (isOpen && modifiers == Qt::NoModifier) {
        switch (event->key()) {
        case Qt::Key_Down: return m_list->step(1);
        case Qt::Key_Up: return m_list->step(-1);
        case Qt::Key_PageDown: return m_list->step(8);
        case Qt::Key_PageUp: return m_list->step(-8);
        case Qt::Key_Return:
        case Qt::Key_Enter: return acceptCompletion();
        case Qt::Key_Escape: return m_list->hide();
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Home:
        case Qt::Key_End: m_list->hide(); break;
        default: break;
        }
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && modifiers == Qt::NoModifier)
        return indentNewLine();
    QPlainTextEdit::keyPressEvent(event);
}

void SqlEditor::focusOutEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusOutEvent(event);
    if (m_list)
        m_list->hide();
}

} // namespace helio
