#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace helio::xml {

/// Something in a text that would have to be replaced by what stands elsewhere.
struct EntityFault {
    std::size_t offset = 0; ///< In the text.
    std::string what;
};

/// A document type that defines something itself, or a "&" that begins none of XML's own entities and no character; nothing: every "&" is
/// one of those. Such a text means something else than what stands in it, or is no XML. The text need not be well formed. Cost: linear.
std::optional<EntityFault> faultOfEntities(std::string_view text);

} // namespace helio::xml
