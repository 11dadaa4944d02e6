#include "core/compare/cpu_difference.h"

#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <limits>

namespace helio {
namespace {

double amount(const CpuUtilization& use, CpuWork work)
{
    switch (work) {
    case CpuWork::User: return double(use.user);
    case CpuWork::Kernel: return double(use.kernel) + double(use.interrupt);
    case CpuWork::Busy: break;
    }
    return double(use.user) + double(use.kernel) + double(use.interrupt);
}

/// Maximum unknown share of the CPUs' time; above it, the number of busy CPUs is unknown.
constexpr double MostUnknown = 0.05;

/// Returns true if all CPUs of the host were sampled, so that time without samples is idle time.
bool isSampled(const Timeline& timeline, std::uint32_t host)
{
    bool isSampled = false;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace& it) {
        isSampled |=
            it.host == host && it.trace && it.trace->info().part.isAll() && cpuTimeKind(store.samples()) != store.samples().kinds().size();
    });
    return isSampled;
}

/// Returns for each bucket of `window` whether it is not completely inside the recording.
std::vector<bool> areOutside(const Timeline& timeline, TimeRange window, std::size_t buckets)
{
    const TimeRange recorded = rangeOf(timeline);
    const auto at = [&](std::size_t n) {
        return window.begin + Duration(static_cast<std::int64_t>(double(window.duration().count()) * double(n) / double(buckets)));
    };
    std::vector<bool> outside(buckets);
    for (std::size_t i = 0; i < buckets; ++i)
        outside[i] = at(i) < recorded.begin || at(i + 1) > recorded.end;
    return outside;
}

} // namespace

std::vector<double> computeBusyCpus(const Timeline& timeline, CpuWork work, TimeRange window, std::size_t buckets, std::stop_token stop)
{
    std::vector<double> cpus(buckets);
    std::vector<double> unknown(buckets);
    double all = 0;
    const std::vector<HostFacts> hosts = hostFacts(timeline);
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
        const std::vector<CpuUtilization> use = cpuUtilization(timeline, host, window, buckets, stop);
        const bool hasRest = !isSampled(timeline, host);
        all += hosts[host].cpus;
        for (std::size_t i = 0; i < buckets; ++i) {
            cpus[i] += amount(use[i], work) * hosts[host].cpus;
            unknown[i] += hasRest ? double(use[i].unknown) * hosts[host].cpus : 0;
        }
    }
    const std::vector<bool> outside = areOutside(timeline, window, buckets);
    for (std::size_t i = 0; i < buckets; ++i)
        if (outside[i] || all == 0 || unknown[i] > MostUnknown * all)
            cpus[i] = std::numeric_limits<double>::quiet_NaN();
    return cpus;
}

std::vector<double> computeCpuDifference(const Timeline& a, const Timeline& b, const Alignment& alignment, CpuWork work, TimeRange window,
                                         std::size_t buckets, std::stop_token stop)
{
    const TimeRange windowOfB{alignment.toB(window.begin), alignment.toB(window.end)};
    const std::vector<double> ofA = computeBusyCpus(a, work, window, buckets, stop);
    const std::vector<bool> outsideA = areOutside(a, window, buckets);
    const std::vector<bool> outsideB = areOutside(b, windowOfB, buckets);
    std::vector<double> difference = computeBusyCpus(b, work, windowOfB, buckets, stop);
    for (std::size_t i = 0; i < buckets; ++i) {
        const bool isOver = outsideA[i] != outsideB[i]; // True if only one side is recorded in the bucket. The other side counts as 0.
        difference[i] = isOver ? (outsideB[i] ? -ofA[i] : difference[i]) : difference[i] - ofA[i];
    }
    return difference;
}

} // namespace helio
