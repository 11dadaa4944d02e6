#include "app/cli/sql/missing_samples.h"

#include "core/query/rows/messages.h"
#include "core/sql/dialect/tokens.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace helio {
namespace {

constexpr std::array SampleTables{"sample",
                                  "perf_sample",
                                  "perf_session",
                                  "cpu_profile_stack_sample",
                                  "stack_sample",
                                  "stack_sample_session",
                                  "stack_profile_callsite",
                                  "stack_profile_frame",
                                  "stack_profile_symbol",
                                  "stack_profile_mapping",
                                  "experimental_flamegraph"};
constexpr std::array NameTables{"stack_profile_frame", "stack_profile_symbol", "experimental_flamegraph"};

template <typename Names> bool namesAny(std::string_view statements, const Names& names)
{
    sql::TokenReader reader(statements);
    while (const auto token = reader.next())
        if (token->isName() && std::ranges::any_of(names, [&](const char* it) { return sql::areSameName(nameIn(*token), it); }))
            return true;
    return false;
}

/// Returns the first row of a query; empty if it has none or fails.
std::vector<sql::Value> firstRow(sql::Database& database, std::string_view query, const std::stop_token& stop)
{
    class FirstRow final : public sql::RowReceiver {
    public:
        void columns(std::span<const std::string>) override { }
        bool row(std::span<const sql::Value> row) override
        {
            values.assign(row.begin(), row.end());
            return false;
        }
        std::vector<sql::Value> values;
    } first;
    sql::RunLimits limits;
    limits.stop = stop;
    return database.run(query, first, limits) ? first.values : std::vector<sql::Value>();
}

} // namespace

std::string describeMissingSamples(sql::Database& database, const Timeline& timeline, std::string_view statements,
                                   const std::stop_token& stop)
{
    if (!namesAny(statements, SampleTables) || stop.stop_requested())
        return {};
    if (firstRow(database, "SELECT 1 FROM sample LIMIT 1", stop).empty())
        return stop.stop_requested() ? std::string()
                                     : "the recording has no samples" + adviseRecording(RecordableData::Samples, &timeline).suffix();
    if (!namesAny(statements, NameTables) || !namesAny(statements, std::array{"name", "deobfuscated_name", "experimental_flamegraph"}))
        return {};
    const auto missing = firstRow(database,
                                  "SELECT sum(count(*)) OVER (), (SELECT count(*) FROM stack_profile_frame), problem "
                                  "FROM stack_profile_frame WHERE name IS NULL GROUP BY problem ORDER BY count(*) DESC LIMIT 1",
                                  stop);
    if (missing.size() != 3)
        return {};
    const auto* const nameless = std::get_if<std::int64_t>(&missing[0]);
    const auto* const all = std::get_if<std::int64_t>(&missing[1]);
    const auto* const problem = std::get_if<std::string>(&missing[2]);
    if (!nameless || !all)
        return {};
    const std::string count = fmt::format("{} of {} frames {} no name", *nameless, *all, *nameless == 1 ? "has" : "have");
    return count + (problem ? "; most frequent reason: " + *problem : std::string());
}

} // namespace helio
