#pragma once

#include "core/compare/durations.h"
#include "widgets/controls/table_copy.h"

#include <QAbstractTableModel>

#include <vector>

namespace helio {

/// Table of the Durations page: each cause with the number and the lengths of its intervals in A and in B.
class DurationsModel : public QAbstractTableModel, public CsvModel {
    Q_OBJECT

public:
    enum Column { Cause, TimesA, TimesB, MedianA, MedianB, P99A, P99B, MostA, MostB, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setDurations(std::vector<ComparedDurations> durations);
    const ComparedDurations& at(int row) const { return m_durations[std::size_t(m_rows[std::size_t(row)])]; }
    /// Returns the row with the same cause; -1 if there is none.
    int find(const ComparedDurations& like) const;
    QString csv() const override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();

    std::vector<ComparedDurations> m_durations;
    std::vector<int> m_rows;
    int m_column = -1; ///< Column to sort by; -1 keeps the order of setDurations(), which is by total time.
    bool m_isDescending = true;
};

/// Text of the cause, e.g. "waits for CPU" or "read, entry to return".
QString causeText(const ComparedDurations& durations);

} // namespace helio
