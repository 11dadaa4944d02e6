#pragma once

#include <QtGlobal>

#include <ctime>

namespace helio {

/// ns that the calling thread has computed.
inline qint64 threadTime()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return qint64(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// What painting took of the UI thread since somebody last asked, in ns. UI thread.
struct PaintCost {
    qint64 bars = 0; ///< The rows' bars alone.
    qint64 graphs = 0; ///< Bars, their texts, the label columns.
    static PaintCost& instance()
    {
        static PaintCost cost;
        return cost;
    }
};

/// Adds what is computed while it lives.
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
