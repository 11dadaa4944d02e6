#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// What somebody knows of some types of a trace's events; of the others T(). Traces have thousands of types, and mostly a few are known:
/// the others take four bytes each, and no time to make.
template <class T> class ByEventType {
public:
    /// `of(const EventType&, EventTypeId)` says what is known, as an optional.
    template <class Of> ByEventType(const Trace& trace, const Of& of)
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

    /// Requires: a type that the trace had then.
    const T& operator[](EventTypeId type) const { return m_known[m_places[static_cast<std::size_t>(type)]]; }
    bool has(EventTypeId type) const { return m_places[static_cast<std::size_t>(type)] != 0; }
    /// Of the types of which something is known, in their order.
    std::span<const T> known() const { return std::span(m_known).subspan(1); }

private:
    std::vector<std::uint32_t> m_places; ///< In m_known.
    std::vector<T> m_known = std::vector<T>(1); ///< The first is what the others have.
};

} // namespace helio
