#pragma once

#include "core/trace/trace.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace helio {

/// Returns the built-in format of that name. Requires: it exists.
inline const TraceFormat& formatNamed(std::string_view name)
{
    for (const TraceFormat* format : builtinTraceFormats())
        if (format->name == name)
            return *format;
    std::abort();
}

/// Opens the first trace at or below `path` in the built-in format of that name. Returns nullptr if there is none, or if it cannot be
/// opened; `error` (if set) then receives the reason, and stays as it is if there is no trace.
inline std::shared_ptr<const Trace> openTrace(std::string_view formatName, const std::filesystem::path& path, std::string* error = nullptr)
{
    const TraceFormat& format = formatNamed(formatName);
    for (const TraceSource& source : format.find(path)) {
        auto trace = format.open(source);
        if (trace)
            return *trace;
        if (error)
            *error = trace.error().what;
        return nullptr;
    }
    return nullptr;
}

} // namespace helio
