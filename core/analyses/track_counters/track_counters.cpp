#include "core/analyses/track_counters/track_counters.h"

namespace helio {

TrackCounters::TrackCounters(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_decoder(trace)
    , m_running(trace, m_decoder.hasMarkers() ? RunningThreads::Needs::Names : RunningThreads::Needs::Nothing)
{
    for (const auto& type : trace.eventTypes())
        m_fields.emplace_back(*type);
}

void TrackCounters::onEvents(const EventRun& run)
{
    EventView view{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const bool isSwitch = m_running.isSwitch(record.type);
        if (!isSwitch && !m_decoder.isCounterOrName(record.type))
            continue;
        view.record = &record;
        view.type = &m_trace.eventTypes()[record.type];
        isSwitch ? m_running.take(view) : take(view);
    }
}

void TrackCounters::take(const EventView& view)
{
    using enum TrackEvent::Kind;
    TrackEvent event;
    if (!m_decoder.decode(view, event))
        return;
    if (event.kind == Counter)
        takeCounter(view, event);
    else if (event.kind == TrackInfo)
        m_trackNames[event.track] = event.name;
    else if (event.kind == ProcessInfo && !event.name.empty())
        m_processNames[m_fields[static_cast<std::size_t>(view.record->type)].pid(view)] = event.name;
}

void TrackCounters::takeCounter(const EventView& view, const TrackEvent& event)
{
    Series& series = seriesOf(ownerOf(view, event), event);
    if (!series.id) {
        ++m_dropped;
        return;
    }
    m_rounded += event.isReal && series.number == CounterNumber::Integer ? 1 : 0;
    if (event.isReal)
        m_sink.counters().addReal(*series.id, view.time(), event.real);
    else
        m_sink.counters().addInteger(*series.id, view.time(), event.integer);
}

TrackCounters::Owner& TrackCounters::ownerOf(const EventView& view, const TrackEvent& event)
{
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(view.record->type)];
    const std::int32_t pid = event.isMarker && event.pid > 0 ? event.pid : fields.pid(view);
    const std::int32_t tid = fields.tid(view);
    OwnerId id{event.scope};
    switch (event.scope) {
    case TrackScope::Thread:
        id.space = fields.pidNamespace(view);
        id.number = tid;
        break;
    case TrackScope::Process: id.number = pid; break;
    case TrackScope::Cpu: id.number = view.cpu(); break;
    case TrackScope::Track: id.number = event.track; break;
    case TrackScope::Global: break;
    }
    if (id.number < 0 && event.scope != TrackScope::Track)
        id = {};
    const auto [found, isNew] = m_owners.try_emplace(id);
    Owner& owner = found->second;
    if (isNew) {
        Track row;
        row.kind = wordOf(id.scope);
        row.key = row.kind;
        if (id.scope != TrackScope::Global)
            row.key += ':' + std::to_string(id.number) + namespaceSuffix(id.space);
        row.pid = id.scope == TrackScope::Cpu || id.scope == TrackScope::Global ? -1 : pid;
        row.tid = id.scope == TrackScope::Thread ? tid : -1;
        row.cpu = id.scope == TrackScope::Cpu ? view.cpu() : -1;
        row.sortKey = static_cast<std::int32_t>(m_owners.size());
        owner.pid = row.pid;
        owner.row = m_sink.addTrack(std::move(row));
    }
    if (id.scope == TrackScope::Thread && !fields.name(view).empty())
        owner.name = fields.name(view);
    if (event.isMarker && owner.name.empty() && view.cpu() >= 0 && tid == pid)
        if (const RunningThread running = m_running.on(view.cpu()); running.tid == pid)
            owner.name = running.name;
    return owner;
}

TrackCounters::Series& TrackCounters::seriesOf(const Owner& owner, const TrackEvent& event)
{
    const auto append = [this](std::string_view text) {
        m_key += '/';
        m_key += text;
    };
    m_key = m_sink.track(owner.row).key;
    append(event.name);
    if (!event.series.empty())
        append(event.series);
    const auto [found, isNew] = m_series.try_emplace(m_key);
    if (!isNew)
        return found->second;
    CounterSeries series{std::string(View), m_key, std::string(event.name), std::string(event.unit)};
    if (!event.series.empty())
        series.title += series.title.empty() ? std::string(event.series) : ": " + std::string(event.series);
    series.number = found->second.number = event.isReal ? CounterNumber::Real : CounterNumber::Integer;
    series.track = owner.row;
    if (const auto added = m_sink.counters().addSeries(series))
        found->second.id = *added;
    return found->second;
}

void TrackCounters::finish(HostTimestamp)
{
    for (const ProcessRecord& it : m_trace.processRecords())
        if (it.tid == it.pid && !it.name.empty())
            m_processNames.try_emplace(it.pid, it.name);
    for (auto& [id, owner] : m_owners) {
        Track& row = m_sink.track(owner.row);
        std::string name = owner.name;
        if (id.scope == TrackScope::Process && m_processNames.contains(owner.pid))
            name = m_processNames[owner.pid];
        const std::string number = std::to_string(id.number);
        switch (id.scope) {
        case TrackScope::Process: row.label = name.empty() ? "pid " + number : name + " (" + number + ')'; break;
        case TrackScope::Thread: row.label = name.empty() ? "tid " + number : name + " (" + number + ')'; break;
        case TrackScope::Cpu: row.label = "CPU " + number; break;
        case TrackScope::Track: row.label = m_trackNames.contains(id.number) ? m_trackNames[id.number] : row.key; break;
        case TrackScope::Global: row.label = "Global"; break;
        }
    }
}

std::vector<Diagnostic> TrackCounters::diagnostics()
{
    std::vector<Diagnostic> all;
    if (m_rounded > 0)
        all.push_back({Diagnostic::Severity::Warning,
                       "rounded-counters",
                       {},
                       0,
                       m_rounded,
                       "a value of a counter is rounded, because the counter's first value is an integer"});
    if (m_dropped > 0)
        all.push_back({Diagnostic::Severity::Warning,
                       "many-counters",
                       {},
                       0,
                       m_dropped,
                       "the trace has more than 65,536 counters; values of further ones are missing"});
    return all;
}

namespace {

const TrackView CounterViews[] = {{.id = std::string(TrackCounters::View),
                                   .title = "Application counters",
                                   .tip = "Counters that applications recorded, for example the memory of a process",
                                   .shape = TrackView::Shape::Curves,
                                   .hasOwnScales = true,
                                   .order = 17,
                                   .one = "counter",
                                   .many = "counters",
                                   .nothing = "No application recorded counters."}};

class TrackCountersAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "app-counters"; }
    int version() const override { return 1; }
    std::span<const TrackView> views() const override { return CounterViews; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && TrackEventDecoder(trace).hasCounters(); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<TrackCounters>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis trackCountersAnalysis{
    []() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<TrackCountersAnalysis>(); }};

} // namespace helio
