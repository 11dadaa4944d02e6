#include "core/remote/index_listing.h"

#include <algorithm>
#include <set>
#include <simdjson.h>

namespace helio {
namespace {

namespace dom = simdjson::dom;

constexpr std::uint64_t MostFileBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t MostBytes = std::uint64_t{4} << 40; ///< Maximum size of all files together.
constexpr std::size_t MostFiles = 100'000;
constexpr std::size_t MostRanges = 64; ///< Maximum number of ranges of a file.
constexpr std::size_t MostNameBytes = 100;

Error wrong(const char* what) { return {Error::Kind::Corrupt, std::string("the list of the other machine is wrong: ") + what}; }

bool isSafeName(std::string_view name)
{
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    };
    return !name.empty() && name.size() <= MostNameBytes && name.front() != '.' && std::ranges::all_of(name, isAllowed);
}

/// Makes a name safe, and different from those in `taken`, which it joins.
std::string safeName(std::string_view name, std::set<std::string>& taken)
{
    constexpr std::size_t Most = 60;
    std::string safe(name.substr(0, Most));
    for (char& c : safe)
        if (!isSafeName({&c, 1}) && c != '.')
            c = '_';
    if (!isSafeName(safe))
        safe.insert(0, "trace");
    std::string unique = safe;
    for (int number = 2; !taken.insert(unique).second; ++number)
        unique = safe + '-' + std::to_string(number);
    return unique;
}

bool readText(dom::element object, const char* key, std::string& out)
{
    std::string_view text;
    if (object[key].get_string().get(text) != simdjson::SUCCESS)
        return false;
    out = text;
    return true;
}

Status readFile(dom::element element, ListedFile& file)
{
    dom::array ranges;
    if (!readText(element, "name", file.name) || !readText(element, "hash", file.hash)
        || element["bytes"].get_uint64().get(file.size) != simdjson::SUCCESS
        || element["first"].get_array().get(ranges) != simdjson::SUCCESS)
        return wrong("a file lacks a member");
    if (!isSafeName(file.name) || file.name.find(".pieces") != std::string::npos || file.size > MostFileBytes)
        return wrong("a file has an unusable name or size");
    if (ranges.size() > MostRanges)
        return wrong("a file has too many ranges");
    for (const dom::element range : ranges) {
        ListedRange& read = file.first.emplace_back();
        if (range.at(0).get_uint64().get(read.offset) != simdjson::SUCCESS || range.at(1).get_uint64().get(read.size) != simdjson::SUCCESS
            || read.offset > file.size || read.size > file.size - read.offset)
            return wrong("a range is outside of its file");
    }
    return Done{};
}

} // namespace

Result<std::vector<ListedTrace>> readIndexListing(std::string_view json)
{
    dom::parser parser;
    dom::element document;
    dom::array traces;
    if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS
        || document["traces"].get_array().get(traces) != simdjson::SUCCESS)
        return wrong("it has no traces");
    std::vector<ListedTrace> listed;
    std::set<std::string> folders;
    std::size_t count = 0;
    std::uint64_t bytes = 0;
    for (const dom::element trace : traces) {
        ListedTrace& read = listed.emplace_back();
        dom::array files;
        std::string name;
        if (!readText(trace, "name", name) || trace["files"].get_array().get(files) != simdjson::SUCCESS)
            return wrong("a trace lacks a member");
        read.folder = safeName(name, folders);
        std::set<std::string> names;
        for (const dom::element file : files) {
            if (++count > MostFiles)
                return wrong("it has too many files");
            ListedFile& added = read.files.emplace_back();
            if (Status status = readFile(file, added); !status)
                return status.error();
            bytes += added.size;
            if (bytes > MostBytes)
                return wrong("the files are too large");
            if (!names.insert(added.name).second)
                return wrong("it has a file twice");
        }
        if (read.files.empty())
            return wrong("a trace has no files");
    }
    if (listed.empty())
        return wrong("it has no traces");
    return listed;
}

} // namespace helio
