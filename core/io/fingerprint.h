#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <xxhash.h>

namespace helio {

class MappedFile;

/// Hash (XXH3-128) of a sequence of byte ranges, texts and numbers. Identifies, for example, the content of a trace or of a plug-in.
class Fingerprint {
public:
    Fingerprint()
        : m_state(XXH3_createState())
    {
        XXH3_128bits_reset(m_state);
    }
    ~Fingerprint() { XXH3_freeState(m_state); }
    Fingerprint(const Fingerprint&) = delete;
    Fingerprint& operator=(const Fingerprint&) = delete;

    void add(std::span<const std::byte> bytes) { XXH3_128bits_update(m_state, bytes.data(), bytes.size()); }
    void add(std::string_view text)
    {
        add(static_cast<std::uint64_t>(text.size()));
        add(std::as_bytes(std::span(text)));
    }
    /// Adds the file's size and contents. A file of at most 1 MiB is hashed completely. For a larger file, only its head, its tail, blocks
    /// spread over it and its modification time are hashed. A change between these blocks is therefore detected by the modification time
    /// only, and a copy with another modification time counts as another recording.
    /// Cost: reads 1 MiB at most.
    void addContents(const MappedFile& file);
    void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }

    std::string text() const
    {
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(m_state));
        constexpr std::string_view Digits = "0123456789abcdef";
        std::string hex;
        for (const unsigned char byte : canonical.digest)
            hex.append(1, Digits[byte >> 4]).append(1, Digits[byte & 15]);
        return hex;
    }

private:
    XXH3_state_t* m_state;
};

} // namespace helio
