#pragma once

#include "core/base/result.h"
#include "core/formats/ctf/shape/ctf_metadata.h"

#include <array>
#include <string>

namespace helio::bench {

using Uuid = std::array<std::uint8_t, 16>;

/// 36 characters, lower case with dashes.
std::string textOf(const Uuid& uuid);

/// One that is always the same for the same seed, and another one for another.
Uuid makeUuid(const std::string& seed);

/// A trace's metadata as one text, and what it says.
struct MetadataText {
    std::string text;
    ctf::Metadata metadata;
    bool isPacked = false; ///< The file was a run of packets, not plain text.

    /// Of the folder's metadata file. TSDL only.
    static Result<MetadataText> read(const std::filesystem::path& folder);

    /// The text with another UUID. Fails where the text does not have the one that was read.
    Result<std::string> withUuid(const Uuid& uuid) const;
};

/// The bytes of a metadata file in packets (CTF 1.8, 7.1).
std::string packed(const std::string& text, const Uuid& uuid, ByteOrder order);

} // namespace helio::bench
