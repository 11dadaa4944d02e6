#include "core/fleet/query_response.h"

#include <simdjson.h>

namespace helio::fleet {
namespace {

namespace dom = simdjson::dom;

Error wrong(const std::string& what) { return {Error::Kind::Corrupt, "not a response to a query: " + what}; }

/// Parses a line and passes its object to `read`.
template <typename Read> auto withObject(std::string_view line, const Read& read) -> decltype(read(dom::object()))
{
    dom::parser parser;
    dom::object object;
    if (const auto error = parser.parse(line.data(), line.size()).get_object().get(object))
        return wrong(simdjson::error_message(error));
    return read(object);
}

/// Appends the texts of the array `name` in `object`, if there is one.
Status addTexts(dom::object object, std::string_view name, std::vector<std::string>& texts)
{
    dom::element member;
    if (object[name].get(member) != simdjson::SUCCESS)
        return Done{};
    dom::array array;
    if (member.get_array().get(array) != simdjson::SUCCESS)
        return wrong("a member has another type");
    for (const dom::element each : array) {
        std::string_view text;
        if (each.get_string().get(text) != simdjson::SUCCESS)
            return wrong("a member has another type");
        texts.emplace_back(text);
    }
    return Done{};
}

Result<std::optional<QueryEnd>> endIn(dom::object response)
{
    dom::object object;
    QueryEnd end;
    const bool isResult = response["result"].get_object().get(object) == simdjson::SUCCESS;
    if (!isResult && response["error"].get_object().get(object) != simdjson::SUCCESS)
        return std::optional<QueryEnd>();
    if (const Status added = addTexts(object, "messages", end.messages); !added)
        return added.error();
    if (isResult) {
        std::int64_t status = 0;
        if (object["status"].get_int64().get(status) != simdjson::SUCCESS || status < 0 || status > 255)
            return wrong("its status is missing");
        end.status = static_cast<int>(status);
        return std::optional(std::move(end));
    }
    std::string_view kind, message;
    if (object["kind"].get_string().get(kind) != simdjson::SUCCESS || object["message"].get_string().get(message) != simdjson::SUCCESS)
        return wrong("its error has no message");
    end.isUsageError = kind == "usage";
    end.status = 1;
    end.messages.emplace_back(message);
    return std::optional(std::move(end));
}

/// Sets the value of SQL for a value of JSON. Returns false if there is none.
bool readValue(dom::element element, sql::Value& value)
{
    switch (element.type()) {
    case dom::element_type::INT64: value = std::int64_t(element); return true;
    case dom::element_type::DOUBLE: value = double(element); return true;
    case dom::element_type::STRING: value = std::string(std::string_view(element)); return true;
    case dom::element_type::NULL_VALUE: value = {}; return true;
    default: return false;
    }
}

Status readRows(dom::object response, const QueryRowReceiver& receiver)
{
    if (std::vector<std::string> columns; response["columns"].error() == simdjson::SUCCESS) {
        if (Status added = addTexts(response, "columns", columns); !added)
            return added;
        return receiver.columns(std::move(columns));
    }
    dom::array rows;
    if (response["rows"].get_array().get(rows) != simdjson::SUCCESS)
        return wrong("it has no rows");
    std::vector<sql::Value> values;
    for (const dom::element each : rows) {
        dom::array row;
        if (each.get_array().get(row) != simdjson::SUCCESS)
            return wrong("a row is no array");
        values.clear();
        for (const dom::element element : row)
            if (!readValue(element, values.emplace_back()))
                return wrong("a row has a value that is neither a number nor a text");
        if (Status received = receiver.row(values); !received)
            return received;
    }
    return Done{};
}

} // namespace

Result<std::optional<QueryEnd>> readQueryEnd(std::string_view line) { return withObject(line, endIn); }

Status readQueryRows(std::string_view line, const QueryRowReceiver& receiver)
{
    return withObject(line, [&](dom::object response) { return readRows(response, receiver); });
}

} // namespace helio::fleet
