#include "core/xml_analysis/running/field_source.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace helio::xml {
namespace {

bool isSame(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Arguments of system calls that are addresses in user space, although some tracers record them as plain numbers.
constexpr std::string_view Addresses[] = {"uaddr", "uaddr2", "addr"};

/// Returns the notation in which the field's numbers are shown: hexadecimal if the trace declares it or if the field is an address;
/// unsigned for other unsigned fields of 64 bits; else signed. (Shorter unsigned fields look the same in signed notation.)
IntegerNotation formOf(const FieldRef& field, std::string_view name)
{
    const auto* const type = field.type() ? std::get_if<IntegerType>(&field.type()->shape) : nullptr;
    if (!type)
        return IntegerNotation::Signed;
    const bool isAddress = type->bits == 64 && !type->isSigned && std::ranges::find(Addresses, name) != std::ranges::end(Addresses);
    if (type->base == DisplayBase::Hexadecimal || isAddress)
        return IntegerNotation::Hex;
    return type->bits == 64 && !type->isSigned ? IntegerNotation::Unsigned : IntegerNotation::Signed;
}

/// Returns the kernel's name of a scheduler event's field for which LTTng has a different name: "next_pid" if `field` is "next_tid". Empty
/// if the names do not differ, or if the event is not a scheduler event.
std::string kernelsName(std::string_view event, std::string_view field)
{
    constexpr std::string_view Scheduler = "sched_", Tid = "tid";
    const std::string_view bare = event.substr(event.rfind(':') + 1); // Strip the group, because perf records "GROUP:NAME".
    const bool isThread = field == Tid || field.ends_with("_tid");
    return bare.starts_with(Scheduler) && isThread ? std::string(field.substr(0, field.size() - Tid.size())) + "pid" : std::string();
}

/// Names of contexts that contain the thread of an event.
constexpr std::string_view ThreadContexts[] = {"tid", "vtid", "perf_tid", "common_pid"};

} // namespace

FieldSource::FieldSource(const EventType& type, std::string_view name, TextId host)
    : m_host(host)
{
    constexpr std::string_view Context = "context.";
    if (take({type, Section::Payload, name}, name) || (name.starts_with(Context) && takeContext(type, name.substr(Context.size()))))
        return;
    if (const std::string other = kernelsName(type.name, name); !other.empty() && take({type, Section::Payload, other}, other))
        return;
    if (isSame(name, "cpu"))
        m_kind = Kind::Cpu;
    else if (isSame(name, "timestamp"))
        m_kind = Kind::Timestamp;
    else if (isSame(name, "hostid"))
        m_kind = Kind::Host;
    else if (isSame(name, "event type"))
        m_kind = Kind::Name;
    else if (!takeContext(type, name) && isSame(name, "tid")
             && std::ranges::none_of(ThreadContexts, [&](std::string_view it) { return takeContext(type, it); }))
        m_kind = Kind::CurrentThread;
}

bool FieldSource::takeContext(const EventType& type, std::string_view name)
{
    const std::string_view bare = name.starts_with('_') ? name.substr(1) : name;
    for (const std::string_view it : {bare, name})
        for (const Section section : {Section::EventContext, Section::StreamContext})
            if (take({type, section, it}, it))
                return true;
    return false;
}

bool FieldSource::take(FieldRef field, std::string_view name)
{
    if (!field.isValid())
        return false;
    const bool isEnumeration = field.type() && std::holds_alternative<EnumType>(field.type()->shape);
    m_kind = isEnumeration ? Kind::Enumeration : field.isText() ? Kind::Text : field.isFloat() ? Kind::Real : Kind::Integer;
    m_form = formOf(field, name);
    m_field = std::move(field);
    return true;
}

Value FieldSource::read(const EventView& event, Texts& texts) const
{
    switch (m_kind) {
    case Kind::Nowhere:
    case Kind::CurrentThread: return {};
    case Kind::Integer: {
        const auto value = m_field.integer(event);
        return value ? Value::ofLong(*value, m_form) : Value();
    }
    case Kind::Real: {
        const auto value = m_field.number(event);
        return value ? Value::ofDouble(*value) : Value();
    }
    case Kind::Text: return Value::ofText(texts.idOf(m_field.text(event)));
    case Kind::Enumeration: return readEnumeration(event, texts);
    case Kind::Cpu: return event.cpu() >= 0 ? Value::ofInt(event.cpu()) : Value();
    case Kind::Timestamp: return Value::ofLong(nanoseconds(event.time()));
    case Kind::Host: return Value::ofText(m_host);
    case Kind::Name: return Value::ofText(texts.idOf(event.type->name));
    }
    return {};
}

Value FieldSource::readEnumeration(const EventView& event, Texts& texts) const
{
    const auto value = m_field.integer(event);
    if (!value)
        return {};
    const auto& type = std::get<EnumType>(m_field.type()->shape);
    const auto covers = [&](const EnumRange& range) {
        return type.container.isSigned
            ? range.first <= *value && *value <= range.last
            : std::uint64_t(range.first) <= std::uint64_t(*value) && std::uint64_t(*value) <= std::uint64_t(range.last);
    };
    const auto found = std::ranges::find_if(type.ranges, covers);
    return found != type.ranges.end() ? Value::ofText(texts.idOf(found->label)) : Value::ofLong(*value);
}

} // namespace helio::xml
