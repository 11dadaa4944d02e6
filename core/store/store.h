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

/// Positions in all streams from which reading continues the merged order. A store has one checkpoint every MergeIndexStep events.
struct MergeCheckpoint {
    std::uint64_t event = 0; ///< Number in merged order of the first event to read.
    HostTimestamp time; ///< Time of that event.
    std::vector<StreamPosition> streams; ///< Position in each stream.
};
constexpr std::uint64_t MergeIndexStep = 65'536;

/// Number of events in one time bucket.
struct DensityBucket {
    HostTimestamp begin;
    std::uint64_t events = 0;
};

/// Facts that indexing found about the whole trace. A store without trace facts has only the range and the anomalies of its analysis.
struct StoreSummary {
    HostRange range{}; ///< Time of the first event to time of the last one. The last event lies at `end`, although a range excludes its
                       ///< end.
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint64_t lostPackets = 0;
    std::vector<std::uint64_t> eventsByType; ///< Indexed by EventTypeId.
    std::vector<Diagnostic> anomalies; ///< File names are relative to the trace's path, because a trace may be moved.
};

/// Exact total of one state of a track over a range.
struct StateTotal {
    State state{};
    std::uint64_t count = 0; ///< Number of intervals that overlap the range.
    Duration total{}; ///< Total time; intervals are clipped to the range for total, min and max.
    Duration min{};
    Duration max{};
};

/// Iterates over links in order, in chunks, so that any number of links needs little memory.
/// Threads: to be used by one thread. Ownership: the store must outlive it.
class LinkReader {
public:
    virtual ~LinkReader() = default;

    /// Replaces `part` by the next chunk of at least one link. Returns false at the end.
    virtual bool next(std::vector<Link>& part) = 0;
};

/// Facts found by reading a trace that do not depend on any analysis, in the time of the trace's host. Immutable: a snapshot while the
/// trace is being indexed, complete afterwards.
///
/// Ownership: shared.
/// Threads: all methods may be called from any thread at once.
/// Errors: none. Damaged data reads as if it were missing, and isDamaged() is then true.
class TraceFacts {
public:
    virtual ~TraceFacts() = default;

    virtual const StoreSummary& summary() const = 0;
    virtual bool isComplete() const = 0; ///< False for a snapshot, which knows nothing from knownUntil() on.
    virtual HostTimestamp knownUntil() const = 0;
    virtual bool isDamaged() const = 0;

    virtual std::span<const MergeCheckpoint> mergeIndex() const = 0;
    virtual std::span<const Loss> losses() const = 0;
    /// Event counts in at most 4096 buckets of equal length over the whole trace, by ascending begin.
    virtual std::span<const DensityBucket> density() const = 0;
};

/// Data derived from one trace, in one file: the trace's facts, the results of one analysis, or both.
class Store : public TraceFacts {
public:
    virtual std::span<const StateSet> stateSets() const = 0;
    virtual std::span<const Track> tracks() const = 0;
    virtual std::span<const LinkKindInfo> linkKinds() const = 0; ///< Indexed by LinkKind; kinds not in use have an empty id.
    /// Tracks whose parent is `track`, ascending. Cost: the first call builds an index; later calls cost nothing.
    virtual std::span<const TrackId> childrenOf(TrackId track) const = 0;
    /// Tracks with a role that belong to a thread (`number` is its tid) or to a CPU (`number` is its number), ascending. Cost: the first
    /// call builds an index; later calls take a few ns.
    virtual std::span<const TrackId> tracksOf(TrackRole role, std::int32_t number) const = 0;
    virtual std::string_view text(StringId id) const = 0; ///< Returns an empty text if the id is out of range.

    /// Appends to `out` the spans of a track that overlap the window. The first and the last span are cut at the window's edges; their
    /// `longest` is not. There are at most 2 * (window / resolution, rounded up) + 1 spans. A folded span crosses a multiple of
    /// `resolution`, counted from time 0, by at most a quarter of the resolution. Appending ends early once `stop` is requested. Requires:
    /// resolution > 0. Cost: about 100 ns per span; no allocation if `out` has capacity.
    virtual void spans(TrackId track, HostRange window, Duration resolution, HostSpans& out, std::stop_token stop = {}) const = 0;

    /// Returns the intervals that overlap the window, uncut, in time order.
    virtual std::vector<HostInterval> intervals(TrackId track, HostRange window, std::stop_token stop = {}) const = 0;

    /// Return the interval that contains `at`, the first one that begins after `at`, or the last one that ends at or before `at`. The
    /// result has 0 or 1 elements.
    virtual std::vector<HostInterval> intervalAt(TrackId track, HostTimestamp at) const = 0;
    virtual std::vector<HostInterval> nextInterval(TrackId track, HostTimestamp at) const = 0;
    virtual std::vector<HostInterval> previousInterval(TrackId track, HostTimestamp at) const = 0;

    /// Returns the exact totals of each state over a range, by ascending state. Blocks inside the range are summed from their directory
    /// entries; only the blocks at its ends are decoded.
    virtual std::vector<StateTotal> totals(TrackId track, HostRange range) const = 0;

    /// Returns the links that overlap the window, ordered by fromTime, at most `limit` of them (0: all). `kinds` selects kinds (bit n:
    /// LinkKind n); links of other kinds cost nothing. If `total` is not null, it receives the number of links without the limit.
    virtual std::vector<Link> links(HostRange window, std::size_t limit = 0, std::uint64_t* total = nullptr, std::stop_token stop = {},
                                    std::uint32_t kinds = ~0u) const = 0;

    /// Iterates over all links that overlap the window.
    virtual std::unique_ptr<LinkReader> makeLinkReader(HostRange window, std::uint32_t kinds) const = 0;

    /// Return the first link after `at`, or the last one before `at`, that touches the track and passes `choice`. The result has 0 or 1
    /// elements.
    virtual std::vector<Link> nextLink(TrackId track, HostTimestamp at, LinkFilter choice = {}) const = 0;
    virtual std::vector<Link> previousLink(TrackId track, HostTimestamp at, LinkFilter choice = {}) const = 0;

    virtual const StackTable& stacks() const { return noStacks(); }
    /// Modules that the store's analysis found, indexed by ModuleId, the unknown module first; empty if StackFrame::module refers to the
    /// modules of the trace.
    virtual std::span<const Module> modules() const { return {}; }
    virtual const SampleSet& samples() const { return noSamples(); }
    virtual const SegmentSet& segments() const { return noSegments(); }
    virtual const CounterSet& counters() const { return noCounters(); }

    /// Return the number that a value of ValueKind::Integer or ValueKind::Real stands for; nullopt if the store has no such number.
    virtual std::optional<std::int64_t> integer(std::uint32_t value) const = 0;
    virtual std::optional<double> real(std::uint32_t value) const = 0;
};

/// Records the states, links and other results that analyses derive while a trace is read. Base of StoreBuilder.
///
/// Times may be a little earlier than the latest one given (e.g. for states found to be unknown afterwards), but a time before the begin of
/// a track's open interval is replaced by that begin.
/// Threads: to be used by one thread.
class StateSink {
public:
    virtual ~StateSink() = default;

    /// Declares a state set. If a set with this id exists, its StateSetId is returned and its first description is kept. Errors:
    /// Unsupported if the set has more than 32 states, or if there are more than 255 sets.
    virtual Result<StateSetId> stateSet(const StateSet& set) = 0;
    /// Adds a state to a set that stateSet() returned. Errors: Unsupported if the set has 32 states.
    virtual Result<State> addState(StateSetId set, const StateKind& state) = 0;
    /// Declares a kind of links: `known` if it is one of the named kinds, or (FirstOwn) a kind of the analysis's own. Returns the same kind
    /// for the same id. Errors: Unsupported if there are more than MostLinkKinds, or if the id is empty.
    virtual Result<LinkKind> linkKind(const LinkKindInfo& info, LinkKind known = LinkKind::FirstOwn) = 0;
    virtual StringId string(std::string_view text) = 0;

    /// Adds a track. The store fills in `life` and `intervals`. Requires: if the view is not empty, view and key together are unique over
    /// all analyses of a trace, because sessions find rows by them.
    virtual TrackId addTrack(Track track) = 0;
    virtual Track& track(TrackId id) = 0; ///< For changing label, parent, pid or sortKey later.

    /// Sets a track's state and value from `at` on. If they are the current ones, the open interval goes on. At the begin of the open
    /// interval, that interval's state is replaced (no zero-length intervals); a time before it counts as that begin. Requires: `state` is
    /// in the track's set.
    void set(HostTimestamp at, TrackId track, State state, std::uint32_t value = 0) { put(at, track, keyOf(state, value)); }
    /// Begins an interval at `at` even if state and value are the current ones: for things that follow each other without a gap and may be
    /// alike, e.g. calls. At the begin of the open interval, that interval is replaced.
    void beginInterval(HostTimestamp at, TrackId track, State state, std::uint32_t value = 0)
    {
        if (!m_recorder.putNewInterval(at, track, keyOf(state, value))) [[unlikely]]
            putNewIntervalInFullRow(at, track, keyOf(state, value));
    }
    /// Drops the track's states from `at` on. The caller then sets other states at `at` or later. States that were already moved to a block
    /// stay, so this is meant for tracks with few states. The last state of a track is never moved.
    void rollBack(HostTimestamp at, TrackId track) { m_recorder.rollBack(at, track); }
    /// Ends a track at `at`: it does not exist from then on.
    void end(HostTimestamp at, TrackId track) { put(at, track, GapKey); }
    /// Direct access to a track's boundaries, for analyses that set many states of one track at once. The reference stays valid.
    TrackBoundaries& rowOf(TrackId track) { return m_recorder[static_cast<std::size_t>(track)]; }

    /// Adds a link of a declared kind. Links come roughly in the order of toTime; the store sorts them.
    virtual void link(const Link& link) = 0;

    virtual StackSink& stacks() { return droppedStacks(); }
    virtual ModuleSink& modules() { return droppedModules(); } ///< Once a module is added, all modules of the store's stacks are its own.
    virtual SampleSink& samples() { return droppedSamples(); }
    virtual SegmentSink& segments() { return droppedSegments(); }
    virtual CounterSink& counters() { return droppedCounters(); }

    /// Return the value that stands for a number on a track with ValueKind::Integer or ValueKind::Real; equal bits give equal values.
    /// Errors: Unsupported if the store holds MostNumbers different numbers. Cost: about 20 bytes of memory for each different number.
    virtual Result<std::uint32_t> integer(std::int64_t number) = 0;
    virtual Result<std::uint32_t> real(double number) = 0;

protected:
    /// Called if a track's row is full. Moves boundaries out at its front, or enlarges it.
    virtual void makeRoom(std::uint32_t track, TrackBoundaries& row) = 0;

    IntervalRecorder m_recorder;

private:
    // Not virtual, and inlined at its callers: two of three events set two states, and a call would double the cost.
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
    /// Adds `events` to the event count at `time`. Returns a range around `time`: the caller may add up the events of that range and report
    /// them later with one call, at any time within the range, with the same result.
    virtual HostRange addDensity(HostTimestamp time, std::uint64_t events) = 0;
    virtual void addCheckpoint(MergeCheckpoint checkpoint) = 0;
    virtual void addLoss(const Loss& loss) = 0;

    /// Returns an immutable store of what is known up to `until`; open intervals are cut there. Cost: copies the directories.
    virtual std::shared_ptr<const Store> snapshot(HostTimestamp until) = 0;

    /// Closes every open interval at `summary.range.end` and returns the complete store. A file store is then durable and has its final
    /// name.
    virtual Result<std::shared_ptr<const Store>> finish(StoreSummary summary) = 0;
};

/// Makes a builder for a store in memory, in the format of the file store.
std::unique_ptr<StoreBuilder> makeMemoryStoreBuilder(HostTimestamp begin);

struct FileStoreOptions {
    /// Number of threads that encode and write beside the recording one; a few suffice. The file is the same for any number.
    std::size_t threads = 0;
    std::stop_token stop = {}; ///< Once requested, recorded data is dropped and finish() soon returns Cancelled.
    /// Called once, on any thread, if the file cannot be made, or not be written any more, e.g. because the disk is full. Data recorded
    /// afterwards is kept in memory, and finish() returns a complete store without a file.
    std::function<void(const Error&)> onFailure = {};
    /// Bytes of boundaries that may wait for full blocks, in all builders that run at once. With very many tracks, blocks are made shorter
    /// to stay within it.
    std::size_t openBytes = std::size_t(64) << 20;
    /// Number of builders that run at once, including this one. Each gets the same share of `openBytes` throughout, even if others use
    /// less. The file therefore depends on this number, but not on what the other builders do.
    std::size_t builders = 1;
};

/// Makes a builder that writes the file `path`. It writes a temporary file (O_EXCL) in the same folder, which is renamed when finished and
/// removed if the builder is dropped. `identity` is stored and compared by openStore().
std::unique_ptr<StoreBuilder> makeFileStoreBuilder(const std::filesystem::path& path, std::string_view identity, HostTimestamp begin,
                                                   FileStoreOptions building = {});

/// Makes a builder for a store without a named file. Data that is too large for memory is kept in temporary files in the system's folder
/// for them, only as long as the store exists; in memory if that folder cannot be written.
std::unique_ptr<StoreBuilder> makeUnnamedStoreBuilder(HostTimestamp begin, std::stop_token stop = {});

/// Opens a finished store. Errors: NotFound, Corrupt, or Unsupported (another version); in each case the store must be built again.
Result<std::shared_ptr<const Store>> openStore(const std::filesystem::path& path, std::string_view identity);

} // namespace helio
