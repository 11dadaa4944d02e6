#pragma once

#include "core/base/diagnostic.h"
#include "core/xml_analysis/program.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio::xml {

/// Counts what went wrong while an analysis ran, by the place in its file and the message.
/// Threads: to be used by one thread.
class RunProblems {
public:
    void add(SourcePosition place, const char* what) { ++m_counts[{{place.line, place.column}, what}]; }

    /// `file` is the path of the analysis file.
    std::vector<Diagnostic> diagnostics(const std::string& file) const;

private:
    static constexpr std::size_t MostListed = 50;
    std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string_view>, std::uint64_t> m_counts;
};

} // namespace helio::xml
