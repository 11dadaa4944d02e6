#include "core/analyses/mappings/mappings.h"

#include "core/analysis/mapped_files.h"
#include "core/trace/fields/field_value.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostMapped = 100'000; ///< In one process: real ones have some hundreds.

/// The bytes of an array of numbers, as hex digits.
std::string hexBytes(const std::vector<NamedValue>& fields, std::string_view name)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    constexpr std::size_t Most = 64; // Build ids have 20 bytes; the specification sets no limit.
    const auto field = std::ranges::find(fields, name, &NamedValue::name);
    const auto* const elements = field != fields.end() ? std::get_if<std::vector<FieldValue>>(&field->value.value) : nullptr;
    std::string text;
    if (elements && elements->size() <= Most)
        for (const FieldValue& element : *elements) {
            const auto* const byte = std::get_if<std::uint64_t>(&element.value);
            const std::uint64_t number = byte ? *byte & 0xff : 0;
            text += {Digits[number >> 4], Digits[number & 15]};
        }
    return text;
}

} // namespace

Mappings::What Mappings::whatOf(std::string_view event)
{
    constexpr std::pair<std::string_view, What> Known[] = {
        {"lttng_ust_statedump:start", What::DumpBegins},
        {"lttng_ust_statedump:bin_info", What::Maps},
        {"lttng_ust_statedump:build_id", What::BuildId},
        {"lttng_ust_lib:load", What::Maps},
        {"lttng_ust_lib:build_id", What::BuildId},
        {"lttng_ust_lib:unload", What::Unloads},
        {"lttng_ust_dl:dlopen", What::Opens},
        {"lttng_ust_dl:dlmopen", What::Opens},
        {"lttng_ust_dl:build_id", What::BuildId},
        {"lttng_ust_dl:dlclose", What::Closes},
    };
    const auto found = std::ranges::find(Known, event, &std::pair<std::string_view, What>::first);
    return found != std::end(Known) ? found->second : What::Nothing;
}

bool Mappings::hasMappings(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return whatOf(type->name) != What::Nothing; });
}

Mappings::Mappings(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_kind(*sink.segments().addKind({std::string(MappingSegments), "Mapped files", "File", "Module"}))
    , m_pid(helio::processOf(trace.info()))
{
    for (const auto& type : trace.eventTypes())
        m_fields.push_back({whatOf(type->name), FieldRef(*type, Section::Payload, "baddr"), FieldRef(*type, Section::Payload, "memsz"),
                            FieldRef(*type, Section::Payload, "path"), ThreadFields(*type)});
}

void Mappings::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const Fields& fields = m_fields[static_cast<std::size_t>(record.type)];
        if (fields.what == What::Nothing)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, fields);
    }
}

void Mappings::take(const EventView& event, const Fields& fields)
{
    const std::int32_t pid = fields.thread.pid(event);
    Process& process = processOf({fields.thread.pidNamespace(event), pid >= 0 ? pid : m_pid});
    const auto base = static_cast<std::uint64_t>(fields.base.integerOr(event, 0));
    switch (fields.what) {
    case What::Nothing: return;
    case What::DumpBegins: return beginDump(process, event.time());
    case What::Maps:
    case What::Opens: return map(process, event, fields);
    case What::BuildId: return setBuildId(process, event, base);
    case What::Closes:
        if (const auto it = process.mapped.find(base); it != process.mapped.end() && --it->second.opened > 0)
            return; // Opened several times.
        return unmap(process, base, event.time());
    case What::Unloads: return unmap(process, base, event.time());
    }
}

Mappings::Process& Mappings::processOf(const ProcessId& id)
{
    const auto [it, isNew] = m_processes.try_emplace(id);
    if (isNew) {
        Track track;
        track.kind = "process";
        track.key = "pid:" + std::to_string(id.pid) + namespaceSuffix(id.pidNamespace);
        track.pid = id.pid;
        it->second.track = m_sink.addTrack(std::move(track));
    }
    return it->second;
}

/// What was mapped and is not listed again was unmapped unseen; the process may be another one, or execute another program.
void Mappings::beginDump(Process& process, HostTimestamp at) { process.dumps.push_back(process.dumps.empty() ? m_begin : at); }

void Mappings::map(Process& process, const EventView& event, const Fields& fields)
{
    const auto base = static_cast<std::uint64_t>(fields.base.integerOr(event, 0));
    const std::int64_t size = fields.size.integerOr(event, 0);
    const std::string_view path = fields.path.isValid() ? fields.path.text(event) : std::string_view();
    const bool isOfDump = event.type->name.starts_with("lttng_ust_statedump");
    const auto known = process.mapped.find(base);
    if (known != process.mapped.end() && known->second.module.path == path && std::cmp_equal(known->second.module.size, size)) {
        known->second.dump = process.dumps.size();
        known->second.opened += fields.what == What::Opens ? 1 : 0;
        return;
    }
    const HostTimestamp since = isOfDump && !process.dumps.empty() ? process.dumps.back() : event.time();
    if (known != process.mapped.end())
        unmap(process, base, since);
    if (size <= 0 || process.mapped.size() >= MostMapped)
        return;
    Mapping mapping{since, {}, fields.what == What::Opens ? 1 : 0, process.dumps.size()};
    mapping.module.kind = Module::Kind::File;
    mapping.module.path = path;
    mapping.module.isFromLoad = true;
    mapping.module.begin = base;
    mapping.module.size = static_cast<std::uint64_t>(size);
    process.mapped.emplace(base, std::move(mapping));
}

void Mappings::setBuildId(Process& process, const EventView& event, std::uint64_t base)
{
    if (const auto it = process.mapped.find(base); it != process.mapped.end())
        it->second.module.buildId = hexBytes(decodeSection(event, Section::Payload), "build_id");
}

void Mappings::unmap(Process& process, std::uint64_t base, HostTimestamp at)
{
    if (const auto it = process.mapped.find(base); it != process.mapped.end()) {
        close(process, it->second, at);
        process.mapped.erase(it);
    }
}

void Mappings::close(const Process& process, const Mapping& mapping, HostTimestamp at)
{
    // Of what a dump does not list nobody knows how long it was there: it was gone when the dump began.
    const HostTimestamp end = mapping.dump == process.dumps.size() ? at : std::min(at, process.dumps[mapping.dump]);
    const auto module = static_cast<std::int64_t>(m_sink.modules().add(mapping.module));
    m_sink.segments().add({mapping.since, std::max(mapping.since, end), module, m_sink.string(mapping.module.path), process.track, m_kind});
}

void Mappings::finish(HostTimestamp at)
{
    for (const auto& [id, process] : m_processes)
        for (const auto& [base, mapping] : process.mapped)
            close(process, mapping, at);
}

namespace {

class MappingsKind final : public AnalysisKind {
public:
    std::string_view id() const override { return MappingsAnalysis; }
    int version() const override { return 2; }
    std::span<const TrackView> views() const override { return {}; }
    bool appliesTo(const Trace& trace) const override { return trace.info().hasTimes && Mappings::hasMappings(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<Mappings>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis mappingsAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<MappingsKind>(); }};

} // namespace helio
