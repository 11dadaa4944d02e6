#pragma once

#include "core/query/rows.h"

#include <QSet>
#include <QString>

#include <functional>
#include <unordered_map>
#include <vector>

namespace helio {

/// A row as a view shows it: its place in the tree, open or not.
struct TreeRow {
    std::int32_t index = 0; ///< In RowTree::rows().
    std::int32_t depth = 0;
    bool hasChildren = false;
    bool isOpen = false;
    bool operator==(const TreeRow&) const = default;
};

/// The rows of a view with what a person does to them: filter, sort, open and close. Pure; no window.
class RowTree {
public:
    enum class Column { Time, Name, Id, Share }; ///< Time: the order of the query.

    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }

    /// What is shown, top to bottom; rebuilt by the setters.
    const std::vector<TreeRow>& visible() const { return m_visible; }
    std::size_t matches() const { return m_matches; } ///< Rows shown or in closed parents, without those only kept as parents.

    void setFilter(const QString& text);
    /// Rows for which it says no are hidden, unless a child is shown. Empty: none.
    void setAccepts(std::function<bool(const Row&)> accepts);
    void setSort(Column column, bool isDescending);
    Column sortColumn() const { return m_sort; }
    bool isDescending() const { return m_isDescending; }
    void setShares(std::unordered_map<std::int32_t, double> shares); ///< By row index; for sorting.

    /// Rows of these kinds begin closed.
    void setClosedKinds(QSet<QString> kinds) { m_closedKinds = std::move(kinds); }
    void setOpen(std::int32_t index, bool isOpen);
    void setAllOpen(bool areOpen);
    bool isOpen(std::int32_t index) const;
    /// Opens what the row hangs below.
    void reveal(std::int32_t index);

    std::int32_t find(TrackRef ref) const; ///< Index of its row, or -1.
    std::int32_t findVisible(TrackRef ref) const; ///< Position in visible(), or -1.

private:
    void update();
    void append(std::int32_t index, int depth);
    bool accepts(const Row& row) const;
    void sortSiblings(std::vector<std::int32_t>& siblings) const;

    std::vector<Row> m_rows;
    std::vector<std::vector<std::int32_t>> m_children;
    std::vector<std::int32_t> m_tops;
    std::vector<char> m_isKept;
    std::vector<TreeRow> m_visible;
    std::size_t m_matches = 0;
    QString m_filter;
    std::function<bool(const Row&)> m_accepts;
    Column m_sort = Column::Time;
    bool m_isDescending = false;
    std::unordered_map<std::int32_t, double> m_shares;
    QSet<QString> m_closedKinds;
    QSet<QString> m_toggled; ///< Ids of rows that are not as they begin.
};

} // namespace helio
