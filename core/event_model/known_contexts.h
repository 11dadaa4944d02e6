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

/// Where the fields that say which thread an event is of lie in its context: the bytes from the first of them to the last.
class ContextBytes {
public:
    static constexpr std::size_t Most = 64;

    ContextBytes() = default;
    explicit ContextBytes(const ThreadFields& fields);

    /// Null where they do not lie at one place in all events, or are too many, or cut off.
    const std::byte* in(const EventView& event) const
    {
        const EventRecord& record = *event.record;
        const std::uint64_t begin = record.headerBit + record.contextOffset + m_bit;
        const bool isThere = m_bytes > 0 && begin % 8 == 0 && begin + m_bytes * 8 <= event.packet.contentBits;
        return isThere ? event.packet.data + begin / 8 : nullptr;
    }
    std::size_t size() const { return m_bytes; }
    /// As memcmp(), without its call: there are so few. Requires: size() bytes at both.
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
    std::uint64_t m_bit = 0; ///< From the stream context's start.
    std::size_t m_bytes = 0; ///< 0: there is no such place.
    std::vector<ThreadFields::Place> m_places;
};

/// Which thing (a thread) the last event of each stream was of. Mostly the next one's context has the same bytes: then it is of the same
/// thing, and all that its fields say of it was taken before. Things stay where they are, belong to somebody else, and have a
/// `std::uint64_t contextRead`, which is 0 at first. Cost: some ns, where reading the fields takes some tens.
template <typename Thing> class KnownContexts {
public:
    /// `fields`: by EventTypeId.
    explicit KnownContexts(std::span<const ThreadFields> fields)
    {
        for (const ThreadFields& of : fields) {
            const ContextBytes bytes(of);
            const auto known = std::ranges::find(m_sorts, bytes);
            m_sortOf.push_back(static_cast<std::uint32_t>(known - m_sorts.begin()));
            if (known == m_sorts.end())
                m_sorts.push_back(bytes);
        }
    }

    /// Null: the fields are to be read.
    Thing* find(const EventView& event) const
    {
        if (event.stream >= m_last.size())
            return nullptr;
        const Last& last = m_last[event.stream];
        // What an event of another stream said of the thing since then counts.
        if (!last.thing || last.thing->contextRead != last.read || last.sort != m_sortOf[static_cast<std::size_t>(event.record->type)])
            return nullptr;
        const std::byte* const now = m_sorts[last.sort].in(event);
        return now && m_sorts[last.sort].areSame(now, last.bytes.data()) ? last.thing : nullptr;
    }

    /// The event's fields were read: they are of that thing.
    void set(const EventView& event, Thing& thing)
    {
        thing.contextRead = ++m_read;
        const std::uint32_t sort = m_sortOf[static_cast<std::size_t>(event.record->type)];
        const std::byte* const now = m_sorts[sort].in(event);
        if (!now)
            return;
        if (event.stream >= m_last.size())
            m_last.resize(std::size_t(event.stream) + 1);
        Last& last = m_last[event.stream];
        last.thing = &thing;
        last.read = m_read;
        last.sort = sort;
        std::copy_n(now, m_sorts[sort].size(), last.bytes.begin());
    }

private:
    struct Last {
        Thing* thing = nullptr;
        std::uint64_t read = 0; ///< The thing's contextRead, unless its fields were read again since.
        std::uint32_t sort = 0;
        std::array<std::byte, ContextBytes::Most> bytes;
    };

    std::vector<ContextBytes> m_sorts; ///< Event types of one sort have their fields at the same places.
    std::vector<std::uint32_t> m_sortOf; ///< By EventTypeId.
    std::vector<Last> m_last; ///< By stream.
    std::uint64_t m_read = 0;
};

} // namespace helio
