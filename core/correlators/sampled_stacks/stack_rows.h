#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace helio::sampled_stacks {

/// The states of rows that say which functions a thread was in when it was sampled.
enum : std::uint8_t {
    Sampled,
    SampledCut, ///< Of an outermost frame: its callers are missing.
};
StateSet stackStates();

/// One frame of a sample.
struct SampledFrame {
    std::uint32_t function = 0; ///< Frames of one number are of one function.
    StackId stack = NoStack; ///< In the sink's stacks: those up to this frame.
};

/// The rows of one thread, one for each depth, from its samples in time order. A sample stands for the period that ends with it, so the
/// ranges of its frames end 1 ns after it. A frame continues from one sample to the next if both are in the same function, called by the
/// same functions, no sample is missing between them, and no other thread had the CPU meanwhile.
class StackRows {
public:
    static constexpr std::size_t MostRows = 200'000; ///< Of all threads: deeper frames have no row.

    /// `row`: the thread's. Depths hang below it: its key and "/1", "/2"... `begin`: of the recording. `rows` counts those of all threads.
    /// The sink outlives it.
    StackRows(TrackId row, HostTimestamp begin, StateSink& sink, std::size_t& rows)
        : m_row(row)
        , m_sink(&sink)
        , m_rows(&rows)
        , m_end(begin)
    {
    }

    /// Requires: not before the last one. `frames`: the outermost first. `period`: how long the sample stands for. `isCut`: callers of the
    /// outermost frame are missing.
    void take(HostTimestamp at, std::span<const SampledFrame> frames, Duration period, bool isCut);
    /// Another thread, or none, was seen on the CPU where the last sample was taken.
    void leaveCpu() { m_latest = m_end; }
    /// No more samples come.
    void finish() { close(0, m_end); }

private:
    void close(std::size_t depth, HostTimestamp end);
    TrackId depthRow(std::size_t depth);

    TrackId m_row;
    StateSink* m_sink;
    std::size_t* m_rows;
    std::vector<std::uint32_t> m_open; ///< The functions of the last sample.
    bool m_isCut = false; ///< It was.
    std::vector<TrackId> m_depths;
    HostTimestamp m_end; ///< End of the last sample's range; before the first sample the recording's begin.
    HostTimestamp m_latest = HostTimestamp::min(); ///< Another that comes until then follows it.
};

} // namespace helio::sampled_stacks
