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

/// Rows of threads and CPUs that events name. Each row stays at its address. Threads: to be used by one thread at a time. Ownership: the
/// timeline outlives it.
class EventRows {
public:
    explicit EventRows(const Timeline& timeline)
        : m_timeline(timeline)
        , m_threads(timeline)
    {
    }

    /// Returns the row of the thread that ran as `tid` at `time`, with the trace and CPU of the event. If there is none: a row without a
    /// reference that has what the event says.
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

/// Asks a request once for each row.
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

    /// Keeps the accepted rows.
    std::vector<Row> of(std::vector<Row> rows) const
    {
        // The address of a row must not change once it was asked for.
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

/// The accepted rows of threads, found again by their references: what iterates over rows may hand over copies.
class AcceptedThreads {
public:
    AcceptedThreads(const Timeline& timeline, const std::function<bool(const Row&)>& accepts)
        : m_rows(AcceptedRows(accepts).of(threads(timeline)))
    {
        for (const Row& row : m_rows)
            m_byRef.emplace(row.ref, &row);
    }

    const std::vector<Row>& rows() const { return m_rows; }
    /// Requires: `copy` is a copy of one of the rows.
    const Row& find(const Row& copy) const { return *m_byRef.at(copy.ref); }

private:
    std::vector<Row> m_rows;
    std::unordered_map<TrackRef, const Row*, TrackRefHash> m_byRef;
};

} // namespace helio
