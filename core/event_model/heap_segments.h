#pragma once

#include <string_view>

namespace helio {

// The kinds of segments of the heap analysis. All are named by frames: the stack of whoever called malloc(), free()... on top of which,
// where it was recorded, the return address of that call lies. They lie on tracks of threads.

/// A block from when it was allocated until it was freed, or until the trace ends; its bytes.
constexpr std::string_view AllocatedBlocks = "allocation";
constexpr std::string_view UnfreedBlocks = "unfreed"; ///< Those among them that nobody freed.
constexpr std::string_view FreedBlocks = "free"; ///< The moment in which one was freed, and who did; its bytes.
constexpr std::string_view DoubleFrees = "double-free"; ///< The moment in which a block was freed once more; its address.
constexpr std::string_view UnknownFrees = "unknown-free"; ///< The same of what the recording never saw allocated.

} // namespace helio
