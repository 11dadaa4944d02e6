#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "widgets/controls/column_model.h"

#include <memory>
#include <string>
#include <vector>

namespace helio {

/// A table of durations by name, one line per name.
/// Threads: UI thread.
class DurationTable : public ColumnModel<const DurationStats*> {
    Q_OBJECT

public:
    /// The columns that users look at first come first.
    enum Column { Name, Count, Median, P99, Most, Total, Least, Mean, P90, P999, ColumnCount };
    static constexpr Column LastOfFirst = Total; ///< Columns up to this one can be seen without scrolling.

    DurationTable();

    void setLines(std::shared_ptr<const std::vector<DurationStats>> lines, const QString& nameTitle); ///< nullptr for an empty table.
    const DurationStats& line(int row) const { return *ColumnModel::line(row); }
    int find(const std::string& name) const; ///< Row of this name; -1 if not found.
    std::vector<std::string> namesByTotal(std::size_t count) const; ///< Names with the largest total durations, at most `count`.

private:
    std::shared_ptr<const std::vector<DurationStats>> m_all;
};

} // namespace helio
