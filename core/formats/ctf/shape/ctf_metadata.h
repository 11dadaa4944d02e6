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

// The contents of a trace's metadata, independent of its syntax: TSDL text (CTF 1.8) and JSON (CTF 2) are both read into Metadata.
// All types are resolved: lengths and tags are absolute FieldPaths, and field names are spelled as they are displayed. The type of a
// section that does not exist is nullptr.

/// Path to a field from the root of its section, one name for each level.
using FieldNames = std::vector<std::string>;

/// Fields by their CTF 2 role, for example "packet-magic-number".
using FieldRoles = std::map<std::string, FieldNames, std::less<>>;

struct Clock {
    std::string name;
    std::string uuid;
    std::string description;
    std::uint64_t frequency = 1'000'000'000; ///< In Hz.
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
    FieldTypePtr context; ///< nullptr if there is none.
    FieldTypePtr fields; ///< nullptr if there is none.
};

struct StreamClass {
    std::uint64_t id = 0;
    FieldTypePtr packetContext;
    FieldTypePtr eventHeader;
    FieldTypePtr eventContext;
    std::vector<EventClass> events; ///< Sorted by id; ids are unique.
    FieldRoles packetRoles; ///< Roles of the packet context's fields; empty unless Metadata::hasRoles.
    std::vector<FieldNames> eventIds; ///< Event header fields that hold the event class's id; empty unless Metadata::hasRoles.
};

struct Metadata {
    ByteOrder order = ByteOrder::Little;
    std::string uuid; ///< In lower case with dashes; empty if unknown.
    FieldTypePtr packetHeader;
    bool hasRoles = false; ///< True if fields declare their roles (CTF 2); false if their names imply them (CTF 1.8).
    FieldRoles packetRoles; ///< Roles of the packet header's fields.
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<Clock> clocks;
    std::vector<StreamClass> streams; ///< Sorted by id; ids are unique.
    std::vector<Diagnostic> damages; ///< Damaged blocks, which were left out.

    const Clock* findClock(std::string_view name) const;
};

/// The text of a metadata file.
struct MetadataText {
    std::string text;
    std::optional<Diagnostic> damage; ///< Reason why the text is incomplete; empty if it is complete.
};

/// Returns the text in a metadata file's bytes: the joined contents of packets, or plain text as it is.
///
/// Errors: Corrupt if the first packet's header is damaged; Unsupported if it is compressed, encrypted or of another version.
Result<MetadataText> metadataText(std::span<const std::byte> bytes, const std::string& fileName);

/// Reads TSDL. Damaged blocks are left out and listed in Metadata::damages if the rest can be read without them.
///
/// Errors: messages begin with "fileName:line: ". Corrupt: the text is damaged; Unsupported: it may be good, but this reader cannot read
/// it; Full: it exceeds all limits, so no other reader should try either.
///
/// Cost: linear in the text.
Result<Metadata> parseTsdl(std::string_view text, const std::string& fileName);

/// True if the bytes are CTF 2 metadata (JSON).
bool isJsonMetadata(std::span<const std::byte> bytes);

/// Reads CTF 2's JSON text sequence. Errors: like parseTsdl().
Result<Metadata> parseJsonMetadata(std::string_view text, const std::string& fileName);

/// Returns the UUID in the preamble of CTF 2 metadata; empty if there is none.
std::string jsonUuid(std::string_view text);

} // namespace helio::ctf
