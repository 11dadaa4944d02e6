#pragma once

#include "core/virtualization/machine_losses.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <vector>

namespace helio {

/// Lines of cells, each of which may lead somewhere. Sorts by any column. UI thread.
class LossTable : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Cell {
        QString text;
        qint64 number = -1; ///< What it sorts by; -1: its text.
        LossPlace place{}; ///< Where a click leads; a row that is not valid: nowhere.
    };
    struct Column {
        QString title;
        bool isNumber = false;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// In the order that they come in, until a person sorts them.
    void setLines(std::vector<Column> columns, std::vector<std::vector<Cell>> lines);
    const Cell& cell(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_order.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_columns.size()); }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_lines;
    std::vector<std::size_t> m_order;
};

/// Draws the cells of such a table: those that are too wide lose their middle, since what tells them apart stands at the end.
class LossDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace helio
