#pragma once

#include "core/base/diagnostic.h"
#include "core/xml_analysis/program.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio::xml {

/// What went wrong while an analysis ran, by where its file asks for it and how: counted, not listed. One thread.
class RunProblems {
public:
    void add(Place place, const char* what) { ++m_counts[{{place.line, place.column}, what}]; }

    /// `file` is where the analysis stands.
    std::vector<Diagnostic> diagnostics(const std::string& file) const;

private:
    static constexpr std::size_t MostListed = 50;
    std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string_view>, std::uint64_t> m_counts;
};

} // namespace helio::xml
