#pragma once

#include "core/query/rows/arrows.h"
#include "core/sql/model/recorded_things.h"

#include <cstdint>
#include <optional>

namespace helio::sql {

/// The waker of a thread: a thread, or what interrupted it.
struct Waker {
    std::uint32_t thread = 0; ///< Index into RecordedThings::threads().
    Timestamp at; ///< Time of the wake-up.
    bool isInterrupt = false; ///< True if an interrupt woke the thread while the waker was on the CPU.
};

/// Returns the waker of a wake-up; nullopt if it is unknown.
std::optional<Waker> findWaker(const RecordedThings& things, const Arrow& wakeup);

} // namespace helio::sql
