#pragma once

#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace helio {

/// Opens the first trace at or below `path` in the built-in format of that name. Returns nullptr if there is none, or if it cannot be
/// opened; `error` (if set) then receives the reason, and stays as it is if there is no trace.
inline std::shared_ptr<const Trace> openTrace(std::string_view formatName, const std::filesystem::path& path, std::string* error = nullptr)
{
    for (const TraceFormat* format : builtinTraceFormats()) {
        if (format->name != formatName)
            continue;
        for (const TraceSource& source : format->find(path)) {
            auto trace = format->open(source);
            if (trace)
                return *trace;
            if (error)
                *error = trace.error().what;
            return nullptr;
        }
    }
    return nullptr;
}

} // namespace helio
