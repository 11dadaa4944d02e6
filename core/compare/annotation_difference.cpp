#include "core/compare/annotation_difference.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace helio {
namespace {

std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// For each of `files` its place in `all`, to which unknown ones are added.
std::vector<std::uint32_t> placesOf(const std::vector<std::string>& files, std::vector<std::string>& all)
{
    std::vector<std::uint32_t> places;
    for (const std::string& file : files) {
        auto found = std::ranges::find(all, file);
        if (found == all.end()) // Built elsewhere.
            found = std::ranges::find_if(all, [&](const std::string& other) { return fileName(other) == fileName(file); });
        if (found == all.end())
            found = all.insert(all.end(), file);
        places.push_back(static_cast<std::uint32_t>(found - all.begin()));
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
using Lines = std::map<std::pair<std::uint32_t, std::uint32_t>, Line>; ///< By file and number.

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
    return result;
}

} // namespace helio
