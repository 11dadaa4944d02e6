#include "core/xml_analysis/running/run_problems.h"

namespace helio::xml {

std::vector<Diagnostic> RunProblems::diagnostics(const std::string& file) const
{
    std::vector<Diagnostic> all;
    for (const auto& [where, count] : m_counts) {
        const auto& [place, what] = where;
        if (all.size() == MostListed)
            break;
        const std::string line = "line " + std::to_string(place.first) + ", column " + std::to_string(place.second) + ": ";
        all.push_back({Diagnostic::Severity::Warning, "analysis-rule", file, 0, count, line + std::string(what)});
    }
    return all;
}

} // namespace helio::xml
