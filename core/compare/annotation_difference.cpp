#include "core/compare/annotation_difference.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace helio {
namespace {

constexpr std::uint32_t None = ~0u;
constexpr std::uint32_t Several = ~1u;
/// Maximum number of path components (folders and file name) that are compared, counted from the end of each path.
constexpr int MostParts = 8;

/// Returns the last `parts` components of a path; empty if the path has fewer.
std::string_view endOf(std::string_view path, int parts)
{
    std::size_t slash = path.size();
    for (; parts > 0; --parts) {
        if (slash == 0 || slash == std::string_view::npos)
            return {};
        slash = path.rfind('/', slash - 1);
    }
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Returns the indices of the files, keyed by the last `parts` components of their paths. The index is Several if more than one file has
/// these last components.
std::map<std::string_view, std::uint32_t> byEnds(const std::vector<std::string>& files, int parts)
{
    std::map<std::string_view, std::uint32_t> ends;
    for (std::uint32_t i = 0; i < files.size(); ++i)
        if (const auto end = endOf(files[i], parts); !end.empty())
            if (const auto [it, isNew] = ends.try_emplace(end, i); !isNew)
                it->second = Several;
    return ends;
}

/// Returns for each of `files` an index into `all`. No two files get the same index. Files without a counterpart in `all` are appended to
/// it.
std::vector<std::uint32_t> placesOf(const std::vector<std::string>& files, std::vector<std::string>& all)
{
    std::vector<std::uint32_t> places(files.size(), None);
    std::vector<bool> isTaken(all.size(), false);
    const auto take = [&](std::uint32_t file, std::uint32_t place) {
        if (places[file] == None && !isTaken[place]) {
            places[file] = place;
            isTaken[place] = true;
        }
    };
    std::map<std::string_view, std::uint32_t> paths;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        paths.try_emplace(all[i], i);
    for (std::uint32_t i = 0; i < files.size(); ++i)
        if (const auto found = paths.find(files[i]); found != paths.end())
            take(i, found->second);
    // Match files by the ends of their paths, longest end first, because files may have been built in another directory.
    for (int parts = MostParts; parts > 0; --parts) {
        const auto others = byEnds(all, parts);
        for (const auto& [end, file] : byEnds(files, parts))
            if (const auto found = others.find(end); file != Several && found != others.end() && found->second != Several)
                take(file, found->second);
    }
    for (std::uint32_t i = 0; i < files.size(); ++i)
        if (places[i] == None) {
            places[i] = static_cast<std::uint32_t>(all.size());
            all.push_back(files[i]);
        }
    return places;
}

void add(ComparedCode& to, const CodeSums& from, SampleSum ComparedSum::*side)
{
    to.self.*side += from.self;
    to.total.*side += from.total;
}

struct Line {
    ComparedCode sums;
    bool isInlined = true;
};
/// Source lines, keyed by the index of the file and the line number.
using Lines = std::map<std::pair<std::uint32_t, std::uint32_t>, Line>;

void addLines(Lines& lines, const Annotation& from, const std::vector<std::uint32_t>& places, SampleSum ComparedSum::*side)
{
    for (const AnnotatedLine& it : from.lines) {
        Line& line = lines[{places[it.file], it.line}];
        add(line.sums, it.sums, side);
        line.isInlined = line.isInlined && it.isInlined;
    }
}

bool haveSameCode(const Annotation& a, const Annotation& b)
{
    const auto isSame = [](const Instruction& l, const Instruction& r) { return l.size == r.size && l.text == r.text; };
    return !a.code.instructions.empty() && std::ranges::equal(a.code.instructions, b.code.instructions, isSame)
        && a.addresses.size() == b.addresses.size();
}

} // namespace

AnnotationDifference compareAnnotations(const Annotation& a, const Annotation& b)
{
    const bool isInA = !a.addresses.empty() || !a.files.empty();
    const bool isInB = !b.addresses.empty() || !b.files.empty();
    const Annotation& base = isInB ? b : a;
    AnnotationDifference result;
    result.code = base;
    result.noCodeReason = {a.code.noCodeReason, b.code.noCodeReason};
    const auto placesA = placesOf(a.files, result.code.files);
    const auto placesB = placesOf(b.files, result.code.files);
    Lines lines;
    addLines(lines, a, placesA, &ComparedSum::a);
    addLines(lines, b, placesB, &ComparedSum::b);
    result.code.lines.clear();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> indices;
    for (const auto& [place, line] : lines) {
        indices[place] = static_cast<std::uint32_t>(result.lines.size());
        result.code.lines.push_back({place.first, place.second, {}, line.isInlined});
        result.lines.push_back(line.sums);
    }
    const auto& places = isInB ? placesB : placesA;
    for (std::uint32_t& line : result.code.lineOf)
        if (line != Annotation::NoLine)
            line = indices[{places[base.lines[line].file], base.lines[line].line}];
    if (isInA != isInB || haveSameCode(a, b)) {
        result.addresses.resize(base.addresses.size());
        for (std::size_t i = 0; i < result.addresses.size(); ++i) {
            if (isInA)
                add(result.addresses[i], a.addresses[i].sums, &ComparedSum::a);
            if (isInB)
                add(result.addresses[i], b.addresses[i].sums, &ComparedSum::b);
        }
    }
    add(result.sums, a.sums, &ComparedSum::a);
    add(result.sums, b.sums, &ComparedSum::b);
    result.taken = {a.taken, b.taken};
    return result;
}

} // namespace helio
