#pragma once

#include <string>
#include <string_view>

namespace helio {

/// Appends a CSV field (RFC 4180), quoted only if necessary; bytes that are not UTF-8 appear as \xNN.
void appendCsv(std::string& out, std::string_view text);

} // namespace helio
