#pragma once

#include <string_view>

namespace helio {

/// Text file that is part of the program; see core/embedded_files.cmake.
struct EmbeddedFile {
    std::string_view name; ///< Path relative to the embedded folder, e.g. "slices/with_context.sql".
    std::string_view text;
};

} // namespace helio
