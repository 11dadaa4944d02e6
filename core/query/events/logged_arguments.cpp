#include "core/query/events/logged_arguments.h"

#include "core/experiment/timeline.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <ranges>

namespace helio {
namespace {

constexpr std::size_t MostEntries = 64; ///< Maximum number of calls that begin at the same time; the arguments of others are unknown.

FieldRef argumentsIn(const EventType& type)
{
    FieldRef arguments;
    if (type.name.starts_with("syscall_entry_"))
        arguments = FieldRef(type, Section::Payload, "args");
    return arguments.isText() ? arguments : FieldRef();
}

} // namespace

LoggedArguments::LoggedArguments(std::shared_ptr<const Timeline> timeline)
    : m_timeline(std::move(timeline))
    , m_hasLogs(std::ranges::any_of(m_timeline->traces, [](const TimelineTrace& it) {
        return it.trace && std::ranges::any_of(it.trace->eventTypes(), [](const auto& type) { return argumentsIn(*type).isValid(); });
    }))
{
}

std::string_view LoggedArguments::of(std::uint32_t trace, std::int32_t tid, Timestamp begin)
{
    if (!m_hasLogs)
        return {};
    if (!m_cursor) {
        m_cursor.emplace(m_timeline, begin);
        m_hasEvent = m_cursor->next();
    }
    if (begin != m_at)
        m_entries.clear();
    m_at = begin;
    for (; m_hasEvent && m_cursor->time() <= begin; m_hasEvent = m_cursor->next())
        if (m_cursor->time() == begin && m_entries.size() < MostEntries)
            takeEntry();
    // The last entry of the thread: earlier entries at the same time are those of calls without duration.
    for (const Entry& entry : m_entries | std::views::reverse)
        if (entry.trace == trace && entry.tid == tid)
            return entry.arguments;
    return {};
}

void LoggedArguments::takeEntry()
{
    const EventView& event = m_cursor->event();
    const auto [fields, isNew] = m_fields.try_emplace(event.type);
    if (isNew)
        fields->second = {argumentsIn(*event.type), FieldRef(*event.type, Section::StreamContext, "tid")};
    if (fields->second.arguments.isValid())
        m_entries.push_back({m_cursor->trace(), static_cast<std::int32_t>(fields->second.tid.integerOr(event, -1)),
                             std::string(fields->second.arguments.text(event))});
}

} // namespace helio
