#pragma once

#include "core/store/assembly/density_counter.h"
#include "core/store/file/number_pool.h"
#include "core/store/file/string_pool.h"
#include "core/store/sampling/sample_recorder.h"
#include "core/store/stacks/stack_recorder.h"
#include "core/store/store.h"

#include <deque>
#include <mutex>
#include <vector>

namespace helio {

/// Everything in a store except its intervals and links. It is small, and every store keeps it in memory.
struct StoreFacts {
    StoreSummary summary;
    bool isComplete = false;
    HostTimestamp knownUntil;
    std::vector<StateSet> stateSets;
    std::vector<LinkKindInfo> linkKinds;
    std::vector<Track> tracks;
    StringPool strings;
    std::vector<MergeCheckpoint> checkpoints;
    std::vector<Loss> losses;
    std::vector<DensityBucket> density;
    StackTable stacks;
    std::vector<Module> modules; ///< Modules, indexed by ModuleId, the unknown module first; empty if the store has no modules of its own.
    std::shared_ptr<const SampleSet> samples; ///< Samples; nullptr if the store has no samples.
    std::shared_ptr<const SegmentSet> segments; ///< Segments; nullptr if the store has no segments.
    std::shared_ptr<const CounterSet> counters; ///< Counters; nullptr if the store has no counters.
    NumberPool numbers;
};

/// Base class of stores: implements all queries that only need StoreFacts.
class StoreBase : public Store {
public:
    explicit StoreBase(StoreFacts facts)
        : m_facts(std::move(facts))
    {
    }

    const StoreSummary& summary() const override { return m_facts.summary; }
    bool isComplete() const override { return m_facts.isComplete; }
    HostTimestamp knownUntil() const override { return m_facts.knownUntil; }
    std::span<const StateSet> stateSets() const override { return m_facts.stateSets; }
    std::span<const LinkKindInfo> linkKinds() const override { return m_facts.linkKinds; }
    std::span<const Track> tracks() const override { return m_facts.tracks; }
    std::span<const TrackId> childrenOf(TrackId track) const override;
    std::span<const TrackId> tracksOf(TrackRole role, std::int32_t number) const override;
    std::string_view text(StringId id) const override { return m_facts.strings[id]; }
    std::span<const MergeCheckpoint> mergeIndex() const override { return m_facts.checkpoints; }
    std::span<const Loss> losses() const override { return m_facts.losses; }
    std::span<const DensityBucket> density() const override { return m_facts.density; }
    const StackTable& stacks() const override { return m_facts.stacks; }
    std::span<const Module> modules() const override { return m_facts.modules; }
    const SampleSet& samples() const override { return m_facts.samples ? *m_facts.samples : noSamples(); }
    const SegmentSet& segments() const override { return m_facts.segments ? *m_facts.segments : noSegments(); }
    const CounterSet& counters() const override { return m_facts.counters ? *m_facts.counters : noCounters(); }
    std::optional<std::int64_t> integer(std::uint32_t value) const override { return m_facts.numbers.integer(value); }
    std::optional<double> real(std::uint32_t value) const override { return m_facts.numbers.real(value); }

private:
    void findChildren() const;
    void findNumbers() const;

    StoreFacts m_facts;
    mutable std::once_flag m_hasChildren; ///< Completed once m_children and m_firstChild are filled, at the first query.
    mutable std::vector<TrackId> m_children; ///< Child tracks, grouped by parent.
    /// Index of each track's first child in m_children; an additional last element marks the end.
    mutable std::vector<std::uint32_t> m_firstChild;
    mutable std::once_flag m_hasNumbers; ///< Completed once m_numbers and m_numbered are filled, at the first query.
    /// Sort keys of the tracks that belong to a thread or CPU: role and tid (or CPU number), ascending.
    mutable std::vector<std::uint64_t> m_numbers;
    mutable std::vector<TrackId> m_numbered; ///< Tracks that belong to the keys in m_numbers, in the same order.
};

/// Base class of store builders: collects the facts and the boundaries of all tracks.
class StoreBuilderBase : public StoreBuilder {
public:
    /// `makeFile` creates a file to which samples move if there are many. Without it, samples stay in memory.
    explicit StoreBuilderBase(HostTimestamp begin, Spool::MakeFile makeFile = {})
        : m_samples(std::move(makeFile))
        , m_begin(begin)
    {
    }

    Result<StateSetId> stateSet(const StateSet& set) override;
    Result<State> addState(StateSetId set, const StateKind& state) override;
    Result<LinkKind> linkKind(const LinkKindInfo& info, LinkKind known) override;
    StringId string(std::string_view text) override { return m_strings.intern(text); }
    TrackId addTrack(Track track) final;
    Track& track(TrackId id) override { return m_tracks[static_cast<std::size_t>(id)]; }
    HostRange addDensity(HostTimestamp time, std::uint64_t events) override { return m_density.add(time, events); }
    void addCheckpoint(MergeCheckpoint checkpoint) override { m_checkpoints.push_back(std::move(checkpoint)); }
    void addLoss(const Loss& loss) override;
    StackSink& stacks() override { return m_stacks; }
    ModuleSink& modules() override { return m_modules; }
    SampleSink& samples() override { return m_samples; }
    Result<std::uint32_t> integer(std::int64_t number) override { return numberOf(static_cast<std::uint64_t>(number)); }
    Result<std::uint32_t> real(double number) override { return numberOf(std::bit_cast<std::uint64_t>(number)); }

protected:
    /// Returns the facts recorded up to `until`. The lifetime and the number of intervals of the tracks are not set.
    StoreFacts factsUntil(HostTimestamp until) const;
    StoreFacts finalFacts(StoreSummary summary) const;
    static Link limited(Link link);
    std::size_t trackCount() const { return m_tracks.size(); }

    const TrackBoundaries& row(std::size_t track) const { return m_recorder[track]; }
    TrackBoundaries& row(std::size_t track) { return m_recorder[track]; }
    /// Returns the boundaries of a track up to `until`; an open interval ends at `until`.
    std::vector<Boundary> boundariesUntil(HostTimestamp until, std::size_t track) const;
    void endAll(HostTimestamp at);

    StackRecorder m_stacks;
    ModuleRecorder m_modules;
    SampleRecorder m_samples;

private:
    StoreFacts commonFacts() const;
    Result<std::uint32_t> numberOf(std::uint64_t bits);

    HostTimestamp m_begin;
    std::vector<StateSet> m_stateSets;
    std::vector<LinkKindInfo> m_linkKinds;
    std::deque<Track> m_tracks; ///< Tracks by TrackId. A deque, so that references from track() stay valid when tracks are added.
    StringInterner m_strings;
    NumberInterner m_numbers;
    std::vector<MergeCheckpoint> m_checkpoints;
    std::vector<Loss> m_losses;
    DensityCounter m_density;
    std::uint64_t m_lostEvents = 0;
    std::uint64_t m_lostPackets = 0;
};

} // namespace helio
