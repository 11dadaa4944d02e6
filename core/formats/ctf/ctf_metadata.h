#pragma once

#include "core/base/result.h"
#include "core/trace/field_type.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio::ctf {

// What a trace's metadata says, free of its syntax: TSDL text fills it today, CTF 2's JSON can be a second front end.
// All types are resolved: lengths and tags are absolute FieldPaths, names are as shown.

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
};

struct Metadata {
    ByteOrder order = ByteOrder::Little;
    std::string uuid; ///< Lower case with dashes; may be empty.
    FieldTypePtr packetHeader;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<Clock> clocks;
    std::vector<StreamClass> streams; ///< By id, each once.

    const Clock* findClock(std::string_view name) const;
};

/// The TSDL text of a metadata file's bytes: packets are joined, plain text is passed on.
Result<std::string> metadataText(std::span<const std::byte> bytes, const std::string& fileName);

/// Reads TSDL. Errors begin with "fileName:line: "; of kind Full where the text is beyond all limits, so that nobody else should try
/// either. Cost: linear in the text.
Result<Metadata> parseTsdl(std::string_view text, const std::string& fileName);

/// Whether the bytes are CTF 2 metadata (JSON), which this room's own reader does not read.
bool isJsonMetadata(std::span<const std::byte> bytes);

} // namespace helio::ctf
