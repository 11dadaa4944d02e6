#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio::sql {

/// Reads the rows of many sources in time order, one part of the time range after the other, so that memory stays small.
///
/// `Row` has a member `Timestamp ts`. Memory: about PartRows rows, more if very many rows have nearly the same time.
template <typename Row> class RowsByTime {
public:
    /// Appends the rows of one source after the other whose `ts` is in `part`, each source in time order.
    using Collect = std::function<void(TimeRange part, std::vector<Row>& rows)>;

    RowsByTime() = default;
    /// `wanted` is the time range to read. `whole` is the time range of the table, and `expected` the approximate number of rows in it; the
    /// length of the parts is computed from both.
    RowsByTime(TimeRange wanted, TimeRange whole, std::uint64_t expected, Collect collect, std::stop_token stop)
        : m_collect(std::move(collect))
        , m_stop(std::move(stop))
        , m_next(wanted.begin)
        , m_end(wanted.end)
    {
        const auto parts = [expected](std::size_t rows) { return static_cast<std::int64_t>(expected / rows + 1); };
        m_longest = std::max(Duration(1), whole.duration() / parts(PartRows));
        m_step = std::max(Duration(1), whole.duration() / parts(FirstRows));
    }

    /// Moves to the next row; the first call moves to the first row. Returns false at the end or after a stop request.
    bool next()
    {
        if (m_at + 1 < m_rows.size()) {
            ++m_at;
            return true;
        }
        m_rows.clear();
        m_at = 0;
        while (m_rows.empty() && m_next < m_end && !m_stop.stop_requested())
            readPart();
        return !m_rows.empty();
    }

    const Row& row() const { return m_rows[m_at]; }

private:
    static constexpr std::size_t FirstRows = 2'048; ///< Rows of the first part: few, because many queries want only the first rows.
    static constexpr std::size_t PartRows = 65'536;

    void readPart()
    {
        const Timestamp end = m_end - m_next > m_step ? m_next + m_step : m_end;
        m_collect({m_next, end}, m_rows);
        std::ranges::stable_sort(m_rows, {}, &Row::ts);
        m_next = end;
        if (m_rows.size() < PartRows / 2)
            m_step = m_step > m_longest / 2 ? std::max(m_step, m_longest) : m_step * 2;
        else if (m_rows.size() > PartRows * 2)
            m_step = std::max(Duration(1), m_step / 2);
    }

    Collect m_collect;
    std::stop_token m_stop;
    Timestamp m_next; ///< Begin of the part to read next.
    Timestamp m_end;
    Duration m_step{}; ///< Length of the part to read next.
    Duration m_longest{}; ///< Longest part: after a quiet time, there may be a busy one.
    std::vector<Row> m_rows;
    std::size_t m_at = 0;
};

} // namespace helio::sql
