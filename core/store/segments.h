#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/stacks.h"
#include "core/store/track.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Index of a kind of segments in its store.
enum class SegmentKindId : std::uint8_t {};

/// Description of a kind of segments by the analysis that records them.
struct SegmentKind {
    std::string id; ///< Stable identifier, unique in its store, for example "syscalls".
    std::string title; ///< Title for the user, for example "System calls".
    std::string nameTitle{}; ///< Column title of the segments' names, for example "System call"; empty if the segments have no names.
    std::string valueTitle{}; ///< Column title of the segments' values, for example "Result"; empty if the segments have no values.
    std::string valueUnit{}; ///< Unit of the values, for example "B"; empty for plain numbers.
    /// True if each segment is named after a frame of a call stack. HostSegment::name is then the StackId of the call stack that ends with
    /// this frame, not a StringId. If the frame is a return address and has a caller, the segment is named after the caller, because a
    /// return address lies in the caller's code.
    bool hasFrames = false;
    /// True if the values are StringIds of texts that contain the segments' fields, in the form k=v;k=v.
    bool hasFields = false;
    /// True if the segments are function calls: names are frames, values are self times in ns (without callees).
    bool areCalls = false;
    bool operator==(const SegmentKind&) const = default;
};

/// Interval with a name, for example a system call, an interrupt handler or a function call. Segments may overlap and nest.
struct HostSegment {
    HostTimestamp begin;
    HostTimestamp end; ///< End of the segment, never before `begin`; equal to `begin` if the segment has no length.
    std::int64_t value = 0;
    StringId name{}; ///< StringId of the name; a StackId if SegmentKind::hasFrames.
    TrackId track = NoTrack; ///< Track on which the segment happened; NoTrack if the segment has no track.
    SegmentKindId kind{};

    Duration length() const { return end - begin; }
    /// Returns the call stack of the segment. Requires: SegmentKind::hasFrames.
    StackId stack() const { return StackId{static_cast<std::uint32_t>(name)}; }
    bool operator==(const HostSegment&) const = default;
};

/// Number of buckets of the length histogram. Each length below 16 ns has its own bucket. From 16 ns on, each octave (the lengths
/// from 2^n to 2^(n+1)) has 8 buckets, so the lengths in a bucket differ by less than an eighth.
constexpr std::size_t HistogramSteps = 488;

/// Returns the histogram bucket of a length. Requires: length >= 0.
constexpr std::size_t histogramStep(Duration length)
{
    const auto ns = static_cast<std::uint64_t>(length.count());
    // Number of the octave: 0 for lengths below 8 ns, 1 from 8 ns, 2 from 16 ns, 3 from 32 ns on.
    const auto octave = static_cast<std::size_t>(std::bit_width(ns >> 3));
    return octave == 0 ? ns : octave * 8 + (ns >> (octave - 1)) - 8;
}
/// Returns the shortest length in a histogram bucket. Requires: step < HistogramSteps.
constexpr Duration shortestOfStep(std::size_t step)
{
    const std::size_t octave = step / 8;
    return Duration(octave == 0 ? std::int64_t(step) : std::int64_t(step % 8 + 8) << (octave - 1));
}

/// Number, total length, shortest and longest length of a set of segments.
struct SegmentSum {
    std::uint64_t count = 0;
    Duration total{}; ///< Sum of the lengths; at most Duration::max().
    Duration shortest{}; ///< Shortest length; 0 if there are no segments.
    Duration longest{};

    void add(Duration length) { add({1, length, length, length}); }
    void add(const SegmentSum& other)
    {
        if (other.count == 0)
            return;
        shortest = count == 0 ? other.shortest : std::min(shortest, other.shortest);
        longest = std::max(longest, other.longest);
        total = other.total > Duration::max() - total ? Duration::max() : total + other.total;
        count += other.count;
    }
    bool operator==(const SegmentSum&) const = default;
};

/// Length histogram of a set of segments.
struct SegmentHistogram {
    SegmentSum sum;
    std::array<std::uint64_t, HistogramSteps> counts{}; ///< Number of segments by histogramStep().
    bool operator==(const SegmentHistogram&) const = default;
};

/// Statistics of the segments that begin in one pixel column.
struct SegmentColumn {
    HostTimestamp begin; ///< Begin of the column: a multiple of the resolution, counted from time 0.
    SegmentSum sum;
    bool operator==(const SegmentColumn&) const = default;
};

/// Statistics of the segments in a time range, by pixel column. Each segment counts once: in the column in which it begins, or in `earlier`
/// if it begins before the time range. Therefore the longest segment of a column is exact at any zoom.
struct SegmentColumns {
    SegmentSum earlier; ///< Statistics of the segments that began before the time range and end in it or later.
    std::vector<SegmentColumn> columns; ///< Columns that have segments, in time order.
    bool operator==(const SegmentColumns&) const = default;
};

/// The segments of one trace. Immutable.
///
/// A segment overlaps a range if they share some time; a segment without length overlaps the ranges that contain its time. Segments are
/// ordered by start, then by end, track, name and value.
///
/// Threads: all methods may be called from any thread at once.
/// Errors: none. An unknown kind has no segments. The segments of a damaged block are missing, and isDamaged() is then true; the block's
/// totals in the directory of blocks stay valid.
/// Cost: about 6 µs for each block of 512 segments that is decoded. In the costs of the methods, n is the number of blocks.
class SegmentSet {
public:
    virtual ~SegmentSet() = default;

    virtual std::span<const SegmentKind> kinds() const = 0;
    /// Returns the statistics of all segments of a kind, which the directory of blocks contains. Cost: constant.
    virtual SegmentSum sum(SegmentKindId kind) const = 0;

    /// True if some segments could not be read.
    virtual bool isDamaged() const = 0;

    using Take = std::function<void(std::span<const HostSegment>)>;
    /// Calls `take` with the segments that overlap the range, in order, a few hundred per call.
    /// Cost: about 20 ns per segment, plus the blocks at the edges of the range.
    virtual void visit(SegmentKindId kind, HostRange range, const Take& take, std::stop_token stop = {}) const = 0;

    /// Returns the `most` longest segments that overlap the range, longest first; segments of equal length are in segment order.
    /// Cost: decodes about `most` blocks, plus log n.
    virtual std::vector<HostSegment> longest(SegmentKindId kind, HostRange range, std::size_t most, std::stop_token stop = {}) const = 0;

    /// Returns the exact length histogram of the segments that overlap the range.
    /// Cost: reads up to 32 blocks, plus the blocks at the edges of the range.
    virtual SegmentHistogram spread(SegmentKindId kind, HostRange range, std::stop_token stop = {}) const = 0;

    /// Returns the segments aggregated by pixel column: at most window / resolution + 2 columns, and at most one per segment. The columns
    /// are exact at any zoom. Requires: resolution > 0.
    /// Cost: decodes about one block per column.
    virtual SegmentColumns spans(SegmentKindId kind, HostRange window, Duration resolution, std::stop_token stop = {}) const = 0;

    /// next() returns the segment after `segment` in order, previous() the segment before it, both of the same kind. The store need not
    /// contain `segment` itself.
    virtual std::optional<HostSegment> next(const HostSegment& segment) const = 0;
    virtual std::optional<HostSegment> previous(const HostSegment& segment) const = 0;

    /// next() returns the first segment in order that begins after `at`; previous() returns the last segment that begins before `at`.
    std::optional<HostSegment> next(SegmentKindId kind, HostTimestamp at) const
    {
        return next({at, HostTimestamp::max(), INT64_MAX, StringId{UINT32_MAX}, NoTrack, kind});
    }
    std::optional<HostSegment> previous(SegmentKindId kind, HostTimestamp at) const
    {
        return previous({at, HostTimestamp::min(), INT64_MIN, StringId{}, TrackId{}, kind});
    }
};

/// Empty segment set, for stores without segments.
const SegmentSet& noSegments();

/// Records segments into a store.
/// Threads: to be used by one thread.
class SegmentSink {
public:
    virtual ~SegmentSink() = default;

    /// Adds a kind. If a kind with this id exists, its SegmentKindId is returned and its first description stays.
    /// Errors: Unsupported if there are more than 255 kinds.
    virtual Result<SegmentKindId> addKind(const SegmentKind& kind) = 0;

    /// Adds a segment. Any order is allowed, but queries are fastest if segments come roughly in the order of their ends. A segment that
    /// would end before it starts gets the length 0. Requires: kind, name and track belong to this sink's store.
    virtual void add(const HostSegment& segment) = 0;
};

/// Sink that discards all segments.
SegmentSink& droppedSegments();

} // namespace helio
