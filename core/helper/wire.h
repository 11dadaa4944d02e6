#pragma once

#include "core/base/result.h"
#include "core/helper/helper_process.h"

#include <concepts>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// Contents of the messages between heliograph and its helper programs. Both programs are from the same build and run on the same machine,
// so values are sent with their representation in memory. Strings and lists are preceded by their length.
//
// A structure can be sent if there is a function parts(wire, structure) that passes its members to a WireWriter or a WireReader. An
// enumeration can be read if there is a function lastOf(enumerator) that returns its last enumerator. Both lie in the namespace helio.

namespace helio {

template <typename A, typename T>
concept Is = std::same_as<std::remove_const_t<A>, T>;

constexpr Error::Kind lastOf(Error::Kind) { return Error::Kind::Full; }
void parts(auto& wire, Is<Error> auto& it) { wire(it.kind, it.what); }

/// Appends values to a message.
class WireWriter {
public:
    explicit WireWriter(auto kind)
        : m_bytes(sizeof(MessageHeader))
        , m_kind(static_cast<std::uint8_t>(kind))
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
        const MessageHeader head{m_bytes.size() - sizeof(MessageHeader), m_kind};
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
    /// Appends a shared object as a number: 0 for nullptr, the earlier number for an object that was appended before. A new object gets the
    /// next unused number, and its value follows the number.
    template <typename T> void put(const std::shared_ptr<const T>& object)
    {
        const auto next = std::uint64_t(m_shared.size() + 1);
        const auto number = object ? m_shared.try_emplace(object.get(), next).first->second : 0;
        put(number);
        if (object && number == next)
            put(*object);
    }

    std::vector<std::byte> m_bytes;
    std::uint8_t m_kind;
    std::unordered_map<const void*, std::uint64_t> m_shared; ///< Numbers of the shared objects in the message.
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
    template <typename T> void take(std::shared_ptr<const T>& object)
    {
        std::uint64_t number = 0;
        take(number);
        m_isGood = m_isGood && number <= m_shared.size() + 1 && m_depth < MaxDepth;
        if (!m_isGood || number == 0)
            return;
        if (number <= m_shared.size()) {
            // An object is nullptr here while its value is being read. Reject a reference to it: the object would contain itself.
            const auto& [known, type] = m_shared[number - 1];
            m_isGood = known != nullptr && *type == typeid(T);
            if (m_isGood)
                object = std::static_pointer_cast<const T>(known);
            return;
        }
        m_shared.emplace_back(nullptr, &typeid(T));
        T read;
        ++m_depth;
        take(read);
        --m_depth;
        object = std::make_shared<const T>(std::move(read));
        m_shared[number - 1].first = object;
    }

    std::span<const std::byte> m_bytes;
    bool m_isGood = true;
    int m_depth = 0;
    std::vector<std::pair<std::shared_ptr<const void>, const std::type_info*>> m_shared; ///< Shared objects read so far, and their types.
};

} // namespace helio
