// Fuzzer of descriptions in packed indexes: the input is the content, with a correct hash as an attacker would give it.

#include "core/io/fingerprint.h"
#include "core/trace/packed/index_only_trace.h"

#include <cstdint>
#include <string>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto content = std::as_bytes(std::span(data, size));
    Fingerprint print;
    print.add(content);
    const std::string hash = print.text();
    std::vector<std::byte> bytes;
    const auto append = [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
    append(std::as_bytes(std::span(IndexMagic)));
    append(std::as_bytes(std::span(&IndexVersion, 1)));
    append(std::as_bytes(std::span(hash)));
    append(content);
    if (auto description = readIndexDescription(bytes)) {
        const IndexOnlyTrace trace(std::move(*description), "shown", "stores");
        if (trace.eventTypes().size() > 0)
            (void)describeIndex(trace);
    }
    return 0;
}
