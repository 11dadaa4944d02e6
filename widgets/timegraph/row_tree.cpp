#include "widgets/timegraph/row_tree.h"

#include <algorithm>

namespace helio {

namespace {

QString text(const std::string& s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

/// Unique over traces, stable from one timeline to the next.
QString keyOf(const Row& row) { return QString::number(row.ref.trace) + QLatin1Char('/') + text(row.id); }

} // namespace

void RowTree::setRows(std::vector<Row> rows)
{
    m_rows = std::move(rows);
    m_children.assign(m_rows.size(), {});
    m_tops.clear();
    for (std::int32_t i = 0; i < std::int32_t(m_rows.size()); ++i) {
        const std::int32_t parent = m_rows[std::size_t(i)].parent;
        if (parent >= 0 && parent < i)
            m_children[std::size_t(parent)].push_back(i);
        else
            m_tops.push_back(i);
    }
    update();
}

void RowTree::setFilter(const QString& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    update();
}

void RowTree::setAccepts(std::function<bool(const Row&)> accepts)
{
    m_accepts = std::move(accepts);
    update();
}

void RowTree::setSort(Column column, bool isDescending)
{
    m_sort = column;
    m_isDescending = isDescending;
    update();
}

void RowTree::setShares(std::unordered_map<std::int32_t, double> shares)
{
    m_shares = std::move(shares);
    if (m_sort == Column::Share)
        update();
}

bool RowTree::isOpen(std::int32_t index) const
{
    const Row& row = m_rows[std::size_t(index)];
    return m_closedKinds.contains(text(row.kind)) == m_toggled.contains(keyOf(row));
}

void RowTree::setOpen(std::int32_t index, bool isOpen)
{
    if (isOpen == this->isOpen(index))
        return;
    const QString key = keyOf(m_rows[std::size_t(index)]);
    if (!m_toggled.remove(key))
        m_toggled.insert(key);
    update();
}

void RowTree::setAllOpen(bool areOpen)
{
    m_toggled.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (!m_children[i].empty() && m_closedKinds.contains(text(m_rows[i].kind)) == areOpen)
            m_toggled.insert(keyOf(m_rows[i]));
    }
    update();
}

void RowTree::reveal(std::int32_t index)
{
    if (index < 0)
        return;
    for (std::int32_t i = m_rows[std::size_t(index)].parent; i >= 0; i = m_rows[std::size_t(i)].parent)
        setOpen(i, true);
}

std::int32_t RowTree::find(TrackRef ref) const
{
    const auto it = std::ranges::find(m_rows, ref, &Row::ref);
    return it == m_rows.end() ? -1 : std::int32_t(it - m_rows.begin());
}

std::int32_t RowTree::findVisible(TrackRef ref) const
{
    if (!ref.isValid())
        return -1;
    const auto it = std::ranges::find_if(m_visible, [&](const TreeRow& r) { return m_rows[std::size_t(r.index)].ref == ref; });
    return it == m_visible.end() ? -1 : std::int32_t(it - m_visible.begin());
}

bool RowTree::accepts(const Row& row) const
{
    if (m_accepts && row.ref.isValid() && !m_accepts(row))
        return false;
    return m_filter.isEmpty() || text(row.label).contains(m_filter, Qt::CaseInsensitive) || QString::number(row.tid) == m_filter
        || text(row.id).contains(m_filter, Qt::CaseInsensitive);
}

void RowTree::update()
{
    m_isKept.assign(m_rows.size(), 0);
    m_matches = 0;
    for (std::size_t i = m_rows.size(); i-- > 0;) { // children stand behind their parents
        const Row& row = m_rows[i];
        const bool isMatch = accepts(row) && (row.ref.isValid() || m_filter.isEmpty());
        m_isKept[i] = char(m_isKept[i] || isMatch);
        m_matches += isMatch && row.ref.isValid();
        if (m_isKept[i] && row.parent >= 0 && row.parent < std::int32_t(i))
            m_isKept[std::size_t(row.parent)] = 1;
    }
    m_visible.clear();
    // Depth first without recursion: a chain of processes may be as long as the trace.
    std::vector<std::pair<std::int32_t, int>> pending;
    const auto push = [&](std::vector<std::int32_t> siblings, int depth) {
        std::erase_if(siblings, [&](std::int32_t i) { return !m_isKept[std::size_t(i)]; });
        sortSiblings(siblings);
        for (auto it = siblings.rbegin(); it != siblings.rend(); ++it)
            pending.emplace_back(*it, depth);
    };
    push(m_tops, 0);
    while (!pending.empty()) {
        const auto [index, depth] = pending.back();
        pending.pop_back();
        append(index, depth);
        if (m_visible.back().isOpen)
            push(m_children[std::size_t(index)], depth + 1);
    }
}

void RowTree::append(std::int32_t index, int depth)
{
    const auto& children = m_children[std::size_t(index)];
    const bool hasChildren = std::ranges::any_of(children, [&](std::int32_t i) { return m_isKept[std::size_t(i)] != 0; });
    m_visible.push_back({index, depth, hasChildren, hasChildren && (isOpen(index) || !m_filter.isEmpty())});
}

void RowTree::sortSiblings(std::vector<std::int32_t>& siblings) const
{
    if (m_sort == Column::Time && !m_isDescending)
        return;
    const auto before = [&](std::int32_t a, std::int32_t b) {
        const Row& x = m_rows[std::size_t(a)];
        const Row& y = m_rows[std::size_t(b)];
        switch (m_sort) {
        case Column::Name: return text(x.label).compare(text(y.label), Qt::CaseInsensitive) < 0;
        case Column::Id: return x.tid < y.tid;
        case Column::Share: {
            const auto i = m_shares.find(a);
            const auto j = m_shares.find(b);
            return (i == m_shares.end() ? 0 : i->second) < (j == m_shares.end() ? 0 : j->second);
        }
        case Column::Time: break;
        }
        return a < b;
    };
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](std::int32_t a, std::int32_t b) { return m_isDescending ? before(b, a) : before(a, b); });
}

} // namespace helio
