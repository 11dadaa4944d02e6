#include "core/sql/schema.h"

#include <functional>
#include <utility>

namespace helio::sql {
namespace {

/// Passes each row of a result to a function.
class RowCollector final : public RowReceiver {
public:
    explicit RowCollector(std::function<void(std::span<const Value>)> take)
        : m_take(std::move(take))
    {
    }
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const Value> values) override
    {
        m_take(values);
        return true;
    }

private:
    std::function<void(std::span<const Value>)> m_take;
};

std::string textIn(const Value& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

} // namespace

Result<Schema> readSchema(Database& database)
{
    Schema schema;
    RowCollector columns([&](std::span<const Value> row) {
        std::string name = textIn(row[0]);
        if (schema.tables.empty() || schema.tables.back().name != name)
            schema.tables.push_back({std::move(name), textIn(row[1]) == "view", {}});
        schema.tables.back().columns.push_back({textIn(row[2]), textIn(row[3])});
    });
    if (Status done = database.run("SELECT t.name, t.type, c.name, c.type FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c "
                                   "WHERE t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid",
                                   columns);
        !done)
        return done.error();
    RowCollector functions([&](std::span<const Value> row) { schema.functions.push_back(textIn(row[0])); });
    if (Status done =
            database.run("SELECT DISTINCT lower(name) FROM pragma_function_list WHERE name GLOB '[a-zA-Z]*' ORDER BY 1", functions);
        !done)
        return done.error();
    return schema;
}

} // namespace helio::sql
