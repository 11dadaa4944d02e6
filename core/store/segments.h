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

/// Description of the segments of one kind, given by the analysis that records them.
struct SegmentKind {
    std::string id; ///< Unique in its store, e.g. "syscalls".
    std::string title; ///< For example "System calls".
    std::string nameTitle{}; ///< Title of the segments' names, e.g. "System call"; empty if they have no names.
    std::string valueTitle{}; ///< Title of the segments' values, e.g. "Result"; empty if they have no values.
    std::string valueUnit{}; ///< Unit of the values, e.g. "B"; empty for plain numbers.
    /// True if the names are frames: HostSegment::name is the StackId of a call stack that ends with the frame, instead of a StringId. If
    /// the frame is a return address and has a caller, the address lies in the caller, and the segment is named after the caller.
    bool hasFrames = false;
    /// True if the values are StringIds of texts with the segments' fields, in the form k=v;k=v.
    bool hasFields = false;
    /// True if the segments are calls. Their names are frames, and their values are self times in ns (without the callees).
    bool areCalls = false;
    bool operator==(const SegmentKind&) const = default;
};

/// Something with a begin, an end and a name, e.g. a system call, an interrupt handler or a function call. Segments may overlap and nest.
struct HostSegment {
    HostTimestamp begin;
    HostTimestamp end; ///< Never before `begin`; equal to it if the segment has no length.
    std::int64_t value = 0;
    StringId name{}; ///< StringId of the name, or the number of a StackId if SegmentKind::hasFrames.
    TrackId track = NoTrack; ///< Track on which the segment happened; NoTrack if none.
    SegmentKindId kind{};

    Duration length() const { return end - begin; }
    StackId stack() const { return StackId{static_cast<std::uint32_t>(name)}; } ///< Requires: SegmentKind::hasFrames.
    bool operator==(const HostSegment&) const = default;
};

/// Number of steps of the length histogram. Each length below 16 ns has its own step. Above that, 8 steps divide each octave
/// (the lengths between two successive powers of two), so the lengths within a step differ by less than an eighth.
constexpr std::size_t HistogramSteps = 488;

/// Returns the histogram step of a length. Requires: length >= 0.
constexpr std::size_t histogramStep(Duration length)
{
    const auto ns = static_cast<std::uint64_t>(length.count());
    const auto octave = static_cast<unsigned>(std::bit_width(ns >> 3)); // 0: below 8 ns
    return octave == 0 ? ns : octave * 8 + (ns >> (octave - 1)) - 8;
}
/// Returns the shortest length of a step. Requires: step < HistogramSteps.
constexpr Duration shortestOfStep(std::size_t step)
{
    const std::size_t octave = step / 8;
    return Duration(octave == 0 ? std::int64_t(step) : std::int64_t(step % 8 + 8) << (octave - 1));
}

/// Count and summed lengths of segments.
struct SegmentSum {
    std::uint64_t count = 0;
    Duration total{}; ///< Sum of the whole lengths; saturates at Duration::max().
    Duration shortest{}; ///< 0 if there are no segments.
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

/// Histogram of the lengths of segments.
struct SegmentHistogram {
    SegmentSum sum;
    std::array<std::uint64_t, HistogramSteps> counts{}; ///< Number of segments by histogramStep().
    bool operator==(const SegmentHistogram&) const = default;
};

/// Sum of the segments that begin in one column of a picture.
struct SegmentColumn {
    HostTimestamp begin; ///< A multiple of the resolution, counted from time 0.
    SegmentSum sum;
    bool operator==(const SegmentColumn&) const = default;
};

/// Segments within a window, folded into columns. Every segment that overlaps the window is in `earlier` or in one column, so the longest
/// segment of a column is exact at any zoom.
struct SegmentColumns {
    SegmentSum earlier; ///< Segments that began before the window and reach into it.
    std::vector<SegmentColumn> columns; ///< Columns that have segments, in time order.
    bool operator==(const SegmentColumns&) const = default;
};

/// The segments of one trace. Immutable.
///
/// A segment overlaps a range if they have time in common; a segment without length overlaps the ranges that contain it. Segments are
/// ordered by begin, then by end, track, name and value.
///
/// Threads: all methods may be called from any thread at once.
/// Errors: none. An unknown kind has no segments. A damaged block reads as if its segments were missing, and isDamaged() is then true; the
/// sums kept for the block in the directory stay right.
/// Cost: about 6 µs for each block of 512 segments that is decoded. In the costs of the methods, n is the number of blocks.
class SegmentSet {
public:
    virtual ~SegmentSet() = default;

    virtual std::span<const SegmentKind> kinds() const = 0;
    virtual SegmentSum sum(SegmentKindId kind) const = 0; ///< Sum of all segments of a kind. Cost: none.

    /// True if some segments were found to be unreadable.
    virtual bool isDamaged() const = 0;

    using Take = std::function<void(std::span<const HostSegment>)>;
    /// Calls `take` with the segments that overlap the range, in order, a few hundred at a time. Cost: about 20 ns per segment, plus the
    /// blocks that cross the edges of the range.
    virtual void visit(SegmentKindId kind, HostRange range, const Take& take, std::stop_token stop = {}) const = 0;

    /// Returns the longest segments that overlap the range, at most `most` of them, longest first; segments of equal length are in order.
    /// Cost: decodes about `most` blocks, plus log n.
    virtual std::vector<HostSegment> longest(SegmentKindId kind, HostRange range, std::size_t most, std::stop_token stop = {}) const = 0;

    /// Returns the exact length histogram of the segments that overlap the range. Cost: reads up to 32 blocks, plus those that cross the
    /// edges of the range.
    virtual SegmentHistogram spread(SegmentKindId kind, HostRange range, std::stop_token stop = {}) const = 0;

    /// Returns the segments folded into columns: at most window / resolution + 2 of them, and no more than there are segments. The columns
    /// are exact at any zoom. Requires: resolution > 0. Cost: decodes about one block a column.
    virtual SegmentColumns spans(SegmentKindId kind, HostRange window, Duration resolution, std::stop_token stop = {}) const = 0;

    /// next() returns the first segment that follows `segment` in order, previous() the last one that precedes it, within its kind.
    /// `segment` itself need not exist.
    virtual std::optional<HostSegment> next(const HostSegment& segment) const = 0;
    virtual std::optional<HostSegment> previous(const HostSegment& segment) const = 0;

    /// next() returns the first segment in order that begins after `at`, previous() the last one that begins before it.
    std::optional<HostSegment> next(SegmentKindId kind, HostTimestamp at) const
    {
        return next({at, HostTimestamp::max(), INT64_MAX, StringId{UINT32_MAX}, NoTrack, kind});
    }
    std::optional<HostSegment> previous(SegmentKindId kind, HostTimestamp at) const
    {
        return previous({at, HostTimestamp::min(), INT64_MIN, StringId{}, TrackId{}, kind});
    }
};

/// The segments of a store without any: an empty set.
const SegmentSet& noSegments();

/// Records segments into a store.
/// Threads: to be used by one thread.
class SegmentSink {
public:
    virtual ~SegmentSink() = default;

    /// Adds a kind. If a kind with this id exists, its SegmentKindId is returned and its first description is kept. Errors: Unsupported if
    /// there are more than 255 kinds.
    virtual Result<SegmentKindId> addKind(const SegmentKind& kind) = 0;

    /// Adds a segment. Queries are fastest if segments come roughly in the order of their ends; any other order works too. An end before
    /// the begin is replaced by the begin. Requires: kind, name and track belong to this sink's store.
    virtual void add(const HostSegment& segment) = 0;
};

/// A sink that drops all segments.
SegmentSink& droppedSegments();

} // namespace helio
