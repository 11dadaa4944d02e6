#include "core/trace/stored/stored_events.h"

#include "core/base/no_room.h"
#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <bit>

namespace helio {
namespace {

constexpr std::size_t MostTypes = 4096;
constexpr std::size_t MostShapes = 3072; // Maximum number of types with separate fields; later types have one text field.
constexpr std::size_t WriteStep = std::size_t{1} << 20;

FieldTypePtr makeStoredType(decltype(FieldType::shape) shape) { return std::make_shared<const FieldType>(FieldType{8, std::move(shape)}); }

constexpr ByteOrder MachineOrder = std::endian::native == std::endian::little ? ByteOrder::Little : ByteOrder::Big;

class StoredStream final : public EventStream {
public:
    StoredStream(const StoredEvents& stored, std::span<const Loss> losses, StreamPosition from)
        : m_stored(stored)
        , m_losses(losses)
        , m_at(std::min<std::uint64_t>(from.event, stored.events().size()))
    {
        // Losses before the first event were already returned by the stream that read up to `from`.
        if (m_at > 0) {
            const HostTimestamp first = m_at < stored.events().size() ? hostTime(stored.events()[m_at].time) : HostTimestamp::max();
            m_losses = m_losses.subspan(std::min(lossesBefore(first), m_losses.size()));
        }
    }

    bool next(EventBatch& batch) override
    {
        batch.clear();
        const auto& events = m_stored.events();
        if (m_at >= events.size() && m_losses.empty())
            return false;
        batch.isOrdered = true;
        if (m_at < events.size()) {
            const auto bytes = m_stored.bytes();
            batch.packet = {bytes.data(), bytes.size() * 8, 0};
            batch.packetIndex = 0;
            batch.begin = {0, events[m_at].offset * 8, 0, m_at, 0};
            const HostTimestamp gap = m_losses.empty() ? HostTimestamp::max() : m_losses.front().range.begin;
            for (; m_at < events.size() && batch.records.size() < batch.most; ++m_at) {
                const StoredEvent& event = events[m_at];
                if (hostTime(event.time) > gap)
                    break;
                EventRecord& record = batch.records.emplace_back();
                record.time = hostTime(event.time);
                record.headerBit = event.offset * 8;
                record.payloadOffset = 8 * m_stored.payloadOffsets()[event.type];
                record.type = EventTypeId{event.type};
                record.cpu = event.cpu;
            }
        }
        const std::size_t due = lossesBefore(m_at < events.size() ? hostTime(events[m_at].time) : HostTimestamp::max());
        batch.losses.assign(m_losses.begin(), m_losses.begin() + static_cast<std::ptrdiff_t>(due));
        m_losses = m_losses.subspan(due);
        return true;
    }

    std::vector<Diagnostic> diagnostics() const override { return {}; }

private:
    /// Returns the number of losses that begin before `time`.
    std::size_t lossesBefore(HostTimestamp time) const
    {
        const auto end = std::ranges::lower_bound(m_losses, time, {}, [](const Loss& loss) { return loss.range.begin; });
        return static_cast<std::size_t>(end - m_losses.begin());
    }

    const StoredEvents& m_stored;
    std::span<const Loss> m_losses; ///< Losses that were not returned yet.
    std::uint64_t m_at; ///< Index of the next event.
};

} // namespace

StoredEvents::StoredEvents(std::string file, TypeMaker makeType)
    : m_file(std::move(file))
    , m_makeType(std::move(makeType))
{
}

void StoredEvents::report(const char* kind, std::uint64_t line, std::uint64_t offset, const std::string& what,
                          Diagnostic::Severity severity, std::uint64_t count)
{
    const auto same = std::ranges::find(m_diagnostics, kind, &Diagnostic::kind);
    if (same != m_diagnostics.end())
        same->count += count;
    else
        m_diagnostics.push_back({severity, kind, m_file, offset, count, line > 0 ? "line " + std::to_string(line) + ": " + what : what});
}

/// Returns the type of an event, which is shared by events with the same name and fields. Returns NoType if there would be more than `most`
/// types.
std::uint32_t StoredEvents::typeOf(const NewEvent& event, std::span<const StoredField> fields, std::size_t most)
{
    m_key = event.name;
    m_key += '\x1f';
    m_key += event.variant;
    for (const StoredField& field : fields)
        ((m_key += '\x1f') += "tnr"[static_cast<std::size_t>(field.kind)]) += field.name;
    if (const auto found = m_typeIndex.find(m_key); found != m_typeIndex.end())
        return found->second;
    if (m_types.size() >= most)
        return NoType;
    const auto id = static_cast<std::uint32_t>(m_types.add(m_makeType(event, fields)));
    m_typeIndex.emplace(m_key, id);
    const StructLayout* const context = m_types[EventTypeId{id}].layout(Section::StreamContext);
    m_payloadOffsets.push_back(context && context->isFixed() ? static_cast<std::uint32_t>(context->fixedBits() / 8) : 0);
    return id;
}

std::uint32_t StoredEvents::add(const NewEvent& event, std::span<const StoredField> fields)
{
    const StoredField whole{"text", event.text};
    std::uint32_t type = typeOf(event, fields, MostShapes);
    if (type == NoType) {
        fields = std::span(&whole, 1);
        type = typeOf(event, fields, MostTypes);
    }
    if (type == NoType || !m_room)
        return type;
    m_events.push_back({event.time, m_written + m_pending.size(), type, event.cpu});
    m_pending.insert(m_pending.end(), event.head.begin(), event.head.end());
    for (const StoredField& field : fields) {
        if (field.kind == StoredField::Kind::Integer) {
            appendNumber(field.number, m_pending);
        } else if (field.kind == StoredField::Kind::Real) {
            appendNumber(field.real, m_pending);
        } else {
            const auto text =
                std::as_bytes(std::span(field.text.substr(0, field.text.find('\0')))); // The stored text ends at its first NUL.
            m_pending.insert(m_pending.end(), text.begin(), text.end());
            m_pending.push_back(std::byte{0});
        }
    }
    if (m_pending.size() >= WriteStep) {
        m_written += m_pending.size();
        m_room = m_stored.append(m_pending);
        m_pending.clear();
    }
    return type;
}

void StoredEvents::shift(Duration offset)
{
    for (StoredEvent& event : m_events)
        event.time = sumOf(Duration(event.time), offset).count();
}

bool StoredEvents::finish()
{
    if (m_room)
        m_room = m_stored.append(m_pending);
    m_pending = {};
    if (!m_room) {
        std::erase_if(m_events, [&](const StoredEvent& event) { return event.offset >= m_stored.bytes().size(); });
        m_diagnostics.push_back({Diagnostic::Severity::Error, std::string(NoRoom), m_file, 0, 1,
                                 "no room in temporary files: " + m_room.error().what + "; the rest is missing"});
    }
    if (!std::ranges::is_sorted(m_events, {}, &StoredEvent::time))
        std::ranges::stable_sort(m_events, {}, &StoredEvent::time);
    return bool(m_room);
}

FieldTypePtr makeStoredInteger(unsigned bits, bool isSigned)
{
    IntegerType type;
    type.bits = static_cast<std::uint8_t>(bits);
    type.isSigned = isSigned;
    type.order = MachineOrder;
    return makeStoredType(type);
}

FieldTypePtr makeStoredText(std::size_t size)
{
    IntegerType character;
    character.encoding = TextEncoding::Utf8;
    return makeStoredType(ArrayType{makeStoredType(character), size});
}

void appendText(std::string_view text, std::size_t size, std::vector<std::byte>& bytes)
{
    const auto isContinued = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    std::size_t length = std::min(text.size(), size - 1);
    while (length < text.size() && length > 0 && isContinued(text[length]))
        --length;
    const auto own = std::as_bytes(std::span(text.substr(0, length)));
    bytes.insert(bytes.end(), own.begin(), own.end());
    bytes.resize(bytes.size() + size - length);
}

FieldTypePtr makeStoredStruct(std::vector<Member> members) { return makeStoredType(StructType{std::move(members)}); }

std::vector<Member> makeStoredMembers(std::span<const StoredField> fields)
{
    std::vector<Member> members;
    for (const StoredField& field : fields) {
        switch (field.kind) {
        case StoredField::Kind::Integer: members.push_back({std::string(field.name), makeStoredInteger(64, true)}); break;
        case StoredField::Kind::Real: members.push_back({std::string(field.name), makeStoredType(FloatType{64, MachineOrder})}); break;
        case StoredField::Kind::Text: members.push_back({std::string(field.name), makeStoredType(StringType{})}); break;
        }
    }
    return members;
}

std::vector<StreamInfo> makeStoredStreams(const StoredEvents& events, const std::filesystem::path& file)
{
    if (events.events().empty())
        return {};
    StreamInfo stream;
    stream.label = "events";
    stream.files.push_back(file);
    PacketInfo packet;
    packet.size = events.bytes().size();
    packet.contentBits = packet.size * 8;
    packet.range = HostRange{hostTime(events.events().front().time), hostTime(events.events().back().time)};
    stream.packets.push_back(packet);
    return {std::move(stream)};
}

std::unique_ptr<EventStream> openStoredStream(const StoredEvents& events, std::span<const Loss> losses, StreamPosition from)
{
    return std::make_unique<StoredStream>(events, losses, from);
}

} // namespace helio
