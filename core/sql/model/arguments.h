#pragma once

#include "core/query/events/events.h"
#include "core/sql/engine/filter.h"
#include "core/sql/model/slices.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::sql {

/// A field of an event or a slice, as a row of the table `args`.
struct ArgumentRow {
    std::int64_t set = 0; ///< Id of the set (`arg_set_id`).
    std::string key; ///< Path of the field, e.g. "regs.ip" or "stack[2]".
    std::string flatKey; ///< Path without indices, e.g. "stack".
    Value value;
    std::string_view type; ///< Type of the value as the table names it: int, uint, string, real, bool or null.
    std::string display; ///< Value as the event list shows it.
};

/// Reads the fields of events and slices by the ids of their sets.
/// Threads: to be used by one thread.
class Arguments {
public:
    explicit Arguments(std::shared_ptr<const Slices> slices);

    /// Returns the arguments of a set; empty if there is no such set.
    /// Cost: decodes one event; for system calls and slices that an application recorded, up to 128 events, few if their times go forward.
    /// The last set is cached.
    const std::vector<ArgumentRow>& of(std::int64_t set, const std::stop_token& stop = {});

    std::uint64_t events() const { return m_events.size(); } ///< Number of events, each of which has a set.

private:
    void readEvent(std::int64_t set, const std::stop_token& stop);
    void readSlice(std::int64_t set, const std::stop_token& stop);

    std::shared_ptr<const Slices> m_slices;
    EventTable m_events;
    std::int64_t m_set = -1; ///< Id of the set in `m_rows`.
    std::vector<ArgumentRow> m_rows;
};

} // namespace helio::sql
