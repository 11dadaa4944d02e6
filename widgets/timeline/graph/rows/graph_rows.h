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

/// By row: its part of a window on a CPU.
using Shares = std::unordered_map<TrackRef, BusyShare, TrackRefHash>;

/// Numbers of a row that are drawn as a line below its bars.
struct RowLine {
    TrackRef track; ///< Not valid: there are none.
    std::string kind; ///< Row::kind: lines of one kind are drawn to one scale.
    bool operator==(const RowLine&) const = default;
};

/// What is known of a row beside its states.
struct RowBeside {
    RowLine line{};
    QString title{}; ///< What it is called without the rows above it. Empty: as it is with them.
    bool isThread = false; ///< It shows a thread's or CPU's row again, whose numbers it has.
    std::int32_t badge = -1; ///< GraphRow's, as the next.
    TrackRef overlay{};
    TrackRef cover{};
    QString remark{};
    QString tip{};
    bool operator==(const RowBeside&) const = default;
};

/// A row as the time graph shows it.
struct GraphRow {
    TrackRef ref; ///< Not valid: a group without bars.
    RowLine line;
    QString name;
    QString id; ///< The column beside the name: a TID.
    QString place; ///< What tooltips name it by. Empty: name and id.
    QString remark; ///< Behind the name, where there is room: "by hand".
    QString tip; ///< What the pointer at the name has said. Empty: nothing.
    std::uint32_t trace = 0; ///< As Row has it, as the next.
    std::uint32_t host = 0;
    int source = -1; ///< Whatever the owner numbers its rows by.
    int depth = 0;
    bool hasChildren = false;
    bool isOpen = false;
    bool isStrong = false; ///< A heading for what hangs below it.
    bool isHost = false; ///< The heading of a host.
    std::int32_t badge = -1; ///< The host whose badge it has, as a machine on another one; -1: none.
    bool isThread = false;
    bool isCpu = false; ///< Higher than others, and shows the events that were lost of it.
    bool hasShare = true; ///< A meter and a number at the right.
    bool isHeading = false; ///< Nothing but a heading: on a ground of its own.
    int hiddenDepths = 0; ///< Of a call stack, below this row. The row's line is then the first of them.
    TrackRef overlay; ///< A row whose preempted states are hatched over its bars: what only seems to run. Not valid: none.
    TrackRef cover; ///< A row below it whose states are drawn over its bars while it is closed: who a CPU served. Not valid: none.
    TrackRef worker; ///< Whose part of the window on a CPU it shows. Not valid: its own.
    RowShape drawnAs = RowShape::Normal;
    std::int32_t cpu = -1;
    std::vector<TrackRef> lanes; ///< Rows that are drawn as lanes of this one, from the top. Empty: it has bars.
    std::shared_ptr<const LaneSources> sources; ///< Its bars are what these rows did together. Null: its own.

    /// What was stolen is no time on a CPU: the share is that of the row which knows it.
    void leaveOutStolen()
    {
        if (overlay.isValid() && !sources)
            worker = overlay;
    }
    /// With room for a line where it may have one.
    RowShape shape() const { return drawnAs == RowShape::Normal && (isCpu || line.track.isValid()) ? RowShape::Tall : drawnAs; }
    /// Calls of a call stack.
    bool hasFrames() const { return drawnAs == RowShape::FirstFrame || drawnAs == RowShape::Frame; }
    TrackRef meter() const { return worker.isValid() ? worker : ref; }
    /// What its bars are asked and kept by. Not valid: it has none.
    TrackRef lane() const { return sources && !ref.isValid() ? sources->front().track : ref; }
};

/// The part of the window that the row, or all that it stands for, was on a CPU. None: not known.
std::optional<BusyShare> shareOf(const GraphRow& row, const Shares& shares);

/// The rows of a graph and where they stand, from 0 at the first one's top.
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

    void leaveOutStolen() { std::ranges::for_each(m_rows, &GraphRow::leaveOutStolen); }
    bool hasStolen() const
    {
        return std::ranges::any_of(m_rows, [](const GraphRow& row) { return row.overlay.isValid(); });
    }

    bool hasShares() const { return std::ranges::any_of(m_rows, &GraphRow::hasShare); } ///< Of any row.

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

    /// The row at a height, or -1.
    int at(int y) const;
    int find(TrackRef ref) const; ///< Its place, or -1.
    int findHost(std::uint32_t host) const; ///< Of its heading, or -1.
    bool hasHosts() const { return !m_hosts.empty(); }
    bool hasThreads() const { return m_hasThreads; }
    /// The rows of its call stack, with the strip of states below: [first, last). Of a row of no stack: that row alone.
    std::pair<int, int> stackOf(int row) const;
    int findLane(TrackRef lane) const; ///< Of the row whose bars those are, a group too.

private:
    std::vector<GraphRow> m_rows;
    std::vector<int> m_tops;
    std::unordered_map<TrackRef, int, TrackRefHash> m_index;
    std::vector<std::pair<std::uint32_t, int>> m_hosts; ///< With the rows of their headings.
    bool m_hasThreads = false;
    Density m_density = Density::Normal;
};

} // namespace helio
