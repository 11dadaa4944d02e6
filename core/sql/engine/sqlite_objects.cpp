#include "core/sql/engine/sqlite_objects.h"

#include "core/sql/engine/table.h"

#include <sqlite3.h>

namespace helio::sql {

void FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Value copyOf(sqlite3_value* value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_value_int64(value));
    case SQLITE_FLOAT: return sqlite3_value_double(value);
    case SQLITE_NULL: return std::monostate{};
    default: {
        const auto* const text = static_cast<const char*>(sqlite3_value_blob(value));
        return std::string(text ? text : "", static_cast<std::size_t>(sqlite3_value_bytes(value)));
    }
    }
}

int bindValue(sqlite3_stmt* statement, int parameter, const Value& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return sqlite3_bind_int64(statement, parameter, *integer);
    if (const auto* real = std::get_if<double>(&value))
        return sqlite3_bind_double(statement, parameter, *real);
    if (const auto* text = std::get_if<std::string>(&value))
        return sqlite3_bind_text64(statement, parameter, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    return sqlite3_bind_null(statement, parameter);
}

void ValueSink::null() { sqlite3_result_null(m_context); }
void ValueSink::integer(std::int64_t value) { sqlite3_result_int64(m_context, value); }
void ValueSink::real(double value) { sqlite3_result_double(m_context, value); }
void ValueSink::text(std::string_view value)
{
    sqlite3_result_text64(m_context, value.data() ? value.data() : "", value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}
void ValueSink::lastingTextOrNull(std::string_view value)
{
    if (value.empty())
        null();
    else
        sqlite3_result_text64(m_context, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
}
void ValueSink::value(const Value& value)
{
    if (const auto* number = std::get_if<std::int64_t>(&value))
        integer(*number);
    else if (const auto* fraction = std::get_if<double>(&value))
        real(*fraction);
    else if (const auto* string = std::get_if<std::string>(&value))
        text(*string);
    else
        null();
}

} // namespace helio::sql
