#pragma once

#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"
#include "widgets/timeline/graph/rows/row_metrics.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// Share of a window that a row was on a CPU, by row.
using Shares = std::unordered_map<TrackRef, BusyShare, TrackRefHash>;

/// Numbers of a row, drawn as a line below its bars.
struct RowLine {
    TrackRef track; ///< Track of the numbers; invalid if there are none.
    std::string kind; ///< Row::kind; all lines of one kind have the same scale.
    bool operator==(const RowLine&) const = default;
};

/// Facts of a row that are not part of the query's Row.
struct RowAnnotations {
    RowLine line{};
    QString title{}; ///< Name of the row in a list, where the rows above it are missing; empty if it is the same as in the tree.
    bool isThread = false; ///< True if the row repeats the row of a thread or CPU, whose numbers it shows.
    std::int32_t badge = -1; ///< GraphRow::badge.
    TrackRef overlay{};
    TrackRef cover{};
    QString remark{};
    QString tip{};
    bool operator==(const RowAnnotations&) const = default;
};

/// Row of a time graph.
struct GraphRow {
    TrackRef ref; ///< Track of the row; invalid for a group without bars.
    RowLine line;
    QString name;
    QString id; ///< Text of the column beside the name, for example a TID.
    QString place; ///< Name of the row in tooltips; if empty, tooltips show `name` and `id`.
    QString remark; ///< Shown behind the name if there is room, for example "by hand".
    QString tip; ///< Tooltip of the name; empty for none.
    std::uint32_t trace = 0; ///< Row::trace.
    std::uint32_t host = 0;
    int source = -1; ///< Number of the row, given by the owner; -1 if none.
    int depth = 0;
    bool hasChildren = false;
    bool isOpen = false;
    bool isStrong = false; ///< True for a heading of the rows below it.
    bool isHost = false; ///< True for the heading of a host.
    std::int32_t badge = -1; ///< Host whose badge is drawn before the name, e.g. for a virtual machine; -1 for none.
    bool isThread = false;
    bool isCpu = false; ///< True for a CPU's row: it is higher than other rows, and shows the CPU's lost events.
    bool hasShare = true; ///< True if a meter and a number stand at the right of the label column.
    bool isHeading = false; ///< True if the row is only a heading; it has a ground of its own.
    int hiddenDepths = 0; ///< Number of depths of a call stack that are hidden below this row. `line` is then the first hidden depth.
    /// Row whose preempted states are hatched over this row's bars, where a guest only seems to run; invalid if none.
    TrackRef overlay;
    /// Row below this one whose states are drawn over this row's bars while this row is closed: the virtual machines that a CPU ran;
    /// invalid if none.
    TrackRef cover;
    TrackRef worker; ///< Row whose share of the CPU is shown; invalid if that is the row itself.
    RowShape drawnAs = RowShape::Normal;
    std::int32_t cpu = -1;
    std::vector<TrackRef> lanes; ///< Rows that are drawn as lanes of this one, from the top; empty if the row has bars.
    std::shared_ptr<const LaneSources> sources; ///< Rows whose sum the bars show; nullptr if the bars are the row's own.

    /// Excludes steal time from the share: it is then taken from `overlay`, the row that knows the steal time.
    void excludeStealTime()
    {
        if (overlay.isValid() && !sources)
            worker = overlay;
    }
    /// Shape of the row; it is Tall if it may have a line.
    RowShape shape() const { return drawnAs == RowShape::Normal && (isCpu || line.track.isValid()) ? RowShape::Tall : drawnAs; }
    /// True for a row with calls of a call stack.
    bool hasFrames() const { return drawnAs == RowShape::FirstFrame || drawnAs == RowShape::Frame; }
    TrackRef meter() const { return worker.isValid() ? worker : ref; }
    /// Track by which the bars are requested and cached; invalid if the row has no bars.
    TrackRef lane() const { return sources && !ref.isValid() ? sources->front().track : ref; }
};

/// Returns the share of the window that the row, or the sum of its sources, was on a CPU; nullopt if unknown.
std::optional<BusyShare> shareOf(const GraphRow& row, const Shares& shares);

/// Rows of a graph and their positions; y = 0 is the top of the first row.
class GraphRows {
public:
    GraphRows() = default;
    GraphRows(std::vector<GraphRow> rows, Density density)
        : m_rows(std::move(rows))
    {
        m_index.reserve(m_rows.size());
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            m_index.emplace(m_rows[i].ref, int(i));
            m_hasThreads |= m_rows[i].isThread;
            if (m_rows[i].isHost)
                m_hosts.emplace_back(m_rows[i].host, int(i));
        }
        setDensity(density);
    }

    void setDensity(Density density)
    {
        if (density == m_density && m_tops.size() == m_rows.size() + 1)
            return;
        m_density = density;
        m_tops.resize(m_rows.size() + 1);
        m_tops[0] = 0;
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_tops[i + 1] = m_tops[i] + metrics(int(i)).height;
    }

    void hideShares()
    {
        for (GraphRow& row : m_rows)
            row.hasShare = false;
    }

    void excludeStealTime() { std::ranges::for_each(m_rows, &GraphRow::excludeStealTime); }
    bool hasStealTime() const
    {
        return std::ranges::any_of(m_rows, [](const GraphRow& row) { return row.overlay.isValid(); });
    }

    /// True if any row shows a share.
    bool hasShares() const { return std::ranges::any_of(m_rows, &GraphRow::hasShare); }

    int count() const { return int(m_rows.size()); }
    const GraphRow& operator[](int i) const { return m_rows[std::size_t(i)]; }
    int top(int i) const { return m_tops.empty() ? 0 : m_tops[std::size_t(i)]; }
    int height() const { return m_tops.empty() ? 0 : m_tops.back(); }
    Density density() const { return m_density; }
    RowMetrics metrics(int i) const
    {
        const GraphRow& row = m_rows[std::size_t(i)];
        return row.lanes.empty() ? metricsOf(m_density, row.shape()) : laneMetrics(int(row.lanes.size()));
    }

    /// Returns the row at a height; -1 if there is none.
    int at(int y) const;
    int find(TrackRef ref) const; ///< Index of the row; -1 if it is not here.
    int findHost(std::uint32_t host) const; ///< Index of the host's heading; -1 if there is none.
    bool hasHosts() const { return !m_hosts.empty(); }
    bool hasThreads() const { return m_hasThreads; }
    /// Returns the rows of the call stack that `row` belongs to, including the strip of states below: [first, last). Just `row` if it
    /// belongs to no stack.
    std::pair<int, int> stackOf(int row) const;
    int findLane(TrackRef lane) const; ///< Index of the row, or of the group, with these bars; -1 if there is none.

private:
    std::vector<GraphRow> m_rows;
    std::vector<int> m_tops;
    std::unordered_map<TrackRef, int, TrackRefHash> m_index;
    std::vector<std::pair<std::uint32_t, int>> m_hosts; ///< Hosts and the rows of their headings.
    bool m_hasThreads = false;
    Density m_density = Density::Normal;
};

} // namespace helio
