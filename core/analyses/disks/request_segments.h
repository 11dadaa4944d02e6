#pragma once

#include "core/analyses/disks/disk.h"
#include "core/store/segments.h"

#include <optional>
#include <vector>

namespace helio::disks {

/// A completed request.
struct CompletedRequest {
    Request request;
    HostTimestamp begin{};
    HostTimestamp end{};
    std::optional<Duration> queued; ///< Time in the disk's queue before `begin`; nullopt if unknown.
    TrackId row = NoTrack;
    std::int32_t cpu = -1; ///< CPU of the completion; -1 if unknown.
};

/// Writes the segments of requests (core/event_model/segment_kinds.h). Segments of disks whose name may still be recorded are held back, at
/// most 4,096 of them.
///
/// Threads: to be used by one thread.
/// Ownership: disks and sink outlive the object.
class RequestSegments {
public:
    RequestSegments(StateSink& sink, bool mayNameDisks);

    void add(const Disk& disk, CompletedRequest done);
    /// Writes the segments that are held back, with the names known by now.
    void write();

private:
    void write(const Disk& disk, const CompletedRequest& done);

    StateSink& m_sink;
    SegmentKindId m_kind{};
    bool m_mayNameDisks = false;
    std::vector<std::pair<const Disk*, CompletedRequest>> m_unnamed;
};

} // namespace helio::disks
