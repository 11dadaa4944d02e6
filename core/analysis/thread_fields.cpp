#include "core/analysis/thread_fields.h"

#include "core/trace/trace.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>

namespace helio {
namespace {

FieldRef contextOf(const EventType& type, std::initializer_list<std::string_view> names)
{
    for (const Section section : {Section::EventContext, Section::StreamContext})
        for (const std::string_view name : names)
            if (FieldRef field(type, section, name); field.isValid())
                return field;
    return {};
}

/// Numbers that no thread has are none.
std::int32_t idFrom(std::int64_t number)
{
    return number > 0 && number <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(number) : -1;
}

} // namespace

std::string namespaceSuffix(std::uint32_t pidNamespace) { return pidNamespace == 0 ? std::string() : '@' + std::to_string(pidNamespace); }

std::uint32_t pidNamespaceOf(std::string_view key)
{
    std::uint32_t number = 0;
    if (const std::size_t at = key.find('@'); at != std::string_view::npos)
        std::from_chars(key.data() + at + 1, key.data() + key.size(), number);
    return number;
}

ThreadFields::ThreadFields(const EventType& type)
    : m_tid(contextOf(type, {"tid", "vtid", "perf_tid"}))
    , m_pid(contextOf(type, {"pid", "vpid", "perf_pid"}))
    , m_name(contextOf(type, {"procname"}))
{
    if (!contextOf(type, {"tid", "perf_tid", "pid", "perf_pid"}).isValid())
        m_pidNamespace = contextOf(type, {"pid_ns"});
}

std::int32_t ThreadFields::idIn(const FieldRef& field, const EventView& event) { return idFrom(field.integerOr(event, -1)); }

ThreadId ThreadFields::idOf(const EventView& event) const
{
    const std::int32_t own = tid(event);
    return {pidNamespace(event), own >= 0 ? std::int64_t(own) : -1 - std::int64_t(event.stream)};
}

std::uint32_t ThreadFields::pidNamespace(const EventView& event) const
{
    constexpr std::int64_t Initial = 0xeffffffc; // PROC_PID_INIT_INO, include/linux/proc_ns.h
    const std::int64_t number = m_pidNamespace.isValid() ? m_pidNamespace.integerOr(event, 0) : Initial;
    return number == Initial ? 0 : std::max<std::uint32_t>(1, static_cast<std::uint32_t>(number));
}

std::int32_t processOf(const TraceInfo& info) { return idFrom(info.number("vpid", -1)); }

} // namespace helio
