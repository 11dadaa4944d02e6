#pragma once

#include "core/compare/ledger.h"

#include <QWidget>

#include <optional>

namespace helio {

/// One unit for a column of durations, so that its digits line up: the finest in which the largest has five digits at most.
class ColumnUnit {
public:
    ColumnUnit() = default;
    explicit ColumnUnit(Duration largest);

    QString number(Duration d) const; ///< "15 612", without sign and unit; "<1" where it is less than one digit shows.
    QString text(Duration d) const { return number(d) + QChar(0x2009) + m_name; } ///< With the unit.

private:
    std::int64_t m_length = 1; ///< ns.
    QString m_name = QStringLiteral("ns");
    bool m_isTenths = false;
};

/// A ledger as people read it: the causes with the largest differences, what is left over as one line, and the sum. UI thread.
class LedgerTable : public QWidget {
    Q_OBJECT

public:
    explicit LedgerTable(QWidget* parent = nullptr);

    void setLedger(Ledger ledger);

    /// All lines and their sum, parted by tabs: for the clipboard.
    QString text() const;

    QSize sizeHint() const override;
    int causeWidth() const; ///< Pixels that the words of a line's cause have.

signals:
    /// A line was clicked: the state's word in legends; empty for the line of all others.
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
    static QString partText(double part); ///< "87.4 %"
    void paintTotals(QPainter& painter, const Columns& columns) const;

    Ledger m_ledger;
    std::vector<LedgerLine> m_shown; ///< The last one may be all others together.
    std::size_t m_others = 0; ///< How many that are.
    int m_hovered = -1;
    int m_chosen = -1;
    bool m_isApplied = false; ///< A person chose it, and stateChosen() said so.
    ColumnUnit m_unit;
};

/// "Page fault", "system call read": what a line's time is.
QString causeText(const LedgerLine& line);

/// "x18.2", "new", "gone".
QString ratioText(Duration a, Duration b);

/// Whether the difference is large enough for parts of it to mean something: a hundredth of the longer side.
bool hasParts(const Ledger& ledger);

} // namespace helio
