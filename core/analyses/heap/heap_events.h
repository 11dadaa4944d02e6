#pragma once

#include "core/trace/event.h"
#include "core/trace/fields/field_ref.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::heap {

/// What a call of malloc(), free() or one of their kind did.
struct HeapChange {
    std::uint64_t freed = 0; ///< An address; 0: it freed nothing.
    std::uint64_t allocated = 0; ///< An address; 0: it allocated nothing.
    std::uint64_t bytes = 0; ///< That it allocated.
};

/// Whether an event of that name may be one of those.
bool isOfHeap(std::string_view name);

/// An event type of LTTng-UST's wrapper of libc, liblttng-ust-libc-wrapper(3): "lttng_ust_libc:malloc", of old "ust_libc:malloc"...
class HeapEvent {
public:
    HeapEvent() = default;
    explicit HeapEvent(const EventType& type);

    /// False: the type says nothing of the heap.
    bool isKnown() const { return m_call != Call::None; }
    HeapChange changeOf(const EventView& event) const;
    /// The return address of the call, from the context ip. Nothing: it was not recorded.
    std::optional<std::uint64_t> calledFrom(const EventView& event) const;

private:
    enum class Call : std::uint8_t { None, Allocate, Reallocate, Free };
    struct Known;

    std::uint64_t bytesOf(const EventView& event) const;

    Call m_call = Call::None;
    FieldRef m_block; ///< What was allocated; of free() what is freed.
    FieldRef m_old; ///< Of realloc(): what is freed.
    FieldRef m_count; ///< Of calloc(): so many of the size.
    FieldRef m_size;
    FieldRef m_result; ///< Of posix_memalign(): 0: it was done.
    FieldRef m_ip;
};

} // namespace helio::heap
