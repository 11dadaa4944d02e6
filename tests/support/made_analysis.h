#pragma once

#include "core/analysis/analysis.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace helio::test {

/// An analysis for tests: it writes one row, whose state is the number of events so far.
class MadeKind : public AnalysisKind {
public:
    std::string name = "made";
    int number = 1;
    std::vector<std::string_view> needed;
    std::vector<std::string_view> used;
    std::vector<std::string_view> better;
    bool applies = true;
    std::vector<Diagnostic> reported;
    mutable int made = 0; ///< Number of times that the analysis was instantiated.
    static constexpr std::size_t NoStore = 99;
    /// Number of tracks in the store of each needed analysis when the latest instance was made; NoStore for a missing store.
    mutable std::vector<std::size_t> tracksOfNeeded;

    std::string_view id() const override { return name; }
    int version() const override { return number; }
    std::span<const std::string_view> needs() const override { return needed; }
    std::span<const std::string_view> uses() const override { return used; }
    std::span<const std::string_view> yieldsTo() const override { return better; }
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace&) const override { return applies; }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override;

private:
    const std::vector<TrackView> m_views{{"made", "Made"}};
};

class MadeAnalysis final : public Analysis {
public:
    MadeAnalysis(const MadeKind& kind, StateSink& sink)
        : m_kind(kind)
        , m_sink(sink)
    {
        Track track;
        track.view = "made";
        track.key = "events of " + std::string(kind.id());
        track.states = *sink.stateSet({"made", {{"counting"}}, {}});
        track.valueKind = ValueKind::Number;
        m_row = sink.addTrack(std::move(track));
    }

    void begin(HostTimestamp at) override { m_sink.set(at, m_row, State{}, 0); }
    void onEvents(const EventRun& run) override
    {
        for (const EventRecord& record : run.records)
            m_sink.set(record.time, m_row, State{}, ++m_count);
    }
    void onLoss(const Loss&) override { }
    void finish(HostTimestamp) override { }
    std::vector<Diagnostic> diagnostics() override { return m_kind.reported; }

private:
    const MadeKind& m_kind;
    StateSink& m_sink;
    TrackId m_row{};
    std::uint32_t m_count = 0;
};

inline std::unique_ptr<Analysis> MadeKind::make(const AnalysisInput& input, StateSink& sink) const
{
    ++made;
    tracksOfNeeded.clear();
    for (const auto& store : input.needed)
        tracksOfNeeded.push_back(!store ? NoStore : store->isComplete() ? store->tracks().size() : 0);
    return std::make_unique<MadeAnalysis>(*this, sink);
}

} // namespace helio::test
