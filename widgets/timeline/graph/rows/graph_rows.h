#pragma once

#include "core/counters/counters.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"
#include "widgets/timeline/graph/rows/row_metrics.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// Share of a time range that a row was on a CPU, by row.
using Shares = std::unordered_map<TrackRef, BusyShare, TrackRefHash>;

/// Numbers of a row, drawn as a line below its bars.
struct RowLine {
    TrackRef track; ///< Track whose numbers are drawn as a line below the bars of the row; invalid if the row has no line.
    std::string kind; ///< Row::kind of `track`. All lines of one kind share a scale.
    bool operator==(const RowLine&) const = default;
};

/// Information about a row that the query's Row does not have.
struct RowAnnotations {
    RowLine line{};
    QString title{}; ///< Name of the row in a flat list, where its parents are not shown; empty if it is the name in the tree.
    bool isThread = false; ///< True if the row repeats the row of a thread or CPU and shows its CPU share.
    std::int32_t badge = -1; ///< Index of the host whose badge is drawn before the name; -1 for none.
    TrackRef overlay{};
    TrackRef cover{};
    QString remark{};
    QString tip{};
    /// Series whose rate is shown as the row's share; nullopt to show the share of time on a CPU.
    std::optional<UtilizationSeries> utilization{};
    TrackRef queued{}; ///< Track with the times in which the row's requests were queued before they were in flight; invalid if none.
    bool operator==(const RowAnnotations&) const = default;
};

/// Row that a time graph draws: its place in the tree, its texts, and the tracks that its bars, line and share come from.
struct GraphRow {
    TrackRef ref; ///< Track of the row; invalid for a group without bars.
    RowLine line;
    QString name;
    QString shortName; ///< Text that is painted if `name` does not fit; if empty, `name` is abbreviated.
    QString id; ///< Text of the column beside the name, e.g. a TID.
    QString place; ///< Full name of the row for tooltips; if empty, tooltips show `name` and `id`.
    QString remark; ///< Remark after the name, if there is room, e.g. "by hand".
    QString tip; ///< Tooltip of the name; empty for none.
    std::uint32_t trace = 0; ///< Index of the row's trace in Timeline::traces; for groups, the trace of the first row in the group.
    std::uint32_t host = 0;
    int source = -1; ///< Index of the row in RowTree::rows(); -1 if the row is not from a RowTree.
    int depth = 0;
    bool hasChildren = false;
    bool isOpen = false;
    bool isStrong = false; ///< True if the name is in the font of headings, because the rows below belong to it.
    bool isHost = false; ///< True for the heading of a host.
    /// True for a fold of short-lived processes or threads (FoldGroup). A click on the fold's name opens or closes it.
    bool isFold = false;
    std::int32_t badge = -1; ///< Index of the host whose badge is drawn before the name, e.g. for a virtual machine; -1 for none.
    bool isThread = false;
    bool isCpu = false; ///< True for the row of a CPU, which is higher than other rows and shows lost events.
    bool hasShare = true; ///< True if a meter and a number are shown at the right of the label column.
    bool isHeading = false; ///< True if the row is only a heading, with a background of its own.
    int hiddenDepths = 0; ///< Number of call depths that are hidden below this row; `line` is then the first hidden depth.
    /// Row that repeats this row of a guest, but has steal time as a state; invalid if none. Its preempted states are hatched over this
    /// row's bars, because the guest only seems to run there.
    TrackRef overlay;
    /// Child row that is drawn over this row's bars while this row is closed: the virtual machines that a CPU ran; invalid if none.
    TrackRef cover;
    /// Series whose rate is shown as the row's share; nullopt to show the share of time on a CPU.
    std::optional<UtilizationSeries> utilization;
    TrackRef shareTrack; ///< Row whose share of the CPU is shown in place of this row's own; invalid to show the own share.
    RowShape drawnAs = RowShape::Normal;
    std::int32_t cpu = -1;
    std::vector<TrackRef> lanes; ///< Rows that are drawn as lanes inside this row, from top to bottom; empty if the row has bars.
    /// Tracks that are drawn behind the lanes, indexed as `lanes`; invalid if a lane has none.
    std::vector<TrackRef> laneGrounds;
    std::shared_ptr<const LaneSources> sources; ///< Rows whose sum the bars show; nullptr if the bars show the row itself.

    /// Makes the row show the CPU share of `overlay` instead of its own share, so that steal time does not count as time on a CPU. Does
    /// nothing if the row has no `overlay`, or shows a sum.
    void excludeStealTime()
    {
        if (overlay.isValid() && !sources)
            shareTrack = overlay;
    }
    /// Shape in which the row is drawn; Tall for a CPU and for a row with a line.
    RowShape shape() const { return drawnAs == RowShape::Normal && (isCpu || line.track.isValid()) ? RowShape::Tall : drawnAs; }
    /// True if the row shows calls of a call stack.
    bool hasFrames() const { return drawnAs == RowShape::FirstFrame || drawnAs == RowShape::Frame; }
    TrackRef meter() const { return shareTrack.isValid() ? shareTrack : ref; }
    /// True if the label column can show numbers for the row, because the row has a track or is a closed fold.
    bool isMeasured() const { return ref.isValid() || (isFold && sources); }
    /// Track whose bars are requested and cached for the row; invalid if the row has no bars.
    TrackRef lane() const { return sources && !ref.isValid() ? sources->front().track : ref; }
};

/// Sets the share of each row in `rows` to the value of its utilization series in `window`. Rows without a value in `window` keep their
/// entries in `shares`.
void addUtilization(const Timeline& timeline, std::span<const std::pair<TrackRef, UtilizationSeries>> rows, TimeRange window,
                    Shares& shares);

/// Returns the share of the time range in which the row, or the sum of its sources, was on a CPU; nullopt if unknown.
std::optional<BusyShare> shareOf(const GraphRow& row, const Shares& shares);

/// Rows of a graph with their vertical positions; y = 0 is the top of the first row.
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

    /// Returns the index of the row at y; -1 if there is none.
    int at(int y) const;
    int find(TrackRef ref) const; ///< Index of the row with the track; -1 if none.
    int findHost(std::uint32_t host) const; ///< Index of the host's heading; -1 if none.
    bool hasHosts() const { return !m_hosts.empty(); }
    bool hasThreads() const { return m_hasThreads; }
    /// Returns the rows [first, last) of the call stack that contains `row`, including the strip of states below the calls; only `row` if
    /// it is in no stack.
    std::pair<int, int> stackOf(int row) const;
    int findLane(TrackRef lane) const; ///< Index of the row or group that shows the bars of the track; -1 if none.

private:
    std::vector<GraphRow> m_rows;
    std::vector<int> m_tops;
    std::unordered_map<TrackRef, int, TrackRefHash> m_index;
    std::vector<std::pair<std::uint32_t, int>> m_hosts; ///< Hosts, each with the index of its heading.
    bool m_hasThreads = false;
    Density m_density = Density::Normal;
};

} // namespace helio
