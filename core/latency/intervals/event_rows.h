#pragma once

#include "core/experiment/timeline.h"
#include "core/query/rows/thread_rows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio {

/// Finds and keeps the rows of the threads and CPUs of events. Rows keep their addresses.
/// Threads: used by one thread at a time.
/// Ownership: the caller keeps the timeline alive while this object exists.
class EventRows {
public:
    explicit EventRows(const Timeline& timeline)
        : m_timeline(timeline)
        , m_threads(timeline)
    {
    }

    /// Returns the row of the thread that had the TID `tid` at `time`, a copy in which trace and CPU are those of the event. If there
    /// is no such thread, returns a row with an invalid `ref` and the numbers from the event.
    const Row& at(std::uint32_t trace, std::int32_t tid, std::int32_t cpu, Timestamp time)
    {
        const std::uint32_t host = m_timeline.traces[trace].host;
        const Row* const thread = m_threads.find(host, tid, time);
        const auto [it, isNew] = m_rows.try_emplace({thread, trace, tid, cpu});
        if (isNew) {
            if (thread)
                it->second = *thread;
            it->second.trace = trace;
            it->second.host = host;
            it->second.tid = tid;
            it->second.cpu = cpu;
        }
        return it->second;
    }

private:
    const Timeline& m_timeline;
    ThreadRows m_threads;
    std::map<std::tuple<const Row*, std::uint32_t, std::int32_t, std::int32_t>, Row> m_rows;
};

/// Caches for each row whether a request accepts it (IntervalRequest::accepts), so that the request is called once per row.
class AcceptedRows {
public:
    explicit AcceptedRows(const std::function<bool(const Row&)>& accepts)
        : m_accepts(accepts)
    {
    }

    bool has(const Row& row)
    {
        if (!m_accepts)
            return true;
        const auto [it, isNew] = m_answers.try_emplace(&row);
        if (isNew)
            it->second = m_accepts(row);
        return it->second;
    }

    /// Returns the rows in `rows` for which m_accepts returns true; all rows if m_accepts is empty.
    std::vector<Row> of(std::vector<Row> rows) const
    {
        // Reserve: a row's address must not change after `m_accepts` was called with it.
        std::vector<Row> kept;
        kept.reserve(rows.size());
        for (Row& row : rows) {
            kept.push_back(std::move(row));
            if (m_accepts && !m_accepts(kept.back()))
                kept.pop_back();
        }
        return kept;
    }

private:
    const std::function<bool(const Row&)>& m_accepts;
    std::map<const Row*, bool> m_answers;
};

/// Rows of the threads that the caller accepts. Functions that iterate over rows may pass copies of them; find() returns the
/// element of rows() that equals such a copy.
class AcceptedThreads {
public:
    AcceptedThreads(const Timeline& timeline, const std::function<bool(const Row&)>& accepts)
        : m_rows(AcceptedRows(accepts).of(threads(timeline)))
    {
        for (const Row& row : m_rows)
            m_byRef.emplace(row.ref, &row);
    }

    const std::vector<Row>& rows() const { return m_rows; }
    /// Returns the element of rows() for the same track as `copy`. Requires: rows() contains a row for that track.
    const Row& find(const Row& copy) const { return *m_byRef.at(copy.ref); }

private:
    std::vector<Row> m_rows;
    std::unordered_map<TrackRef, const Row*, TrackRefHash> m_byRef;
};

} // namespace helio
