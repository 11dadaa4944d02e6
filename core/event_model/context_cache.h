#pragma once

#include "core/event_model/thread_fields.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace helio {

/// Cache with one object per stream: the object (for example a thread) to which the stream's last event belongs. Usually the next event of
/// the stream belongs to the same object, so that no lookup by key is needed.
///
/// Ownership: the objects belong to the caller and must keep their addresses.
template <typename Key, typename Object> class PerStreamCache {
public:
    /// Returns the object (for example a thread) that set() stored for this stream; nullptr if it was stored for a key other than `key`.
    Object* find(std::uint32_t stream, const Key& key) const
    {
        return stream < m_last.size() && m_last[stream].key == key ? m_last[stream].object : nullptr;
    }

    void set(std::uint32_t stream, const Key& key, Object& object)
    {
        if (stream >= m_last.size())
            m_last.resize(std::size_t(stream) + 1);
        m_last[stream] = {key, &object};
    }

private:
    struct Last {
        Key key{};
        Object* object = nullptr;
    };
    std::vector<Last> m_last;
};

/// Range of bytes in an event's context that contains all fields of its thread (tid, pid, name, namespace).
class ContextBytes {
public:
    static constexpr std::size_t Most = 64;

    ContextBytes() = default;
    explicit ContextBytes(const ThreadFields& fields);

    /// Returns the first byte of the range in the event. Returns nullptr if the positions of the fields are not constant, if the range is
    /// larger than Most bytes, or if the event's packet ends before the end of the range.
    const std::byte* in(const EventView& event) const
    {
        const EventRecord& record = *event.record;
        const std::uint64_t begin = record.headerBit + record.contextOffset + m_bit;
        const bool isThere = m_bytes > 0 && begin % 8 == 0 && begin + m_bytes * 8 <= event.packet.contentBits;
        return isThere ? event.packet.data + begin / 8 : nullptr;
    }
    std::size_t size() const { return m_bytes; }
    /// Compares the bytes of the range like memcmp(), but inline, which is faster for so few bytes. Requires: size() bytes at both
    /// pointers.
    bool areSame(const std::byte* a, const std::byte* b) const
    {
        constexpr std::size_t Word = sizeof(std::uint64_t);
        if (m_bytes < Word)
            return std::memcmp(a, b, m_bytes) == 0;
        const auto difference = [&](std::size_t at) {
            std::uint64_t ofA = 0;
            std::uint64_t ofB = 0;
            std::memcpy(&ofA, a + at, Word);
            std::memcpy(&ofB, b + at, Word);
            return ofA ^ ofB;
        };
        std::uint64_t all = difference(m_bytes - Word);
        for (std::size_t at = 0; at + Word < m_bytes; at += Word)
            all |= difference(at);
        return all == 0;
    }

    bool operator==(const ContextBytes&) const = default;

private:
    std::uint64_t m_bit = 0; ///< Position of the range in bits from the start of the stream context.
    std::size_t m_bytes = 0; ///< Length of the range in bytes; 0 if the thread's fields are at no constant positions or too far apart.
    std::vector<ThreadFields::BitRange> m_places;
};

/// Cache with one object per stream: the object (a thread) to which the stream's last event belongs. If the bytes of the next event's
/// context are equal, which is usual, the event belongs to the same object and its fields need not be read. Objects must have a member
/// `std::uint64_t contextReadNumber`, initially 0.
///
/// Ownership: the objects belong to the caller and must keep their addresses.
/// Cost: a few ns per event; reading the fields would cost tens of ns.
template <typename Object> class ContextCache {
public:
    /// `fields` is indexed by EventTypeId.
    explicit ContextCache(std::span<const ThreadFields> fields)
    {
        for (const ThreadFields& of : fields) {
            const ContextBytes bytes(of);
            const auto known = std::ranges::find(m_sorts, bytes);
            m_sortOf.push_back(static_cast<std::uint32_t>(known - m_sorts.begin()));
            if (known == m_sorts.end())
                m_sorts.push_back(bytes);
        }
    }

    /// Returns the object (e.g. the thread) to which the event belongs. Returns nullptr if the cache does not know; the caller must then
    /// read the event's fields and call set().
    Object* find(const EventView& event) const
    {
        if (event.stream >= m_last.size())
            return nullptr;
        const Last& last = m_last[event.stream];
        // An event of another stream may have changed the object after `last` was stored. The object's contextReadNumber then differs from
        // last.read.
        if (!last.object || last.object->contextReadNumber != last.read
            || last.sort != m_sortOf[static_cast<std::size_t>(event.record->type)])
            return nullptr;
        const std::byte* const now = m_sorts[last.sort].in(event);
        return now && m_sorts[last.sort].areSame(now, last.bytes.data()) ? last.object : nullptr;
    }

    /// Stores `object` as the object of the event's stream, after the caller has read the event's fields. find() then returns `object` for
    /// later events of the stream with equal context bytes.
    void set(const EventView& event, Object& object)
    {
        object.contextReadNumber = ++m_read;
        const std::uint32_t sort = m_sortOf[static_cast<std::size_t>(event.record->type)];
        const std::byte* const now = m_sorts[sort].in(event);
        if (!now)
            return;
        if (event.stream >= m_last.size())
            m_last.resize(std::size_t(event.stream) + 1);
        Last& last = m_last[event.stream];
        last.object = &object;
        last.read = m_read;
        last.sort = sort;
        std::copy_n(now, m_sorts[sort].size(), last.bytes.begin());
    }

private:
    struct Last {
        Object* object = nullptr;
        /// Value of object->contextReadNumber when this entry was stored. If the fields of `object` were read again afterwards,
        /// object->contextReadNumber is larger, and this entry is outdated.
        std::uint64_t read = 0;
        std::uint32_t sort = 0;
        std::array<std::byte, ContextBytes::Most> bytes;
    };

    std::vector<ContextBytes> m_sorts; ///< Distinct byte ranges. Event types whose contexts have the same range share an element.
    std::vector<std::uint32_t> m_sortOf; ///< Index into m_sorts of the byte range of each event type, indexed by EventTypeId.
    std::vector<Last> m_last; ///< Data of the last event of each stream, indexed by stream.
    std::uint64_t m_read = 0;
};

} // namespace helio
