#pragma once

#include "core/sql/engine/database.h"

#include <QTest>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace helio::test {

/// Result of a query as text: the rows with their values joined by "|", NULL as "-"; a row "error: ..." if the query failed.
inline std::vector<std::string> queryRows(sql::Database& database, std::string_view statements, const sql::RunLimits& limits = {})
{
    class Rows final : public sql::RowReceiver {
    public:
        void columns(std::span<const std::string>) override { }
        bool row(std::span<const sql::Value> values) override
        {
            std::string text;
            for (const sql::Value& value : values) {
                if (&value != values.data())
                    text += '|';
                if (const auto* integer = std::get_if<std::int64_t>(&value))
                    text += std::to_string(*integer);
                else if (const auto* real = std::get_if<double>(&value))
                    text += std::to_string(*real);
                else if (const auto* string = std::get_if<std::string>(&value))
                    text += *string;
                else
                    text += '-';
            }
            rows.push_back(std::move(text));
            return true;
        }
        std::vector<std::string> rows;
    };
    Rows rows;
    if (const Status done = database.run(statements, rows, limits); !done)
        rows.rows.push_back("error: " + done.error().what);
    return rows.rows;
}

} // namespace helio::test

/// Prints the rows of a comparison that failed.
template <> inline char* QTest::toString(const std::vector<std::string>& rows)
{
    std::string text;
    for (const std::string& row : rows)
        text += (text.empty() ? "" : "\n") + row;
    return qstrdup(text.c_str());
}
