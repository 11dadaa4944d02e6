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

/// Row::kind of groups whose bars show the sum of the rows below them. Such groups are closed initially.
constexpr const char* SummedGroup = "group";
/// Row::kind of a fold, which collects short-lived processes or threads with the same name and parent. A fold is initially closed; its bars
/// show the sum of its rows.
constexpr const char* FoldGroup = "fold";
/// Row::kind of a disk: while it is closed, its requests are drawn as lanes. Below it are its queues; a queue has a row for each slot, and
/// a slot has one request at a time.
constexpr const char* LanesGroup = "disk";

/// True for rows of a call stack after the first one: deeper frames, and the states of the stack's thread. These rows have no names.
bool isBelowStack(const std::vector<Row>& rows, const Row& row);

/// Rows of a view as queried, with an index of children and tracks.
/// Threads: immutable, shared between threads.
class RowSet {
public:
    RowSet() = default;
    explicit RowSet(std::vector<Row> rows);

    const std::vector<Row>& rows() const { return m_rows; }
    const Row& operator[](std::int32_t index) const { return m_rows[std::size_t(index)]; }
    std::size_t tracks() const { return m_index.size(); } ///< Number of rows that are not groups.
    std::span<const std::int32_t> tops() const { return m_tops; }
    std::span<const std::int32_t> children(std::int32_t index) const
    {
        const auto begin = m_childrenBegin[std::size_t(index)];
        return {m_children.data() + begin, m_childrenBegin[std::size_t(index) + 1] - begin};
    }
    std::int32_t find(TrackRef ref) const; ///< Index of the row with the track; -1 if none.
    /// True if both sets show the same rows in the same order; other attributes of the rows are not compared.
    bool looksLike(const RowSet& other) const;

private:
    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_tops;
    /// Indexed by row, with one more entry at the end: index of the row's first child in m_children.
    std::vector<std::uint32_t> m_childrenBegin;
    std::vector<std::int32_t> m_children;
    std::unordered_map<TrackRef, std::int32_t, TrackRefHash> m_index;
};

/// True if the rows contain call stacks of samples; recorded calls do not count.
bool hasSampledStacks(const Timeline& timeline, const std::vector<Row>& rows);

/// Number of depths that have a call in a time range, by the index of the stack's first row.
using OccupiedDepths = std::unordered_map<std::int32_t, int>;

/// Counts the depths of all call stacks that have a call in the range. After a stop request, stacks are missing in the result.
/// Requires: while a depth has a call, all depths further out have one, too.
/// Threads: any.
/// Cost: a few µs for each stack.
OccupiedDepths countOccupiedDepths(const Timeline& timeline, const RowSet& rows, TimeRange range, const std::stop_token& stop = {});

/// Row of a view with its position in the tree.
struct TreeRow {
    std::int32_t index = 0; ///< Index into RowTree::rows().
    std::int32_t depth = 0;
    bool hasChildren = false;
    bool isOpen = false;
    std::int32_t hiddenDepths = 0; ///< Number of call depths that are hidden below this row.
    std::int32_t hiddenRow = -1; ///< Index of the row of the outermost hidden call depth; -1 if no depth is hidden.
    bool operator==(const TreeRow&) const = default;
};

/// Rows of a view, with filter, sorting, and open or closed state as the user chose. Needs no window.
/// Cost: copies are cheap, so that another thread can arrange a copy.
class RowTree {
public:
    /// Sort keys of the rows. Time: the order in which the query returned the rows. Share: CPU time in the visible range. Total: CPU time
    /// in the whole trace, so that the order stays the same while the user zooms; hosts are not sorted by it.
    enum class Column { Time, Name, Id, Share, Total };

    void setRows(std::vector<Row> rows) { setRows(std::make_shared<RowSet>(std::move(rows))); }
    void setRows(std::shared_ptr<const RowSet> rows);
    const std::vector<Row>& rows() const { return m_rows->rows(); }
    const std::shared_ptr<const RowSet>& rowSet() const { return m_rows; }

    /// Rows that are shown, from top to bottom. Computed on the first call after a change.
    /// Cost: about 100 ns per row.
    const std::vector<TreeRow>& visible() const;

    /// Sets the filter. It matches any part of a name or id, or a whole thread number. Text in quotes must be the whole name of a thread
    /// or of its process. If a host's name matches, all rows of the host match.
    void setFilter(const QString& text);
    /// Sets a predicate that hides rows: a row that it rejects is only shown if a child is shown. An empty function accepts all rows.
    /// `keepsEmptyGroups`: true to show groups of whose rows none is accepted.
    void setAccepts(std::function<bool(const Row&)> accepts, bool keepsEmptyGroups = true);
    void setSort(Column column, bool isDescending);
    /// Sets the initial order, and sorts by it.
    void setInitialSort(Column column, bool isDescending);
    void restoreInitialSort() { setSort(m_initialSort, m_isInitiallyDescending); }
    Column sortColumn() const { return m_sort; }
    bool isDescending() const { return m_isDescending; }
    /// Sets the shares of the visible range, for Column::Share. In the tree, a row counts with all rows below it.
    void setShares(std::shared_ptr<const Shares> shares);
    /// Sets the CPU shares of the rows over the whole trace, for Column::Total.
    void setTotals(std::shared_ptr<const Shares> totals);

    /// Ranks of rows by their tracks; lower ranks come first.
    using Ranks = std::unordered_map<TrackRef, int, TrackRefHash>;
    /// Sets ranks by which siblings are sorted instead of the sort column. Siblings without a rank come last, sorted by the column; nullptr
    /// to sort all rows by the column.
    void setRanks(std::shared_ptr<const Ranks> ranks);
    /// Returns all tracks in the order of the rows, including those of rows that are filtered, hidden or in closed groups.
    /// Cost: about 100 ns per row.
    std::vector<TrackRef> order() const;

    /// Sets whether rows are shown as a flat list, without groups.
    void setFlat(bool isFlat);
    bool isFlat() const { return m_isFlat; }

    /// Limits the number of depths shown per call stack; 0 for no limit.
    void setMostDepths(int depths);
    int mostDepths() const { return m_mostDepths; }
    /// Limits the depths of one call stack, whose first row has the index `stack`.
    void setMostDepths(std::int32_t stack, int depths);
    int mostDepths(std::int32_t stack) const;
    /// Returns the index of the call stack that contains the row, and the row's depth from 1; depth 0 is the row of the thread's states.
    /// The index is -1 if the row is in no stack.
    std::pair<std::int32_t, int> depthOf(std::int32_t index) const;

    /// Sets the number of depths that have a call in the visible range, by the index of the stack; deeper rows are not shown. Stacks that
    /// are not in `depths` show all their depths; with nullptr, all stacks do. setRows() resets it to nullptr.
    void setOccupiedDepths(std::shared_ptr<const OccupiedDepths> depths);
    const std::shared_ptr<const OccupiedDepths>& occupiedDepths() const { return m_occupied; }

    /// Hides a row and all rows below it until showAll() is called.
    void hide(std::int32_t index);
    void showAll();
    void unpinAll() { m_pinned.clear(); }
    bool hasHidden() const { return !m_hidden.isEmpty(); }

    void setPinned(std::int32_t index, bool isPinned);
    bool isPinned(std::int32_t index) const;
    /// Moves a pinned row to the position `to` in pinned().
    void movePinned(std::int32_t index, int to);
    /// Returns the indexes of the pinned rows that exist, in the order of pinning.
    std::vector<std::int32_t> pinned() const;

    /// Saves the user's changes by keys that stay valid in another session: opened, closed, hidden and pinned rows, list mode, sorting,
    /// depths.
    QJsonObject save() const;
    void restore(const QJsonObject& kept);

    void setOpen(std::int32_t index, bool isOpen);
    void setAllOpen(bool areOpen);
    bool isOpen(std::int32_t index) const;
    /// Opens all ancestors of the row, so that the row is shown.
    void reveal(std::int32_t index);

    /// Index of the row with the track; -1 if there is none.
    std::int32_t find(TrackRef ref) const { return m_rows->find(ref); }

private:
    void arrange() const;
    std::vector<char> keptRows() const;
    bool accepts(const Row& row) const;
    const Row* parentOf(const Row& row) const;
    std::vector<std::uint32_t> hostsNamed(const QString& filter) const;
    void arrangeFlat(const std::vector<char>& kept) const;
    void arrangeTree(const std::vector<char>& kept) const;
    std::vector<double> shares(bool withChildren) const;
    std::span<const std::int32_t> hiddenDepths(std::int32_t stack) const;
    int occupiedDepths(std::int32_t stack) const;
    bool isTooDeep(std::int32_t index) const;
    void noteHidden(TreeRow& row) const;
    void sortSiblings(std::vector<std::int32_t>& siblings, const std::vector<double>& shares) const;
    void sortByColumn(std::vector<std::int32_t>& siblings, const std::vector<double>& shares) const;
    void change() { m_isArranged = false; }

    std::shared_ptr<const RowSet> m_rows = std::make_shared<RowSet>(std::vector<Row>());
    mutable std::vector<TreeRow> m_visible;
    mutable bool m_isArranged = false;
    mutable std::vector<std::uint32_t> m_filteredHosts; ///< Indexes of the hosts whose names match the filter.
    QString m_filter;
    std::function<bool(const Row&)> m_accepts;
    bool m_keepsEmptyGroups = true;
    Column m_sort = Column::Time;
    bool m_isDescending = false;
    Column m_initialSort = Column::Time;
    bool m_isInitiallyDescending = false;
    std::shared_ptr<const Shares> m_shares;
    std::shared_ptr<const Shares> m_totals;
    std::shared_ptr<const Ranks> m_ranks;
    QSet<QString> m_toggled; ///< Keys of rows that the user opened or closed.
    QSet<QString> m_hidden; ///< Keys of hidden rows.
    QStringList m_pinned; ///< Keys of pinned rows.
    int m_mostDepths = 0;
    QMap<QString, int> m_ownDepths; ///< Limits of depths by key, for call stacks with a limit of their own.
    std::shared_ptr<const OccupiedDepths> m_occupied;
    bool m_isFlat = false;
};

/// Returns the text inside the quotes of a filter; nullopt if the filter is not in quotes.
std::optional<QString> wholeName(const QString& filter);

} // namespace helio
