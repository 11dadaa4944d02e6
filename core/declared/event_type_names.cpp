#include "core/declared/event_type_names.h"

#include <algorithm>

namespace helio::declared {
namespace {

constexpr std::string_view Compat = "compat_";
constexpr std::string_view Entry = "sys_";

/// "syscall_" or "compat_syscall_" with what comes between and the call's name.
std::string named(const std::string& call, std::string_view what)
{
    const std::size_t at = call.find('_', call.starts_with(Compat) ? Compat.size() : 0) + 1;
    return call.substr(0, at) + std::string(what) + call.substr(at);
}

} // namespace

EventTypeNames::EventTypeNames(const Trace& trace)
    : m_types(trace.eventTypes())
    , m_hasUnnamedExits(std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return type->name == "exit_syscall"; }))
{
}

std::string EventTypeNames::callOf(EventTypeId type) const
{
    std::string_view name = nameOf(type);
    const bool isCompat = name.starts_with(Compat);
    if (isCompat)
        name.remove_prefix(Compat.size());
    if (!m_hasUnnamedExits || !name.starts_with(Entry) || name.size() == Entry.size())
        return {};
    return std::string(isCompat ? Compat : "") + "syscall_" + std::string(name.substr(Entry.size()));
}

std::vector<std::string> EventTypeNames::of(EventTypeId type) const
{
    std::vector<std::string> names{std::string(nameOf(type))};
    if (const std::string call = callOf(type); !call.empty())
        names.push_back(named(call, "entry_"));
    if (isUnnamedExit(type))
        for (std::size_t i = 0; i < m_types.size(); ++i)
            if (const std::string call = callOf(EventTypeId(i)); !call.empty())
                names.push_back(named(call, "exit_"));
    return names;
}

std::vector<std::string> EventTypeNames::ofExit(EventTypeId exit, EventTypeId entry) const
{
    return {std::string(nameOf(exit)), named(callOf(entry), "exit_")};
}

} // namespace helio::declared
