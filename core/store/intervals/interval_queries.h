#pragma once

#include "core/store/intervals/block_data.h"
#include "core/store/store.h"

#include <stop_token>
#include <vector>

namespace helio {

/// Queries of one track's exact intervals. Implements the interval methods of Store.
class IntervalQueries {
public:
    IntervalQueries(const BlockData& data, std::uint32_t track)
        : m_data(data)
        , m_blocks(data.index().blocksOf(track))
    {
    }

    std::vector<HostInterval> inWindow(HostRange window, std::stop_token stop) const;
    std::vector<HostInterval> at(HostTimestamp at) const;
    std::vector<HostInterval> next(HostTimestamp at) const;
    std::vector<HostInterval> previous(HostTimestamp at) const;
    std::vector<StateTotal> totals(HostRange range) const;

private:
    std::size_t firstBlockEndingAfter(std::int64_t time) const;

    /// Calls `visit` for each interval of the block that ends after `from`, in order. Stops if `visit` returns false. Returns true if it
    /// was not stopped.
    template <typename Visit> bool forEach(const BlockEntry& block, std::int64_t from, Visit visit) const;

    const BlockData& m_data;
    std::span<const BlockEntry> m_blocks;
};

} // namespace helio
