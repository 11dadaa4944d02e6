#pragma once

#include "core/base/result.h"
#include "core/trace/fields/field_type.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio::ctf {

// What a trace's metadata says, free of its syntax: TSDL text (CTF 1.8) and JSON (CTF 2) fill it.
// All types are resolved: lengths and tags are absolute FieldPaths, names are as shown.

/// The names that lead to a field from its section.
using FieldNames = std::vector<std::string>;

/// Which field has a role: "packet-magic-number"...
using FieldRoles = std::map<std::string, FieldNames, std::less<>>;

struct Clock {
    std::string name;
    std::string uuid;
    std::string description;
    std::uint64_t frequency = 1'000'000'000;
    std::uint64_t precision = 0;
    std::int64_t offsetSeconds = 0;
    std::int64_t offsetCycles = 0;
    bool isAbsolute = false;
};

struct EventClass {
    std::uint64_t id = 0;
    std::uint64_t streamId = 0;
    std::string name;
    std::optional<std::int64_t> logLevel;
    FieldTypePtr context; ///< Null where there is none; so are all the parts.
    FieldTypePtr fields;
};

struct StreamClass {
    std::uint64_t id = 0;
    FieldTypePtr packetContext;
    FieldTypePtr eventHeader;
    FieldTypePtr eventContext;
    std::vector<EventClass> events; ///< By id, each once.
    FieldRoles packetRoles; ///< In the packet's context, and the event header's ids: where Metadata::hasRoles.
    std::vector<FieldNames> eventIds;
};

struct Metadata {
    ByteOrder order = ByteOrder::Little;
    std::string uuid; ///< Lower case with dashes; may be empty.
    FieldTypePtr packetHeader;
    bool hasRoles = false; ///< Fields have their roles by roles (CTF 2), not by names (CTF 1.8).
    FieldRoles packetRoles; ///< In the packet's header.
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<Clock> clocks;
    std::vector<StreamClass> streams; ///< By id, each once.
    std::vector<Diagnostic> damages; ///< What could not be read, and was left out.

    const Clock* findClock(std::string_view name) const;
};

/// The text of a metadata file.
struct MetadataText {
    std::string text;
    std::optional<Diagnostic> damage; ///< Why the text is not all of it.
};

/// The text in a metadata file's bytes: packets are joined, plain text is passed on. An error where not even the first packet is whole:
/// Unsupported where it may be good.
Result<MetadataText> metadataText(std::span<const std::byte> bytes, const std::string& fileName);

/// Reads TSDL. Blocks that are damaged are left out, and listed in Metadata::damages, where the rest can be read without them.
///
/// Errors begin with "fileName:line: ". Corrupt: the text is damaged; Unsupported: it may be good, but is not for this reader; Full: it is
/// beyond all limits, so that nobody else should try either. Cost: linear in the text.
Result<Metadata> parseTsdl(std::string_view text, const std::string& fileName);

/// Whether the bytes are CTF 2 metadata (JSON).
bool isJsonMetadata(std::span<const std::byte> bytes);

/// Reads CTF 2's JSON text sequence. Errors as those of parseTsdl().
Result<Metadata> parseJsonMetadata(std::string_view text, const std::string& fileName);

/// The UUID in the preamble of CTF 2 metadata; empty where there is none.
std::string jsonUuid(std::string_view text);

} // namespace helio::ctf
