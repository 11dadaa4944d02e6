#pragma once

#include "core/sql/tables/table_factory.h"

#include <cstdint>

namespace helio::sql {

/// Returns the thread with an id; nullptr if there is no such thread, or if its states were not recorded.
inline const ThreadEntry* threadWithStates(const Recording& recording, std::int64_t utid)
{
    const auto& threads = recording.things->threads();
    if (utid < 0 || utid >= static_cast<std::int64_t>(threads.size()))
        return nullptr;
    const ThreadEntry& thread = threads[static_cast<std::size_t>(utid)];
    return thread.row.isValid() ? &thread : nullptr;
}

} // namespace helio::sql
