#pragma once

#include <QStyledItemDelegate>

namespace helio {

/// Distances that a LineDelegate uses, in pixels.
struct LineMetrics {
    int height = 19;
    int margin = 5; ///< Space left and right of a cell's text, in pixels.
    int firstMargin = -1; ///< Space left of the text in the first column; -1 for `margin`.
    int rightMargin = -1; ///< Space right of a cell's text, in pixels; -1 for `margin`.
    int widest = 0; ///< Maximum width that a cell requests; 0 for no limit.
    Qt::TextElideMode elide = Qt::ElideRight;
};

/// Metrics of tables that fill a dock, in pixels: lines of 19, margins of 8, 11 left of the first column, 5 at the right.
constexpr LineMetrics DockLines{19, 8, 11, 5};

/// Delegate that paints a cell as one line of text, on the background of a table row.
class LineDelegate : public QStyledItemDelegate {
public:
    explicit LineDelegate(QObject* parent, const LineMetrics& metrics = {})
        : QStyledItemDelegate(parent)
        , m_metrics(metrics)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// Paints marks, badges or bars of a cell in `room`. Returns the part of `room` that is left for the text; empty if there should be no
    /// text.
    virtual QRect paintMarks(QPainter&, const QStyleOptionViewItem&, const QModelIndex&, const QRect& room) const { return room; }

private:
    LineMetrics m_metrics;
};

} // namespace helio
