#include "core/analyses/mappings/mappings.h"

#include "core/event_model/mapped_files.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/recording_advice.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostMapped = 100'000; ///< Maximum number of mapped files of one process; real processes map some hundreds of files.

/// Returns the bytes of an array field as hexadecimal digits.
std::string hexBytes(const std::vector<NamedValue>& fields, std::string_view name)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    constexpr std::size_t Most = 64; // Maximum number of bytes shown. Build ids have 20 bytes; their specification sets no limit.
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

Mappings::MappingEvent Mappings::mappingEventOf(std::string_view event)
{
    static constexpr std::pair<std::string_view, MappingEvent> Known[] = {
        {"lttng_ust_statedump:start", MappingEvent::DumpBegins},
        {"lttng_ust_statedump:end", MappingEvent::DumpEnds},
        {"lttng_ust_statedump:bin_info", MappingEvent::Maps},
        {"lttng_ust_statedump:build_id", MappingEvent::BuildId},
        {"lttng_ust_lib:load", MappingEvent::Maps},
        {"lttng_ust_lib:build_id", MappingEvent::BuildId},
        {"lttng_ust_lib:unload", MappingEvent::Unloads},
        {"lttng_ust_dl:dlopen", MappingEvent::Opens},
        {"lttng_ust_dl:dlmopen", MappingEvent::Opens},
        {"lttng_ust_dl:build_id", MappingEvent::BuildId},
        {"lttng_ust_dl:dlclose", MappingEvent::Closes},
    };
    if (!event.starts_with("lttng_ust_"))
        return MappingEvent::Nothing;
    const auto found = std::ranges::find(Known, event, &std::pair<std::string_view, MappingEvent>::first);
    return found != std::end(Known) ? found->second : MappingEvent::Nothing;
}

bool Mappings::hasMappings(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) {
        const MappingEvent what = mappingEventOf(type->name);
        return what != MappingEvent::Nothing && what != MappingEvent::DumpEnds;
    });
}

Mappings::Mappings(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_kind(*sink.segments().addKind({std::string(MappingSegments), "Mapped files", "File", "Module"}))
    , m_pid(helio::processOf(trace.info()))
{
    for (const auto& type : trace.eventTypes()) {
        m_hasEnds = m_hasEnds || mappingEventOf(type->name) == MappingEvent::DumpEnds;
        m_fields.push_back({mappingEventOf(type->name), FieldRef(*type, Section::Payload, "baddr"),
                            FieldRef(*type, Section::Payload, "memsz"), FieldRef(*type, Section::Payload, "path"), ThreadFields(*type)});
    }
}

void Mappings::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const Fields& fields = m_fields[static_cast<std::size_t>(record.type)];
        if (fields.what == MappingEvent::Nothing)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, fields);
    }
}

void Mappings::take(const EventView& event, const Fields& fields)
{
    const std::int32_t pid = fields.thread.pid(event);
    const ProcessId id{fields.thread.pidNamespace(event), pid >= 0 ? pid : m_pid};
    Process& process = m_processes[id];
    if (process.isAmbiguous)
        return forget(process);
    const auto base = static_cast<std::uint64_t>(fields.base.integerOr(event, 0));
    switch (fields.what) {
    case MappingEvent::Nothing: return;
    case MappingEvent::DumpBegins:
        // A state dump that begins before the previous state dump has ended is a dump of a different process. If the PID is unknown, the
        // events of both processes are mixed, so mark the process as ambiguous.
        process.isAmbiguous = process.isAmbiguous || (id.pid < 0 && m_hasEnds && process.dump.isOpen && process.dump.isWhole);
        endDump(id, process, !m_hasEnds);
        return beginDump(process, event.time());
    case MappingEvent::DumpEnds:
        process.isAmbiguous = process.isAmbiguous || isDumpOfOtherProcess(process);
        return endDump(id, process, true);
    case MappingEvent::Maps:
    case MappingEvent::Opens:
        if (id.pid < 0 && isMappedElsewhere(process, event, fields))
            process.isAmbiguous = true;
        return map(process, event, fields);
    case MappingEvent::BuildId: return setBuildId(process, event, base);
    case MappingEvent::Closes:
        if (const auto it = process.mapped.find(base); it != process.mapped.end() && --it->second.opened > 0)
            // Keep the file mapped: the program opened it with several calls of dlopen() and has not closed all of them with dlclose().
            return;
        return unmap(process, base, event.time());
    case MappingEvent::Unloads: return unmap(process, base, event.time());
    }
}

/// Returns true if the state dump that ends now was begun by another process.
bool Mappings::isDumpOfOtherProcess(const Process& process)
{
    const Dump& last = process.dump;
    const bool isRecordedTwice = last.listed > 0 && last.repeated >= last.listed;
    return !last.isOpen && last.isWhole && !process.dumps.empty() && !isRecordedTwice;
}

/// Drops all mappings, because mappings of several processes that cannot be distinguished are useless.
void Mappings::forget(Process& process)
{
    process.mapped.clear();
    process.gone.clear();
}

/// Begins a state dump. Files that the dump does not list again were unmapped without an event, or belong to another process or another
/// program.
void Mappings::beginDump(Process& process, HostTimestamp at)
{
    process.dump = {true, true, process.dump.listed, 0, 0, 0, {}};
    process.dumps.push_back(process.dumps.empty() ? m_begin : at);
}

/// Ends the state dump of a process. If the dump shows that the process now executes a different program, ends the mappings of the previous
/// program. If the PID of the events is unknown, the dump may also come from a different process, so only marks the process as ambiguous.
/// `isAll`: true if the dump lists all mapped files, unless events were lost.
void Mappings::endDump(const ProcessId& id, Process& process, bool isAll)
{
    Dump& dump = process.dump;
    if (!std::exchange(dump.isOpen, false))
        return;
    const bool isOther = isAll && dump.isWhole && 2 * dump.again < dump.mappedBefore;
    const bool isMoved = dump.vdso && process.vdso && dump.vdso != process.vdso;
    if (dump.vdso)
        process.vdso = dump.vdso;
    if (process.dumps.size() < 2 || (!isMoved && !isOther))
        return;
    if (id.pid < 0)
        // The dump is of another process, or of another program of the same process. Without a PID, the events do not show which of the
        // two cases it is.
        process.isAmbiguous = true;
    else
        beginImage(process, process.dumps.back());
}

/// Ends all mappings of the program that `process` executed before `at`. Files that the latest dump of the process lists begin a new
/// mapping at `at`.
void Mappings::beginImage(Process& process, HostTimestamp at)
{
    for (auto it = process.mapped.begin(); it != process.mapped.end();) {
        Mapping& mapping = it->second;
        if (mapping.since < at)
            process.gone.push_back(endedMappingAt(process, mapping, at));
        mapping.since = std::max(mapping.since, at);
        it = mapping.dump == process.dumps.size() ? std::next(it) : process.mapped.erase(it);
    }
    ++process.images;
}

/// Returns true if the state dump lists a file at addresses at which it already listed another file, which is impossible in one process.
bool Mappings::isMappedElsewhere(const Process& process, const EventView& event, const Fields& fields)
{
    const auto base = static_cast<std::uint64_t>(fields.base.integerOr(event, 0));
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields.size.integerOr(event, 0)));
    if (size == 0 || !event.type->name.starts_with("lttng_ust_statedump"))
        return false;
    const auto isOther = [&](const Mapping& it) {
        const bool isSame = it.module.begin == base && it.module.size == size && it.module.path == fields.path.text(event);
        return it.dump == process.dumps.size() && !isSame && it.module.begin < base + size && base < it.module.begin + it.module.size;
    };
    const auto next = process.mapped.lower_bound(base);
    return (next != process.mapped.end() && isOther(next->second)) || (next != process.mapped.begin() && isOther(std::prev(next)->second));
}

void Mappings::map(Process& process, const EventView& event, const Fields& fields)
{
    const auto base = static_cast<std::uint64_t>(fields.base.integerOr(event, 0));
    const std::int64_t size = fields.size.integerOr(event, 0);
    const std::string_view path = fields.path.isValid() ? fields.path.text(event) : std::string_view();
    const bool isOfDump = event.type->name.starts_with("lttng_ust_statedump");
    if (isOfDump && path.starts_with("[linux-vdso"))
        process.dump.vdso = base;
    const auto known = process.mapped.find(base);
    if (known != process.mapped.end() && known->second.module.path == path && std::cmp_equal(known->second.module.size, size)) {
        if (isOfDump && known->second.dump + 1 == process.dumps.size())
            ++process.dump.again;
        ++(known->second.dump == process.dumps.size() ? process.dump.repeated : process.dump.listed);
        known->second.dump = process.dumps.size();
        known->second.opened += fields.what == MappingEvent::Opens ? 1 : 0;
        return;
    }
    const HostTimestamp since = isOfDump && !process.dumps.empty() ? process.dumps.back() : event.time();
    if (known != process.mapped.end())
        unmap(process, base, since);
    if (size <= 0 || process.mapped.size() >= MostMapped)
        return;
    Mapping mapping{since, {}, fields.what == MappingEvent::Opens ? 1 : 0, process.dumps.size()};
    mapping.module.kind = Module::Kind::File;
    mapping.module.path = path;
    mapping.module.isLoadRelative = true;
    mapping.module.begin = base;
    mapping.module.size = static_cast<std::uint64_t>(size);
    process.mapped.emplace(base, std::move(mapping));
    ++process.dump.listed;
}

void Mappings::setBuildId(Process& process, const EventView& event, std::uint64_t base)
{
    if (const auto it = process.mapped.find(base); it != process.mapped.end())
        it->second.module.buildId = hexBytes(decodeSection(event, Section::Payload), "build_id");
}

void Mappings::unmap(Process& process, std::uint64_t base, HostTimestamp at)
{
    if (const auto it = process.mapped.find(base); it != process.mapped.end()) {
        process.gone.push_back(endedMappingAt(process, it->second, at));
        process.dump.listed -= it->second.dump == process.dumps.size() ? 1 : 0;
        process.mapped.erase(it);
    }
}

Mappings::EndedMapping Mappings::endedMappingAt(const Process& process, const Mapping& mapping, HostTimestamp at)
{
    // A file that is missing in the next dump was unmapped at an unknown time. It counts as unmapped when that dump began.
    const HostTimestamp end = mapping.dump == process.dumps.size() ? at : std::min(at, process.dumps[mapping.dump]);
    return {mapping, std::max(mapping.since, end), process.images - 1};
}

/// Marks the current state dump of each process as incomplete, because events of the dump may be lost.
void Mappings::onLoss(const Loss&)
{
    for (auto& [id, process] : m_processes)
        process.dump.isWhole = false;
}

void Mappings::finish(HostTimestamp at)
{
    for (auto& [id, process] : m_processes) {
        endDump(id, process, !m_hasEnds);
        for (const auto& [base, mapping] : process.mapped)
            process.gone.push_back(endedMappingAt(process, mapping, at));
        if (!process.isAmbiguous)
            write(id, process);
    }
}

/// Writes a segment for each mapping of the process. Each program that the process executed gets a track of its own.
void Mappings::write(const ProcessId& id, const Process& process)
{
    std::vector<TrackId> images;
    for (std::size_t i = 0; i < process.images; ++i) {
        Track track;
        track.kind = "process";
        track.key = "pid:" + std::to_string(id.pid) + namespaceSuffix(id.pidNamespace) + (i > 0 ? '#' + std::to_string(i + 1) : "");
        track.pid = id.pid;
        images.push_back(m_sink.addTrack(std::move(track)));
    }
    for (const EndedMapping& it : process.gone) {
        const auto module = static_cast<std::int64_t>(m_sink.modules().add(it.mapping.module));
        m_sink.segments().add({it.mapping.since, it.at, module, m_sink.string(it.mapping.module.path), images[it.image], m_kind});
    }
}

std::vector<Diagnostic> Mappings::diagnostics()
{
    const auto advice = [this](RecordableData data) { return adviseRecording(data, std::array{&m_trace.info()}).suffix(); };
    std::vector<Diagnostic> all;
    for (const auto& [id, process] : m_processes)
        if (process.isAmbiguous)
            all.push_back({Diagnostic::Severity::Warning,
                           "mixed-processes",
                           {},
                           0,
                           1,
                           id.pid < 0 ? "Addresses have no names: several programs were recorded without their process IDs"
                                   + advice(RecordableData::ProcessIds)
                                      : "Addresses of process " + std::to_string(id.pid)
                                   + " have no names: several processes have this ID, in different PID namespaces"
                                   + advice(RecordableData::PidNamespaces)});
    return all;
}

namespace {

class MappingsKind final : public AnalysisKind {
public:
    std::string_view id() const override { return MappingsAnalysis; }
    int version() const override { return 3; }
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
