// Fuzzer of the readers of CTF metadata: TSDL in packets or as text, and the JSON of CTF 2. No input may cause a crash, a hang, or more
// memory use than the size of the text justifies.

#include "core/formats/ctf/shape/ctf_metadata.h"
#include "tests/fuzz/fuzz_input.h"

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes = fuzzText(data, size);
    if (ctf::isJsonMetadata(fuzzBytes(bytes))) {
        (void)ctf::jsonUuid(bytes);
        (void)ctf::parseJsonMetadata(bytes, "metadata");
    } else if (const auto text = ctf::metadataText(fuzzBytes(bytes), "metadata")) {
        (void)ctf::parseTsdl(text->text, "metadata");
    }
    return 0;
}
