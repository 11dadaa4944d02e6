#pragma once

#include <QtGlobal>

#include <ctime>

namespace helio {

/// Returns the CPU time of the calling thread in ns.
inline qint64 threadTime()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return qint64(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// CPU time in ns that the UI thread spent on painting since the reader last reset it.
/// Threads: UI thread.
struct PaintCost {
    qint64 bars = 0; ///< CPU time for the bars of rows.
    qint64 graphs = 0; ///< CPU time for time graphs: bars, texts on bars and label columns.
    static PaintCost& instance()
    {
        static PaintCost cost;
        return cost;
    }
};

/// Adds the CPU time during its lifetime to `sum`.
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
