#pragma once

#include <string_view>

namespace helio::kernel {

/// 6001 of "6.1.0-50-amd64", as uname -r has it; 0 where the text is none.
int versionOf(std::string_view release);

} // namespace helio::kernel
