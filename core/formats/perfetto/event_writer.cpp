#include "core/formats/perfetto/event_writer.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <cstdio>

namespace helio::perfetto {
namespace {

// Flags that EventWriter sets in NewEvent::variant.
constexpr char HasProcess = 1;
constexpr char HasThread = 2;
constexpr char IsSample = 4;
constexpr char IsOwn = 8; ///< Flag of all events that an EventWriter stores; no event of a TrackEventWriter has it.

} // namespace

void EventWriter::begin()
{
    m_fields.clear();
    m_texts.clear();
    m_joinedField = 0;
}

void EventWriter::addNumber(std::string_view name, std::int64_t value)
{
    StoredField& field = m_fields.emplace_back();
    field.name = name;
    field.number = value;
    field.kind = StoredField::Kind::Integer;
}

void EventWriter::addReal(std::string_view name, double value)
{
    StoredField& field = m_fields.emplace_back();
    field.name = name;
    field.real = value;
    field.kind = StoredField::Kind::Real;
}

void EventWriter::addText(std::string_view name, std::string_view text)
{
    StoredField& field = m_fields.emplace_back();
    field.name = name;
    field.text = text;
}

void EventWriter::addAddress(std::string_view name, std::uint64_t value)
{
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(value));
    addText(name, keep(digits));
}

void EventWriter::appendToLast(std::string_view text)
{
    StoredField& last = m_fields.back();
    if (m_joinedField != m_fields.size()) {
        if (m_joinedField > 0) // m_joined is the text of an earlier field: that field gets a copy.
            m_fields[m_joinedField - 1].text = keep(m_joined);
        m_joinedField = m_fields.size();
        m_joined = last.isNumber() ? std::to_string(last.number) : std::string(last.text);
    }
    (m_joined += ' ') += text;
    last = StoredField{last.name, m_joined};
}

std::string_view EventWriter::keep(std::string text) { return m_texts.emplace_back(std::move(text)); }

std::uint32_t EventWriter::storeSample(std::string_view name, std::int64_t time, EventContext context)
{
    return store(name, time, context, IsSample);
}

std::uint32_t EventWriter::store(std::string_view name, std::int64_t time, EventContext context, char flags)
{
    m_head.clear();
    appendNumber(context.pid, m_head);
    appendNumber(context.tid, m_head);
    const auto variant = static_cast<char>(IsOwn | flags | (context.pid >= 0 ? HasProcess : 0) | (context.tid >= 0 ? HasThread : 0));
    const std::uint32_t type = m_events.add({name, variant, time, context.cpu, m_head, {}}, m_fields);
    if (type == StoredEvents::NoType)
        m_log.warn("many-types", 0, "too many kinds of events; events of further kinds are missing");
    return type;
}

bool EventWriter::isOwn(const NewEvent& event) { return (event.variant & IsOwn) != 0; }

EventType EventWriter::makeType(const NewEvent& event, std::span<const StoredField> fields)
{
    EventType type;
    type.name = event.name;
    const bool hasProcess = (event.variant & HasProcess) != 0;
    const bool hasThread = (event.variant & HasThread) != 0;
    type.streamContext = makeStoredStruct({{hasProcess ? "pid" : "", makeStoredInteger(32, true), !hasProcess},
                                           {hasThread ? "tid" : "", makeStoredInteger(32, true), !hasThread}});
    std::vector<Member> members = makeStoredMembers(fields);
    if ((event.variant & IsSample) != 0)
        for (Member& member : members)
            member.isHidden = member.name != "period";
    type.payload = makeStoredStruct(std::move(members));
    return type;
}

std::string readableText(std::string_view bytes)
{
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n'; };
    if (isUtf8(bytes) && std::ranges::none_of(bytes, isControl))
        return std::string(bytes);
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text = "0x";
    for (const char c : bytes) {
        text += Digits[static_cast<unsigned char>(c) >> 4];
        text += Digits[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

} // namespace helio::perfetto
