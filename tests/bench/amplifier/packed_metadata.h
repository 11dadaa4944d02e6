#pragma once

#include "core/base/result.h"
#include "core/formats/ctf/shape/ctf_metadata.h"

#include <array>
#include <string>

namespace helio::bench {

using Uuid = std::array<std::uint8_t, 16>;

/// Formats a UUID as 36 characters, lower case with dashes.
std::string textOf(const Uuid& uuid);

/// Makes a UUID from a seed: equal seeds give equal UUIDs, different seeds different ones.
Uuid makeUuid(const std::string& seed);

/// A trace's metadata as text, and its parsed content.
struct MetadataText {
    std::string text;
    ctf::Metadata metadata;
    bool isPacked = false; ///< True if the file was a sequence of packets, not plain text.

    /// Reads the folder's metadata file; supports TSDL only.
    static Result<MetadataText> read(const std::filesystem::path& folder);

    /// Returns the text with `uuid` in place of the UUID that was read.
    /// Errors: the text does not contain the UUID that was read.
    Result<std::string> withUuid(const Uuid& uuid) const;
};

/// Returns the metadata text as a file in packets (CTF 1.8, 7.1).
std::string packed(const std::string& text, const Uuid& uuid, ByteOrder order);

} // namespace helio::bench
