#pragma once

#include "core/compare/breakdown.h"

#include <QWidget>

#include <optional>

namespace helio {

/// Unit of a column of durations, so that its digits line up: the finest unit in which the largest duration has at most five digits.
class ColumnUnit {
public:
    ColumnUnit() = default;
    explicit ColumnUnit(Duration largest);

    QString number(Duration d) const; ///< E.g. "15 612", without sign and unit; "<1" if `d` is less than half of the last digit.
    QString text(Duration d) const { return number(d) + QChar(0x2009) + m_name; } ///< Number with unit.

private:
    std::int64_t m_length = 1; ///< ns.
    QString m_name = QStringLiteral("ns");
    bool m_isTenths = false;
};

/// Table of a breakdown: the causes with the largest differences, the sum of all other causes in one line, and the total. Threads: UI
/// thread.
class BreakdownTable : public QWidget {
    Q_OBJECT

public:
    explicit BreakdownTable(QWidget* parent = nullptr);

    void setBreakdown(Breakdown ledger);

    /// All lines and their total as tab-separated text, for the clipboard.
    QString text() const;

    QSize sizeHint() const override;
    int causeWidth() const; ///< Width of the cause column's text, in pixels.

signals:
    /// The user clicked a line. `legend` is the state's name in legends; empty if no line is chosen or for the line of other causes.
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
    static QString partText(double part); ///< E.g. "87.4 %".
    void paintTotals(QPainter& painter, const Columns& columns) const;

    Breakdown m_ledger;
    std::vector<BreakdownLine> m_shown; ///< Lines shown; the last one is the sum of the others if m_others > 0.
    std::size_t m_others = 0; ///< Number of lines of the breakdown summed up in the last line shown; 0 if all lines are shown.
    int m_hovered = -1;
    int m_chosen = -1;
    bool m_isApplied = false; ///< True if the user chose m_chosen, and stateChosen() was emitted for it.
    ColumnUnit m_unit;
};

/// Text of a line's cause, e.g. "Page fault" or "system call read".
QString causeText(const BreakdownLine& line);

/// E.g. "x18.2", "new" or "gone".
QString ratioText(Duration a, Duration b);

/// True if the difference is at least a hundredth of the longer side, so that parts of it mean something.
bool hasMeaningfulShares(const Breakdown& ledger);

} // namespace helio
