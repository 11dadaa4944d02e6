#include "core/symbol/source_paths.h"

#include <algorithm>
#include <optional>

namespace helio {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> partsOf(const fs::path& path) { return {path.begin(), path.end()}; }

fs::path joined(std::vector<fs::path>::const_iterator from, std::vector<fs::path>::const_iterator to)
{
    fs::path path;
    for (; from != to; ++from)
        path /= *from;
    return path;
}

/// Returns the part of `path` after `prefix`; nullopt if `path` is not below `prefix`. "/build/app" is no prefix of "/build/apple/x.c".
std::optional<fs::path> below(const fs::path& path, const fs::path& prefix)
{
    std::vector<fs::path> whole = partsOf(path), head = partsOf(prefix);
    if (!head.empty() && head.back().empty()) // Drop the empty last component of a path like "/build/".
        head.pop_back();
    if (head.empty() || head.size() >= whole.size() || !std::equal(head.begin(), head.end(), whole.begin()))
        return std::nullopt;
    return joined(whole.begin() + static_cast<std::ptrdiff_t>(head.size()), whole.end());
}

} // namespace

SourcePaths::Found SourcePaths::find(const std::string& recorded) const
{
    Found found;
    const fs::path path = fs::path(recorded).lexically_normal();
    const auto isHere = [&found](const fs::path& place) {
        if (std::ranges::find(found.looked, place) != found.looked.end())
            return false;
        found.looked.push_back(place);
        std::error_code ignored;
        return fs::is_regular_file(place, ignored);
    };
    if (recorded.empty())
        return found;
    std::vector<fs::path> places;
    for (const PathMapping& mapping : mappings)
        if (const auto rest = below(path, fs::path(mapping.recorded).lexically_normal()))
            places.push_back(mapping.local / *rest);
    if (path.is_absolute())
        places.push_back(path);
    const std::vector<fs::path> parts = partsOf(path.relative_path());
    for (const fs::path& directory : directories) // Try the longest suffix of the path first, because it is the most specific one.
        for (auto from = parts.begin(); from != parts.end(); ++from)
            if (const fs::path rest = joined(from, parts.end()); !rest.empty() && *rest.begin() != "..")
                places.push_back(directory / rest);
    for (const fs::path& place : places)
        if (isHere(place)) {
            found.file = place;
            break;
        }
    return found;
}

SourcePaths::PathMapping SourcePaths::mappingFor(const std::string& recorded, const fs::path& local)
{
    std::vector<fs::path> there = partsOf(fs::path(recorded).lexically_normal()), here = partsOf(local.lexically_normal());
    while (there.size() > 1 && here.size() > 1 && there.back() == here.back()) {
        there.pop_back();
        here.pop_back();
    }
    return {joined(there.begin(), there.end()).string(), joined(here.begin(), here.end())};
}

} // namespace helio
