#include "widgets/views/graph_row_source.h"

#include "core/query/facts.h"

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
            if (row.kind == "frequency") {
                if (parent >= 0)
                    m_result.frequencies[std::size_t(parent)] = row.ref;
                continue;
            }
            const bool isOverAll = row.kind == "irq" || row.kind == "softirq";
            row.parent = isOverAll && row.cpu < 0 ? group(parent, row) : parent;
            m_moved[i] = put(std::move(row));
        }
        return std::move(m_result);
    }

private:
    std::int32_t put(Row row)
    {
        m_result.rows.push_back(std::move(row));
        m_result.frequencies.emplace_back();
        return std::int32_t(m_result.rows.size() - 1);
    }

    std::int32_t group(std::int32_t parent, const Row& row)
    {
        if (parent >= 0 && m_result.rows[std::size_t(parent)].kind == "cpu")
            return parent;
        const auto key = std::pair(parent, row.kind);
        if (const auto it = m_groups.find(key); it != m_groups.end())
            return it->second;
        Row group;
        group.parent = parent;
        group.kind = "group";
        group.id = "group:" + row.kind + ':' + std::to_string(parent);
        group.label = row.kind == "irq" ? "Interrupts" : "Soft interrupts";
        group.host = row.host;
        return m_groups[key] = put(std::move(group));
    }

    std::vector<Row> m_rows;
    std::vector<std::int32_t> m_moved;
    std::map<std::pair<std::int32_t, std::string>, std::int32_t> m_groups;
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

QSet<QString> closedKinds(std::string_view view)
{
    if (view == "resources")
        return {QStringLiteral("cpu"), QStringLiteral("group")};
    return {};
}

std::vector<GraphRow> graphRows(const RowTree& tree, const std::vector<TrackRef>& frequencies)
{
    std::vector<GraphRow> result;
    result.reserve(tree.visible().size());
    for (const TreeRow& it : tree.visible()) {
        const Row& row = tree.rows()[std::size_t(it.index)];
        GraphRow graph;
        graph.ref = row.ref;
        if (std::size_t(it.index) < frequencies.size())
            graph.frequency = frequencies[std::size_t(it.index)];
        graph.name = text(row.label);
        graph.kind = text(row.kind);
        if (row.kind == "thread" && row.tid >= 0)
            graph.id = QString::number(row.tid);
        graph.source = it.index;
        graph.depth = it.depth;
        graph.hasChildren = it.hasChildren;
        graph.isOpen = it.isOpen;
        graph.isCpu = row.kind == "cpu";
        graph.hasShare = row.kind == "cpu" || row.kind == "thread";
        graph.isStrong = it.hasChildren && !graph.isCpu;
        graph.cpu = row.cpu;
        result.push_back(std::move(graph));
    }
    return result;
}

} // namespace helio
