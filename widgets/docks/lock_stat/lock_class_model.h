#pragma once

#include "widgets/controls/table_copy.h"
#include "widgets/workspace/lock_stat_text.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace helio {

/// The classes of locks of a text of /proc/lock_stat: sorted by any column, and those alone that hold a text in their name or in that of a
/// place where they were waited for. UI thread. Cost of a change: of all classes.
class LockClassModel : public QAbstractTableModel, public CsvModel {
    Q_OBJECT

public:
    /// What one looks for first stands first, not as in the file: the dock is seldom as wide as all of them.
    enum Column {
        Name,
        Contentions,
        Waited,
        LongestWait,
        MeanWait,
        ShortestWait,
        Acquisitions,
        Held,
        LongestHold,
        MeanHold,
        ShortestHold,
        WaitBounces,
        Bounces,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: there is none.
    void setText(std::shared_ptr<const ReadLockStat> text);
    void setFilter(const QString& filter);

    std::size_t all() const { return m_text ? m_text->stat.classes.size() : 0; }
    std::size_t place(int row) const { return m_shown[std::size_t(row)]; } ///< In the file, from 0.
    const LockStatClass& lockClass(int row) const { return m_text->stat.classes[place(row)]; }
    int find(const std::string& name) const; ///< The first row of that name; -1: it is not listed.
    LockStatSum sum() const; ///< Of what is listed.
    QString csv() const override; ///< What is listed, in its order, as the command line writes it.

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_shown.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(ColumnCount); }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;
    int sortedBy() const { return m_column; }
    bool isDescending() const { return m_isDescending; }

private:
    void list();

    std::shared_ptr<const ReadLockStat> m_text;
    QStringList m_searchable; ///< By place, in lower case.
    std::vector<std::size_t> m_shown; ///< Places.
    QString m_filter;
    int m_column = Contentions;
    bool m_isDescending = true;
};

} // namespace helio
