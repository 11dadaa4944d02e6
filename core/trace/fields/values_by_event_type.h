#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// Table by event type with values for some types of a trace and a default T() for all other types. Traces have thousands of types, and
/// usually few have a value: a type without a value takes four bytes.
template <class T> class ValuesByEventType {
public:
    /// Calls `of(const EventType&, EventTypeId)` for each type; it returns the type's value, or nullopt.
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

    /// Requires: the trace had the type at construction.
    const T& operator[](EventTypeId type) const { return m_known[m_places[static_cast<std::size_t>(type)]]; }
    bool has(EventTypeId type) const { return m_places[static_cast<std::size_t>(type)] != 0; }
    /// Values of the types that have one, by event type.
    std::span<const T> known() const { return std::span(m_known).subspan(1); }

private:
    std::vector<std::uint32_t> m_places; ///< Index into m_known by event type; 0 if the type has no value.
    std::vector<T> m_known = std::vector<T>(1); ///< Values; the first is the default.
};

} // namespace helio
