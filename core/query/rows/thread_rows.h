#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace helio {

/// Index of the threads' rows by host and TID.
/// Threads: to be used by one thread.
/// Cost: construction makes the rows of all threads.
class ThreadRows {
public:
    explicit ThreadRows(const Timeline& timeline)
    {
        for (Row& row : threads(timeline))
            m_rows[{row.host, row.tid}].push_back(std::move(row));
    }

    /// Returns the thread's row; nullptr if no thread with that TID had a row at that time.
    const Row* find(std::uint32_t host, std::int32_t tid, Timestamp at) const
    {
        if (const auto found = m_rows.find({host, tid}); found != m_rows.end() && tid >= 0)
            for (const Row& row : found->second)
                if (row.life.begin <= at && at <= row.life.end)
                    return &row;
        return nullptr;
    }

private:
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Row>> m_rows;
};

} // namespace helio
