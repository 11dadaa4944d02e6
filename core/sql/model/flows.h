#pragma once

#include "core/query/rows/arrows.h"
#include "core/sql/model/slices.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio::sql {

/// A flow with the rows and times of its ends.
struct FlowEnds {
    TrackRef from;
    TrackRef to;
    Timestamp fromTime;
    Timestamp toTime;
};

/// Reads the flows of a timeline: arrows that an application recorded from one slice to another.
/// Threads: to be used by one thread.
/// Memory: 40 bytes for each flow, after the first look-up by row.
class Flows {
public:
    explicit Flows(std::shared_ptr<const Slices> slices)
        : m_slices(std::move(slices))
    {
    }

    /// Calls `take` for each flow that overlaps the range, in the order of their begins.
    void forEach(TimeRange range, const std::function<void(const Arrow&)>& take, const std::stop_token& stop) const;

    /// Return the numbers of the flows that begin or end on a row in a time range, in the order of time; empty after a stop request.
    /// Cost: the first call of either visits all flows.
    std::span<const std::uint32_t> flowsFrom(TrackRef row, TimeRange range, const std::stop_token& stop) const;
    std::span<const std::uint32_t> flowsTo(TrackRef row, TimeRange range, const std::stop_token& stop) const;
    const FlowEnds& ends(std::uint32_t flow) const { return m_ends[flow]; } ///< Requires: flowsFrom() or flowsTo() returned the number.

    /// Returns the id of the slice on a row at a time, from or to which a flow leads; nullopt if there is none.
    std::optional<std::int64_t> sliceAt(TrackRef row, Timestamp at) const;

    /// Returns the rows of slices that belong to the thread of a slice; empty if the slice is on no row.
    /// Cost: the first call for a store visits its tracks.
    const std::vector<TrackRef>& rowsOfThread(const SliceRow& slice) const;

private:
    bool makeIndex(const std::stop_token& stop) const;

    std::shared_ptr<const Slices> m_slices;
    mutable bool m_isIndexed = false;
    mutable std::vector<FlowEnds> m_ends; ///< Flows in the order of their begins.
    mutable std::vector<std::uint32_t> m_byBegin; ///< Indices into m_ends, sorted by the row and the time of the begin.
    mutable std::vector<std::uint32_t> m_byEnd;
    /// Rows of each thread by the thread's track, for the stores that were asked for.
    mutable std::map<StoreIndex, std::unordered_map<TrackId, std::vector<TrackRef>>> m_rowsOfThreads;
};

} // namespace helio::sql
