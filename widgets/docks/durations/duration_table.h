#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "widgets/controls/column_model.h"

#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Table of durations by name, one name per line.
/// Threads: UI thread.
class DurationTable : public ColumnModel<const DurationStats*> {
    Q_OBJECT

public:
    /// Columns, the most important first.
    enum Column { Name, Count, Median, P99, Most, Total, Least, Mean, P90, P999, ColumnCount };
    /// Last of the number columns, beginning with Count, that should be visible without scrolling.
    static constexpr Column LastUnscrolledColumn = Total;

    DurationTable();

    /// Sets the lines; nullptr empties the table. `nameTitle`: title of the first column.
    void setLines(std::shared_ptr<const std::vector<DurationStats>> lines, const QString& nameTitle);
    const DurationStats& line(int row) const { return *ColumnModel::line(row); }
    int find(const std::string& name) const; ///< Row with this name; -1 if there is none.
    /// Returns the names with the largest total durations, at most `count`.
    std::vector<std::string> namesByTotal(std::size_t count) const;

private:
    std::shared_ptr<const std::vector<DurationStats>> m_all;
};

} // namespace helio
