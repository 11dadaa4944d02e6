#pragma once

#include "core/compare/breakdown.h"

#include <QWidget>

#include <optional>

namespace helio {

/// Common unit of a column of durations, so that their digits line up: the finest unit in which the largest duration has at most five
/// digits.
class ColumnUnit {
public:
    ColumnUnit() = default;
    explicit ColumnUnit(Duration largest);

    /// Formats a duration without sign and unit, e.g. "15 612"; "<1" if `d` is less than half of the last digit.
    QString number(Duration d) const;
    /// Formats a difference with its sign, e.g. "+15 612"; "≈ 0" if its size is less than half of the last digit.
    QString difference(Duration d) const;
    QString text(Duration d) const { return number(d) + QChar(0x2009) + m_name; } ///< Formats a duration with its unit.

private:
    std::int64_t m_length = 1; ///< Length of the column's unit in ns, e.g. 1000 for µs.
    QString m_name = QStringLiteral("ns");
    bool m_isTenths = false;
};

/// Table of a breakdown: the causes with the largest differences, a line with the sum of all other causes, and the total.
/// Threads: UI thread.
class BreakdownTable : public QWidget {
    Q_OBJECT

public:
    explicit BreakdownTable(QWidget* parent = nullptr);

    void setBreakdown(Breakdown breakdown);

    /// Returns all lines and their total as tab-separated text, for the clipboard.
    QString text() const;

    QSize sizeHint() const override;
    int causeWidth() const; ///< Width of the text in the cause column, in pixels.

signals:
    /// Emitted when the user clicked a line. `legend`: name of the line's state in legends; empty if no line is selected, or for the
    /// line of other causes.
    void stateChosen(const QString& legend);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Columns;
    QRect rowRect(int row) const;
    int rowAt(const QPoint& at) const;
    void choose(int row);
    void paintRow(QPainter& painter, const Columns& columns, int row) const;
    static QString partText(double part); ///< Formats a percentage, e.g. "87.4 %".
    void paintTotals(QPainter& painter, const Columns& columns) const;

    Breakdown m_breakdown;
    std::vector<BreakdownLine> m_shown; ///< Shown lines; if m_others > 0, the last one is the sum of the other causes.
    std::size_t m_others = 0; ///< Number of causes in the last shown line, which is their sum; 0 if every cause has a line.
    int m_hovered = -1;
    int m_chosen = -1;
    /// True if the user selected m_chosen, for which stateChosen() was emitted; false for the initial highlighting.
    bool m_isApplied = false;
    ColumnUnit m_unit;
};

/// Returns the text of a line's cause, e.g. "Page fault" or "system call read".
QString causeText(const BreakdownLine& line);

/// Returns the ratio of two durations, e.g. "x18.2"; "new" or "gone" if one of them is 0.
QString ratioText(Duration a, Duration b);

/// True if the difference is at least a hundredth of the longer side, so that shares of the difference are meaningful.
bool hasMeaningfulShares(const Breakdown& breakdown);

} // namespace helio
