#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"
#include "widgets/workspace/lock_stat_text.h"

#include <QStringList>

#include <vector>

namespace helio {

/// The classes of locks of a text of /proc/lock_stat: sorted by any column, and those alone that hold a text in their name or in that of a
/// place where they were waited for. UI thread. Cost of a change: of all classes.
class LockClassModel : public ColumnModel<const LockStatClass*>, public CsvModel {
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

    LockClassModel();

    /// Null: there is none.
    void setText(std::shared_ptr<const ReadLockStat> text);
    void setFilter(const QString& filter);

    std::size_t all() const { return m_text ? m_text->stat.classes.size() : 0; }
    std::size_t place(int row) const { return placeOf(row); } ///< Index in the file.
    const LockStatClass& lockClass(int row) const { return *line(row); }
    int find(const std::string& name) const; ///< The first row of that name; -1: it is not listed.
    LockStatSum sum() const; ///< Of what is listed.
    QString csv() const override; ///< What is listed, in its order, as the command line writes it.
    int sortedBy() const { return sortedColumn(); }

private:
    std::shared_ptr<const ReadLockStat> m_text;
    QStringList m_searchable; ///< By place, in lower case.
};

} // namespace helio
