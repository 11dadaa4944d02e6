#pragma once

#include "core/sql/engine/database.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

namespace helio::fleet {

/// Values of a row of a catalogue, which are read one after another. A foreign program may have written values of other types, or
/// senseless ones: these are missing.
class CatalogueRow {
public:
    explicit CatalogueRow(std::span<const sql::Value> values)
        : m_values(values)
    {
    }

    std::optional<std::int64_t> integer()
    {
        const auto* const it = std::get_if<std::int64_t>(&next());
        return it ? std::optional(*it) : std::nullopt;
    }
    /// Returns an integer that is not negative.
    std::optional<std::int64_t> count()
    {
        const auto it = integer();
        return it && *it >= 0 ? it : std::nullopt;
    }
    /// Returns a number from 0 to 1.
    std::optional<double> share()
    {
        const sql::Value& value = next();
        const auto* const real = std::get_if<double>(&value);
        const auto* const whole = std::get_if<std::int64_t>(&value);
        const double it = real ? *real : whole ? double(*whole) : -1;
        return it >= 0 && it <= 1 ? std::optional(it) : std::nullopt;
    }
    /// Returns a text; empty if the value is no text.
    std::string text()
    {
        const auto* const it = std::get_if<std::string>(&next());
        return it ? *it : std::string();
    }

private:
    const sql::Value& next() { return m_values[m_at++]; }

    std::span<const sql::Value> m_values;
    std::size_t m_at = 0;
};

/// Passes the rows of a query to a function.
class CatalogueRows final : public sql::RowReceiver {
public:
    using Take = std::function<void(CatalogueRow)>;

    explicit CatalogueRows(const Take& take)
        : m_take(take)
    {
    }
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value> values) override
    {
        m_take(CatalogueRow(values));
        return true;
    }

private:
    const Take& m_take;
};

/// Runs a query, and calls `take` for each row.
inline Status runQuery(sql::Database& catalogue, std::string_view query, const CatalogueRows::Take& take, const std::stop_token& stop)
{
    CatalogueRows rows(take);
    return catalogue.run(query, rows, {stop, {}});
}

} // namespace helio::fleet
