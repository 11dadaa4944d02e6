#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Range of bytes of a file.
struct ListedRange {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// A file of an index on another machine.
struct ListedFile {
    std::string name; ///< Name in the folder of the trace: letters, digits and "._-", not beginning with ".".
    std::uint64_t size = 0; ///< In bytes.
    std::string hash; ///< Identifies the content.
    std::vector<ListedRange> first; ///< Ranges that are read when the file is opened.
};

struct ListedTrace {
    std::string folder; ///< Name of a folder for the files: like ListedFile::name, and different for each trace.
    std::vector<ListedFile> files; ///< First the description (core/trace/packed/index_description.h), then the stores; at least one file.
};

/// Parses the result of the method "index" (resources/guide/serve.md), which is not trusted: names are safe as file names, ranges lie in
/// their files, and sizes are at most 1 TiB.
/// Errors: Corrupt.
Result<std::vector<ListedTrace>> readIndexListing(std::string_view json);

} // namespace helio
