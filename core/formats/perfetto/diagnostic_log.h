#pragma once

#include "core/base/diagnostic.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace helio::perfetto {

/// Collects the diagnostics of a trace, one for each kind. The first diagnostic of a kind determines offset and text; later ones only
/// increase the count of the first one.
class DiagnosticLog {
public:
    explicit DiagnosticLog(std::string file)
        : m_file(std::move(file))
    {
    }

    void add(Diagnostic::Severity severity, const std::string& kind, std::uint64_t offset, std::string what, std::uint64_t count = 1)
    {
        const auto same = std::ranges::find(m_all, kind, &Diagnostic::kind);
        if (same != m_all.end())
            same->count += count;
        else
            m_all.push_back({severity, kind, m_file, offset, count, std::move(what)});
    }
    void warn(const std::string& kind, std::uint64_t offset, std::string what, std::uint64_t count = 1)
    {
        add(Diagnostic::Severity::Warning, kind, offset, std::move(what), count);
    }

    std::vector<Diagnostic> take() { return std::move(m_all); }

private:
    std::string m_file;
    std::vector<Diagnostic> m_all;
};

} // namespace helio::perfetto
