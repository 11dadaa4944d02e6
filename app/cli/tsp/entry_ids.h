#pragma once

#include "core/counters/counters.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

/// Entry of an output: a row, or a series of a chart.
struct OutputEntry {
    std::string output; ///< ID of the output that shows the entry.
    TrackRef track; ///< Row of the entry; not valid for groups and series.
    std::optional<CounterRef> series; ///< Counter of the entry; nullopt for rows and for series that are no counters.
    std::string other; ///< Identity of an entry that is neither a row nor a counter; else empty.
    bool operator==(const OutputEntry&) const = default;
};

/// Numbers by which clients name entries. An entry keeps its number as long as its experiment is open.
/// Threads: any.
/// Memory: about 200 bytes for each entry that a client has seen.
class EntryIds {
public:
    /// Returns the number of an entry, from 0; gives it the next one if it has none.
    std::int64_t idOf(const OutputEntry& entry);
    /// Returns the number of a row's entry; nullopt if no client has seen it.
    std::optional<std::int64_t> idOfRow(std::string_view output, TrackRef track) const;
    /// Returns the entry with a number, if it belongs to the output; nullopt if there is none.
    std::optional<OutputEntry> find(std::string_view output, std::int64_t id) const;

private:
    mutable std::mutex m_mutex; ///< Guards all members.
    std::vector<OutputEntry> m_entries; ///< Entries by number.
    std::unordered_map<std::string, std::int64_t> m_ids; ///< Numbers by the text of the entry.
};

} // namespace helio
