#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace helio::sampled_stacks {

/// States of the rows that show a thread's sampled functions.
enum : std::uint8_t {
    Sampled,
    SampledCut, ///< Outermost recorded frame of a truncated stack: its callers are missing.
    SampledInlined, ///< Function that was inlined into its caller.
};
StateSet stackStates();

/// One frame of a sample's call stack.
struct SampledFrame {
    std::uint32_t function = 0; ///< Number of the frame's function; equal functions have equal numbers.
    bool isInlined = false; ///< True if the function was inlined into its caller.
    StackId stack = NoStack; ///< Id, in the sink, of the call stack from the outermost frame to this frame.
};

/// Writes the rows of one thread, one for each stack depth, from the thread's samples in time order.
///
/// A sample covers the period that ends with it (take()), or that begins with it (takeForward()); the intervals of its frames end 1 ns
/// after the sample's time, or at the end of the period. A frame continues from one sample to the next if both samples are in the same
/// function with the same callers, inlined or not, no sample is missing between them, and no other thread had the CPU meanwhile.
class StackRows {
public:
    /// Maximum number of rows of all threads together. Frames that would need more rows are not shown.
    static constexpr std::size_t MostRows = 200'000;

    /// `row`: the thread's row, whose children are the rows of the depths; their keys are its key plus "/1", "/2"... `begin`: the
    /// beginning of the recording. `rows`: number of rows of all threads, which is incremented for each new row.
    /// Ownership: the caller keeps `sink` and `rows` alive while this object exists.
    StackRows(TrackId row, HostTimestamp begin, StateSink& sink, std::size_t& rows)
        : m_row(row)
        , m_sink(&sink)
        , m_rows(&rows)
        , m_end(begin)
    {
    }

    /// Adds a sample. `frames`: the stack's frames, outermost first. `period`: the time that the sample covers. `isCut`: true if the stack
    /// lacks callers of the outermost frame. Requires: `at` is not before the previous sample.
    void take(HostTimestamp at, std::span<const SampledFrame> frames, Duration period, bool isCut);
    /// Adds a sample that covers the time from `at` on. Shows at least 1 ns of it.
    void takeForward(HostTimestamp at, std::span<const SampledFrame> frames, Duration period, bool isCut);
    /// Ends the intervals of all frames at the time of the last sample, because the CPU was seen idle or with another thread
    /// afterwards. The next sample begins new intervals.
    void leaveCpu() { m_continuesUntil = m_end; }
    /// Closes all rows at the end of the last sample's range.
    void finish() { close(0, m_end); }

private:
    void add(HostTimestamp begin, HostTimestamp end, std::span<const SampledFrame> frames, bool isCut);
    void close(std::size_t depth, HostTimestamp end);
    TrackId depthRow(std::size_t depth);

    TrackId m_row;
    StateSink* m_sink;
    std::size_t* m_rows;
    std::vector<SampledFrame> m_open; ///< Frames of the last sample, outermost first.
    bool m_isCut = false; ///< True if the last sample's stack lacked callers.
    std::vector<TrackId> m_depths;
    HostTimestamp m_end; ///< End of the last sample's range; the beginning of the recording before the first sample.
    /// Latest time at which the following sample may end so that frames continue from the last sample. If the following sample ends later,
    /// samples are missing between the two, and the frames of the last sample end at m_end.
    HostTimestamp m_continuesUntil = HostTimestamp::min();
};

} // namespace helio::sampled_stacks
