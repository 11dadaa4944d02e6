#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// Adds the strings, numbers and booleans in a top-level member of the trace, such as "metadata", to `facts`, as pairs of name and value. A
/// name contains the names of all enclosing objects, e.g. "metadata.os-name". Lists and values of more than 1000 bytes are left out, and
/// `facts` never gets more than 200 entries. `value`: JSON text of the member `name`.
void addFacts(std::string_view name, std::string_view value, std::vector<std::pair<std::string, std::string>>& facts);

/// Returns the text of a JSON string. The string may be cut; its text then ends with its last whole line. Returns an empty text if `json`
/// is no string, or not valid.
std::string textOfString(std::string_view json);

} // namespace helio::chromejson
