// Fuzzer of what another machine answers: lines of JSON, and the list of the files of an index.

#include "core/remote/index_listing.h"
#include "core/remote/remote_session.h"

#include <cstdint>
#include <cstdlib>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)readResponse(text);
    if (const auto traces = readIndexListing(text))
        for (const ListedTrace& trace : *traces)
            for (const ListedFile& file : trace.files) {
                if (file.name.find('/') != std::string::npos || file.name.starts_with('.') || trace.folder.find('/') != std::string::npos
                    || trace.folder.starts_with('.'))
                    std::abort();
                for (const ListedRange& range : file.first)
                    if (range.offset > file.size || range.size > file.size - range.offset)
                        std::abort();
            }
    return 0;
}
