#pragma once

#include "widgets/code/code_tokenizer.h"
#include "widgets/theme/theme.h"

#include <QAbstractScrollArea>

#include <vector>

namespace helio {

/// Cell of a column of numbers in front of a line of code.
struct CodeCell {
    QString text;
    QString fill; ///< Theme role of the cell's background; empty for none.
    bool isFaint = false;
};

/// Column of numbers in front of the code.
struct CodeColumn {
    QString title;
    QString role; ///< Theme role of the title's colour.
    int width = 0;
};

/// Row of a CodePane: a line of source code or an instruction.
struct CodeRow {
    static constexpr int NoLink = -1;

    QString label; ///< Line number or address.
    QString text;
    std::vector<CodeToken> tokens; ///< Coloured ranges of `text`, from left to right.
    double share = 0; ///< Share of the line in the samples of the function, 0 to 1.
    QString shareText; ///< Text of the share; empty if the line has none.
    std::vector<CodeCell> cells; ///< Cells of the row, one per column of the pane; painted instead of the share.
    /// Number that links rows of the source pane and of the instruction pane: a line and its instructions have the same number; NoLink if
    /// there is none.
    int link = NoLink;
    bool isInlined = false;
    bool isHeading = false; ///< True if the row is the name of a file or a remark instead of code.
};

/// Jump instruction inside a function, from one row to another.
struct CodeJump {
    int from = 0;
    int to = 0;
    int lane = 0; ///< Column in which the jump's vertical line is drawn; 0 is the column next to the code.
};

/// Assigns lanes to jumps, shortest jumps first: each gets the free lane nearest to the text. If all `lanes` lanes are occupied, jumps
/// share the last one.
void assignJumpLanes(std::vector<CodeJump>& jumps, int lanes);

/// Pane with lines of code, each with its share of the samples and a background colour, the heat, that grows with the share. A line that is
/// cut has a tooltip with its complete text.
class CodePane : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit CodePane(const QString& name, QWidget* parent = nullptr);

    /// Sets columns with titles, which are shown instead of each line's share and the bar of the share.
    void setColumns(std::vector<CodeColumn> columns);
    void setRows(std::vector<CodeRow> rows, std::vector<CodeJump> jumps = {});
    const std::vector<CodeRow>& rows() const { return m_rows; }
    /// Highlights the rows whose CodeRow::link is `link`, e.g. while the user points at one of them in the source or the instructions.
    void setLitLink(int link);
    void reveal(int row); ///< Scrolls so that `row` is in the middle.
    int rowAt(int y) const; ///< Index of the row at y; -1 if there is none.
    int currentRow() const { return m_current; }
    /// Tooltip of a row: its complete text as HTML if a part is out of view; otherwise empty.
    QString tipOf(int row) const;

    /// Returns the heat of a line, 0 to 4: 4 times the square root of `share` / `hottest`, rounded up.
    static int heatLevel(double share, double hottest);
    /// Returns the background of a line with the heat `heat` (see heatLevel(); -1 for a line without heat). The background of a highlighted
    /// line is lighter or darker, but still shows the heat.
    static QColor lineBackground(const Theme& theme, int heat, bool isLit);

signals:
    void hovered(int row);
    void chosen(int row); ///< Emitted when the user clicked a row or moved to it with the keys.
    void opened(int row); ///< Emitted when the user double-clicked a row or pressed Enter.

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

    int gutter() const; ///< Width in pixels of the share or the columns, left of the line numbers or addresses.
    void paintText(QPainter& painter, const CodeRow& row, QPointF baseline) const;
    void paintCells(QPainter& painter, const CodeRow& row, int y) const;
    void updateBars();
    void setCurrent(int row);
    void paintRow(QPainter& painter, int index, int y) const;
    void paintJumps(QPainter& painter, int first, int last) const;
    int textLeft() const;

    Titles* m_titles = nullptr; ///< Titles of the columns; nullptr if the pane has no columns.
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
