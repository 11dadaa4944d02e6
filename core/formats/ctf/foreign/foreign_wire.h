#pragma once

#include "core/io/helper_process.h"
#include "core/trace/trace.h"

#include <concepts>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <unordered_map>

// Messages from heliograph-babeltrace2 to heliograph. Both programs are from the same build and run on the same machine, so values are sent
// with their representation in memory. Strings and lists are preceded by their length.

namespace helio::foreign {

/// Description of a trace by libbabeltrace2.
struct TraceDescription {
    std::string uuid;
    ClockInfo clock;
    bool hasTimes = false;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<EventType> types; ///< Event types in the order of their ids, without layouts.
    std::vector<StreamInfo> streams;
    std::vector<std::uint64_t> ports; ///< Number of each stream's output port in libbabeltrace2; parallel to `streams`.
    std::vector<Diagnostic> diagnostics;
};

enum class WireMessageKind : std::uint8_t { Failure, Described, Batch, End };

constexpr HelperProgram Babeltrace{"heliograph-babeltrace2", "babeltrace2"};

template <typename A, typename T>
concept Is = std::same_as<std::remove_const_t<A>, T>;

// The functions lastOf() return the last enumerator of each enumeration in messages. Larger numbers in a message are invalid.
constexpr Diagnostic::Severity lastOf(Diagnostic::Severity) { return Diagnostic::Severity::Error; }
constexpr Error::Kind lastOf(Error::Kind) { return Error::Kind::Full; }
constexpr ByteOrder lastOf(ByteOrder) { return ByteOrder::Big; }
constexpr DisplayBase lastOf(DisplayBase) { return DisplayBase::Hexadecimal; }
constexpr TextEncoding lastOf(TextEncoding) { return TextEncoding::Ascii; }
constexpr Section lastOf(Section) { return Section::Payload; }

// The functions parts() pass the members of a structure in messages to a WireWriter or a WireReader.
void parts(auto& wire, Is<ClockInfo> auto& it) { wire(it.name, it.uuid, it.description, it.frequency, it.offset, it.isAbsolute); }
void parts(auto& wire, Is<Diagnostic> auto& it) { wire(it.severity, it.kind, it.file, it.offset, it.count, it.what); }
void parts(auto& wire, Is<Error> auto& it) { wire(it.kind, it.what); }
void parts(auto& wire, Is<PacketInfo> auto& it) { wire(it.file, it.offset, it.size, it.contentBits, it.range, it.discarded, it.cpu); }
void parts(auto& wire, Is<StreamInfo> auto& it) { wire(it.label, it.cpu, it.files, it.packets); }
void parts(auto& wire, Is<EventType> auto& it)
{
    wire(it.name, it.packetHeader, it.packetContext, it.eventHeader, it.streamContext, it.eventContext, it.payload);
}
void parts(auto& wire, Is<TraceDescription> auto& it)
{
    wire(it.uuid, it.clock, it.hasTimes, it.environment, it.types, it.streams, it.ports, it.diagnostics);
}
void parts(auto& wire, Is<IntegerType> auto& it) { wire(it.bits, it.isSigned, it.order, it.base, it.encoding, it.clock); }
void parts(auto& wire, Is<EnumRange> auto& it) { wire(it.label, it.first, it.last); }
void parts(auto& wire, Is<EnumType> auto& it) { wire(it.container, it.ranges); }
void parts(auto& wire, Is<FieldPath> auto& it) { wire(it.section, it.names); }
void parts(auto& wire, Is<Member> auto& it) { wire(it.name, it.type, it.isHidden); }
void parts(auto& wire, Is<StructType> auto& it) { wire(it.members); }
void parts(auto& wire, Is<ArrayType> auto& it) { wire(it.element, it.length); }
void parts(auto& wire, Is<SequenceType> auto& it) { wire(it.element, it.length); }
void parts(auto& wire, Is<VariantType> auto& it) { wire(it.tag, it.tagType, it.options); }
void parts(auto& wire, Is<DataLocType> auto& it) { wire(it.element, it.order, it.isRelative); }
void parts(auto& wire, Is<FieldType> auto& it) { wire(it.alignment, it.shape); }

/// Appends values to a message.
class WireWriter {
public:
    explicit WireWriter(WireMessageKind kind)
        : m_bytes(sizeof(MessageHeader))
        , m_kind(kind)
    {
    }

    template <typename... T> void operator()(const T&... values) { (put(values), ...); }
    void putBytes(std::span<const std::byte> bytes)
    {
        put(std::uint64_t(bytes.size()));
        raw(bytes.data(), bytes.size());
    }

    /// Returns the message with its header. No values may be appended afterwards.
    std::span<const std::byte> message()
    {
        const MessageHeader head{m_bytes.size() - sizeof(MessageHeader), static_cast<std::uint8_t>(m_kind)};
        std::memcpy(m_bytes.data(), &head, sizeof head);
        return m_bytes;
    }

private:
    void raw(const void* from, std::size_t size)
    {
        const auto* bytes = static_cast<const std::byte*>(from);
        m_bytes.insert(m_bytes.end(), bytes, bytes + size);
    }
    template <typename T> void put(const T& value)
    {
        if constexpr (requires { parts(*this, value); })
            parts(*this, value);
        else
            raw(&value, sizeof value);
    }
    template <typename T> void put(const std::optional<T>& value)
    {
        put(value.has_value());
        if (value)
            put(*value);
    }
    void put(const std::string& text) { putBytes(std::as_bytes(std::span(text))); }
    void put(const std::filesystem::path& path) { put(path.native()); }
    template <typename T> void put(const std::vector<T>& list)
    {
        put(std::uint64_t(list.size()));
        for (const T& item : list)
            put(item);
    }
    template <typename A, typename B> void put(const std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
    template <typename... T> void put(const std::variant<T...>& choice)
    {
        put(std::uint8_t(choice.index()));
        std::visit([this](const auto& value) { this->put(value); }, choice);
    }
    /// Appends a type as a number: 0 for nullptr, the earlier number for a type that was appended before. A new type gets the next unused
    /// number, and its description follows the number.
    void put(const FieldTypePtr& type)
    {
        const auto next = std::uint64_t(m_types.size() + 1);
        const auto number = type ? m_types.try_emplace(type.get(), next).first->second : 0;
        put(number);
        if (type && number == next)
            put(*type);
    }

    std::vector<std::byte> m_bytes;
    WireMessageKind m_kind;
    std::unordered_map<const FieldType*, std::uint64_t> m_types;
};

/// Reads values from a message. The sender is not trusted: isGood() becomes false if a value is missing or invalid.
class WireReader {
public:
    explicit WireReader(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    template <typename... T> void operator()(T&... values) { (take(values), ...); }
    bool isGood() const { return m_isGood; }

    std::span<const std::byte> takeBytes()
    {
        std::uint64_t size = 0;
        take(size);
        return part(size, 1);
    }

private:
    static constexpr int MaxDepth = 200;

    /// Returns the bytes of the next `count` values of `size` bytes each; empty if too few bytes are left.
    std::span<const std::byte> part(std::uint64_t count, std::size_t size)
    {
        m_isGood = m_isGood && count <= m_bytes.size() / size;
        const auto taken = m_bytes.first(m_isGood ? count * size : 0);
        m_bytes = m_bytes.subspan(taken.size());
        return taken;
    }
    template <typename T> void take(T& value)
    {
        if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(number(static_cast<std::underlying_type_t<T>>(lastOf(value))));
        } else if constexpr (std::is_same_v<T, bool>) {
            value = number(std::uint8_t(1)) != 0;
        } else if constexpr (requires { parts(*this, value); }) {
            parts(*this, value);
        } else {
            static_assert(std::is_trivially_copyable_v<T>);
            if (const auto bytes = part(1, sizeof value); m_isGood)
                std::memcpy(&value, bytes.data(), sizeof value);
        }
    }
    /// Reads a number that must lie in the range from 0 to `last`.
    template <typename N> N number(N last)
    {
        N value{};
        take(value);
        m_isGood = m_isGood && value >= 0 && value <= last;
        return m_isGood ? value : N{};
    }
    template <typename T> void take(std::optional<T>& value)
    {
        bool isThere = false;
        take(isThere);
        if (isThere)
            take(value.emplace());
    }
    void take(std::string& text)
    {
        const auto bytes = takeBytes();
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void take(std::filesystem::path& path)
    {
        std::string text;
        take(text);
        path = std::move(text);
    }
    template <typename T> void take(std::vector<T>& list)
    {
        std::uint64_t count = 0;
        take(count);
        m_isGood = m_isGood && count <= m_bytes.size(); // Each element has at least one byte, so a larger count is invalid.
        for (; m_isGood && count > 0; --count)
            take(list.emplace_back());
    }
    template <typename A, typename B> void take(std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
    template <typename... T> void take(std::variant<T...>& choice)
    {
        std::uint8_t index = 0;
        take(index);
        m_isGood = m_isGood && index < sizeof...(T);
        std::uint8_t i = 0;
        ((i++ == index && m_isGood ? take(choice.template emplace<T>()) : void()), ...);
    }
    void take(FieldTypePtr& type)
    {
        std::uint64_t number = 0;
        take(number);
        m_isGood = m_isGood && number <= m_types.size() + 1 && m_depth < MaxDepth;
        if (!m_isGood || number == 0)
            return;
        if (number <= m_types.size()) {
            type = m_types[number - 1];
            // A type is nullptr here while its description is being read. Reject a reference to it: the type would contain itself.
            m_isGood = type != nullptr;
            return;
        }
        m_types.emplace_back();
        FieldType read;
        ++m_depth;
        take(read);
        --m_depth;
        type = m_types[number - 1] = std::make_shared<const FieldType>(std::move(read));
    }

    std::span<const std::byte> m_bytes;
    bool m_isGood = true;
    int m_depth = 0;
    std::vector<FieldTypePtr> m_types;
};

} // namespace helio::foreign
