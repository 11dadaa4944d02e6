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

// Content of a trace's metadata, independent of its syntax: both TSDL text (CTF 1.8) and JSON (CTF 2) are converted to Metadata. All types
// are resolved: lengths and tags are absolute FieldPaths, and field names are spelled as they are displayed. The type of a section that
// does not exist is nullptr.

/// Path to a field from the root of its section, with one name for each level.
using FieldNames = std::vector<std::string>;

/// Paths of fields, keyed by CTF 2 role, for example "packet-magic-number".
using FieldRoles = std::map<std::string, FieldNames, std::less<>>;

struct Clock {
    std::string name;
    std::string uuid;
    std::string description;
    std::uint64_t frequency = 1'000'000'000; ///< Frequency of the clock in Hz.
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
    FieldTypePtr context; ///< Type of the event class's own context; nullptr if it has none.
    FieldTypePtr fields; ///< Type of the event class's payload; nullptr if it has none.
};

struct StreamClass {
    std::uint64_t id = 0;
    FieldTypePtr packetContext;
    FieldTypePtr eventHeader;
    FieldTypePtr eventContext;
    std::vector<EventClass> events; ///< Event classes sorted by id; ids are unique.
    FieldRoles packetRoles; ///< Roles of the packet context's fields; empty unless Metadata::hasRoles.
    /// Fields of the event header that contain the id of the event class; empty unless Metadata::hasRoles.
    std::vector<FieldNames> eventIds;
};

struct Metadata {
    ByteOrder order = ByteOrder::Little;
    std::string uuid; ///< UUID of the trace in lower case with dashes; empty if unknown.
    FieldTypePtr packetHeader;
    bool hasRoles = false; ///< True if fields declare their roles (CTF 2); false if their names imply them (CTF 1.8).
    FieldRoles packetRoles; ///< Roles of the packet header's fields.
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<Clock> clocks;
    std::vector<StreamClass> streams; ///< Stream classes sorted by id; ids are unique.
    std::vector<Diagnostic> damages; ///< Diagnostics about damaged blocks, which were skipped.

    const Clock* findClock(std::string_view name) const;
};

struct MetadataText {
    std::string text;
    std::optional<Diagnostic> damage; ///< Reason why the metadata text is incomplete; nullopt if it is complete.
};

/// Returns the text in the bytes of a metadata file: the joined contents of its packets, or the plain text.
///
/// Errors: Corrupt if the header of the first packet is damaged; Unsupported if the text is compressed, encrypted or of another version.
Result<MetadataText> metadataText(std::span<const std::byte> bytes, const std::string& fileName);

/// Parses TSDL. Damaged blocks are skipped and listed in Metadata::damages, if the other blocks can be read without them.
///
/// Errors: messages begin with "fileName:line: ". Corrupt if the text is damaged; Unsupported if it may be valid, but this reader does not
/// support it; Full if it exceeds all limits, so that no other reader should try.
///
/// Cost: linear in the text.
Result<Metadata> parseTsdl(std::string_view text, const std::string& fileName);

/// True if the bytes are CTF 2 metadata (JSON).
bool isJsonMetadata(std::span<const std::byte> bytes);

/// Parses the JSON text sequence of CTF 2.
/// Errors: as for parseTsdl().
Result<Metadata> parseJsonMetadata(std::string_view text, const std::string& fileName);

/// Returns the UUID in the preamble of CTF 2 metadata; empty if the preamble contains none.
std::string jsonUuid(std::string_view text);

} // namespace helio::ctf
