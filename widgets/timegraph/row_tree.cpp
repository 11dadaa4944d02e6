#include "widgets/timegraph/row_tree.h"

#include <algorithm>

namespace helio {

namespace {

QString text(const std::string& s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

/// Unique over traces, stable from one timeline to the next.
QString keyOf(const Row& row) { return QString::number(row.ref.trace) + QLatin1Char('/') + text(row.id); }

} // namespace

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

void RowTree::setRows(std::shared_ptr<const RowSet> rows)
{
    m_rows = std::move(rows);
    m_isArranged = false;
}

void RowTree::setFilter(const QString& filter)
{
    m_isArranged = m_isArranged && filter == m_filter;
    m_filter = filter;
}

void RowTree::setAccepts(std::function<bool(const Row&)> accepts)
{
    m_accepts = std::move(accepts);
    m_isArranged = false;
}

void RowTree::setSort(Column column, bool isDescending)
{
    m_sort = column;
    m_isDescending = isDescending;
    m_isArranged = false;
}

void RowTree::setShares(std::shared_ptr<const Shares> shares)
{
    m_shares = std::move(shares);
    m_isArranged = m_isArranged && m_sort != Column::Share;
}

bool RowTree::isOpen(std::int32_t index) const
{
    const Row& row = (*m_rows)[index];
    return m_closedKinds.contains(text(row.kind)) == (!m_toggled.isEmpty() && m_toggled.contains(keyOf(row)));
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
        if (!m_rows->children(i).empty() && m_closedKinds.contains(text(row.kind)) == areOpen)
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
}

bool RowTree::accepts(const Row& row) const
{
    if (m_accepts && row.ref.isValid() && !m_accepts(row))
        return false;
    return m_filter.isEmpty() || text(row.label).contains(m_filter, Qt::CaseInsensitive) || QString::number(row.tid) == m_filter
        || text(row.id).contains(m_filter, Qt::CaseInsensitive);
}

const std::vector<TreeRow>& RowTree::visible() const
{
    if (!m_isArranged)
        arrange();
    return m_visible;
}

/// By index: what matches, and what a match hangs below.
std::vector<char> RowTree::keptRows() const
{
    std::vector<char> kept(rows().size(), 0);
    for (std::size_t i = rows().size(); i-- > 0;) { // children stand behind their parents
        const Row& row = rows()[i];
        kept[i] = char(kept[i] || (accepts(row) && (row.ref.isValid() || m_filter.isEmpty())));
        if (kept[i] && row.parent >= 0 && row.parent < std::int32_t(i))
            kept[std::size_t(row.parent)] = 1;
    }
    return kept;
}

void RowTree::arrange() const
{
    const std::vector<char> kept = keptRows();
    const auto isKept = [&](std::int32_t i) { return kept[std::size_t(i)] != 0; };
    m_visible.clear();
    // Depth first without recursion: a chain of processes may be as long as the trace.
    std::vector<std::pair<std::int32_t, int>> pending;
    std::vector<std::int32_t> siblings;
    const auto push = [&](std::span<const std::int32_t> all, int depth) {
        siblings.clear();
        std::ranges::copy_if(all, std::back_inserter(siblings), isKept);
        sortSiblings(siblings);
        for (auto it = siblings.rbegin(); it != siblings.rend(); ++it)
            pending.emplace_back(*it, depth);
    };
    push(m_rows->tops(), 0);
    while (!pending.empty()) {
        const auto [index, depth] = pending.back();
        pending.pop_back();
        const auto children = m_rows->children(index);
        const bool hasChildren = std::ranges::any_of(children, isKept);
        m_visible.push_back({index, depth, hasChildren, hasChildren && (!m_filter.isEmpty() || isOpen(index))});
        if (m_visible.back().isOpen)
            push(children, depth + 1);
    }
    m_isArranged = true;
}

void RowTree::sortSiblings(std::vector<std::int32_t>& siblings) const
{
    if (m_sort == Column::Time && !m_isDescending)
        return;
    const auto shareOf = [&](const Row& row) {
        const auto it = m_shares ? m_shares->find(row.ref) : Shares::const_iterator();
        return m_shares && it != m_shares->end() ? it->second : 0.0;
    };
    const auto before = [&](std::int32_t a, std::int32_t b) {
        const Row& x = (*m_rows)[a];
        const Row& y = (*m_rows)[b];
        switch (m_sort) {
        case Column::Name: return text(x.label).compare(text(y.label), Qt::CaseInsensitive) < 0;
        case Column::Id: return x.tid < y.tid;
        case Column::Share: return shareOf(x) < shareOf(y);
        case Column::Time: break;
        }
        return a < b;
    };
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](std::int32_t a, std::int32_t b) { return m_isDescending ? before(b, a) : before(a, b); });
}

} // namespace helio
