#pragma once

#include "core/analysis/track_view.h"
#include "core/profiling/calls/call_names.h"
#include "core/profiling/calls/recorded_cpu_times.h"
#include "core/profiling/calls/recorded_slice.h"
#include "core/query/events/system_call_fields.h"
#include "core/query/segments/composite_states.h"
#include "core/query/segments/segments.h"
#include "core/sql/engine/filter.h"
#include "core/sql/model/interval_numbers.h"
#include "core/sql/model/recorded_things.h"
#include "core/sql/model/slice_sums.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::sql {

/// A slice: something with a begin, an end and a name on a track, e.g. a function call, a system call, an interrupt or a disk request.
struct SliceRow {
    Timestamp ts;
    std::optional<Timestamp> end; ///< nullopt if the slice was still open at the end of the recording.
    std::uint32_t source = 0; ///< Index of the SliceSource.
    std::uint32_t track = 0; ///< Number of the slice's track within its source.
    std::uint32_t name = 0; ///< StringId or StackId of a segment; value of a composite state.
    std::uint64_t number = 0; ///< Number of the slice within its source; only counted on request.
    std::int64_t value = 0; ///< HostSegment::value.
    HostTimestamp hostEnd{}; ///< End of a segment on the host's clock, by which the segment is found again.
    HostTimestamp hostBegin{};
};

/// Sum of slices with one name on one track, or of a part of them.
struct SliceSum {
    SliceRow slice; ///< One of the slices.
    DurationSum sum;
};

/// A track of slices.
struct SliceTrack {
    std::int64_t id = 0; ///< Id in the table `track`.
    std::string name; ///< Title of the kind of slices, e.g. "System calls".
    std::string type; ///< Id of the kind of slices, e.g. "syscall".
    HostId host = 0;
    std::optional<std::uint32_t> thread; ///< Index into RecordedThings::threads().
    std::optional<std::uint32_t> process{}; ///< Index into RecordedThings::processes(), for tracks of processes and not of threads.
    std::int32_t cpu = -1;
};

/// Kinds of slices to read.
struct SliceKinds {
    std::string_view only{}; ///< Id of a kind; empty for all kinds.
    /// True to include preemptions among all kinds. They are no slices of the table `slice`: thread_state has them as R+.
    bool includesPreemptions = false;
};

/// All slices of a timeline: the segments that analyses stored, and the composite states that are computed from states. Methods for all
/// slices leave out preemptions.
///
/// Threads: to be used by one thread.
class Slices {
public:
    explicit Slices(std::shared_ptr<const RecordedThings> things);

    const RecordedThings& things() const { return *m_things; }
    std::uint64_t total() const { return m_firstIds.back(); } ///< Upper bound of the number of slices; ids are below it.
    std::int64_t trackIdEnd() const { return m_trackIdEnd; } ///< Ids of tracks are below this number.

    /// Returns a function for RowsByTime that reads the slices on the wanted tracks. With `isNumbered`, SliceRow::number is set.
    std::function<void(TimeRange, std::vector<SliceRow>&)> reader(const IntegerRange& trackIds, bool isNumbered, std::stop_token stop,
                                                                  SliceKinds kinds = {}) const;

    /// A part of the slices whose sums are computed together.
    struct SumStep {
        std::uint32_t source = 0;
        std::uint32_t part = 0; ///< Number of the row of a composite state, or of the part of the time range.
        std::uint32_t parts = 1;
    };
    /// Returns the steps that together have each slice once.
    std::vector<SumStep> sumSteps() const;
    /// Appends the sums of the slices of a step by track and name. There may be several sums of one track and name.
    /// Threads: several steps may be computed by several threads at once, while no other method is called.
    /// Cost: about 80 ns for each slice.
    void appendSums(const SumStep& step, std::vector<SliceSum>& out, const std::stop_token& stop) const;

    /// Returns the slice with an id; nullopt if there is none.
    std::optional<SliceRow> find(std::int64_t id) const;
    std::int64_t idOf(const SliceRow& slice) const { return static_cast<std::int64_t>(m_firstIds[slice.source] + slice.number); }
    std::optional<std::int64_t> idOf(const Segment& segment) const; ///< Returns nullopt if the segment is no slice.
    std::int64_t trackIdOf(const SliceRow& slice) const;
    /// Returns the row of the timeline that shows a track; not valid if there is none.
    /// Threads: any thread at once.
    TrackRef rowOfTrack(std::int64_t trackId) const;

    /// Returns the id of the slice's kind of segments or composite state, e.g. "syscall" or "block".
    const std::string& kindOf(const SliceRow& slice) const;
    /// Returns the fields of a slice as "k=v;k=v"; empty if it has none.
    std::string_view fieldsOf(const SliceRow& slice) const;
    TrackRef rowOf(const SliceRow& slice) const; ///< Returns the row that shows a slice; not valid for slices without a row.
    HostId hostOf(const SliceRow& slice) const;

    /// Returns the name of a slice; empty if it has none. Valid as long as this object.
    std::string_view nameOf(const SliceRow& slice) const;
    /// Returns the name of a slice as other queries of intervals name it: system calls without a prefix, functions without parameters.
    std::string plainNameOf(const SliceRow& slice) const;
    std::uint32_t
    depthOf(const SliceRow& slice) const; ///< Number of slices on the same track around a slice; 0 for slices that are no calls.
    /// Returns the call that a call is part of; nullopt for the outermost call and for slices that are no calls.
    std::optional<SliceRow> parentOf(const SliceRow& slice) const;
    /// Returns the calls that a call is part of, outermost first; empty for slices that are no calls.
    std::vector<SliceRow> ancestorsOf(const SliceRow& slice) const;
    /// Returns true if `call` is a call that `caller` made, directly or through other calls.
    bool isDescendant(const SliceRow& call, const SliceRow& caller) const;

    /// Returns the id of a slice's names and those of its callers: slices with the same names have the same id, which is positive and below
    /// 2^53. The id is computed from the names, so it is the same in all recordings of a program.
    std::int64_t stackIdOf(const SliceRow& slice) const;
    /// Returns the stack id of a call's caller; 0 for outermost calls and for slices that are no calls.
    std::int64_t parentStackIdOf(const SliceRow& slice) const;

    /// Returns the CPU time that the recording has for a slice; nullopt if it has none.
    std::optional<Duration> cpuTimeOf(const SliceRow& slice) const;

    /// Returns true if slices of this kind may have arguments.
    bool mayHaveArguments(const SliceRow& slice) const;
    struct Argument {
        std::string key;
        std::string value;
    };
    /// Returns the arguments of a slice that is no system call.
    std::vector<Argument> argumentsOf(const SliceRow& slice, const std::stop_token& stop = {}) const;
    bool isSystemCall(const SliceRow& slice) const;
    /// Returns the fields of the events at the begin and at the end of a system call. A field at the end whose name the event at the begin
    /// has, too, begins with "exit.".
    std::vector<NamedValue> systemCallFieldsOf(const SliceRow& slice, const std::stop_token& stop) const;

    /// Returns the tracks that have slices. May end early after a stop request.
    /// Cost: reads all segments.
    std::vector<SliceTrack> tracks(const std::stop_token& stop) const;

private:
    struct SliceSource {
        StoreIndex store{}; ///< Store of the segments; meaningless for a composite state.
        SegmentKindId kind{};
        const SegmentKind* segments = nullptr; ///< Kind of the segments; nullptr for a composite state.
        CompositeState state{};
        std::vector<Row> rows{}; ///< Rows of the composite state.
        std::vector<std::uint64_t> rowFirsts{}; ///< Number of the first interval of each row.
        bool areInstants = false; ///< True if each interval of `rows` is an instant; `state` then only has their title.
        std::int64_t firstTrackId = 0;
    };

    static const std::string& idOf(const SliceSource& source);
    static bool arePreemptions(const SliceSource& source);
    const CallNames& callNames() const;
    std::uint32_t trackCountOf(const SliceSource& source) const;
    std::uint32_t trackNumberOf(const SliceSource& source, TrackId row) const;
    bool isOpen(const SliceSource& source, const HostSegment& segment) const;
    void addSegmentSources();
    void addCompositeSources();
    void addInstantSource();
    void addRows(SliceSource source);
    void appendInstants(std::uint32_t source, std::uint32_t row, TimeRange part, RunningCounts* counts, std::vector<SliceRow>& out,
                        const std::stop_token& stop) const;
    void appendSegments(std::uint32_t source, TimeRange part, const IntegerRange& trackIds, bool isNumbered, std::vector<SliceRow>& out,
                        const std::stop_token& stop) const;
    std::uint64_t countSegmentsBefore(const SliceSource& source, HostTimestamp at) const;
    SliceRow rowOf(std::uint32_t source, const HostSegment& segment) const;
    std::optional<SliceRow> findSegment(const Segment& segment) const;
    Segment segmentOf(const SliceRow& slice) const;
    HostTimestamp beginOfSegment(const SliceSource& source, std::uint64_t number) const;
    const std::vector<std::uint16_t>& depthsIn(StoreIndex store) const;
    std::int64_t stackIdOf(const SliceSource& source, std::uint32_t stack) const;
    std::uint32_t callerStackOf(const SliceSource& source, std::uint32_t stack) const;
    const std::string& callNameOf(const SliceSource& source, std::uint32_t stack) const;
    std::int64_t durationOf(const SliceSource& source, const HostSegment& segment) const;
    static TrackRef rowOfTrack(const SliceSource& source, std::uint32_t number);
    SliceTrack describe(const SliceSource& source, std::uint32_t track) const;

    std::shared_ptr<const RecordedThings> m_things;
    std::vector<SliceSource> m_sources;
    std::vector<std::uint64_t> m_firstIds; ///< Id of the first slice of each source; the last element is the end of all ids.
    std::int64_t m_trackIdEnd = 0;
    mutable RecordedCpuTimes m_cpuTimes;
    mutable std::shared_ptr<const CallNames> m_callNames; ///< Names of calls; null until the first is needed.
    /// Names that the stores do not have as texts, e.g. of system calls; indexed by source, then by store and SliceRow::name. The names
    /// never move.
    mutable std::vector<std::unordered_map<std::uint64_t, std::string>> m_names;
    mutable std::unique_ptr<RecordedSliceReader> m_recordedFields; ///< Null until the first argument is needed.
    mutable std::unique_ptr<SystemCallReader> m_systemCalls; ///< Null until the fields of the first system call are needed.
    mutable std::map<StoreIndex, std::vector<std::uint16_t>> m_depths; ///< Depth of each call stack of a store, by StackId.
    mutable std::map<StoreIndex, std::vector<std::int64_t>>
        m_stackIds; ///< Stack id of each call stack of a store, by StackId; 0 if not known.
};

} // namespace helio::sql
