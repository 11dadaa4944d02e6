// Benchmark of catalogues: 10,000 traces made of recorded ones are added, and queried as `heliograph fleet sql` does, each time from the
// opening of the catalogue.

#include "core/findings/finding_scope.h"
#include "core/findings/findings.h"
#include "core/fleet/catalogue.h"
#include "core/fleet/summarize.h"
#include "tests/bench/sections/made_fleet.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "tests/support/real_traces.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace helio::bench {
namespace {

constexpr std::int64_t Traces = 10'000;
constexpr std::int64_t Hosts = 1'000;

/// Returns summaries of the recorded traces that are available.
std::vector<fleet::TraceSummary> recordedSummaries(const std::filesystem::path& stores)
{
    std::vector<std::string> paths{SOURCE_DIR "/resources/samples/workers", SOURCE_DIR "/tests/fixtures/kernel-small",
                                   SOURCE_DIR "/tests/fixtures/containers-small"};
    for (const auto& [collection, below] :
         {std::pair("lttng-kernel", "plain"), std::pair("lttng-kernel", "login"), std::pair("disks", "disks"),
          std::pair("two-hosts", "web"), std::pair("two-hosts", "db"), std::pair("host-guest", "host")})
        if (const QString path = realTrace(collection, below); !path.isEmpty())
            paths.push_back(path.toStdString());
    std::vector<fleet::TraceSummary> summaries;
    for (const std::string& path : paths) {
        const auto experiment = openExperiment(path, stores);
        const auto timeline = experiment->timeline();
        const FindingRequest request{timeline};
        summaries.push_back(fleet::beginSummary(path));
        fleet::addFacts(summaries.back(), *timeline);
        fleet::addLatencies(summaries.back(), timeline);
        fleet::addFindings(summaries.back(), collectFindings(request), *timeline, FindingScope(request).window());
    }
    return summaries;
}

/// Returns the summary of the trace with a number: a recorded one, of another host and time.
fleet::TraceSummary summaryOf(std::int64_t number, const std::vector<fleet::TraceSummary>& recorded)
{
    fleet::TraceSummary it = recorded[static_cast<std::size_t>(number) % recorded.size()];
    const std::int64_t shift = number * 1'000'000'000;
    it.identity += '-' + std::to_string(number);
    it.path = "/traces/" + std::to_string(number);
    it.host = "host-" + std::to_string(number * 7 % Hosts);
    for (auto* const time : {&it.beginNs, &it.endNs})
        if (*time)
            **time += shift;
    for (fleet::SummaryFinding& finding : it.findings) {
        finding.beginNs += shift;
        finding.endNs += shift;
        finding.host = finding.host.empty() ? finding.host : it.host;
    }
    it.tags = {{"workload", number % 10 == 0 ? "checkout" : "search"}};
    return it;
}

/// Counts the rows of a query.
class RowCount final : public sql::RowReceiver {
public:
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value>) override { return ++rows > 0; }
    std::int64_t rows = 0;
};

/// Opens the catalogue and runs a query. Returns the number of rows.
std::int64_t ask(const std::filesystem::path& catalogue, const char* query)
{
    RowCount count;
    const auto database = fleet::openForQueries(catalogue);
    if (!database)
        stop("fleet: " + database.error().what);
    if (const Status done = (*database)->run(query, count); !done)
        stop("fleet: " + done.error().what);
    return count.rows;
}

} // namespace

void measureFleet(Measuring& m)
{
    const std::filesystem::path path = m.subject.scratch() / "fleet.db";
    const auto recorded = recordedSummaries(m.subject.stores());
    const double seconds = secondsOf([&] {
        const auto catalogue = fleet::Catalogue::open(path);
        if (!catalogue)
            stop("fleet: " + catalogue.error().what);
        for (std::int64_t begin = 0; begin < Traces; begin += 200) {
            std::vector<fleet::TraceSummary> some;
            for (std::int64_t i = begin; i < begin + 200; ++i)
                some.push_back(summaryOf(i, recorded));
            if (const Status added = (*catalogue)->add(some); !added)
                stop("fleet: " + added.error().what);
        }
    });
    m.figures.add({"fleet_add", fmt::format("{} traces added to a catalogue, each", Traces), "ms", 1e3 * seconds / double(Traces)});
    m.figures.add(
        {"fleet_size", "size of the catalogue for each trace", "KiB", double(std::filesystem::file_size(path)) / 1024 / double(Traces)});
    const auto measure = [&](const char* id, const char* what, const char* query) {
        Samples samples;
        std::int64_t rows = 0;
        for (int i = 0; i < m.repeat; ++i)
            samples.add(1e3 * secondsOf([&] { rows = ask(path, query); }));
        m.figures.add({id, fmt::format("{}: {} rows", what, rows), "ms", samples.best(), samples.median(), {}, atMost(200)});
    };
    measure("fleet_worst", "the 20 traces with the worst findings", "SELECT * FROM worst_finding ORDER BY share DESC LIMIT 20");
    measure("fleet_finders", "findings and their time by finder",
            "SELECT finder, count(*), sum(explained_ns) FROM finding GROUP BY finder");
    measure("fleet_hosts", "traces and lost events by host", "SELECT host, count(*), sum(lost_events) FROM trace GROUP BY host");
    measure("fleet_wakeup", "percentiles of scheduling latency over the fleet",
            "SELECT * FROM fleet_latency WHERE kind = 'wakeup' AND name = ''");
    measure("fleet_name", "percentiles of one system call by host",
            "SELECT host, digest_percentile(digest_merge(histogram), 99) FROM digest JOIN trace ON trace.id = trace_id "
            "WHERE kind = 'syscall' AND name = 'read' GROUP BY host");
    measure("fleet_all", "percentiles of all kinds and names over the fleet", "SELECT * FROM fleet_latency");
    measure("fleet_tag", "scheduling latency of the traces with a tag",
            "SELECT value, digest_percentile(digest_merge(histogram), 99) FROM tag JOIN digest USING (trace_id) "
            "WHERE tag.name = 'workload' AND kind = 'wakeup' AND digest.name = '' GROUP BY value");
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    measureMadeFleet(m);
}

} // namespace helio::bench
