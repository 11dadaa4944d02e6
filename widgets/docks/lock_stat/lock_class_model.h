#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"
#include "widgets/workspace/lock_stat_text.h"

#include <QStringList>

#include <vector>

namespace helio {

/// The lock classes of a text of /proc/lock_stat, sorted by any column. The filter keeps classes with a text in their name or in a code
/// place that waited for them.
/// Threads: UI thread.
/// Cost: each change costs time in proportion to all classes.
class LockClassModel : public ColumnModel<const LockStatClass*>, public CsvModel {
    Q_OBJECT

public:
    /// The most important columns come first, unlike in the file: the dock is seldom wide enough for all.
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

    /// nullptr if there is no text.
    void setText(std::shared_ptr<const ReadLockStat> text);
    void setFilter(const QString& filter);

    std::size_t all() const { return m_text ? m_text->stat.classes.size() : 0; }
    std::size_t place(int row) const { return placeOf(row); } ///< Index in the file.
    const LockStatClass& lockClass(int row) const { return *line(row); }
    int find(const std::string& name) const; ///< First row of this name; -1 if it is not listed.
    LockStatSum sum() const; ///< Sums of the listed classes.
    QString csv() const override; ///< The listed classes in their order, in the command line's format.

private:
    std::shared_ptr<const ReadLockStat> m_text;
    QStringList m_searchable; ///< Searchable text in lower case, indexed like the classes of the text.
};

} // namespace helio
