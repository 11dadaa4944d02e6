#pragma once

#include <chrono>
#include <ctime>
#include <vector>

namespace helio::bench {

/// Runs work() and returns the elapsed time in seconds.
double secondsOf(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// CPU time of the calling thread in seconds.
inline double threadSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}
double threadSecondsOf(const auto& work)
{
    const double begin = threadSeconds();
    work();
    return threadSeconds() - begin;
}

/// Repeated measurements of one value. The best one is reported, because disturbances can only slow a run down.
class Samples {
public:
    void add(double value) { m_values.push_back(value); }
    bool isEmpty() const { return m_values.empty(); }
    double best() const { return at(0); }
    double median() const { return at(0.5); }
    double worst() const { return at(1); }
    /// Returns the percentile `share` (0 to 1) of the measurements. For example, 99 % of the measurements do not exceed at(0.99).
    double at(double share) const;

private:
    std::vector<double> m_values;
};

} // namespace helio::bench
