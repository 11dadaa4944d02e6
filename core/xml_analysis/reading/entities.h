#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace helio::xml {

/// A part of a text that would have to be replaced by a text from elsewhere.
struct EntityFault {
    std::size_t offset = 0; ///< Offset in the text, in bytes.
    std::string what;
};

/// Finds a document type with definitions of its own, or a "&" that begins neither an entity of XML itself nor a character. The meaning of
/// a text with such a fault does not follow from the text alone, or the text is no XML. Returns nothing if there is no fault. The text need
/// not be well formed.
/// Cost: linear.
std::optional<EntityFault> findEntityFault(std::string_view text);

} // namespace helio::xml
