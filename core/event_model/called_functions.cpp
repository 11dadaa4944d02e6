#include "core/event_model/called_functions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace helio {
namespace {

constexpr CallEvents Known[] = {
    {"func_entry", "func_exit", "addr", "", ""},
    {"call", "return", "co_name", "co_filename", "lineno"},
    {"span_begin", "span_end", "name", "", ""},
    {"funcgraph_entry", "funcgraph_exit", "func", "", "", true}, // Events of ftrace's function graph tracer.
};

/// Returns the provider of an event name, including the colon: "python:" of "python:call" for the ending "call". The provider is empty if
/// the name is equal to the ending. Returns nullopt if the name has another ending.
std::optional<std::string_view> providerOf(std::string_view name, std::string_view ending)
{
    if (!name.ends_with(ending))
        return {};
    name.remove_suffix(ending.size());
    return name.empty() || name.ends_with(':') ? std::optional(name) : std::nullopt;
}

} // namespace

std::span<const CallEvents> knownCallEvents() { return Known; }

std::vector<CallType> findCallTypes(const Trace& trace)
{
    std::map<std::pair<const CallEvents*, std::string>, std::uint16_t> sources;
    const auto sourceOf = [&](const CallEvents& events, std::string_view provider) {
        const auto next = static_cast<std::uint16_t>(sources.size() + 1);
        return sources.try_emplace({&events, std::string(provider)}, next).first->second;
    };
    std::vector<CallType> types;
    for (const auto& type : trace.eventTypes()) {
        CallType& found = types.emplace_back();
        for (const CallEvents& events : knownCallEvents()) {
            const auto entry = providerOf(type->name, events.entry);
            const auto exit = providerOf(type->name, events.exit);
            if (sources.size() < 1000 && (exit || (entry && FieldRef(*type, Section::Payload, events.function).isValid())))
                found = {sourceOf(events, entry ? *entry : *exit), entry.has_value(), &events};
        }
    }
    std::set<std::uint16_t> entered;
    for (const CallType& type : types)
        if (type.isEntry)
            entered.insert(type.source);
    for (CallType& type : types)
        if (!entered.contains(type.source))
            type.source = 0;
    return types;
}

std::vector<MissingEntries> missingEntries(const Trace& trace)
{
    std::vector<MissingEntries> missing;
    const std::vector<CallType> types = findCallTypes(trace);
    for (std::size_t i = 0; i < types.size(); ++i)
        if (types[i].source == 0 && types[i].events) {
            const std::string& exit = trace.eventTypes()[EventTypeId(static_cast<std::uint32_t>(i))].name;
            const std::string_view provider = std::string_view(exit).substr(0, exit.size() - types[i].events->exit.size());
            missing.push_back({exit, std::string(provider) + std::string(types[i].events->entry)});
        }
    return missing;
}

CalledFunctions::CalledFunctions(const Trace& trace, MappedFrames& frames, StateSink& sink)
    : m_trace(trace)
    , m_frames(frames)
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
        std::string name(fields.function.text(event));
        function.key = keyOf(name);
        if (fields.type.isEntry && fields.type.events->areOfKernel)
            function.frame = frameOfKernel(name);
        else if (fields.type.isEntry)
            function.frame = frameOf(std::move(name), std::string(fields.file.isValid() ? fields.file.text(event) : std::string_view()),
                                     fields.line.isValid() ? fields.line.integerOr(event, 0) : 0);
    } else {
        function.key = static_cast<std::uint64_t>(fields.function.integerOr(event, 0));
        if (!fields.type.isEntry)
            return function;
        const auto [known, isNew] =
            fields.type.events->areOfKernel ? m_kernelFrames.try_emplace(function.key) : std::pair(m_kernelFrames.end(), false);
        if (isNew)
            if (const std::string_view name = m_trace.kernelFunction(function.key); !name.empty())
                known->second = frameOfKernel(name);
        if (known != m_kernelFrames.end() && known->second.module != UnknownModule) {
            function.frame = known->second;
        } else {
            const MappedFrames::Found found = m_frames.at(process, function.key, event.time());
            function.frame = found.frame;
            function.program = found.program;
        }
    }
    return function;
}

StackFrame CalledFunctions::frameOfKernel(std::string_view function)
{
    if (m_kernel == UnknownModule) {
        Module kernel;
        kernel.kind = Module::Kind::Kernel;
        kernel.path = "[kernel.kallsyms]";
        m_kernel = m_sink.modules().add(std::move(kernel));
    }
    const auto [place, isNew] = m_places.try_emplace({static_cast<std::uint32_t>(m_kernel), std::string(function), 0});
    if (isNew)
        place->second = m_sink.modules().addPlace(m_kernel, {function, {}, false});
    return {m_kernel, false, place->second};
}

RecordedFunction CalledFunctions::functionNamed(std::string_view name, std::uint16_t source)
{
    std::string own(name);
    RecordedFunction function;
    function.key = keyOf(own);
    function.source = source;
    function.frame = frameOf(std::move(own), {}, 0);
    return function;
}

/// Returns the stack frame for a function that events identify by its name and, if recorded, its source file and line. `file` is empty if
/// unknown.
StackFrame CalledFunctions::frameOf(std::string name, std::string file, std::int64_t line)
{
    const auto [module, isNewFile] = m_sourceFiles.try_emplace(file);
    if (isNewFile) {
        Module source;
        source.kind = Module::Kind::File;
        source.path = file;
        module->second = m_sink.modules().add(std::move(source));
    }
    line = std::clamp<std::int64_t>(line, 0, UINT32_MAX);
    const auto [place, isNew] = m_places.try_emplace({static_cast<std::uint32_t>(module->second), std::move(name), line});
    if (isNew)
        place->second = m_sink.modules().addPlace(
            module->second, {std::get<1>(place->first), {}, false, std::move(file), static_cast<std::uint32_t>(line)});
    return {module->second, false, place->second};
}

} // namespace helio
