#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// Adds the scalars in a member of a trace, such as "metadata", to `facts`: names with the names of the enclosing objects, separated by
/// points, and values as texts. Lists, texts of more than 1000 bytes and more than 200 facts are left out.
void addFacts(std::string_view name, std::string_view value, std::vector<std::pair<std::string, std::string>>& facts);

} // namespace helio::chromejson
