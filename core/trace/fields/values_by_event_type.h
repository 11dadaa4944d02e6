#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// Table of values by event type. Types without a value share a default T() and cost four bytes each: traces have thousands of types, and
/// usually few have a value.
template <class T> class ValuesByEventType {
public:
    /// Constructs the table for the event types of `trace`. Calls `of(const EventType&, EventTypeId)` for each type; `of` returns the
    /// type's value, or nullopt if the type has none.
    template <class Of> ValuesByEventType(const Trace& trace, const Of& of)
    {
        m_places.reserve(trace.eventTypes().size());
        std::uint32_t number = 0;
        for (const auto& type : trace.eventTypes()) {
            std::optional<T> known = of(*type, EventTypeId{number++});
            m_places.push_back(known ? static_cast<std::uint32_t>(m_known.size()) : 0);
            if (known)
                m_known.push_back(*std::move(known));
        }
    }

    /// Requires: the trace had `type` when the table was constructed.
    const T& operator[](EventTypeId type) const { return m_known[m_places[static_cast<std::size_t>(type)]]; }
    bool has(EventTypeId type) const { return m_places[static_cast<std::size_t>(type)] != 0; }
    /// Values of all types that have one, ordered by event type.
    std::span<const T> known() const { return std::span(m_known).subspan(1); }

private:
    std::vector<std::uint32_t> m_places; ///< Index into m_known for each event type; 0 if the type has no value.
    std::vector<T> m_known = std::vector<T>(1); ///< The default value at index 0, then the values of the event types that have a value.
};

} // namespace helio
