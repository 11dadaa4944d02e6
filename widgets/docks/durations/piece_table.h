#pragma once

#include "core/latency/intervals/lengths_by_name.h"
#include "widgets/controls/column_model.h"

#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Durations by name, a line for each name. Threads: UI thread.
class PieceTable : public ColumnModel<const NamedLengths*> {
    Q_OBJECT

public:
    /// The columns that users look at first come first.
    enum Column { Name, Count, Median, P99, Most, Total, Least, Mean, P90, P999, ColumnCount };
    static constexpr Column LastOfFirst = Total; ///< The columns up to it can be seen without scrolling.

    PieceTable();

    void setLines(std::shared_ptr<const std::vector<NamedLengths>> lines, const QString& nameTitle); ///< nullptr: none.
    const NamedLengths& line(int row) const { return *ColumnModel::line(row); }
    int find(const std::string& name) const; ///< -1 if there is none.
    std::vector<std::string> mostOf(std::size_t count) const; ///< Names with the largest sums, at most `count`.

private:
    std::shared_ptr<const std::vector<NamedLengths>> m_all;
};

} // namespace helio
