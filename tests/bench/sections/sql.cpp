// Benchmark of SQL queries: sums and counts of slices and events, beside the same queries that read each row.

#include "core/sql/open_database.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <variant>

namespace helio::bench {
namespace {

/// Keeps the first value of the first row, and drops all else.
class FirstValue final : public sql::RowReceiver {
public:
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value> values) override
    {
        if (const auto* number = std::get_if<std::int64_t>(&values[0]); number && value < 0)
            value = *number;
        return true;
    }
    std::int64_t value = -1;
};

std::int64_t ask(sql::Database& database, const std::string& query)
{
    FirstValue first;
    (void)database.run(query, first);
    return first.value;
}

} // namespace

void measureSql(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    const auto database = sql::openDatabase(timeline);
    if (!database)
        return m.figures.note("sql: " + database.error().what);
    const auto measure = [&](const std::string& query) {
        Samples samples;
        for (int i = 0; i < m.repeat; ++i)
            samples.add(1e3 * secondsOf([&] { ask(**database, query); }));
        return samples;
    };
    const auto compare = [&](const char* id, const std::string& what, const std::string& query, const std::string& scan, Goal goal) {
        const Samples samples = measure(query);
        m.figures.add({id, what, "ms", samples.best(), samples.median(), measure(scan).best(), goal, false, "each row"});
    };
    const auto slices = double(ask(**database, "SELECT count(*) FROM slice")) / 1e6;
    const auto events = double(ask(**database, "SELECT count(*) FROM event")) / 1e6;
    const std::string byName = "SELECT name, count(*), sum(dur) FROM {} GROUP BY name";
    const std::string rows = "(SELECT * FROM slice)";
    compare("sql_slices_by_name", fmt::format("{:.1f} M slices: number and durations by name", slices),
            fmt::format(fmt::runtime(byName), "slice"), fmt::format(fmt::runtime(byName), rows), atMost(1'000 * slices / 10));
    compare("sql_count_slices", fmt::format("{:.1f} M slices: their number", slices), "SELECT count(*) FROM slice",
            "SELECT count(*) FROM " + rows, atMost(1'000 * slices / 10));
    compare("sql_count_events", fmt::format("{:.1f} M events: their number", events), "SELECT count(*) FROM ftrace_event",
            "SELECT count(*) FROM (SELECT id FROM event)", atMost(50));
}

} // namespace helio::bench
