#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/store/counters.h"
#include "core/store/interval_recorder.h"
#include "core/store/links.h"
#include "core/store/samples.h"
#include "core/store/segments.h"
#include "core/store/stacks.h"
#include "core/store/track.h"
#include "core/trace/event.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Positions in all streams of a trace from which events can be read in the merged order of the streams. A store has one checkpoint
/// per MergeIndexStep events.
struct MergeCheckpoint {
    std::uint64_t event = 0; ///< Number, in the merged order of all streams, of the first event after the checkpoint.
    HostTimestamp time; ///< Time of the first event after the checkpoint.
    std::vector<StreamPosition> streams; ///< Position of the checkpoint in each stream.
};
constexpr std::uint64_t MergeIndexStep = 65'536;

/// Number of events in one time bucket of TraceFacts::density().
struct DensityBucket {
    HostTimestamp begin;
    std::uint64_t events = 0;
};

/// Summary of the trace that indexing computed. In a store without trace facts, only range and anomalies are set, by the store's analysis.
struct StoreSummary {
    /// Range from the time of the first event to the time of the last event, or to TraceInfo::end if that is later. (The last event may
    /// be at `end`, which a range normally excludes.)
    HostRange range{};
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint64_t lostPackets = 0;
    std::vector<std::uint64_t> eventsByType; ///< Number of events by EventTypeId.
    /// Problems found while indexing. File names are relative to the trace's path, because the trace may be moved.
    std::vector<Diagnostic> anomalies;
};

/// Exact total time of one state of a track in a range.
struct StateTotal {
    State state{};
    std::uint64_t count = 0; ///< Number of intervals that overlap the range.
    Duration total{}; ///< Total time; like min and max, it counts only the parts of intervals within the range.
    Duration min{};
    Duration max{};
};

/// Iterates over links in order and in chunks, so that little memory is needed for any number of links.
/// Threads: to be used by one thread.
/// Ownership: the store must outlive the reader.
class LinkReader {
public:
    virtual ~LinkReader() = default;

    /// Reads the next chunk, at least one link, into `part`. Returns false at the end.
    virtual bool next(std::vector<Link>& part) = 0;
};

/// Facts about a trace that do not depend on an analysis, in the time of the trace's host. Immutable: a snapshot if the trace is still
/// being indexed, else complete.
///
/// Ownership: shared.
/// Threads: all methods may be called from any thread at once.
/// Errors: none. Damaged data is missing from results, and isDamaged() is then true.
class TraceFacts {
public:
    virtual ~TraceFacts() = default;

    virtual const StoreSummary& summary() const = 0;
    virtual bool isComplete() const = 0; ///< False for a snapshot of an unfinished store, which has no data from knownUntil() on.
    virtual HostTimestamp knownUntil() const = 0;
    virtual bool isDamaged() const = 0;

    virtual std::span<const MergeCheckpoint> mergeIndex() const = 0;
    virtual std::span<const Loss> losses() const = 0;
    /// Number of events in time buckets of equal length, in time order. The buckets, at most 4096, cover the whole trace.
    virtual std::span<const DensityBucket> density() const = 0;
};

/// Data derived from one trace, in one file: the trace's facts, the results of one analysis, or both.
class Store : public TraceFacts {
public:
    virtual std::span<const StateSet> stateSets() const = 0;
    virtual std::span<const Track> tracks() const = 0;
    /// Link kinds, indexed by LinkKind; kinds that are not in use have an empty id.
    virtual std::span<const LinkKindInfo> linkKinds() const = 0;
    /// Child tracks of `track`, ascending.
    /// Cost: the first call builds an index; later calls cost nothing.
    virtual std::span<const TrackId> childrenOf(TrackId track) const = 0;
    /// Tracks with a role that belong to a thread (`number` is its tid) or to a CPU (`number` is its CPU number), ascending.
    /// Cost: the first call builds an index; later calls need a few ns.
    virtual std::span<const TrackId> tracksOf(TrackRole role, std::int32_t number) const = 0;
    virtual std::string_view text(StringId id) const = 0; ///< Returns the text of a StringId; an empty text if the id is out of range.

    /// Appends to `out` the spans of a track that overlap `window`: at most 2 * (window / resolution, rounded up) + 1 spans. The first and
    /// last span are cut at the edges of `window`; their `longest` is not. A folded span crosses a multiple of `resolution`, counted from
    /// time 0, by at most a quarter of the resolution. Ends early after `stop` is requested. Requires: resolution > 0. Cost: about 100 ns
    /// per span; no allocation if `out` has capacity.
    virtual void spans(TrackId track, HostRange window, Duration resolution, HostSpans& out, std::stop_token stop = {}) const = 0;

    /// Returns the intervals that overlap `window`, in time order. They are not cut at the edges of `window`.
    virtual std::vector<HostInterval> intervals(TrackId track, HostRange window, std::stop_token stop = {}) const = 0;

    /// intervalAt(), nextInterval(), previousInterval(): the interval that contains `at`, the first that begins after `at`, and the
    /// last that ends at or before `at`. The result has 0 or 1 elements.
    virtual std::vector<HostInterval> intervalAt(TrackId track, HostTimestamp at) const = 0;
    virtual std::vector<HostInterval> nextInterval(TrackId track, HostTimestamp at) const = 0;
    virtual std::vector<HostInterval> previousInterval(TrackId track, HostTimestamp at) const = 0;

    /// Returns the exact totals of each state in a range, by ascending state.
    /// Cost: decodes only the blocks at the ends of the range; totals of the blocks between them are in the
    /// directory of blocks.
    virtual std::vector<StateTotal> totals(TrackId track, HostRange range) const = 0;

    /// Returns the links that overlap `window`, ordered by fromTime, at most `limit` of them (0: all). `kinds` selects kinds (bit n:
    /// LinkKind n); other links cost nothing. If `total` is not null, it receives the number of links before limiting.
    virtual std::vector<Link> links(HostRange window, std::size_t limit = 0, std::uint64_t* total = nullptr, std::stop_token stop = {},
                                    std::uint32_t kinds = ~0u) const = 0;

    /// Returns an iterator over the links that overlap `window`. `kinds` selects kinds (bit n: LinkKind n).
    virtual std::unique_ptr<LinkReader> makeLinkReader(HostRange window, std::uint32_t kinds) const = 0;

    /// nextLink() returns the first link after `at`, previousLink() the last link before `at`, that touches the track and passes `choice`.
    /// The result has 0 or 1 elements.
    virtual std::vector<Link> nextLink(TrackId track, HostTimestamp at, LinkFilter choice = {}) const = 0;
    virtual std::vector<Link> previousLink(TrackId track, HostTimestamp at, LinkFilter choice = {}) const = 0;

    virtual const StackTable& stacks() const { return noStacks(); }
    /// Modules that the store's analysis found, by ModuleId; the first is the unknown module. Empty if StackFrame::module refers to the
    /// modules of the trace.
    virtual std::span<const Module> modules() const { return {}; }
    virtual const SampleSet& samples() const { return noSamples(); }
    virtual const SegmentSet& segments() const { return noSegments(); }
    virtual const CounterSet& counters() const { return noCounters(); }

    /// Returns the number that a value of ValueKind::Integer or ValueKind::Real represents; nullopt if the store has no such number.
    virtual std::optional<std::int64_t> integer(std::uint32_t value) const = 0;
    virtual std::optional<double> real(std::uint32_t value) const = 0;
};

/// Records the states, links and other results that analyses derive while a trace is read. Base class of StoreBuilder.
///
/// A time may be a little earlier than the latest recorded time (for example, for states that turn out to be unknown later). A time before
/// the start of a track's open interval is replaced by this start.
/// Threads: to be used by one thread.
class StateSink {
public:
    virtual ~StateSink() = default;

    /// Declares a state set. If a set with this id exists, its StateSetId is returned and its first description stays.
    /// Errors: Unsupported if the set has more than 32 states, or if there are more than 255 sets.
    virtual Result<StateSetId> stateSet(const StateSet& set) = 0;
    /// Adds a state to a set that stateSet() returned. Errors: Unsupported if the set has 32 states.
    virtual Result<State> addState(StateSetId set, const StateKind& state) = 0;
    /// Declares a kind of links: `known`, a kind that means the same in all stores, or with FirstOwn a kind of the analysis itself.
    /// With FirstOwn, if a kind with this id exists, that kind gets the description `info` and is returned.
    /// Errors: Unsupported if there are more than MostLinkKinds, or if the id is empty.
    virtual Result<LinkKind> linkKind(const LinkKindInfo& info, LinkKind known = LinkKind::FirstOwn) = 0;
    virtual StringId string(std::string_view text) = 0;

    /// Adds a track. The store itself sets `life` and `intervals`. Requires: if the view is not empty, view and key together are unique
    /// over all analyses of a trace, because sessions identify rows by them.
    virtual TrackId addTrack(Track track) = 0;
    virtual Track& track(TrackId id) = 0; ///< Returns the track, so that label, parent, pid or sortKey can be changed later.

    /// Sets a track's state and value from `at` on. If both equal the current ones, the open interval continues. If `at` is the start of
    /// the open interval or earlier, the state and value of the open interval are replaced, so that no interval has length zero. Requires:
    /// `state` is in the track's state set.
    void set(HostTimestamp at, TrackId track, State state, std::uint32_t value = 0) { put(at, track, keyOf(state, value)); }
    /// Begins an interval at `at` even if state and value equal the current ones, for example for calls of the same function without a gap
    /// between them. If `at` is the start of the open interval, the open interval is replaced.
    void beginInterval(HostTimestamp at, TrackId track, State state, std::uint32_t value = 0)
    {
        if (!m_recorder.putNewInterval(at, track, keyOf(state, value))) [[unlikely]]
            putNewIntervalInFullRow(at, track, keyOf(state, value));
    }
    /// Removes the track's states from `at` on; the caller then sets other states at `at` or later. Does not remove states that were
    /// already moved to a block; therefore, it may only be used for tracks with few states. The last state of a track is never moved
    /// to a block.
    void rollBack(HostTimestamp at, TrackId track) { m_recorder.rollBack(at, track); }
    /// Ends a track at `at`: from then on, the track does not exist.
    void end(HostTimestamp at, TrackId track) { put(at, track, GapKey); }
    /// Returns a track's boundaries for direct writing, for analyses that set many states of one track at once. The reference stays valid.
    TrackBoundaries& rowOf(TrackId track) { return m_recorder[static_cast<std::size_t>(track)]; }

    /// Adds a link of a declared kind. Links should come roughly in the order of toTime; the store sorts them.
    virtual void link(const Link& link) = 0;

    virtual StackSink& stacks() { return droppedStacks(); }
    /// Returns the sink for modules. If an analysis adds any module, StackFrame::module refers to the modules of the store in all stacks of
    /// the store; otherwise it refers to the modules of the trace.
    virtual ModuleSink& modules() { return droppedModules(); }
    virtual SampleSink& samples() { return droppedSamples(); }
    virtual SegmentSink& segments() { return droppedSegments(); }
    virtual CounterSink& counters() { return droppedCounters(); }

    /// Returns the value that represents `number` on a track with ValueKind::Integer (ValueKind::Real for real()); equal bits give equal
    /// values.
    /// Errors: Unsupported if the store has MostNumbers different numbers.
    /// Cost: about 20 bytes of memory per different number.
    virtual Result<std::uint32_t> integer(std::int64_t number) = 0;
    virtual Result<std::uint32_t> real(double number) = 0;

protected:
    /// Called if the buffer with a track's boundaries is full. Moves the first boundaries from the buffer to a block, or enlarges the
    /// buffer.
    virtual void makeRoom(std::uint32_t track, TrackBoundaries& row) = 0;

    IntervalRecorder m_recorder;

private:
    // Defined inline and not virtual, because two of three events set two states, and a virtual call would double the cost.
    void put(HostTimestamp at, TrackId track, std::uint64_t key)
    {
        if (!m_recorder.put(at, track, key)) [[unlikely]]
            putInFullRow(at, track, key);
    }
    void putInFullRow(HostTimestamp at, TrackId track, std::uint64_t key);
    void putNewIntervalInFullRow(HostTimestamp at, TrackId track, std::uint64_t key);
};

/// Builds the store of one trace, in memory or in a file.
class StoreBuilder : public StateSink {
public:
    /// Adds `events` to the number of events at `time`. Returns a range around `time` in which the exact time does not matter: the caller
    /// may sum up the events in this range and report the sum later with one call, at any time in the range.
    virtual HostRange addDensity(HostTimestamp time, std::uint64_t events) = 0;
    virtual void addCheckpoint(MergeCheckpoint checkpoint) = 0;
    virtual void addLoss(const Loss& loss) = 0;

    /// Returns an immutable store of everything recorded up to `until`; open intervals end there.
    /// Cost: copies the directories of blocks.
    virtual std::shared_ptr<const Store> snapshot(HostTimestamp until) = 0;

    /// Closes every open interval at `summary.range.end` and returns the complete store. A file store is then on disk under its final name.
    virtual Result<std::shared_ptr<const Store>> finish(StoreSummary summary) = 0;
};

/// Makes a builder for a store in memory that has the format of a store file.
std::unique_ptr<StoreBuilder> makeMemoryStoreBuilder(HostTimestamp begin);

struct FileStoreOptions {
    /// Number of threads that encode and write besides the recording thread; a few suffice. The file's content does not depend on it.
    std::size_t threads = 0;
    std::stop_token stop = {}; ///< After a request, recorded data is discarded and finish() soon returns Cancelled.
    /// Called once, on any thread, if the file cannot be created or written, for example because the disk is full. Data recorded later
    /// stays in memory, and finish() returns a complete store without a file.
    std::function<void(const Error&)> onFailure = {};
    /// Maximum memory in bytes for boundaries that wait for full blocks, in all builders that run at once. With very many tracks, blocks
    /// are made shorter so that this limit is kept.
    std::size_t openBytes = std::size_t(64) << 20;
    /// Number of builders that run at once, including this one. Each builder gets the same fixed share of `openBytes`, even if other
    /// builders use less. The file therefore depends on this number, but not on the work of the other builders.
    std::size_t builders = 1;
};

/// Makes a builder that writes the file `path`. It writes to a temporary file (O_EXCL) in the same folder, which is renamed by finish() and
/// removed if the builder is destroyed earlier. `identity` is stored in the file and compared by openStore().
std::unique_ptr<StoreBuilder> makeFileStoreBuilder(const std::filesystem::path& path, std::string_view identity, HostTimestamp begin,
                                                   FileStoreOptions building = {});

/// Makes a builder for a store without a named file. Data too large for memory is kept in temporary files of the system's temporary folder
/// during the store's lifetime, or in memory if that folder is not writable.
std::unique_ptr<StoreBuilder> makeUnnamedStoreBuilder(HostTimestamp begin, std::stop_token stop = {});

/// Opens a finished store.
/// Errors: NotFound, Corrupt, or Unsupported (another version); the store must then be built again.
Result<std::shared_ptr<const Store>> openStore(const std::filesystem::path& path, std::string_view identity);

} // namespace helio
