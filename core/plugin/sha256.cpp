#include "core/plugin/sha256.h"

#include <array>
#include <cstdint>
#include <nettle/sha2.h>

namespace helio {

std::string sha256Of(std::span<const std::byte> bytes)
{
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context, digest.size(), digest.data());
    constexpr char Digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += Digits[byte / 16];
        text += Digits[byte % 16];
    }
    return text;
}

} // namespace helio
