#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

constexpr std::size_t MostTimes = 65'536; ///< Maximum number of requested times.
constexpr std::size_t MostItems = 100'000; ///< Maximum number of requested entries.
constexpr std::int64_t MostLines = 10'000; ///< Maximum number of requested lines of a table.

/// Times at which a client requests values, for example one for each pixel column.
struct RequestedTimes {
    Timestamp first{}; ///< First time; at most `last`.
    Timestamp last{};
    std::size_t count = 0; ///< Number of times, at most MostTimes; 0 if the client named only the range.
    std::vector<Timestamp> listed{}; ///< The times, in ascending order; empty if they are at equal distances.

    bool operator==(const RequestedTimes&) const = default;
};

/// Returns the listed times, or else `count` times at equal distances from `times.first` to `times.last`, both included; fewer if the range
/// has not so many ns. If the client did not set a number of times, returns `fallback` times.
std::vector<Timestamp> pointsOf(const RequestedTimes& times, std::size_t fallback);

/// Returns the mean distance of the requested times, at least 1 ns; the length of the range if there is only one time.
Duration resolutionOf(const RequestedTimes& times, std::size_t fallback);

/// An element of a chart for which a client requests a tooltip.
struct RequestedElement {
    std::string type; ///< In lower case: "state", "arrow" or "annotation".
    Timestamp time{};
    Duration duration{};
    std::int64_t source = -1; ///< Entry at which an arrow begins; -1 if the client did not name it.
    std::int64_t target = -1; ///< Entry at which an arrow ends; -1 if the client did not name it.
};

/// Search in the lines of a table.
struct TableSearch {
    std::map<std::int64_t, std::string> expressions; ///< Regular expressions by the column in which they must occur.
    enum class Direction { None, Next, Previous };
    Direction direction = Direction::None;
};

/// Parameters of a request, as the member "parameters" of its body contains them. Members that are not known are ignored.
struct QueryParameters {
    std::string name;
    std::string uri;
    std::optional<std::vector<std::string>> traces; ///< UUIDs.
    std::optional<RequestedTimes> times;
    std::optional<std::vector<std::int64_t>> items; ///< IDs of entries.
    std::optional<RequestedElement> element;
    std::optional<std::int64_t> lineIndex; ///< Number of the first requested line, from 0.
    std::optional<std::int64_t> lineCount;
    std::optional<std::vector<std::int64_t>> columns;
    TableSearch search;
    std::vector<std::string> dimming; ///< Filters: states that do not match are dimmed.
    std::vector<std::string> excluding; ///< Filters: states that do not match are left out.
    std::optional<std::vector<std::string>> categories; ///< Categories of annotations.
};

/// Reads the body of a request: {"parameters":{...}}. An empty body has no parameters.
/// Errors: Usage if the body is not valid JSON, or if a member has the wrong type or a value out of range.
Result<QueryParameters> readParameters(std::string_view body);

} // namespace helio
