#include "core/fleet/result_row.h"

#include <simdjson.h>

namespace helio::fleet {

Result<ResultRow> readRow(std::string_view line)
{
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (const auto error = parser.parse(line.data(), line.size()).get_object().get(object))
        return Error{Error::Kind::Corrupt, std::string("not a row in JSON: ") + simdjson::error_message(error)};
    ResultRow row;
    for (const simdjson::dom::key_value_pair member : object) {
        sql::Value value;
        switch (member.value.type()) {
        case simdjson::dom::element_type::INT64: value = std::int64_t(member.value); break;
        case simdjson::dom::element_type::DOUBLE: value = double(member.value); break;
        case simdjson::dom::element_type::STRING: value = std::string(std::string_view(member.value)); break;
        case simdjson::dom::element_type::NULL_VALUE: break;
        default: return Error{Error::Kind::Corrupt, "the column " + std::string(member.key) + " has no simple value"};
        }
        row.emplace_back(std::string(member.key), std::move(value));
    }
    return row;
}

} // namespace helio::fleet
