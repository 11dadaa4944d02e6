#pragma once

#include "core/query/rows/arrows.h"
#include "core/sql/model/slices.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace helio::sql {

/// Reads the flows of a timeline: arrows that an application recorded from one slice to another.
/// Threads: to be used by one thread.
class Flows {
public:
    explicit Flows(std::shared_ptr<const Slices> slices)
        : m_slices(std::move(slices))
    {
    }

    /// Calls `take` for each flow that overlaps the range, in the order of their begins.
    void forEach(TimeRange range, const std::function<void(const Arrow&)>& take, const std::stop_token& stop) const;

    /// Return the ids of the slices from which and to which a flow leads; nullopt if there is no such slice.
    std::optional<std::int64_t> sliceOut(const Arrow& flow) const { return sliceAt(flow.from, flow.fromTime); }
    std::optional<std::int64_t> sliceIn(const Arrow& flow) const { return sliceAt(flow.to, flow.toTime); }

    /// True if a row of slices belongs to the thread of a slice.
    bool isOnThreadOf(TrackRef row, const SliceRow& slice) const;

private:
    std::optional<std::int64_t> sliceAt(TrackRef row, Timestamp at) const;

    std::shared_ptr<const Slices> m_slices;
};

} // namespace helio::sql
