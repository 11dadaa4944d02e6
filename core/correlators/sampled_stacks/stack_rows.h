#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace helio::sampled_stacks {

/// States of rows that show the functions of a thread at its samples.
enum : std::uint8_t {
    Sampled,
    SampledCut, ///< The outermost recorded frame; its callers are missing.
};
StateSet stackStates();

/// One frame of a sample.
struct SampledFrame {
    std::uint32_t function = 0; ///< Number of the function.
    StackId stack = NoStack; ///< Stack up to and including this frame, in the sink's stacks.
};

/// The rows of one thread, one for each depth, from its samples in time order. A sample stands for the period that ends with it, so the
/// ranges of its frames end 1 ns after it. A frame continues from one sample to the next if both are in the same function, called by the
/// same functions, no sample is missing between them, and no other thread had the CPU meanwhile.
class StackRows {
public:
    static constexpr std::size_t MostRows = 200'000; ///< Limit for all threads together; deeper frames have no row.

    /// `row`: the thread's row. The rows of depths are its children, with its key and "/1", "/2"... `begin`: the beginning of the
    /// recording. `rows`: counter of the rows of all threads.
    /// Ownership: the caller keeps `sink` and `rows` alive.
    StackRows(TrackId row, HostTimestamp begin, StateSink& sink, std::size_t& rows)
        : m_row(row)
        , m_sink(&sink)
        , m_rows(&rows)
        , m_end(begin)
    {
    }

    /// Adds a sample. `frames`: the outermost first. `period`: the time that the sample stands for. `isCut`: true if callers of the
    /// outermost frame are missing. Requires: `at` is not before the previous sample.
    void take(HostTimestamp at, std::span<const SampledFrame> frames, Duration period, bool isCut);
    /// Reports that another thread, or none, was seen on the CPU of the last sample.
    void leaveCpu() { m_latest = m_end; }
    /// Ends the rows after the last sample.
    void finish() { close(0, m_end); }

private:
    void close(std::size_t depth, HostTimestamp end);
    TrackId depthRow(std::size_t depth);

    TrackId m_row;
    StateSink* m_sink;
    std::size_t* m_rows;
    std::vector<std::uint32_t> m_open; ///< Functions of the last sample, the outermost first.
    bool m_isCut = false; ///< True if callers were missing in the last sample.
    std::vector<TrackId> m_depths;
    HostTimestamp m_end; ///< End of the last sample's range; before the first sample the recording's begin.
    HostTimestamp m_latest = HostTimestamp::min(); ///< A sample that ends by then continues the frames of the last one.
};

} // namespace helio::sampled_stacks
