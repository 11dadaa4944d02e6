#include "app/gui/common/markdown_style.h"

#include "widgets/theme/themes.h"

#include <QAbstractTextDocumentLayout>
#include <QHash>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>

#include <array>
#include <vector>

namespace helio {

namespace {

constexpr const char* CodeBackground = "surface.header"; ///< Theme role of the background colour of code.
constexpr qreal ParagraphMargin = 8;
constexpr qreal CodePadding = 8; ///< Distance in pixels between the text of code and the edge of its background.
constexpr qreal ListIndent = 22;
constexpr qreal ItemMargin = 2;
constexpr qreal CodeCorner = 4;
constexpr qreal CellPadding = 5;
constexpr std::array<qreal, 3> HeadingMargins{0, 22, 16}; ///< Margin in pixels above headings of level 1, of level 2, and of deeper levels.

bool isCode(const QTextBlock& block)
{
    const QTextBlockFormat format = block.blockFormat();
    return format.hasProperty(QTextFormat::BlockCodeLanguage) || format.hasProperty(QTextFormat::BlockCodeFence);
}

bool isHeading(const QTextBlock& block) { return block.blockFormat().headingLevel() > 0; }

void styleCodeBlock(const QTextBlock& block, QTextBlockFormat& format)
{
    format.setNonBreakableLines(false); // Wrap long commands, because the page does not scroll horizontally.
    format.setLeftMargin(CodePadding);
    format.setRightMargin(CodePadding);
    format.setTopMargin(isCode(block.previous()) ? 0 : ParagraphMargin + CodePadding);
    format.setBottomMargin(isCode(block.next()) ? 0 : ParagraphMargin + CodePadding);
}

/// True if the next block belongs to the same list as `block`, to a list around this list, or to a list nested in it.
bool isInsideList(const QTextBlock& block)
{
    const QTextList* list = block.textList();
    const QTextList* next = block.next().textList();
    return list && next && (list == next || list->format().indent() != next->format().indent());
}

void styleBlock(const QTextBlock& block, bool isInTable)
{
    QTextBlockFormat format = block.blockFormat();
    if (isCode(block))
        styleCodeBlock(block, format);
    else if (isInTable) {
        format.setTopMargin(0);
        format.setBottomMargin(0);
    } else if (isHeading(block)) {
        format.setTopMargin(HeadingMargins[std::min<std::size_t>(format.headingLevel(), HeadingMargins.size()) - 1]);
        format.setBottomMargin(ParagraphMargin);
    } else {
        format.setTopMargin(block.textList() ? ItemMargin : 0);
        format.setBottomMargin(isInsideList(block) ? ItemMargin : ParagraphMargin);
    }
    QTextCursor(block).setBlockFormat(format);
}

/// Returns the themed format of a text fragment. `format` is its format after QTextDocument::setMarkdown().
QTextCharFormat textFormat(QTextCharFormat format, const QTextBlock& block)
{
    if (format.fontFixedPitch() || isCode(block)) {
        const QFont fixed = fonts().fixed();
        format.setFontFamilies({fixed.family()});
        format.setFontFixedPitch(true);
        if (!isCode(block))
            format.setBackground(theme().color(CodeBackground));
        format.setFontPointSize(fixed.pointSizeF());
    }
    if (isHeading(block)) { // Set the format of the heading again: QTextDocument does not continue it after inline code in the heading.
        format.clearProperty(QTextFormat::FontPointSize);
        format.setProperty(QTextFormat::FontSizeAdjustment, 4 - block.blockFormat().headingLevel());
        format.setFontWeight(QFont::DemiBold);
    }
    if (format.isAnchor())
        format.setFontUnderline(false); // Do not underline links: their colour, which the palette sets, distinguishes them.
    return format;
}

void styleText(QTextDocument& document)
{
    struct Range {
        int begin;
        int length;
        QTextCharFormat format;
    };
    std::vector<Range> ranges; // Collect the ranges and change formats after the loop, because changes invalidate its iterators.
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment text = it.fragment();
            if (const QTextCharFormat format = textFormat(text.charFormat(), block); format != text.charFormat())
                ranges.push_back({text.position(), text.length(), format});
        }
    QTextCursor cursor(&document);
    for (const Range& range : ranges) {
        cursor.setPosition(range.begin);
        cursor.setPosition(range.begin + range.length, QTextCursor::KeepAnchor);
        cursor.setCharFormat(range.format);
    }
}

void addAnchors(QTextDocument& document)
{
    QHash<QString, int> repeats;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (!isHeading(block))
            continue;
        QString name = headingAnchor(block.text());
        if (const int repeat = repeats[name]++)
            name += '-' + QString::number(repeat);
        QTextCharFormat format;
        format.setAnchor(true);
        format.setAnchorNames({name});
        QTextCursor(block).mergeBlockCharFormat(format);
    }
}

void styleTable(QTextTable& table)
{
    // Undo a merge: QTextDocument merges two adjacent empty cells with the cell before them.
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column)
            if (const QTextTableCell cell = table.cellAt(row, column); cell.columnSpan() > 1)
                table.splitCell(row, column, 1, 1);

    QTextTableFormat format = table.format();
    format.setHeaderRowCount(1);
    format.setCellPadding(CellPadding);
    format.setCellSpacing(0);
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(theme().color("line.strong"));
    format.setBorderCollapse(true);
    const QTextBlock before = table.document()->findBlock(table.firstPosition() - 2);
    // The top margin of this block replaces the bottom margin of the block before.
    format.setTopMargin(isCode(before) ? ParagraphMargin + CodePadding : ParagraphMargin);
    format.setBottomMargin(ParagraphMargin);
    table.setFormat(format);

    // Remove the empty line with which QTextDocument begins the first cell of a table after code.
    QTextCursor first = table.cellAt(0, 0).firstCursorPosition();
    if (first.block().length() == 1 && first.block() != table.cellAt(0, 0).lastCursorPosition().block())
        first.deleteChar();

    QTextCharFormat header;
    header.setFontWeight(QFont::DemiBold);
    for (int column = 0; column < table.columns(); ++column) {
        QTextCursor cursor = table.cellAt(0, column).firstCursorPosition();
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(header);
    }
}

} // namespace

QString headingAnchor(const QString& heading)
{
    QString name;
    for (const QChar c : heading.trimmed().toLower())
        if (c.isLetterOrNumber() || c.isMark() || c == '-' || c == '_')
            name += c;
        else if (c.isSpace())
            name += '-';
    return name;
}

void paintCodeBackgrounds(QPainter& painter, const QTextDocument& document, const QRectF& visible)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(CodeBackground));
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (!isCode(block))
            continue;
        QRectF rect = document.documentLayout()->blockBoundingRect(block);
        for (; isCode(block.next()); block = block.next())
            rect |= document.documentLayout()->blockBoundingRect(block.next());
        const QTextBlockFormat format = block.blockFormat();
        rect.setLeft(rect.left() + document.indentWidth() * format.indent());
        rect.setRight(document.size().width() - document.documentMargin());
        rect.adjust(0, -CodePadding, 0, CodePadding);
        if (rect.intersects(visible))
            painter.drawRoundedRect(rect, CodeCorner, CodeCorner);
    }
}

void styleMarkdown(QTextDocument& document)
{
    QTextCursor whole(&document);
    whole.beginEditBlock();
    document.setIndentWidth(ListIndent);
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame))
            styleTable(*table);
    styleText(document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        styleBlock(block, QTextCursor(block).currentTable() != nullptr);
    addAnchors(document);
    whole.endEditBlock();
}

} // namespace helio
