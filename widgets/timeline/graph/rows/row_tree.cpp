#include "widgets/timeline/graph/rows/row_tree.h"

#include "core/query/rows/stack_depths.h"
#include "widgets/time/qt_text.h"

#include <QJsonArray>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace helio {

namespace {

/// Returns a key of the row that is unique across traces, and the same in every timeline. Ids of groups are unique without the trace.
QString keyOf(const Row& row) { return QString::number(row.ref.isValid() ? row.trace : 0) + QLatin1Char('/') + text(row.id); }

/// True for rows that are initially closed: CPUs, because their bars already show the threads and interrupts below; groups and folds,
/// because they show the sum of their rows; disks, because they show their requests as lanes.
bool beginsClosed(const Row& row)
{
    return row.role == TrackRole::Cpu || row.kind == SummedGroup || row.kind == FoldGroup || row.kind == LanesGroup;
}

/// True if the row is below a row with lanes. Flat lists omit such rows, because their names mean nothing without their parents.
bool isBelowLanes(const std::vector<Row>& rows, std::int32_t index)
{
    for (std::int32_t i = rows[std::size_t(index)].parent; i >= 0; i = rows[std::size_t(i)].parent)
        if (rows[std::size_t(i)].kind == LanesGroup)
            return true;
    return false;
}

} // namespace

bool isBelowStack(const std::vector<Row>& rows, const Row& row)
{
    return row.parent >= 0 && std::size_t(row.parent) < rows.size() && rows[std::size_t(row.parent)].valueKind == ValueKind::Frame;
}

RowSet::RowSet(std::vector<Row> rows)
    : m_rows(std::move(rows))
    , m_childrenBegin(m_rows.size() + 1)
{
    const auto parentOf = [&](std::size_t i) { return m_rows[i].parent < std::int32_t(i) ? m_rows[i].parent : -1; };
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].ref.isValid())
            m_index.emplace(m_rows[i].ref, std::int32_t(i));
        if (parentOf(i) >= 0)
            ++m_childrenBegin[std::size_t(parentOf(i)) + 1];
        else
            m_tops.push_back(std::int32_t(i));
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_childrenBegin[i + 1] += m_childrenBegin[i];
    m_children.resize(m_childrenBegin.back());
    std::vector<std::uint32_t> next(m_childrenBegin.begin(), m_childrenBegin.end() - 1);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (parentOf(i) >= 0)
            m_children[next[std::size_t(parentOf(i))]++] = std::int32_t(i);
    }
}

std::int32_t RowSet::find(TrackRef ref) const
{
    const auto it = m_index.find(ref);
    return it == m_index.end() ? -1 : it->second;
}

bool RowSet::looksLike(const RowSet& other) const
{
    return std::ranges::equal(m_rows, other.m_rows, [](const Row& a, const Row& b) {
        return a.ref == b.ref && a.parent == b.parent && a.label == b.label && a.id == b.id && a.kind == b.kind && a.cpu == b.cpu;
    });
}

bool hasSampledStacks(const Timeline& timeline, const std::vector<Row>& rows)
{
    const auto frame = std::ranges::find(rows, ValueKind::Frame, &Row::valueKind);
    // Only the states of sampled frames have an explanation for tooltips.
    return frame != rows.end() && std::ranges::any_of(statesOf(timeline, frame->ref).states, [](const StateKind& state) {
               return state.style.has(StateFlag::ExplainedInTips);
           });
}

OccupiedDepths countOccupiedDepths(const Timeline& timeline, const RowSet& rows, TimeRange range, const std::stop_token& stop)
{
    OccupiedDepths occupied;
    std::vector<TrackRef> depths;
    for (std::int32_t i = 0; i < std::int32_t(rows.rows().size()) && !stop.stop_requested(); ++i) {
        if (rows[i].valueKind != ValueKind::Frame || isBelowStack(rows.rows(), rows[i]))
            continue;
        depths.assign(1, rows[i].ref);
        for (const std::int32_t child : rows.children(i))
            if (rows[child].valueKind == ValueKind::Frame)
                depths.push_back(rows[child].ref);
        occupied.emplace(i, countOccupiedDepths(timeline, depths, range));
    }
    return occupied;
}

void RowTree::setRows(std::shared_ptr<const RowSet> rows)
{
    m_rows = std::move(rows);
    m_occupied.reset();
    m_isArranged = false;
}

void RowTree::setFilter(const QString& filter)
{
    m_isArranged = m_isArranged && filter == m_filter;
    m_filter = filter;
}

void RowTree::setAccepts(std::function<bool(const Row&)> accepts, bool keepsEmptyGroups)
{
    m_accepts = std::move(accepts);
    m_keepsEmptyGroups = keepsEmptyGroups;
    m_isArranged = false;
}

void RowTree::setSort(Column column, bool isDescending)
{
    m_sort = column;
    m_isDescending = isDescending;
    m_isArranged = false;
}

void RowTree::setInitialSort(Column column, bool isDescending)
{
    m_initialSort = column;
    m_isInitiallyDescending = isDescending;
    restoreInitialSort();
}

void RowTree::setShares(std::shared_ptr<const Shares> shares)
{
    m_shares = std::move(shares);
    m_isArranged = m_isArranged && m_sort != Column::Share;
}

void RowTree::setTotals(std::shared_ptr<const Shares> totals)
{
    m_totals = std::move(totals);
    m_isArranged = m_isArranged && m_sort != Column::Total;
}

void RowTree::setRanks(std::shared_ptr<const Ranks> ranks)
{
    m_ranks = std::move(ranks);
    m_isArranged = false;
}

std::vector<TrackRef> RowTree::order() const
{
    const std::vector<double> sums = shares(!m_isFlat);
    std::vector<TrackRef> tracks;
    std::vector<std::int32_t> siblings, pending;
    const auto push = [&](std::span<const std::int32_t> all) {
        siblings.assign(all.begin(), all.end());
        sortSiblings(siblings, sums);
        pending.insert(pending.end(), siblings.rbegin(), siblings.rend());
    };
    if (m_isFlat) {
        std::vector<std::int32_t> all(rows().size());
        std::iota(all.begin(), all.end(), 0);
        push(all);
    } else {
        push(m_rows->tops());
    }
    while (!pending.empty()) {
        const std::int32_t index = pending.back();
        pending.pop_back();
        if (const TrackRef track = (*m_rows)[index].ref; track.isValid())
            tracks.push_back(track);
        if (!m_isFlat)
            push(m_rows->children(index));
    }
    return tracks;
}

bool RowTree::isOpen(std::int32_t index) const
{
    const Row& row = (*m_rows)[index];
    return beginsClosed(row) == (!m_toggled.isEmpty() && m_toggled.contains(keyOf(row)));
}

void RowTree::setOpen(std::int32_t index, bool isOpen)
{
    if (isOpen == this->isOpen(index))
        return;
    const QString key = keyOf((*m_rows)[index]);
    if (!m_toggled.remove(key))
        m_toggled.insert(key);
    m_isArranged = false;
}

void RowTree::setAllOpen(bool areOpen)
{
    m_toggled.clear();
    for (std::int32_t i = 0; i < std::int32_t(rows().size()); ++i) {
        const Row& row = (*m_rows)[i];
        if (!m_rows->children(i).empty() && beginsClosed(row) == areOpen)
            m_toggled.insert(keyOf(row));
    }
    m_isArranged = false;
}

void RowTree::reveal(std::int32_t index)
{
    if (index < 0)
        return;
    for (std::int32_t i = (*m_rows)[index].parent; i >= 0; i = (*m_rows)[i].parent)
        setOpen(i, true);
    const auto [stack, depth] = depthOf(index);
    if (depth == 0)
        return;
    if (depth > occupiedDepths(stack)) {
        auto occupied = std::make_shared<OccupiedDepths>(*m_occupied);
        (*occupied)[stack] = depth;
        setOccupiedDepths(std::move(occupied));
    }
    if (isTooDeep(index))
        setMostDepths(stack, depth);
}

void RowTree::setFlat(bool isFlat)
{
    m_isFlat = isFlat;
    change();
}

void RowTree::setMostDepths(int depths)
{
    m_mostDepths = depths;
    m_ownDepths.clear();
    change();
}

void RowTree::setMostDepths(std::int32_t stack, int depths)
{
    const QString key = keyOf((*m_rows)[stack]);
    m_ownDepths.remove(key);
    if (depths != m_mostDepths)
        m_ownDepths[key] = depths;
    change();
}

int RowTree::mostDepths(std::int32_t stack) const
{
    return m_ownDepths.isEmpty() ? m_mostDepths : m_ownDepths.value(keyOf((*m_rows)[stack]), m_mostDepths);
}

std::pair<std::int32_t, int> RowTree::depthOf(std::int32_t index) const
{
    const Row& row = (*m_rows)[index];
    if (!isBelowStack(rows(), row))
        return row.valueKind == ValueKind::Frame ? std::pair(index, 1) : std::pair(-1, 0);
    if (row.valueKind != ValueKind::Frame)
        return {row.parent, 0};
    const auto depths = m_rows->children(row.parent); // The children are sorted by depth.
    return {row.parent, int(std::ranges::lower_bound(depths, index) - depths.begin()) + 2};
}

void RowTree::setOccupiedDepths(std::shared_ptr<const OccupiedDepths> depths)
{
    m_occupied = std::move(depths);
    change();
}

/// Returns the number of depths to show of a stack, at least 1; the maximum of int if all are shown.
int RowTree::occupiedDepths(std::int32_t stack) const
{
    const auto known = m_occupied ? m_occupied->find(stack) : OccupiedDepths::const_iterator();
    return m_occupied && known != m_occupied->end() ? std::max(1, known->second) : std::numeric_limits<int>::max();
}

/// Returns the hidden rows among the children of a stack, without those of depths that are not occupied. The children are the depths from
/// the second on, followed by the states of the stack's thread if they were recorded.
std::span<const std::int32_t> RowTree::hiddenDepths(std::int32_t stack) const
{
    const auto children = m_rows->children(stack);
    const bool hasStates = !children.empty() && (*m_rows)[children.back()].valueKind != ValueKind::Frame;
    const std::size_t depths = std::min(children.size() - (hasStates ? 1 : 0), std::size_t(occupiedDepths(stack)) - 1);
    const auto most = std::size_t(mostDepths(stack));
    const std::size_t shown = !isOpen(stack) && m_filter.isEmpty() ? 0 : most == 0 ? depths : std::min(depths, most - 1);
    return children.subspan(shown, depths - shown);
}

/// True if the row is a depth of a call stack that is not shown: beyond the user's limit, or not occupied.
bool RowTree::isTooDeep(std::int32_t index) const
{
    if (m_ownDepths.isEmpty() && m_mostDepths == 0 && !m_occupied)
        return false;
    const auto [stack, depth] = depthOf(index);
    const int most = depth > 0 ? mostDepths(stack) : 0;
    return depth > 0 && ((most > 0 && depth > most) || depth > occupiedDepths(stack));
}

/// Sets the number of hidden depths in the row of the last shown depth.
void RowTree::noteHidden(TreeRow& row) const
{
    const auto [stack, depth] = depthOf(row.index);
    const auto hidden = depth > 0 ? hiddenDepths(stack) : std::span<const std::int32_t>();
    if (hidden.empty() || depthOf(hidden.front()).second != depth + 1)
        return;
    row.hiddenDepths = std::int32_t(hidden.size());
    row.hiddenRow = hidden.front();
}

void RowTree::hide(std::int32_t index)
{
    m_hidden.insert(keyOf((*m_rows)[index]));
    change();
}

void RowTree::showAll()
{
    m_hidden.clear();
    change();
}

void RowTree::setPinned(std::int32_t index, bool isPinned)
{
    const QString key = keyOf((*m_rows)[index]);
    m_pinned.removeAll(key);
    if (isPinned)
        m_pinned << key;
}

void RowTree::movePinned(std::int32_t index, int to)
{
    const std::vector<std::int32_t> all = pinned();
    if (to < 0 || to >= int(all.size()) || all[std::size_t(to)] == index || !isPinned(index))
        return;
    const QString key = keyOf((*m_rows)[index]);
    const QString there = keyOf((*m_rows)[all[std::size_t(to)]]);
    const bool isDown = m_pinned.indexOf(there) > m_pinned.indexOf(key);
    m_pinned.removeAll(key);
    m_pinned.insert(m_pinned.indexOf(there) + (isDown ? 1 : 0), key);
}

bool RowTree::isPinned(std::int32_t index) const { return !m_pinned.isEmpty() && m_pinned.contains(keyOf((*m_rows)[index])); }

std::vector<std::int32_t> RowTree::pinned() const
{
    std::vector<std::int32_t> found;
    for (std::int32_t i = 0; !m_pinned.isEmpty() && i < std::int32_t(rows().size()); ++i)
        if ((*m_rows)[i].ref.isValid() && isPinned(i))
            found.push_back(i);
    std::ranges::sort(found, {}, [&](std::int32_t i) { return m_pinned.indexOf(keyOf((*m_rows)[i])); });
    return found;
}

namespace {

// Names of the sort orders in session files, indexed by RowTree::Column. Earlier versions wrote "recorded" for the default order, so that
// this word restores the default.
constexpr const char* SortWords[] = {"as-recorded", "name", "id", "cpu", "busiest"};

QJsonArray sortedArray(const QSet<QString>& keys)
{
    QStringList sorted(keys.begin(), keys.end());
    sorted.sort();
    return QJsonArray::fromStringList(sorted);
}

QStringList textsOf(const QJsonValue& array)
{
    QStringList texts;
    for (const QJsonValue& value : array.toArray())
        if (value.isString())
            texts << value.toString();
    texts.removeDuplicates();
    return texts;
}

QJsonObject savedDepths(const QMap<QString, int>& depths)
{
    QJsonObject saved;
    for (const auto& [key, count] : depths.asKeyValueRange())
        saved[key] = count;
    return saved;
}

QMap<QString, int> restoredDepths(const QJsonObject& kept)
{
    QMap<QString, int> depths;
    for (auto it = kept.begin(); it != kept.end(); ++it)
        depths[it.key()] = std::max(0, it->toInt());
    return depths;
}

} // namespace

QJsonObject RowTree::save() const
{
    QJsonObject kept{{"toggled", sortedArray(m_toggled)},
                     {"hidden", sortedArray(m_hidden)},
                     {"pinned", QJsonArray::fromStringList(m_pinned)},
                     {"flat", m_isFlat},
                     {"depths", m_mostDepths},
                     {"stackDepths", savedDepths(m_ownDepths)}};
    if (m_sort != m_initialSort || m_isDescending != m_isInitiallyDescending) {
        kept["sort"] = SortWords[int(m_sort)];
        kept["descending"] = m_isDescending;
    }
    return kept;
}

void RowTree::restore(const QJsonObject& kept)
{
    const QStringList toggled = textsOf(kept["toggled"]);
    const QStringList hidden = textsOf(kept["hidden"]);
    m_toggled = {toggled.begin(), toggled.end()};
    m_hidden = {hidden.begin(), hidden.end()};
    m_pinned = textsOf(kept["pinned"]);
    m_isFlat = kept["flat"].toBool();
    const auto word = std::ranges::find(SortWords, kept["sort"].toString());
    if (word == std::end(SortWords))
        restoreInitialSort();
    else
        setSort(Column(word - std::begin(SortWords)), kept["descending"].toBool());
    m_mostDepths = std::max(0, kept["depths"].toInt());
    m_ownDepths = restoredDepths(kept["stackDepths"].toObject());
    change();
}

std::optional<QString> wholeName(const QString& filter)
{
    const bool isQuoted = filter.size() > 2 && filter.startsWith(u'"') && filter.endsWith(u'"');
    return isQuoted ? std::optional(filter.mid(1, filter.size() - 2)) : std::nullopt;
}

/// Returns the indexes of the hosts whose headings match the filter; all rows of these hosts match.
std::vector<std::uint32_t> RowTree::hostsNamed(const QString& filter) const
{
    std::vector<std::uint32_t> hosts;
    const auto whole = wholeName(filter);
    for (const std::int32_t top : m_rows->tops())
        if (const Row& row = rows()[std::size_t(top)]; !filter.isEmpty() && isHostRow(row))
            if (whole ? text(row.label) == *whole : text(row.label).contains(filter, Qt::CaseInsensitive))
                hosts.push_back(row.host);
    return hosts;
}

bool RowTree::accepts(const Row& row) const
{
    if (m_accepts && row.ref.isValid() && !m_accepts(row))
        return false;
    if (isBelowStack(rows(), row))
        return accepts(rows()[std::size_t(row.parent)]);
    if (std::ranges::find(m_filteredHosts, row.host) != m_filteredHosts.end())
        return true;
    if (const auto name = wholeName(m_filter)) {
        const Row* const parent = parentOf(row);
        return text(row.label) == *name || (parent && row.pid > 0 && parent->pid == row.pid && text(parent->label) == *name);
    }
    return m_filter.isEmpty() || text(row.label).contains(m_filter, Qt::CaseInsensitive) || QString::number(row.tid) == m_filter
        || text(row.id).contains(m_filter, Qt::CaseInsensitive);
}

/// Returns the parent of a row; if the parent is a fold, the fold's parent. nullptr if the row is at the top level.
const Row* RowTree::parentOf(const Row& row) const
{
    const Row* parent = &row;
    do
        parent = parent->parent >= 0 ? &rows()[std::size_t(parent->parent)] : nullptr;
    while (parent && parent->kind == FoldGroup);
    return parent;
}

const std::vector<TreeRow>& RowTree::visible() const
{
    if (!m_isArranged)
        arrange();
    return m_visible;
}

/// Returns for each row whether it is kept: it matches the filter, or a row below it does.
std::vector<char> RowTree::keptRows() const
{
    m_filteredHosts = hostsNamed(m_filter);
    const auto parentOf = [&](std::size_t i) { return rows()[i].parent < std::int32_t(i) ? rows()[i].parent : -1; };
    std::vector<char> isHidden(rows().size(), 0);
    // Children follow their parents in the list, so one pass also hides all descendants.
    for (std::size_t i = 0; i < rows().size() && !m_hidden.isEmpty(); ++i)
        isHidden[i] = char(m_hidden.contains(keyOf(rows()[i])) || (parentOf(i) >= 0 && isHidden[std::size_t(parentOf(i))]));
    std::vector<char> kept(rows().size(), 0);
    const auto isKeptEmpty = [&](const Row& group) { return m_filter.isEmpty() && m_keepsEmptyGroups && group.kind != FoldGroup; };
    for (std::size_t i = rows().size(); i-- > 0;) {
        const Row& row = rows()[i];
        kept[i] = char(!isHidden[i] && (kept[i] || (accepts(row) && (row.ref.isValid() || isKeptEmpty(row)))));
        if (kept[i] && parentOf(i) >= 0)
            kept[std::size_t(parentOf(i))] = 1;
    }
    return kept;
}

void RowTree::arrange() const
{
    const std::vector<char> kept = keptRows();
    m_visible.clear();
    m_isFlat ? arrangeFlat(kept) : arrangeTree(kept);
    m_isArranged = true;
}

/// Lists the rows that match; parents that are only kept for a matching child are omitted.
void RowTree::arrangeFlat(const std::vector<char>& kept) const
{
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < rows().size(); ++i)
        if (kept[i] && rows()[i].ref.isValid() && (rows()[i].kind == LanesGroup || accepts(rows()[i]))
            && !isBelowLanes(rows(), std::int32_t(i)))
            all.push_back(std::int32_t(i));
    sortSiblings(all, shares(false));
    for (const std::int32_t i : all)
        m_visible.push_back({i, 0, false, false});
}

void RowTree::arrangeTree(const std::vector<char>& kept) const
{
    const std::vector<double> sums = shares(true);
    const auto isKept = [&](std::int32_t i) { return kept[std::size_t(i)] != 0; };
    // Traverses depth first without recursion, because a chain of processes may be as deep as the trace is long.
    std::vector<std::pair<std::int32_t, int>> pending;
    std::vector<std::int32_t> siblings;
    const auto push = [&](std::span<const std::int32_t> all, int depth) {
        siblings.clear();
        std::ranges::copy_if(all, std::back_inserter(siblings), [&](std::int32_t i) { return isKept(i) && !isTooDeep(i); });
        sortSiblings(siblings, sums);
        for (auto it = siblings.rbegin(); it != siblings.rend(); ++it)
            pending.emplace_back(*it, depth);
    };
    push(m_rows->tops(), 0);
    while (!pending.empty()) {
        const auto [index, depth] = pending.back();
        pending.pop_back();
        const auto children = m_rows->children(index);
        const bool hasChildren = std::ranges::any_of(children, isKept);
        const bool isReduced = !m_filter.isEmpty() || (!m_keepsEmptyGroups && (*m_rows)[index].kind == FoldGroup);
        m_visible.push_back({index, depth, hasChildren, hasChildren && (isReduced || isOpen(index))});
        noteHidden(m_visible.back());
        if (m_visible.back().isOpen)
            push(children, depth + 1);
    }
}

/// Returns the share by which each row is sorted, indexed by row. `withChildren`: includes the shares of all rows below it. Empty if rows
/// are not sorted by a share.
std::vector<double> RowTree::shares(bool withChildren) const
{
    const auto* const known = m_sort == Column::Share ? m_shares.get() : m_sort == Column::Total ? m_totals.get() : nullptr;
    std::vector<double> sums(known ? rows().size() : 0);
    for (std::size_t i = sums.size(); i-- > 0;) {
        if (const auto it = known->find(rows()[i].ref); it != known->end())
            sums[i] += it->second.share;
        if (withChildren && rows()[i].parent >= 0 && rows()[i].parent < std::int32_t(i))
            sums[std::size_t(rows()[i].parent)] += sums[i];
    }
    return sums;
}

void RowTree::sortSiblings(std::vector<std::int32_t>& siblings, const std::vector<double>& shares) const
{
    sortByColumn(siblings, shares);
    if (!m_ranks || m_ranks->empty())
        return;
    const auto ownRank = [&](std::int32_t i) {
        const auto rank = m_ranks->find((*m_rows)[i].ref);
        return rank != m_ranks->end() ? rank->second : std::numeric_limits<int>::max();
    };
    const auto rankOf = [&](std::int32_t i) {
        const auto folded = m_rows->children(i);
        return (*m_rows)[i].kind == FoldGroup ? ownRank(*std::ranges::min_element(folded, {}, ownRank)) : ownRank(i);
    };
    // Call stacks and groups have no ranks and keep their order among themselves.
    std::ranges::stable_sort(siblings, {}, rankOf);
}

void RowTree::sortByColumn(std::vector<std::int32_t>& siblings, const std::vector<double>& shares) const
{
    // Depths of a call stack always stay in order of depth, so they are not sorted.
    const bool isStack = !siblings.empty() && isBelowStack(rows(), (*m_rows)[siblings.front()]);
    const bool areHosts = !siblings.empty() && isHostRow((*m_rows)[siblings.front()]);
    if (isStack || (areHosts && m_sort == Column::Total) || (m_sort == Column::Time && !m_isDescending))
        return;
    const auto before = [&](std::int32_t a, std::int32_t b) {
        const Row& x = (*m_rows)[a];
        const Row& y = (*m_rows)[b];
        switch (m_sort) {
        case Column::Name: return text(x.label).compare(text(y.label), Qt::CaseInsensitive) < 0;
        case Column::Id: return x.tid < y.tid;
        case Column::Share:
        case Column::Total: return !shares.empty() && shares[std::size_t(a)] < shares[std::size_t(b)];
        case Column::Time: break;
        }
        return a < b;
    };
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](std::int32_t a, std::int32_t b) { return m_isDescending ? before(b, a) : before(a, b); });
}

} // namespace helio
