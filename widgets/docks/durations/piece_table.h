#pragma once

#include "core/latency/intervals/lengths_by_name.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace helio {

/// How long what has a name lasted, a line a name, sorted by any column. UI thread.
class PieceTable : public QAbstractTableModel {
    Q_OBJECT

public:
    /// What one comes for first.
    enum Column { Name, Count, Median, P99, Most, Total, Least, Mean, P90, P999, ColumnCount };
    static constexpr Column LastOfFirst = Total; ///< The columns up to it are to be seen without scrolling.

    using QAbstractTableModel::QAbstractTableModel;

    void setLines(std::shared_ptr<const std::vector<NamedLengths>> lines, const QString& nameTitle); ///< Null: none.
    const NamedLengths& line(int row) const { return (*m_all)[m_order[std::size_t(row)]]; }
    int find(const std::string& name) const; ///< -1: there is none.
    std::vector<std::string> mostOf(std::size_t count) const; ///< The names of the most time, at most so many.

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_order.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(ColumnCount); }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();

    std::shared_ptr<const std::vector<NamedLengths>> m_all;
    std::vector<std::size_t> m_order;
    QString m_nameTitle;
    Column m_column = Total;
    bool m_isDescending = true;
};

} // namespace helio
