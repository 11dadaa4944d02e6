#include "core/event_model/thread_fields.h"

#include "core/trace/fields/struct_layout.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

namespace helio {
namespace {

/// A field in the contexts of an event type.
struct Context {
    FieldRef field; ///< The context field; invalid if the event type does not have it.
    Section section = Section::StreamContext;
    std::string_view name;
};

Context contextOf(const EventType& type, std::initializer_list<std::string_view> names)
{
    for (const Section section : {Section::EventContext, Section::StreamContext})
        for (const std::string_view name : names)
            if (FieldRef field(type, section, name); field.isValid())
                return {std::move(field), section, name};
    return {};
}

/// Returns the constant position of the field in the stream context; nullopt if the field is in another section or its position varies.
std::optional<ThreadFields::BitRange> placeOf(const EventType& type, const Context& context)
{
    if (context.section != Section::StreamContext)
        return {};
    const FieldLocator locator = type.layout(context.section)->locate(context.name);
    const IntegerType* const integer = integerOf(*locator.type());
    const auto* const array = std::get_if<ArrayType>(&locator.type()->shape);
    const std::uint64_t begin = locator.constantOffset();
    if (begin == CutOff || !(integer || (array && isText(*locator.type()))))
        return {};
    return ThreadFields::BitRange{begin, begin + (integer ? integer->bits : array->length * 8)};
}

/// Converts a recorded number to a tid or pid; -1 if the number is not a valid id.
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
    : m_tid(take(type, {"tid", "vtid", "perf_tid"}))
    , m_pid(take(type, {"pid", "vpid", "perf_pid"}))
    , m_name(take(type, {"procname"}))
{
    if (!contextOf(type, {"tid", "perf_tid", "pid", "perf_pid"}).field.isValid())
        m_pidNamespace = take(type, {"pid_ns"});
    m_hostTid = FieldRef::find(type, "common_pid"); // perf records ids of its own PID namespace, so "common_pid" is preferred.
    if (!m_hostTid.isValid())
        m_hostTid = contextOf(type, {"tid", "perf_tid"}).field;
}

FieldRef ThreadFields::take(const EventType& type, std::initializer_list<std::string_view> names)
{
    Context context = contextOf(type, names);
    const auto place = context.field.isValid() ? placeOf(type, context) : std::optional(BitRange());
    m_arePlaced = m_arePlaced && place;
    m_places.push_back(place.value_or(BitRange()));
    return std::move(context.field);
}

std::int32_t ThreadFields::idIn(const FieldRef& field, const EventView& event) { return idFrom(field.integerOr(event, -1)); }

ThreadId ThreadFields::idOf(const EventView& event) const
{
    const std::int32_t own = tid(event);
    return {pidNamespace(event), own >= 0 ? std::int64_t(own) : -1 - std::int64_t(event.stream)};
}

std::uint32_t ThreadFields::pidNamespace(const EventView& event) const
{
    constexpr std::int64_t Initial = 0xeffffffc; // Inode number of the initial PID namespace: PROC_PID_INIT_INO, include/linux/proc_ns.h.
    const std::int64_t number = m_pidNamespace.isValid() ? m_pidNamespace.integerOr(event, 0) : Initial;
    return number == Initial ? 0 : std::max<std::uint32_t>(1, static_cast<std::uint32_t>(number));
}

std::int32_t processOf(const TraceInfo& info) { return idFrom(info.number("vpid", -1)); }

} // namespace helio
