#include "core/event_model/call_events.h"

#include "core/trace/fields/field_ref.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace helio {
namespace {

constexpr CallEvents Known[] = {
    {"func_entry", "func_exit", "addr", "", ""},
    {"call", "return", "co_name", "co_filename", "lineno"},
};

/// Returns the provider of an event name including the colon, e.g. "python:" of "python:call" for the ending "call"; nullopt if the name
/// does not end with a colon and the ending, or consist of the ending alone.
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

} // namespace helio
