#include "core/event_model/called_functions.h"

#include <algorithm>
#include <utility>

namespace helio {

CalledFunctions::CalledFunctions(const Trace& trace, MappedFrames& frames, StateSink& sink)
    : m_frames(frames)
    , m_sink(sink)
{
    const std::vector<CallType> types = findCallTypes(trace);
    for (const auto& type : trace.eventTypes()) {
        Fields& fields = m_fields.emplace_back();
        fields.type = types[static_cast<std::size_t>(type->id)];
        if (!fields.type.events)
            continue;
        fields.function = FieldRef(*type, Section::Payload, fields.type.events->function);
        if (!fields.type.events->file.empty())
            fields.file = FieldRef(*type, Section::Payload, fields.type.events->file);
        if (!fields.type.events->line.empty())
            fields.line = FieldRef(*type, Section::Payload, fields.type.events->line);
    }
}

bool CalledFunctions::hasFunctionEntries(const Trace& trace)
{
    return std::ranges::any_of(findCallTypes(trace), [](const CallType& type) { return type.isEntry; });
}

RecordedFunction CalledFunctions::functionOf(const EventView& event, const ProcessId& process)
{
    const Fields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    RecordedFunction function;
    function.source = fields.type.source;
    if (fields.function.isText()) {
        function.key = placeOf(event, fields, function.frame);
    } else {
        function.key = static_cast<std::uint64_t>(fields.function.integerOr(event, 0));
        if (fields.type.isEntry) {
            const MappedFrames::Found found = m_frames.at(process, function.key, event.time());
            function.frame = found.frame;
            function.program = found.program;
        }
    }
    return function;
}

/// Returns the number of the function's name; entry and exit of a function get the same number. Sets `frame` if the event is an entry.
std::uint64_t CalledFunctions::placeOf(const EventView& event, const Fields& fields, StackFrame& frame)
{
    std::string name(fields.function.text(event));
    const std::uint64_t key = m_keys.try_emplace(name, m_keys.size()).first->second;
    if (!fields.type.isEntry)
        return key;
    std::string file(fields.file.isValid() ? fields.file.text(event) : std::string_view());
    const auto [module, isNewFile] = m_sourceFiles.try_emplace(file);
    if (isNewFile) {
        Module source;
        source.kind = Module::Kind::File;
        source.path = file;
        module->second = m_sink.modules().add(std::move(source));
    }
    const std::int64_t line = std::clamp<std::int64_t>(fields.line.isValid() ? fields.line.integerOr(event, 0) : 0, 0, UINT32_MAX);
    const auto [place, isNew] = m_places.try_emplace({static_cast<std::uint32_t>(module->second), name, line});
    if (isNew)
        place->second = m_sink.modules().addPlace(module->second, {name, {}, false, file, static_cast<std::uint32_t>(line)});
    frame = {module->second, false, place->second};
    return key;
}

} // namespace helio
