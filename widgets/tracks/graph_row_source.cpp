#include "widgets/tracks/graph_row_source.h"

#include "core/query/rows/facts.h"

#include <map>

namespace helio {

namespace {

QString text(const std::string& s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

/// Moves rows into an order with some left out and groups put in.
class Arranger {
public:
    explicit Arranger(std::vector<Row> rows)
        : m_rows(std::move(rows))
        , m_moved(m_rows.size(), -1)
    {
    }

    ViewRows arrange()
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            Row row = std::move(m_rows[i]);
            const std::int32_t parent = row.parent >= 0 && std::size_t(row.parent) < i ? m_moved[std::size_t(row.parent)] : -1;
            if (row.band == Band::Line && parent >= 0) {
                if (RowLine& line = m_result.lines[std::size_t(parent)]; !line.track.isValid()) // There is room for one.
                    line = {row.ref, row.kind};
                continue;
            }
            const bool isOverAll = row.role == TrackRole::Interrupt && row.cpu < 0;
            row.parent = isOverAll ? group(parent, row) : parent;
            m_moved[i] = put(std::move(row));
        }
        return std::move(m_result);
    }

private:
    std::int32_t put(Row row)
    {
        m_result.rows.push_back(std::move(row));
        m_result.lines.emplace_back();
        return std::int32_t(m_result.rows.size() - 1);
    }

    std::int32_t group(std::int32_t parent, const Row& row)
    {
        if (parent >= 0 && m_result.rows[std::size_t(parent)].role == TrackRole::Cpu)
            return parent;
        if (const auto it = m_groups.find(parent); it != m_groups.end())
            return it->second;
        Row group;
        group.parent = parent;
        group.kind = SummedGroup;
        group.id = "group:interrupts:" + std::to_string(parent);
        group.label = "Interrupts";
        group.host = row.host;
        group.trace = row.trace;
        return m_groups[parent] = put(std::move(group));
    }

    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_moved;
    std::map<std::int32_t, std::int32_t> m_groups; ///< By what they hang below.
    ViewRows m_result;
};

} // namespace

ViewRows viewRows(const Timeline& timeline, std::string_view view)
{
    ViewRows all = Arranger(rows(timeline, view)).arrange();
    const auto doubtful = unsynchronizedHosts(timeline);
    for (Row& row : all.rows)
        if (row.kind == "host" && std::ranges::find(doubtful, row.label) != doubtful.end())
            row.label += " (clock not synchronized)";
    return all;
}

namespace {

/// What hangs below a closed row is seen in its bars: what its threads did, and for a group its interrupts. CPUs show all themselves.
std::shared_ptr<const LaneSources> sourcesOf(const RowTree& tree, const TreeRow& it)
{
    const Row& top = tree.rows()[std::size_t(it.index)];
    if (!it.hasChildren || it.isOpen || (top.role != TrackRole::Thread && top.kind != SummedGroup))
        return {};
    LaneSources sources;
    std::string_view firstKind;
    std::vector<std::int32_t> pending{it.index};
    while (!pending.empty()) {
        const Row& row = tree.rows()[std::size_t(pending.back())];
        const auto children = tree.rowSet()->children(pending.back());
        pending.pop_back();
        if (row.ref.isValid() && sources.empty())
            firstKind = row.kind;
        if (row.ref.isValid())
            sources.push_back({row.ref, row.kind == firstKind ? std::uint8_t(0) : SecondLooks});
        pending.insert(pending.end(), children.rbegin(), children.rend());
    }
    std::ranges::stable_sort(sources, {}, &LaneSource::firstState);
    return sources.empty() ? nullptr : std::make_shared<const LaneSources>(std::move(sources));
}

std::vector<GraphRow> shownAs(const RowTree& tree, std::span<const TreeRow> rows, const std::vector<RowLine>& lines)
{
    std::vector<GraphRow> result;
    result.reserve(rows.size());
    for (const TreeRow& it : rows) {
        const Row& row = tree.rows()[std::size_t(it.index)];
        GraphRow graph;
        graph.ref = row.ref;
        if (std::size_t(it.index) < lines.size())
            graph.line = lines[std::size_t(it.index)];
        graph.name = text(row.label);
        if (row.role == TrackRole::Thread && row.tid >= 0)
            graph.id = QString::number(row.tid);
        graph.source = it.index;
        graph.depth = it.depth;
        graph.hasChildren = it.hasChildren;
        graph.isOpen = it.isOpen;
        graph.isCpu = row.role == TrackRole::Cpu;
        graph.hasShare = row.role == TrackRole::Cpu || row.role == TrackRole::Thread;
        graph.isStrong = it.hasChildren && !graph.isCpu && row.kind != SummedGroup;
        graph.isCompact = row.kind == SummedGroup;
        graph.cpu = row.cpu;
        graph.trace = row.trace;
        graph.sources = sourcesOf(tree, it);
        result.push_back(std::move(graph));
    }
    return result;
}

} // namespace

std::vector<GraphRow> graphRows(const RowTree& tree, const std::vector<RowLine>& lines) { return shownAs(tree, tree.visible(), lines); }

std::vector<GraphRow> pinnedGraphRows(const RowTree& tree, const std::vector<RowLine>& lines)
{
    std::vector<TreeRow> rows;
    for (const std::int32_t index : tree.pinned())
        rows.push_back({index, 0, false, false});
    return shownAs(tree, rows, lines);
}

} // namespace helio
