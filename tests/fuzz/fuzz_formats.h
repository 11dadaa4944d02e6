#pragma once

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace helio {

/// Writes the bytes to a temporary file, opens it in the given format, and decodes all events. A fuzzer calls only this function.
inline void openAndDecode(const TraceFormat& format, const std::uint8_t* data, std::size_t size)
{
    static const std::filesystem::path path = std::filesystem::temp_directory_path() / ("heliograph-fuzz-" + std::to_string(getpid()));
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    for (const TraceSource& source : format.find(path)) {
        const auto trace = format.open(source);
        if (!trace)
            continue;
        MergedEvents events(**trace);
        while (events.next()) {
            decodeContext(events.event());
            decodeSection(events.event(), Section::Payload);
        }
    }
    std::filesystem::remove(path);
}

} // namespace helio
