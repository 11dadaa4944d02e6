#pragma once

#include "widgets/code/code_words.h"
#include "widgets/theme/theme.h"

#include <QAbstractScrollArea>

#include <vector>

namespace helio {

/// A number before a line, in a column of the pane.
struct CodeCell {
    QString text;
    QString fill; ///< The theme's role behind it. Empty: none.
    bool isFaint = false;
};

/// A column of numbers before the code.
struct CodeColumn {
    QString title;
    QString role; ///< The title's.
    int width = 0;
};

/// A line of source or an instruction, as it is shown.
struct CodeRow {
    static constexpr int NoLink = -1;

    QString label; ///< Line number or address.
    QString text;
    std::vector<CodePiece> pieces; ///< Of the text, those with colours, from the left.
    double share = 0; ///< Of the function, 0 to 1.
    QString shareText; ///< Empty: nothing there.
    std::vector<CodeCell> cells; ///< In place of the share, where the pane has columns.
    int link = NoLink; ///< Rows of both panes with the same one belong together.
    bool isInlined = false;
    bool isHeading = false; ///< The name of a file.
};

/// A jump inside a function, between rows.
struct CodeJump {
    int from = 0;
    int to = 0;
    int lane = 0; ///< From the text outwards.
};

/// Gives each jump the nearest free lane, shortest first; at most `lanes`, which far jumps then share.
void placeJumps(std::vector<CodeJump>& jumps, int lanes);

/// Lines of code with their share and heat. A line that is cut is whole in its tooltip.
class CodePane : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit CodePane(const QString& name, QWidget* parent = nullptr);

    /// Columns with titles in place of share and bar.
    void setColumns(std::vector<CodeColumn> columns);
    void setRows(std::vector<CodeRow> rows, std::vector<CodeJump> jumps = {});
    const std::vector<CodeRow>& rows() const { return m_rows; }
    void setLitLink(int link); ///< Under the pointer, here or in the other pane.
    void reveal(int row); ///< In the middle.
    int rowAt(int y) const; ///< -1: none.
    int currentRow() const { return m_current; }
    /// What a tooltip over the row says: its text where not all of it is seen. Else empty.
    QString tipOf(int row) const;

    /// 0 to 4: by the root of its share of the hottest.
    static int heatOf(double share, double hottest);
    /// What a line lies on: its heat (-1: none), lighter or darker where it is lit, but still its heat.
    static QColor groundOf(const Theme& theme, int heat, bool isLit);

signals:
    void hovered(int row);
    void chosen(int row); ///< Clicked or reached with the keys.
    void opened(int row); ///< Double clicked, or Enter.

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

    int gutter() const; ///< What stands before the labels.
    void paintText(QPainter& painter, const CodeRow& row, QPointF baseline) const;
    void paintCells(QPainter& painter, const CodeRow& row, int y) const;
    void updateBars();
    void setCurrent(int row);
    void paintRow(QPainter& painter, int index, int y) const;
    void paintJumps(QPainter& painter, int first, int last) const;
    int textLeft() const;

    Titles* m_titles = nullptr; ///< Null: no columns.
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
