#pragma once

#include "widgets/code/code_tokenizer.h"
#include "widgets/theme/theme.h"

#include <QAbstractScrollArea>

#include <vector>

namespace helio {

/// A number in a column of the pane, before a line of code.
struct CodeCell {
    QString text;
    QString fill; ///< Theme role of the cell's background; empty if it has none.
    bool isFaint = false;
};

/// A column of numbers before the code.
struct CodeColumn {
    QString title;
    QString role; ///< Theme role of the title's colour.
    int width = 0;
};

/// A line of source code or an instruction, as the pane shows it.
struct CodeRow {
    static constexpr int NoLink = -1;

    QString label; ///< Line number or address.
    QString text;
    std::vector<CodeToken> pieces; ///< Coloured ranges of `text`, from left to right.
    double share = 0; ///< Share of the line in the function, 0 to 1.
    QString shareText; ///< Empty if the line has no share.
    std::vector<CodeCell> cells; ///< Cells that replace the share if the pane has columns.
    int link = NoLink; ///< Rows of both panes with the same link belong together; NoLink if there is none.
    bool isInlined = false;
    bool isHeading = false; ///< True if the row is a file's name or a remark, not code.
};

/// A jump inside a function, from one row to another.
struct CodeJump {
    int from = 0;
    int to = 0;
    int lane = 0; ///< Index of the vertical line that draws the jump; 0 is next to the text.
};

/// Gives each jump the free lane that is nearest to the text, shortest jumps first. If all `lanes` lanes are taken, jumps share the last
/// one.
void assignJumpLanes(std::vector<CodeJump>& jumps, int lanes);

/// Lines of code with their share and heat. The tooltip of a line that is cut shows its whole text.
class CodePane : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit CodePane(const QString& name, QWidget* parent = nullptr);

    /// Replaces share and bar by columns with titles.
    void setColumns(std::vector<CodeColumn> columns);
    void setRows(std::vector<CodeRow> rows, std::vector<CodeJump> jumps = {});
    const std::vector<CodeRow>& rows() const { return m_rows; }
    void setLitLink(int link); ///< Highlights the rows with this link: the user points at one of them in this or in the other pane.
    void reveal(int row); ///< Scrolls `row` to the middle.
    int rowAt(int y) const; ///< -1 if there is no row.
    int currentRow() const { return m_current; }
    /// Tooltip of a row: its text as HTML if a part of the text is out of view, else empty.
    QString tipOf(int row) const;

    /// Heat of a line, 0 to 4: 4 times the square root of `share` / `hottest`, rounded up.
    static int heatLevel(double share, double hottest);
    /// Background of a line with this heat (-1: none); lighter or darker if the line is highlighted, but still recognizable as its heat.
    static QColor lineBackground(const Theme& theme, int heat, bool isLit);

signals:
    void hovered(int row);
    void chosen(int row); ///< The user clicked the row or moved to it with the keys.
    void opened(int row); ///< The user double-clicked the row or pressed Enter.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    class Titles;

    int gutter() const; ///< Width of the area before the labels, in pixels.
    void paintText(QPainter& painter, const CodeRow& row, QPointF baseline) const;
    void paintCells(QPainter& painter, const CodeRow& row, int y) const;
    void updateBars();
    void setCurrent(int row);
    void paintRow(QPainter& painter, int index, int y) const;
    void paintJumps(QPainter& painter, int first, int last) const;
    int textLeft() const;

    Titles* m_titles = nullptr; ///< nullptr if the pane has no columns.
    std::vector<CodeColumn> m_columns;
    std::vector<CodeRow> m_rows;
    std::vector<CodeJump> m_jumps;
    double m_hottest = 0;
    int m_labelWidth = 0;
    int m_textWidth = 0;
    int m_lit = CodeRow::NoLink;
    int m_hovered = -1;
    int m_current = -1;
};

} // namespace helio
