#pragma once

#include "core/analyses/disks/disk.h"
#include "core/store/segments.h"

#include <optional>
#include <vector>

namespace helio::disks {

/// A request that is done.
struct Done {
    Request request;
    HostTimestamp begin{};
    HostTimestamp end{};
    std::optional<Duration> queued; ///< Before its begin.
    TrackId row = NoTrack;
    std::int32_t cpu = -1; ///< That it was completed on.
};

/// Writes the segments of requests (core/event_model/disk_requests.h). Those of disks whose name may still be recorded wait for it, some
/// thousand at most. One thread; disks and sink outlive it.
class RequestSegments {
public:
    RequestSegments(StateSink& sink, bool mayNameDisks);

    void add(const Disk& disk, Done done);
    /// Names are known, or nobody waits for them any more.
    void write();

private:
    void write(const Disk& disk, const Done& done);

    StateSink& m_sink;
    SegmentKindId m_kind{};
    bool m_mayNameDisks = false;
    std::vector<std::pair<const Disk*, Done>> m_unnamed;
};

} // namespace helio::disks
