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

/// Index of a kind of segment in its store.
enum class SegmentKindId : std::uint8_t {};

/// What segments of one kind are, as the analysis that makes them says it.
struct SegmentKind {
    std::string id; ///< "syscalls": unique in its store.
    std::string title; ///< "System calls".
    std::string nameTitle{}; ///< What their names are: "System call". Empty: they have none.
    std::string valueTitle{}; ///< What their values are: "Result". Empty: they have none.
    std::string valueUnit{}; ///< "B"; empty: a plain number.
    /// Their names are frames that call stacks end with: StackId instead of StringId. A frame that is a return address and has a caller is
    /// a place in that caller, which then names them.
    bool hasFrames = false;
    /// Their values are texts, StringIds: what they contain, as k=v;k=v.
    bool hasFields = false;
    /// They are calls: their names are frames, and their values the ns that were their own, not their callees'.
    bool areCalls = false;
    bool operator==(const SegmentKind&) const = default;
};

/// Something that lasted from `begin` to `end`: a system call, an interrupt's handler, a function's call. Segments may overlap and nest.
struct HostSegment {
    HostTimestamp begin;
    HostTimestamp end; ///< Not before `begin`; may be the same.
    std::int64_t value = 0;
    StringId name{}; ///< Or the number of a StackId, where the kind says so.
    TrackId track = NoTrack; ///< Where it happened; NoTrack: on none.
    SegmentKindId kind{};

    Duration length() const { return end - begin; }
    StackId stack() const { return StackId{static_cast<std::uint32_t>(name)}; } ///< Requires: its kind's names are frames.
    bool operator==(const HostSegment&) const = default;
};

/// Lengths are counted in steps: up to 16 ns each has its own, above that 8 steps divide each octave (the lengths from a power of two to
/// the next), so all lengths of a step differ by less than an eighth.
constexpr std::size_t LengthSteps = 488;

/// Requires: not negative.
constexpr std::size_t lengthStep(Duration length)
{
    const auto ns = static_cast<std::uint64_t>(length.count());
    const auto octave = static_cast<unsigned>(std::bit_width(ns >> 3)); // 0: below 8 ns
    return octave == 0 ? ns : octave * 8 + (ns >> (octave - 1)) - 8;
}
/// The shortest length of a step. Requires: one of the steps.
constexpr Duration lengthOfStep(std::size_t step)
{
    const std::size_t octave = step / 8;
    return Duration(octave == 0 ? std::int64_t(step) : std::int64_t(step % 8 + 8) << (octave - 1));
}

/// What segments add up to.
struct SegmentSum {
    std::uint64_t count = 0;
    Duration total{}; ///< Of their whole lengths; stays at Duration::max() where there is more.
    Duration shortest{}; ///< 0 where there are none.
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

/// How long segments are.
struct SegmentSpread {
    SegmentSum sum;
    std::array<std::uint64_t, LengthSteps> counts{}; ///< By lengthStep().
    bool operator==(const SegmentSpread&) const = default;
};

/// The segments that begin in one column of a picture.
struct SegmentColumn {
    HostTimestamp begin; ///< A multiple of the resolution, counted from time 0.
    SegmentSum sum;
    bool operator==(const SegmentColumn&) const = default;
};

/// Every segment that overlaps a window is in one of these: however far one zooms out, the longest of a column is known.
struct SegmentColumns {
    SegmentSum earlier; ///< Those that began before the window and reach into it.
    std::vector<SegmentColumn> columns; ///< In time order; those that are not empty.
    bool operator==(const SegmentColumns&) const = default;
};

/// The segments of one trace. Immutable.
///
/// A segment overlaps a range that has time in common with it; one without length, a range that it lies in. The order of segments is by
/// begin, then by end, track, name and value.
///
/// Threads: any at once. Errors: none; a kind that is not there has no segments. A damaged block reads as missing, and isDamaged() is
/// then true; what was summed up is right all the same.
/// Cost:    a block of 512 segments is read in about 6 µs; below, n is the number of blocks.
class SegmentSet {
public:
    virtual ~SegmentSet() = default;

    virtual std::span<const SegmentKind> kinds() const = 0;
    virtual SegmentSum sum(SegmentKindId kind) const = 0; ///< Of all. Cost: none.

    /// Some segments turned out to be unreadable.
    virtual bool isDamaged() const = 0;

    using Take = std::function<void(std::span<const HostSegment>)>;
    /// Hands over the segments that overlap the range, in order, some hundreds at a time. Cost: about 20 ns a segment, and the blocks that
    /// lie across the edges.
    virtual void visit(SegmentKindId kind, HostRange range, const Take& take, std::stop_token stop = {}) const = 0;

    /// The longest of the segments that overlap the range, at most `most`, the longest first, in order where they are equally long.
    /// Cost: of about `most` blocks, and log n.
    virtual std::vector<HostSegment> longest(SegmentKindId kind, HostRange range, std::size_t most, std::stop_token stop = {}) const = 0;

    /// Of the segments that overlap the range; exact. Cost: of up to 32 blocks, and those that lie across the edges.
    virtual SegmentSpread spread(SegmentKindId kind, HostRange range, std::stop_token stop = {}) const = 0;

    /// At most window / resolution + 2 columns, and no more than there are segments. Exact at any zoom. Cost: about a block a column.
    /// Requires: resolution > 0.
    virtual SegmentColumns spans(SegmentKindId kind, HostRange window, Duration resolution, std::stop_token stop = {}) const = 0;

    /// The first in order that comes after `segment` (which need not be there), of its kind; the last that comes before it.
    virtual std::optional<HostSegment> next(const HostSegment& segment) const = 0;
    virtual std::optional<HostSegment> previous(const HostSegment& segment) const = 0;

    /// The first in order that begins after `at`; the last that begins before it.
    std::optional<HostSegment> next(SegmentKindId kind, HostTimestamp at) const
    {
        return next({at, HostTimestamp::max(), INT64_MAX, StringId{UINT32_MAX}, NoTrack, kind});
    }
    std::optional<HostSegment> previous(SegmentKindId kind, HostTimestamp at) const
    {
        return previous({at, HostTimestamp::min(), INT64_MIN, StringId{}, TrackId{}, kind});
    }
};

/// Of a store without segments.
const SegmentSet& noSegments();

/// The write side. One thread.
class SegmentSink {
public:
    virtual ~SegmentSink() = default;

    /// The same id for a kind of the same id, as it was first given. Errors: Unsupported: more than 255 kinds.
    virtual Result<SegmentKindId> addKind(const SegmentKind& kind) = 0;

    /// About in the order of their ends, which keeps queries quick; none is lost in any other. An end before the begin is taken as at it.
    /// Requires: a kind, a name and a track of this sink's store.
    virtual void add(const HostSegment& segment) = 0;
};

/// Takes segments and keeps none.
SegmentSink& droppedSegments();

} // namespace helio
