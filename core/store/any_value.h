#pragma once

#include <cstdint>
#include <optional>

namespace helio {

/// What a value of ValueKind::Any is: its two highest bits say which of these, the others are the number, or where it is.
class AnyValue {
public:
    enum class Kind : std::uint8_t {
        Small, ///< A signed number of 30 bits, itself.
        Integer, ///< As ValueKind::Integer.
        Real, ///< As ValueKind::Real.
        Text, ///< As ValueKind::Text.
    };
    static constexpr std::uint32_t MostIndex = (1u << 30) - 1;

    /// Nothing: it does not fit into 30 bits.
    static constexpr std::optional<std::uint32_t> small(std::int64_t number)
    {
        constexpr std::int64_t Limit = std::int64_t(1) << 29;
        return number >= -Limit && number < Limit ? std::optional(static_cast<std::uint32_t>(number) & MostIndex) : std::nullopt;
    }
    /// Requires: index <= MostIndex, a kind but Small.
    static constexpr std::uint32_t of(Kind kind, std::uint32_t index) { return static_cast<std::uint32_t>(kind) << 30 | index; }

    static constexpr Kind kindOf(std::uint32_t value) { return static_cast<Kind>(value >> 30); }
    static constexpr std::uint32_t indexOf(std::uint32_t value) { return value & MostIndex; }
    /// Requires: Small.
    static constexpr std::int32_t numberOf(std::uint32_t value) { return static_cast<std::int32_t>(value << 2) >> 2; }
};

} // namespace helio
