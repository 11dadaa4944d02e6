#pragma once

#include <cstdint>
#include <optional>

namespace helio {

/// Functions for values of ValueKind::Any. The two highest bits of a value are its Kind. The other 30 bits are a number (Small), or
/// the index or id of a number or text in the store.
class AnyValue {
public:
    enum class Kind : std::uint8_t {
        Small, ///< A signed 30-bit number, stored in the value itself.
        Integer, ///< Index of a 64-bit integer in the store (see ValueKind::Integer).
        Real, ///< Index of a double in the store (see ValueKind::Real).
        Text, ///< StringId of a text (see ValueKind::Text).
    };
    static constexpr std::uint32_t MostIndex = (1u << 30) - 1;

    /// Returns the value for a small number; nullopt if `number` does not fit into 30 bits.
    static constexpr std::optional<std::uint32_t> small(std::int64_t number)
    {
        constexpr std::int64_t Limit = std::int64_t(1) << 29;
        return number >= -Limit && number < Limit ? std::optional(static_cast<std::uint32_t>(number) & MostIndex) : std::nullopt;
    }
    /// Returns the value for an index or id. Requires: index <= MostIndex; `kind` is not Small.
    static constexpr std::uint32_t of(Kind kind, std::uint32_t index) { return static_cast<std::uint32_t>(kind) << 30 | index; }

    static constexpr Kind kindOf(std::uint32_t value) { return static_cast<Kind>(value >> 30); }
    static constexpr std::uint32_t indexOf(std::uint32_t value) { return value & MostIndex; }
    /// Returns the small number. Requires: kindOf(value) is Small.
    static constexpr std::int32_t numberOf(std::uint32_t value) { return static_cast<std::int32_t>(value << 2) >> 2; }
};

} // namespace helio
