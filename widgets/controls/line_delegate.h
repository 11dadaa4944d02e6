#pragma once

#include <QStyledItemDelegate>

namespace helio {

/// Distances of a LineDelegate, in pixels.
struct LineMetrics {
    int height = 19;
    int margin = 5; ///< Left and right of a cell's text.
    int firstMargin = -1; ///< Left of the first column's text; -1 for `margin`.
    int rightMargin = -1; ///< Right of a cell's text; -1 for `margin`.
    int widest = 0; ///< Limit of the width that a cell requests; 0 for no limit.
    Qt::TextElideMode elide = Qt::ElideRight;
};

/// Distances of tables that fill a dock.
constexpr LineMetrics DockLines{19, 8, 11, 5};

/// Paints a cell as one line of text on the background of a table row.
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
    /// Paints marks, badges or bars of a cell. Returns the part of `room` that is left for the text; empty for no text.
    virtual QRect paintMarks(QPainter&, const QStyleOptionViewItem&, const QModelIndex&, const QRect& room) const { return room; }

private:
    LineMetrics m_metrics;
};

} // namespace helio
