#pragma once

#include <QtGlobal>

#include <ctime>

namespace helio {

/// CPU time of the calling thread in ns.
inline qint64 threadTime()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return qint64(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// CPU time that painting took on the UI thread since the reader last reset it, in ns. Threads: UI thread.
struct PaintCost {
    qint64 bars = 0; ///< Bars of rows only.
    qint64 graphs = 0; ///< Bars, their texts and the label columns.
    static PaintCost& instance()
    {
        static PaintCost cost;
        return cost;
    }
};

/// Adds the CPU time of its lifetime to `sum`.
class PaintStopwatch {
public:
    explicit PaintStopwatch(qint64& sum)
        : m_sum(sum)
        , m_begin(threadTime())
    {
    }
    ~PaintStopwatch() { m_sum += threadTime() - m_begin; }
    PaintStopwatch(const PaintStopwatch&) = delete;
    PaintStopwatch& operator=(const PaintStopwatch&) = delete;

private:
    qint64& m_sum;
    qint64 m_begin;
};

} // namespace helio
