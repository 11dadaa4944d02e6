#pragma once

#include "core/trace/event.h"
#include "core/trace/fields/field_ref.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::heap {

/// Effect of one call of malloc(), free() or a related function.
struct HeapChange {
    std::uint64_t freed = 0; ///< Address of the block that the call freed; 0 if none.
    std::uint64_t allocated = 0; ///< Address of the block that the call allocated; 0 if none.
    std::uint64_t bytes = 0; ///< Size of the allocated block in bytes.
};

/// Returns true if an event type with this name belongs to LTTng-UST's libc wrapper.
bool isHeapEvent(std::string_view name);

/// Reads events of one type of LTTng-UST's libc wrapper, liblttng-ust-libc-wrapper(3): "lttng_ust_libc:malloc", in old versions
/// "ust_libc:malloc".
class HeapEvent {
public:
    HeapEvent() = default;
    explicit HeapEvent(const EventType& type);

    /// Returns false if the event type neither allocates nor frees memory.
    bool isKnown() const { return m_call != Call::None; }
    HeapChange changeOf(const EventView& event) const;
    /// Returns the return address of the call, from the context `ip`; nullopt if not recorded.
    std::optional<std::uint64_t> calledFrom(const EventView& event) const;

private:
    enum class Call : std::uint8_t { None, Allocate, Reallocate, Free };
    struct KnownFunction;

    std::uint64_t bytesOf(const EventView& event) const;

    Call m_call = Call::None;
    FieldRef m_block; ///< Address of the allocated block; for free() the address of the freed block.
    FieldRef m_old; ///< For realloc(): field with the address of the freed block.
    FieldRef m_count; ///< For calloc(): number of elements, which have m_size bytes each.
    FieldRef m_size;
    FieldRef m_result; ///< For posix_memalign(): field with the result, 0 on success.
    FieldRef m_ip;
};

} // namespace helio::heap
