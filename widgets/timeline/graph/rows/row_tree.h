#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace helio {

/// The kind of groups whose bars are the sum of what hangs below them, and which begin closed.
constexpr const char* SummedGroup = "group";
/// Row::kind of a row whose requests are lanes of it while it is closed: it has queues below it, and these have a row a slot.
constexpr const char* LanesGroup = "disk";

/// A row that belongs to a call stack: one depth of it, or the states of its thread. It has no name of its own.
bool isBelowStack(const std::vector<Row>& rows, const Row& row);

/// A view's rows as a query gave them, with what is needed to find one's way. Immutable; shared between threads.
class RowSet {
public:
    RowSet() = default;
    explicit RowSet(std::vector<Row> rows);

    const std::vector<Row>& rows() const { return m_rows; }
    const Row& operator[](std::int32_t index) const { return m_rows[std::size_t(index)]; }
    std::size_t tracks() const { return m_index.size(); } ///< Rows that are no groups.
    std::span<const std::int32_t> tops() const { return m_tops; }
    std::span<const std::int32_t> children(std::int32_t index) const
    {
        const auto begin = m_childrenBegin[std::size_t(index)];
        return {m_children.data() + begin, m_childrenBegin[std::size_t(index) + 1] - begin};
    }
    std::int32_t find(TrackRef ref) const; ///< Its index, or -1.
    /// Whether both have the same rows in the same places, whatever else became known of them.
    bool looksLike(const RowSet& other) const;

private:
    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_tops;
    std::vector<std::uint32_t> m_childrenBegin; ///< In m_children; one more than rows.
    std::vector<std::int32_t> m_children;
    std::unordered_map<TrackRef, std::int32_t, TrackRefHash> m_index;
};

/// A row as a view shows it: its place in the tree, open or not.
struct TreeRow {
    std::int32_t index = 0; ///< In RowTree::rows().
    std::int32_t depth = 0;
    bool hasChildren = false;
    bool isOpen = false;
    std::int32_t hiddenDepths = 0; ///< Of a call stack: so many depths below this one are not shown.
    std::int32_t hiddenRow = -1; ///< The first of them.
    bool operator==(const TreeRow&) const = default;
};

/// The rows of a view with what a person does to them: filter, sort, open and close. Pure; no window. A copy is cheap, so that a view may
/// have another thread arrange it.
class RowTree {
public:
    enum class Column { Time, Name, Id, Share }; ///< Time: the order of the query.

    void setRows(std::vector<Row> rows) { setRows(std::make_shared<RowSet>(std::move(rows))); }
    void setRows(std::shared_ptr<const RowSet> rows);
    const std::vector<Row>& rows() const { return m_rows->rows(); }
    const std::shared_ptr<const RowSet>& rowSet() const { return m_rows; }

    /// What is shown, top to bottom. Arranged when asked for after a change: some 100 ns a row.
    const std::vector<TreeRow>& visible() const;

    /// Part of a name or id, or a thread's number; in quotes: exactly this name, with the threads of a process that has it. What is so of a
    /// host is of all its rows.
    void setFilter(const QString& text);
    /// Rows for which it says no are hidden, unless a child is shown. Empty: none.
    void setAccepts(std::function<bool(const Row&)> accepts);
    void setSort(Column column, bool isDescending);
    Column sortColumn() const { return m_sort; }
    bool isDescending() const { return m_isDescending; }
    void setShares(std::shared_ptr<const Shares> shares); ///< For sorting; a row counts with all that hangs below it.

    /// All rows one below the other, without what only groups them.
    void setFlat(bool isFlat);
    bool isFlat() const { return m_isFlat; }

    /// Call stacks show so many depths; 0: all that there are.
    void setMostDepths(int depths);
    int mostDepths() const { return m_mostDepths; }
    /// One of them does, by the index of its row, whatever the others do.
    void setMostDepths(std::int32_t stack, int depths);
    int mostDepths(std::int32_t stack) const;
    /// The stack that a row belongs to, and which of its depths it is, from 1; 0: it is none of them. -1: the row belongs to no stack.
    std::pair<std::int32_t, int> depthOf(std::int32_t index) const;

    /// Takes a row away, with all that hangs below it, until showAll().
    void hide(std::int32_t index);
    void showAll();
    void unpinAll() { m_pinned.clear(); }
    bool hasHidden() const { return !m_hidden.isEmpty(); }

    void setPinned(std::int32_t index, bool isPinned);
    bool isPinned(std::int32_t index) const;
    /// Those that are there, in the order they were pinned in.
    std::vector<std::int32_t> pinned() const;

    /// What a person did, in words that mean the same in another run: open and closed, hidden, pinned, flat, sorting, depths.
    QJsonObject save() const;
    void restore(const QJsonObject& kept);

    void setOpen(std::int32_t index, bool isOpen);
    void setAllOpen(bool areOpen);
    bool isOpen(std::int32_t index) const;
    /// Opens what the row hangs below.
    void reveal(std::int32_t index);

    std::int32_t find(TrackRef ref) const { return m_rows->find(ref); } ///< Index of its row, or -1.

private:
    void arrange() const;
    std::vector<char> keptRows() const;
    bool accepts(const Row& row) const;
    std::vector<std::uint32_t> hostsNamed(const QString& filter) const;
    void arrangeFlat(const std::vector<char>& kept) const;
    void arrangeTree(const std::vector<char>& kept) const;
    std::vector<double> shares(bool withChildren) const;
    std::span<const std::int32_t> hiddenDepths(std::int32_t stack) const;
    bool isTooDeep(std::int32_t index) const;
    void noteHidden(TreeRow& row) const;
    void sortSiblings(std::vector<std::int32_t>& siblings, const std::vector<double>& shares) const;
    void change() { m_isArranged = false; }

    std::shared_ptr<const RowSet> m_rows = std::make_shared<RowSet>(std::vector<Row>());
    mutable std::vector<TreeRow> m_visible;
    mutable bool m_isArranged = false;
    mutable std::vector<std::uint32_t> m_filteredHosts; ///< All of their rows match the filter.
    QString m_filter;
    std::function<bool(const Row&)> m_accepts;
    Column m_sort = Column::Time;
    bool m_isDescending = false;
    std::shared_ptr<const Shares> m_shares;
    QSet<QString> m_toggled; ///< Keys of rows that are not as they begin.
    QSet<QString> m_hidden; ///< Keys.
    QStringList m_pinned; ///< Keys.
    int m_mostDepths = 0;
    QMap<QString, int> m_ownDepths; ///< By key: of stacks that show another number of depths.
    bool m_isFlat = false;
};

/// The name that a filter in quotes means. None: it is not in quotes.
std::optional<QString> wholeName(const QString& filter);

} // namespace helio
