#include "tests/proof/pulse/pulse.h"

#include <map>

namespace helio {
namespace {

constexpr State Rests{0};
constexpr State Beats{1};

StateStyle styleOf(const char* color, const char* words, std::uint8_t order)
{
    StateStyle style;
    style.height = order < RestingOrder ? 16 : 1;
    style.color = color;
    style.words = words;
    style.order = order;
    style.flags = StateFlag::Labelled | StateFlag::InHeader;
    return style;
}

/// The state "beating" has a colour that is used nowhere else, so that tests find it in pictures.
StateSet states(const std::string& id, const std::string& title)
{
    return {id,
            {{"resting", StateCategory::Rests, styleOf("#405060", "Resting", RestingOrder)},
             {"beating", StateCategory::OnCpu, styleOf("#12e5a7", "Beating heart", 10)}},
            title};
}

class PulseAnalysis final : public Analysis {
public:
    PulseAnalysis(const std::string& id, const std::string& title, StateSink& sink)
        : m_view(id)
        , m_sink(sink)
        , m_states(*sink.stateSet(states(id, title)))
        , m_bursts(*sink.segments().addKind({id + "-burst", "Bursts", "Length", "Events", {}}))
    {
        LinkKindInfo pass;
        pass.id = id + "-pass";
        pass.title = "Pass";
        pass.views = {id};
        pass.color = "#e5127a";
        m_pass = *sink.linkKind(pass);
        m_known = *sink.counters().addSeries({m_view + "-rate", "known", "Known CPUs"});
    }

    void begin(HostTimestamp at) override
    {
        m_begin = at;
        m_sink.counters().addInteger(m_known, at, 0);
    }

    void onEvents(const EventRun& run) override
    {
        for (const EventRecord& record : run.records)
            if (record.cpu >= 0)
                take(record.time, cpuOf(record.cpu, record.time));
    }

    void onLoss(const Loss&) override { ++m_gaps; }

    void finish(HostTimestamp at) override
    {
        for (auto& [number, cpu] : m_cpus)
            endBurst(cpu, at);
    }

    std::vector<Diagnostic> diagnostics() override
    {
        if (m_gaps == 0)
            return {};
        return {{Diagnostic::Severity::Info, "pulse-gaps", {}, 0, m_gaps, "events were lost: bursts may be longer than shown"}};
    }

private:
    struct Cpu {
        TrackId row{};
        CounterSeriesId series{};
        HostTimestamp first; ///< Time of the first event of the current burst.
        HostTimestamp last;
        std::int64_t inBurst = 0;
        std::int64_t events = 0;
    };

    Cpu& cpuOf(std::int32_t number, HostTimestamp at)
    {
        const auto [it, isNew] = m_cpus.try_emplace(number);
        if (!isNew)
            return it->second;
        Track track;
        track.view = m_view;
        track.kind = "pulse";
        track.key = "cpu:" + std::to_string(number);
        track.label = "Heart " + std::to_string(number);
        track.states = m_states;
        track.cpu = number;
        track.sortKey = number;
        it->second.row = m_sink.addTrack(std::move(track));
        m_sink.set(m_begin, it->second.row, Rests);
        CounterSeries series{m_view + "-rate", "cpu:" + std::to_string(number) + "/events", "Events of " + std::to_string(number)};
        series.kind = CounterSeries::Kind::Accumulating;
        series.track = it->second.row;
        it->second.series = *m_sink.counters().addSeries(series);
        m_sink.counters().addInteger(m_known, at, std::int64_t(m_cpus.size()));
        return it->second;
    }

    void take(HostTimestamp at, Cpu& cpu)
    {
        if (cpu.inBurst > 0 && at - cpu.last >= Pulse::Beat)
            endBurst(cpu, at);
        if (cpu.inBurst++ == 0) {
            cpu.first = at;
            m_sink.set(at, cpu.row, Beats);
        }
        cpu.last = at;
        m_sink.counters().addInteger(cpu.series, at, ++cpu.events);
        if (m_before && m_before != &cpu && ++m_passes % Pulse::PassEvery == 0)
            m_sink.link({m_pass, m_before->row, cpu.row, m_before->last, at});
        m_before = &cpu;
    }

    void endBurst(Cpu& cpu, HostTimestamp now)
    {
        if (cpu.inBurst == 0)
            return;
        m_sink.segments().add({cpu.first, cpu.last, cpu.inBurst, m_sink.string(cpu.inBurst > 10 ? "long" : "short"), cpu.row, m_bursts});
        if (cpu.last + Pulse::Beat <= now)
            m_sink.set(cpu.last + Pulse::Beat, cpu.row, Rests);
        cpu.inBurst = 0;
    }

    const std::string m_view;
    StateSink& m_sink;
    const StateSetId m_states;
    const SegmentKindId m_bursts;
    LinkKind m_pass{};
    CounterSeriesId m_known{};
    HostTimestamp m_begin;
    std::map<std::int32_t, Cpu> m_cpus;
    const Cpu* m_before = nullptr; ///< CPU of the preceding event; nullptr before the first event.
    int m_passes = 0;
    std::uint64_t m_gaps = 0;
};

class PulseKind final : public AnalysisKind {
public:
    PulseKind(std::string id, std::string title)
        : m_id(std::move(id))
        , m_title(std::move(title))
        , m_views{{.id = m_id, .title = m_title, .tip = "When each CPU has events", .order = 25, .one = "heart", .many = "hearts"},
                  {.id = m_id + "-rate",
                   .title = m_title + " rate",
                   .tip = "How many events each CPU has",
                   .shape = TrackView::Shape::Curves,
                   .order = 26,
                   .one = "curve",
                   .many = "curves"}}
    {
    }

    std::string_view id() const override { return m_id; }
    int version() const override { return 1; }
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes; }
    std::unique_ptr<Analysis> make(const AnalysisInput&, StateSink& sink) const override
    {
        return std::make_unique<PulseAnalysis>(m_id, m_title, sink);
    }

private:
    const std::string m_id;
    const std::string m_title;
    const std::vector<TrackView> m_views;
};

} // namespace

std::shared_ptr<const AnalysisKind> pulseKind(std::string id, std::string title)
{
    return std::make_shared<PulseKind>(std::move(id), std::move(title));
}

extern const BuiltinAnalysis pulseAnalysis{[] { return pulseKind("pulse", "Pulse"); }};

} // namespace helio
