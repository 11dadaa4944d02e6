#pragma once

#include "core/analyses/disks/disk.h"
#include "core/store/segments.h"

#include <optional>
#include <vector>

namespace helio::disks {

struct CompletedRequest {
    Request request;
    HostTimestamp begin{};
    HostTimestamp end{};
    std::optional<Duration> queued; ///< Time that the request spent in the disk's queue before `begin`; nullopt if unknown.
    TrackId row = NoTrack;
    std::int32_t cpu = -1; ///< CPU on which the request completed; -1 if unknown.
};

/// Writes requests as segments (core/event_model/segment_kinds.h). While the name of a disk is unknown but may still be recorded,
/// segments of this disk are held back, at most 4,096 in all.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the disks and the sink alive longer than the object.
class RequestSegments {
public:
    RequestSegments(StateSink& sink, bool mayNameDisks);

    void add(const Disk& disk, CompletedRequest done);
    /// Writes the segments that were held back, with the disk names known at this time.
    void write();

private:
    void write(const Disk& disk, const CompletedRequest& done);

    StateSink& m_sink;
    SegmentKindId m_kind{};
    bool m_mayNameDisks = false;
    std::vector<std::pair<const Disk*, CompletedRequest>> m_unnamed;
};

} // namespace helio::disks
