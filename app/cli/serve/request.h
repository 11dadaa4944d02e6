#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

constexpr std::size_t MostRequestBytes = 16 << 20; ///< Longest line with a request, in bytes.

/// A request to the server: one line of JSON.
struct ServeRequest {
    std::string id; ///< ID as JSON text, an integer or a string; "null" if the line has no valid ID.
    std::string method;
    std::size_t bytes = 0; ///< Length of the line.

    // Parameters; absent ones are empty.
    std::optional<std::int64_t> trace; ///< Number of the opened traces.
    std::vector<std::string> paths;
    std::optional<std::string> sql; ///< Statements.
    std::vector<std::string> arguments; ///< Command line, without the program's name.
    std::vector<std::string> options; ///< Options of the command line, e.g. "--view=resources".
    std::vector<std::string> optionNames; ///< Names of `options` without values, e.g. "--view"; one for each element.
    std::string format; ///< Format of a picture.
    std::string request; ///< ID of another request, as JSON text.
    std::optional<std::string> file; ///< Name of a file of the index.
    std::uint64_t offset = 0; ///< Offset of the wanted bytes in the file.
    std::uint64_t fileBytes = 0; ///< Number of the wanted bytes.
};

/// A request that could be read, or the reason why not, with the ID if that could be read.
struct ReadRequest {
    ServeRequest request;
    std::optional<Error> error;
};

/// Parses a line.
/// Errors: Usage if the line is no JSON object, or a member is missing, unknown or of another type.
ReadRequest readRequest(std::string_view line);

} // namespace helio
