#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/store/counters.h"
#include "core/store/interval_recorder.h"
#include "core/store/links.h"
#include "core/store/modules.h"
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

/// Per stream, where to take up reading so that the merged order continues. One entry every MergeIndexStep events.
struct MergeCheckpoint {
    std::uint64_t event = 0; ///< Number of the next event in merged order.
    HostTimestamp time; ///< Of that event.
    std::vector<StreamPosition> streams; ///< One a stream.
};
constexpr std::uint64_t MergeIndexStep = 65'536;

/// How many events there were in a stretch of time.
struct DensityBucket {
    HostTimestamp begin;
    std::uint64_t events = 0;
};

/// Facts about the whole trace that indexing found. Of a store without the trace's facts: the range, and what its analysis reports.
struct StoreSummary {
    HostRange range{}; ///< First event's time; last event's time (so an event may lie at `end`).
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::uint64_t lostPackets = 0;
    std::vector<std::uint64_t> eventsByType; ///< By EventTypeId.
    std::vector<Diagnostic> anomalies; ///< Files are relative to the trace's path, as a trace may be moved.
};

/// State totals of one track over a range, exact.
struct StateTotal {
    State state{};
    std::uint64_t count = 0; ///< Intervals that overlap the range.
    Duration total{}; ///< Clipped to the range, like min and max.
    Duration min{};
    Duration max{};
};

/// Hands out links in order, a part at a time: as many as there are, in little memory. One thread; its store outlives it.
class LinkParts {
public:
    virtual ~LinkParts() = default;

    /// Replaces `part` by the next links, at least one. False: the end.
    virtual bool next(std::vector<Link>& part) = 0;
};

/// What reading one trace finds whatever analyses there are, in its host's own time. Immutable: a snapshot while the trace is being
/// indexed, the whole once it is done.
///
/// Ownership: shared. Threads: all methods may be called from any thread at once.
/// Errors:    none; what is damaged reads as if it were not there, and isDamaged() is then true.
class TraceFacts {
public:
    virtual ~TraceFacts() = default;

    virtual const StoreSummary& summary() const = 0;
    virtual bool isComplete() const = 0; ///< False: a snapshot; nothing is known from `knownUntil` on.
    virtual HostTimestamp knownUntil() const = 0;
    virtual bool isDamaged() const = 0;

    virtual std::span<const MergeCheckpoint> mergeIndex() const = 0;
    virtual std::span<const Loss> losses() const = 0;
    /// Event counts, buckets of equal length over the whole trace, at most 4096 (DensityBucket::begin ascending).
    virtual std::span<const DensityBucket> density() const = 0;
};

/// What was derived from one trace: its facts, or what one analysis made of it, or both, in one file.
class Store : public TraceFacts {
public:
    virtual std::span<const StateSet> stateSets() const = 0;
    virtual std::span<const Track> tracks() const = 0;
    virtual std::span<const LinkKindInfo> linkKinds() const = 0; ///< By LinkKind; those not in use have no id.
    virtual std::span<const TrackId>
    childrenOf(TrackId track) const = 0; ///< Tracks whose parent it is, ascending. Cost: none but at first.
    /// Tracks of a role that are of a thread (`number` is its tid) or of a CPU (its number), ascending. Cost: some ns but at first.
    virtual std::span<const TrackId> tracksOf(TrackRole role, std::int32_t number) const = 0;
    virtual std::string_view text(StringId id) const = 0; ///< Empty where the id is out of range.

    /// The spans of a track that overlap the window, the first and last cut at its edges (their `longest` is not). At most
    /// 2 * (window / resolution, rounded up) + 1. Folded spans never cross a multiple of `resolution` (counted from time 0) by more than a
    /// quarter of it. Appends nothing more once `stop` is requested. Cost: about 100 ns a span; no allocation where `out` has room.
    /// Requires: resolution > 0.
    virtual void spans(TrackId track, HostRange window, Duration resolution, HostSpans& out, std::stop_token stop = {}) const = 0;

    /// The intervals that overlap the window, uncut, in time order.
    virtual std::vector<HostInterval> intervals(TrackId track, HostRange window, std::stop_token stop = {}) const = 0;

    /// The interval at `at`, the first that begins after `at`, the last that ends at or before `at`. Count 0 or 1.
    virtual std::vector<HostInterval> intervalAt(TrackId track, HostTimestamp at) const = 0;
    virtual std::vector<HostInterval> nextInterval(TrackId track, HostTimestamp at) const = 0;
    virtual std::vector<HostInterval> previousInterval(TrackId track, HostTimestamp at) const = 0;

    /// Exact totals by state over a range, by ascending state. Whole blocks from their directory, ragged ends decoded.
    virtual std::vector<StateTotal> totals(TrackId track, HostRange range) const = 0;

    /// Links of some kinds (bit n: LinkKind n) that overlap the window, by fromTime; at most `limit` of them (0: all). `total` gets how
    /// many there are when not null. Others cost nothing.
    virtual std::vector<Link> links(HostRange window, std::size_t limit = 0, std::uint64_t* total = nullptr, std::stop_token stop = {},
                                    std::uint32_t kinds = ~0u) const = 0;

    /// All of them.
    virtual std::unique_ptr<LinkParts> linkParts(HostRange window, std::uint32_t kinds) const = 0;

    /// The next (or previous) of the chosen links that touches the track, from `at` exclusive. Count 0 or 1.
    virtual std::vector<Link> nextLink(TrackId track, HostTimestamp at, LinkChoice choice = {}) const = 0;
    virtual std::vector<Link> previousLink(TrackId track, HostTimestamp at, LinkChoice choice = {}) const = 0;

    virtual const StackTable& stacks() const { return noStacks(); }
    /// What its analysis found to be mapped, by ModuleId, the unknown one first. Empty: modules are those of its trace.
    virtual std::span<const Module> modules() const { return {}; }
    virtual const SampleSet& samples() const { return noSamples(); }
    virtual const SegmentSet& segments() const { return noSegments(); }
    virtual const CounterSet& counters() const { return noCounters(); }

    /// What a value of ValueKind::Integer, or Real, stands for. Nothing where there is no such number.
    virtual std::optional<std::int64_t> integer(std::uint32_t value) const = 0;
    virtual std::optional<double> real(std::uint32_t value) const = 0;
};

/// The write side: takes the states and links that analyses derive as the trace is read. One writer thread.
///
/// Times may be a little before the latest one given (states that turn out unknown afterwards), but never before the
/// begin of the track's open interval.
class StateSink {
public:
    virtual ~StateSink() = default;

    /// The same id for a set of the same name, as it was first given. Errors: Unsupported: more than 32 states, or more than 255 sets.
    virtual Result<StateSetId> stateSet(const StateSet& set) = 0;
    /// One more state for a set that stateSet() gave. Errors: Unsupported: it has 32.
    virtual Result<State> addState(StateSetId set, const StateKind& state) = 0;
    /// Declares a kind of links: the one that means so everywhere, or (FirstOwn) one of the analysis's own. The same number for the same
    /// id. Errors: Unsupported: more than MostLinkKinds, or no id.
    virtual Result<LinkKind> linkKind(const LinkKindInfo& info, LinkKind known = LinkKind::FirstOwn) = 0;
    virtual StringId string(std::string_view text) = 0;

    /// A new track. `life` and `intervals` are filled by the store. Requires: view and key are unique together where view is not empty,
    /// over all analyses that run on a trace: it is how sessions find a row again.
    virtual TrackId addTrack(Track track) = 0;
    virtual Track& track(TrackId id) = 0; ///< To change label, parent, pid, sortKey later.

    /// From `at` on the track is `state`/`value`. The same as now: nothing happens, the interval goes on. At the open interval's own
    /// begin: replaces it (zero-length intervals leave no trace). Before it: taken as at its begin. Requires: a state of the track's set.
    void set(HostTimestamp at, TrackId track, State state, std::uint32_t value = 0) { put(at, track, keyOf(state, value)); }
    /// The same, but an interval of its own, whatever was before: of things that follow each other at once and may be alike, as calls. At
    /// the open interval's own begin it replaces that one.
    void setAnew(HostTimestamp at, TrackId track, State state, std::uint32_t value = 0)
    {
        if (!m_recorder.putAnew(at, track, keyOf(state, value))) [[unlikely]]
            putAnewInFull(at, track, keyOf(state, value));
    }
    /// Drops the track's states from `at` on; the caller sets others at once, at `at` or later. States that are no longer held (a track's
    /// last one always is) stay: for tracks with few states.
    void takeBack(HostTimestamp at, TrackId track) { m_recorder.takeBack(at, track); }
    /// From `at` on the track does not exist.
    void end(HostTimestamp at, TrackId track) { put(at, track, GapKey); }
    /// For analyses that set many states of one track at a time. Stays where it is.
    BoundaryRow& rowOf(TrackId track) { return m_recorder[static_cast<std::size_t>(track)]; }

    virtual void link(const Link& link) = 0; ///< Of a kind that was declared. In order of toTime, roughly; the store sorts.

    virtual StackSink& stacks() { return droppedStacks(); }
    virtual ModuleSink& modules() { return droppedModules(); } ///< Where one is added, all modules of its stacks are the store's own.
    virtual SampleSink& samples() { return droppedSamples(); }
    virtual SegmentSink& segments() { return droppedSegments(); }
    virtual CounterSink& counters() { return droppedCounters(); }

    /// The value that stands for a number of a track with ValueKind::Integer, or Real: the same for the same bits.
    /// Errors: Unsupported: the store has as many different numbers as it can hold, MostNumbers. Cost: about 20 bytes a number.
    virtual Result<std::uint32_t> integer(std::int64_t number) = 0;
    virtual Result<std::uint32_t> real(double number) = 0;

protected:
    /// A track's row is full: takes some out at the front, or reserves more.
    virtual void makeRoom(std::uint32_t track, BoundaryRow& row) = 0;

    IntervalRecorder m_recorder;

private:
    // Not virtual, and inlined where states are set: two of three events set two, and the call would be half of what it costs.
    void put(HostTimestamp at, TrackId track, std::uint64_t key)
    {
        if (!m_recorder.put(at, track, key)) [[unlikely]]
            putInFull(at, track, key);
    }
    void putInFull(HostTimestamp at, TrackId track, std::uint64_t key);
    void putAnewInFull(HostTimestamp at, TrackId track, std::uint64_t key);
};

/// Builds one trace's store, in memory or into a file.
class StoreBuilder : public StateSink {
public:
    /// Counts events at a time. The answer is a stretch of time around it whose events may be counted first and added together, at any
    /// of its times, later: it makes no difference.
    virtual HostRange addDensity(HostTimestamp time, std::uint64_t events) = 0;
    virtual void addCheckpoint(MergeCheckpoint checkpoint) = 0;
    virtual void addLoss(const Loss& loss) = 0;

    /// An immutable picture of what is known up to `until` (open intervals cut there). Costs a copy of the directories.
    virtual std::shared_ptr<const Store> snapshot(HostTimestamp until) = 0;

    /// Closes every open interval at `summary.range.end` and hands over the whole store (on disk: durable and under its final name).
    virtual Result<std::shared_ptr<const Store>> finish(StoreSummary summary) = 0;
};

/// The model that the file store is tested against; also used where no cache can be written.
std::unique_ptr<StoreBuilder> makeMemoryStoreBuilder(HostTimestamp begin);

struct FileBuilding {
    /// So many threads encode and write beside the one that records (a few are as good as many). The file is the same for any number.
    std::size_t threads = 0;
    std::stop_token stop = {}; ///< Once requested, what is recorded is dropped, and finish() soon gives Cancelled.
    /// Called once, from whatever thread, when the file cannot be written on: the disk is full... What is recorded from then on is kept
    /// in memory, and finish() gives a whole store of which no file is left.
    std::function<void(const Error&)> onFailure = {};
    /// Bytes that may wait for their blocks to be full, in all builders that run at once. With very many tracks blocks are shorter instead.
    std::size_t openBytes = std::size_t(64) << 20;
    /// Builders that run at once, this one among them. Each has the same part of `openBytes` from its first block to its last, also when
    /// the others use less: the file depends on this number, but never on what the others do at the time.
    std::size_t builders = 1;
};

/// A builder that writes `path` (through an O_EXCL temporary beside it, renamed when finished; removed when dropped).
/// `identity` is stored and compared at open.
Result<std::unique_ptr<StoreBuilder>> makeFileStoreBuilder(const std::filesystem::path& path, std::string_view identity,
                                                           HostTimestamp begin, FileBuilding building = {});

/// A builder whose store has no file that anybody finds: what it is too large for is on the disk only as long as the store, in the folder
/// for temporary files, or in memory where that cannot be written.
std::unique_ptr<StoreBuilder> makeUnnamedStoreBuilder(HostTimestamp begin, std::stop_token stop = {});

/// Opens a finished store. NotFound, Corrupt or Unsupported (other version) all mean: build it again.
Result<std::shared_ptr<const Store>> openStore(const std::filesystem::path& path, std::string_view identity);

} // namespace helio
