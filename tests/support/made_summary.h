#pragma once

#include "core/fleet/trace_summary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio::test {

/// Returns a made summary of a trace, whose members all have values. `number` makes identity, path, host and durations.
inline fleet::TraceSummary madeSummary(std::int64_t number, std::int64_t indexedNs = 1'000)
{
    fleet::TraceSummary it;
    const std::string text = std::to_string(number);
    it.path = "/traces/" + text;
    it.machine = "indexer";
    it.indexedNs = indexedNs;
    it.indexedBy = "1.2.3";
    it.storeVersion = "16.0";
    it.tags = {{"workload", "checkout"}};
    it.identity = "identity-" + text;
    it.uuid = "uuid-" + text;
    it.host = "host-" + std::to_string(number % 100);
    it.boot = "boot";
    it.kernel = "6.1.0";
    it.format = "CTF";
    it.reader = "heliograph";
    it.beginNs = 1'700'000'000'000'000'000 + number;
    it.endNs = *it.beginNs + 10'000'000'000;
    it.traces = 1;
    it.events = 1'000 + static_cast<std::uint64_t>(number);
    it.lostEvents = 1;
    it.lostPackets = 2;
    it.gaps = 3;
    it.streams = 4;
    it.cpus = 8;
    it.bytes = 123'456;
    it.cpuBusyShare = 0.25;
    it.findings.push_back({"throttling", "app", "app was throttled", "detail \"quoted\"", it.host, "heliograph latency", "thread.throttled",
                           Duration(5'000'000'000 - number), 0.5, *it.beginNs, *it.endNs, 41});
    it.moreFindings = 1;
    it.quality = {{"No events were lost.", false}, {"Events were lost.", true}};
    fleet::SummaryLatency latency;
    latency.kind = "syscall";
    for (std::int64_t i = 1; i <= 100; ++i)
        latency.digest.add(Duration(i * (1'000 + number)));
    latency.median = Duration(50 * (1'000 + number));
    latency.p90 = Duration(90 * (1'000 + number));
    latency.p99 = Duration(99 * (1'000 + number));
    it.latencies.push_back(latency);
    latency.name = "read";
    it.latencies.push_back(latency);
    return it;
}

/// Returns the summary of a trace that could not be read.
inline fleet::TraceSummary failedSummary(std::int64_t number, std::int64_t indexedNs = 1'000)
{
    fleet::TraceSummary it;
    it.path = "/traces/" + std::to_string(number);
    it.machine = "indexer";
    it.indexedNs = indexedNs;
    it.indexedBy = "1.2.3";
    it.storeVersion = "16.0";
    it.error = "permission denied";
    return it;
}

} // namespace helio::test
