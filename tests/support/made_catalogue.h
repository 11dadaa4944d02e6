#pragma once

#include "core/fleet/catalogue.h"
#include "core/sql/engine/shared_database.h"
#include "tests/support/made_summary.h"
#include "tests/support/sql_rows.h"

#include <QString>
#include <QTemporaryDir>

#include <string>
#include <vector>

namespace helio::test {

/// Returns the summary of a trace of host `number` (two digits), which waited for a CPU up to `worstUs` µs: `share` of its time is
/// explained by throttling, and 1 % by slow storage. Without losses.
inline fleet::TraceSummary fleetSummary(std::int64_t number, double share, std::int64_t worstUs)
{
    fleet::TraceSummary it = madeSummary(number);
    it.host = (number < 10 ? "web-0" : "web-") + std::to_string(number);
    it.lostEvents = it.lostPackets = it.gaps = 0;
    it.findings.clear();
    it.findings.push_back({"throttling", "app", "app was throttled " + std::to_string(number) + " times", "every 250 ms", it.host,
                           "heliograph latency", "thread.throttled", Duration(std::int64_t(share * 10e9)), share, *it.beginNs, *it.endNs,
                           41});
    it.findings.push_back({"slow-storage", "fsync", "fsync took up to 131 ms", "", it.host, "", "disk.write", Duration(100'000'000), 0.01,
                           *it.beginNs, *it.endNs, 2});
    it.moreFindings = 0;
    it.latencies.clear();
    for (const char* const kind : {"wakeup", "block"}) {
        fleet::SummaryLatency latency;
        latency.kind = kind;
        for (std::int64_t i = 1; i <= 1'000; ++i)
            latency.digest.add(Duration(i * 100));
        latency.digest.add(Duration(worstUs * 1'000));
        latency.median = Duration(50'000);
        latency.p90 = Duration(90'000);
        latency.p99 = Duration(99'000);
        it.latencies.push_back(latency);
    }
    return it;
}

/// A catalogue in a temporary folder.
class MadeFleet {
public:
    explicit MadeFleet(const std::vector<fleet::TraceSummary>& summaries) { add(summaries); }

    std::string path() const { return m_folder.filePath("shop-prod.db").toStdString(); }
    QString file() const { return QString::fromStdString(path()); }
    QString folder() const { return m_folder.path(); }

    void add(const std::vector<fleet::TraceSummary>& summaries) const
    {
        const auto catalogue = fleet::Catalogue::open(path());
        if (!catalogue)
            qFatal("%s", catalogue.error().what.c_str());
        if (const Status added = (*catalogue)->add(summaries); !added)
            qFatal("%s", added.error().what.c_str());
    }
    std::vector<std::string> ask(const std::string& query) const
    {
        const auto database = fleet::openForQueries(path());
        if (!database)
            qFatal("%s", database.error().what.c_str());
        return queryRows(**database, query);
    }
    /// Changes the catalogue like a foreign program.
    void change(const std::string& statements) const
    {
        const auto database = sql::SharedDatabase::open(path(), sql::SharedDatabase::Access::Change);
        if (!database)
            qFatal("%s", database.error().what.c_str());
        if (const Status done = (*database)->execute(statements); !done)
            qFatal("%s", done.error().what.c_str());
    }

private:
    QTemporaryDir m_folder;
};

/// Statements that fill a catalogue with values of wrong types, absurd numbers, huge texts, and histograms that are none.
inline const char* const HostileStatements = R"(
UPDATE trace SET host = NULL, begin_ns = 9223372036854775807, duration_ns = -5, events = 'many', cpu_busy_share = 1e308 WHERE id = 1;
UPDATE trace SET begin_ns = -9223372036854775807, duration_ns = 9223372036854775807, lost_events = -1, gaps = 9223372036854775807,
    cpu_busy_share = -9, path = x'ff00fe', machine = 5 WHERE id = 2;
UPDATE trace SET host = '<img src="/etc/passwd"><b>' || hex(zeroblob(500000)), kernel = hex(zeroblob(500000)), path = '' WHERE id = 3;
UPDATE finding SET text = hex(zeroblob(500000)), finder = '', color = '#zzz', share = 'x', explained_ns = 9223372036854775807 WHERE trace_id = 1;
UPDATE finding SET text = '', color = hex(zeroblob(500000)), share = 1e300, explained_ns = -1, rank = 'first', finder = x'00ff' WHERE trace_id = 2;
UPDATE finding SET text = '<img src="/etc/passwd">' WHERE trace_id = 3;
UPDATE digest SET histogram = '1 2 3 4:' WHERE trace_id = 1;
UPDATE digest SET histogram = '' WHERE trace_id = 2 AND kind = 'wakeup';
UPDATE digest SET histogram = '9223372036854775807 9223372036854775807 9223372036854775807 487:18446744073709551615', max_ns = -1,
    p99_ns = 'p' WHERE trace_id = 3;
INSERT INTO finding SELECT NULL, 3, 100 + value, 'f' || value, '', 'text', '', '', 5, 0.5, 0, 0, 1, '', '' FROM
    (WITH RECURSIVE c(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM c WHERE value < 500) SELECT value FROM c);
INSERT INTO tag SELECT 3, 't' || value, hex(zeroblob(1000)) FROM
    (WITH RECURSIVE c(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM c WHERE value < 500) SELECT value FROM c);
INSERT INTO finding VALUES (NULL, 12345, 1, 'f', '', 'of no trace', '', '', 5, 0.5, 0, 0, 1, '', '');
)";

} // namespace helio::test
