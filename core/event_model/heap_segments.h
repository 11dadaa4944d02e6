#pragma once

#include <string_view>

namespace helio {

// Kinds of segments of the heap analysis. Each segment is named by a stack: that of the thread that called malloc(), free()..., topped by
// the return address of that call if it was recorded. The segments lie on tracks of threads.

/// A block, from its allocation until it was freed or the trace ends. Value: bytes.
constexpr std::string_view AllocatedBlocks = "allocation";
constexpr std::string_view UnfreedBlocks = "unfreed"; ///< The blocks of AllocatedBlocks that were never freed.
constexpr std::string_view FreedBlocks = "free"; ///< The moment in which a block was freed, with the stack that freed it. Value: bytes.
constexpr std::string_view DoubleFrees = "double-free"; ///< The moment in which a freed block was freed again. Value: address.
/// The moment in which a block was freed whose allocation was not recorded. Value: address.
constexpr std::string_view UnknownFrees = "unknown-free";

} // namespace helio
