#pragma once

#include "core/sql/engine/database.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace helio {

class ResponseWriter;

/// Sends the rows of a query in batches: a batch is sent when it is large, or when its first row has waited for a while.
/// Memory: one batch.
class RowBatches final : public sql::RowReceiver {
public:
    /// `id`: ID of the request, as JSON text.
    RowBatches(std::string id, ResponseWriter& responses)
        : m_id(std::move(id))
        , m_responses(responses)
    {
    }

    void columns(std::span<const std::string> names) override;
    bool row(std::span<const sql::Value> values) override;
    void finish() { send(); } ///< Sends the rest of the rows.

    std::uint64_t count() const { return m_count; } ///< Number of rows.

private:
    using Clock = std::chrono::steady_clock;

    void send();

    std::string m_id;
    ResponseWriter& m_responses;
    std::string m_batch; ///< Rows that were not sent yet, as JSON arrays with commas between.
    Clock::time_point m_begin; ///< Time of the batch's first row.
    std::uint64_t m_count = 0;
};

/// Appends a value of SQL as JSON. Integers are exact; a real number always has a point or an exponent, and infinity is 1e999; a text that
/// is not UTF-8 is an object with the member "base64".
void appendSqlValue(std::string& out, const sql::Value& value);

} // namespace helio
