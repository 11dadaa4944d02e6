#pragma once

#include "core/formats/ctf/recording/ctf_stream.h"
#include "tests/bench/amplifier/clock_fields.h"
#include "tests/bench/amplifier/packed_metadata.h"

#include <functional>

namespace helio::bench {

/// The trace to repeat. All its packets were located and all its events read once.
///
/// Errors: open() refuses a trace that cannot be repeated without errors, and says why.
class SourceTrace {
public:
    static Result<std::unique_ptr<SourceTrace>> open(const std::filesystem::path& path);

    /// Clock fields of a stream class: in its packet contexts, and in its events by EventTypeId.
    struct Times {
        ClockFields packet;
        std::vector<ClockFields> events;
        /// Width in bits of the widest narrow field (at most 32 bits) in `packet` and `events`; 0 if there is none.
        unsigned narrowBits = 0;
    };

    struct Stream {
        StreamInfo info;
        ctf::StreamData data;
        std::vector<std::uint64_t> events; ///< Number of events in each packet.
        const Times* times = nullptr;
        std::filesystem::path index; ///< Path of LTTng's index of the stream's (first) file; empty if it has no index.
    };

    const MetadataText& metadata() const { return m_metadata; }
    const EventTypes& types() const { return m_types; }
    const std::vector<Stream>& streams() const { return m_streams; }
    std::uint64_t events() const { return m_events; }

    /// Clock cycles between two repetitions: more than the trace's length, and a multiple of the range of every narrow time stamp.
    std::uint64_t period() const { return m_period; }

    using OnBatch = std::function<void(const EventBatch&)>;
    /// Reads all events of a stream and calls `onBatch` for each batch, in file order. Returns the diagnostics.
    std::vector<Diagnostic> readEvents(std::uint32_t stream, const OnBatch& onBatch) const;

private:
    SourceTrace() = default;
    Status findStreams(const std::vector<std::filesystem::path>& folders);
    Status findTimes();
    Status findTimes(std::size_t shape);
    Status checkPackets(const Stream& stream) const;
    Status survey();
    void widen(HostTimestamp time);

    MetadataText m_metadata;
    EventTypes m_types;
    std::vector<ctf::StreamClassLayout> m_shapes;
    /// First event type of each stream class, indexed like m_shapes. One more element at the end holds the number of event types, so that
    /// each class ends where the class after it begins.
    std::vector<EventTypeId> m_firstTypes;
    std::vector<Times> m_times; ///< Clock fields of each stream class, indexed like m_shapes.
    std::vector<Stream> m_streams;
    std::uint64_t m_events = 0;
    std::uint64_t m_period = 0;
    HostTimestamp m_begin = HostTimestamp::max();
    HostTimestamp m_end = HostTimestamp::min();
};

} // namespace helio::bench
