#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"
#include "widgets/workspace/lock_stat_text.h"

#include <QStringList>

#include <vector>

namespace helio {

/// Table of the lock classes in a /proc/lock_stat text, sorted by any column. The filter keeps a class if it finds its text in the name of
/// the class, or in the name of a code location that waited for a lock of the class. Threads: UI thread. Cost: each change takes time
/// proportional to the number of classes.
class LockClassModel : public ColumnModel<const LockStatClass*>, public CsvModel {
    Q_OBJECT

public:
    /// Columns, the most important first, unlike in the file: the dock is seldom wide enough for all.
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

    LockClassModel();

    /// Sets the text; nullptr empties the table.
    void setText(std::shared_ptr<const ReadLockStat> text);
    void setFilter(const QString& filter);

    std::size_t all() const { return m_text ? m_text->stat.classes.size() : 0; }
    std::size_t place(int row) const { return placeOf(row); } ///< Index of a row's class in the file.
    const LockStatClass& lockClass(int row) const { return *line(row); }
    int find(const std::string& name) const; ///< First row of the class with this name; -1 if it is not listed.
    LockStatSum sum() const; ///< Returns the sums over the listed classes.
    QString csv() const override; ///< Returns the listed classes in their order, in the CSV format of the command line.

private:
    std::shared_ptr<const ReadLockStat> m_text;
    QStringList m_searchable; ///< Text that the filter is applied to, in lower case, indexed like the classes of the text.
};

} // namespace helio
