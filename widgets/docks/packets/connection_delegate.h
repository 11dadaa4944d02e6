#pragma once

#include <QStyledItemDelegate>

namespace helio {

/// Paints a line of the ConnectionModel: the hosts of both ends with their badges, as in panels.
/// Threads: UI thread.
class ConnectionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace helio
