#include "core/formats/ctf/opening/ctf_find.h"

#include "core/formats/ctf/metadata/tsdl_lexer.h"
#include "core/formats/ctf/shape/ctf_metadata.h"
#include "core/io/mapped_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

namespace helio::ctf {
namespace {

namespace fs = std::filesystem;

constexpr int MaxDepth = 12;
constexpr std::size_t MaxFolders = 50'000;

std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

bool looksLikeMetadata(std::span<const std::byte> bytes)
{
    const auto text = textOf(bytes.first(std::min<std::size_t>(bytes.size(), 1 << 16)));
    if (text.starts_with("\x57\x1d\xd1\x75") || text.starts_with("\x75\xd1\x1d\x57") || isJsonMetadata(bytes))
        return true;
    const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    return text.starts_with("/* CTF") || (has("trace") && has("byte_order") && has("{"));
}

/// Returns the UUID in the trace block; empty if it contains none or cannot be read.
std::string uuidIn(std::string_view text)
{
    try {
        TsdlLexer lexer(text);
        Token previous;
        int depth = 0;
        bool isTrace = false;
        for (auto token = lexer.next(); token.kind != Token::Kind::End; previous = std::move(token), token = lexer.next()) {
            if (token.isMark("{") && depth++ == 0)
                isTrace = previous.isWord("trace");
            else if (token.isMark("}") && --depth == 0 && isTrace)
                return {};
            else if (isTrace && depth == 1 && token.isWord("uuid") && lexer.next().isMark("="))
                return lexer.next().text;
        }
    } catch (const TsdlError&) {
    }
    return {};
}

/// True if the metadata is empty or zeroed although the folder contains stream files of a trace.
bool isLostMetadata(const fs::path& folder, std::span<const std::byte> bytes)
{
    if (!std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte(0); }))
        return false;
    const auto files = findStreamFiles(folder);
    return files && std::ranges::any_of(*files, [](const fs::path& path) {
               const auto file = MappedFile::open(path);
               const auto begin = file ? textOf((*file)->bytes()).substr(0, 4) : std::string_view();
               return begin == "\xc1\x1f\xfc\xc1" || begin == "\xc1\xfc\x1f\xc1";
           });
}

/// A folder with a metadata file.
struct Folder {
    fs::path path;
    std::string text;
    std::string uuid;
};

std::optional<Folder> folderAt(const fs::path& path)
{
    std::error_code error;
    const auto metadata = path / "metadata";
    if (!fs::is_regular_file(metadata, error))
        return {};
    const auto file = MappedFile::open(metadata);
    if (!file || !(looksLikeMetadata((*file)->bytes()) || isLostMetadata(path, (*file)->bytes())))
        return {};
    Folder folder{path, {}, {}};
    if (auto text = metadataText((*file)->bytes(), metadata.string()))
        folder.text = std::move(text->text);
    folder.uuid = isJsonMetadata((*file)->bytes()) ? jsonUuid(folder.text) : uuidIn(folder.text);
    return folder;
}

void collect(const fs::path& path, int depth, std::size_t& visited, std::vector<Folder>& found)
{
    if (++visited > MaxFolders)
        return;
    if (auto folder = folderAt(path)) {
        found.push_back(std::move(*folder));
        return;
    }
    if (depth == MaxDepth)
        return;
    std::vector<fs::path> below;
    std::error_code error;
    for (fs::directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (!it->is_symlink(ignored) && it->is_directory(ignored))
            below.push_back(it->path());
    }
    std::sort(below.begin(), below.end());
    for (const auto& child : below)
        collect(child, depth + 1, visited, found);
}

bool isChunkOf(const Folder& a, const Folder& b)
{
    return !a.uuid.empty() && a.uuid == b.uuid && (a.text.starts_with(b.text) || b.text.starts_with(a.text));
}

/// Returns the deepest folder that contains all parts.
fs::path commonFolder(const std::vector<fs::path>& parts)
{
    fs::path common = parts.front();
    for (const auto& part : parts) {
        const auto [end, ignored] = std::mismatch(common.begin(), common.end(), part.begin(), part.end());
        fs::path shared;
        for (auto it = common.begin(); it != end; ++it)
            shared /= *it;
        common = std::move(shared);
    }
    return common;
}

} // namespace

std::vector<TraceSource> findTraces(const fs::path& path)
{
    std::error_code error;
    std::vector<Folder> found;
    if (fs::is_directory(path, error)) {
        std::size_t visited = 0;
        collect(path, 0, visited, found);
    } else if (fs::is_regular_file(path, error)) {
        const auto parent = path.parent_path();
        if (auto folder = folderAt(parent.empty() ? fs::path(".") : parent))
            found.push_back(std::move(*folder));
    }
    std::vector<TraceSource> sources;
    std::vector<const Folder*> longest; // Folder with the longest metadata of each source; parallel to `sources`.
    for (const auto& folder : found) {
        const auto same = std::find_if(longest.begin(), longest.end(), [&](const Folder* other) { return isChunkOf(*other, folder); });
        if (same == longest.end()) {
            sources.push_back({folder.path, {folder.path}});
            longest.push_back(&folder);
            continue;
        }
        auto& source = sources[static_cast<std::size_t>(same - longest.begin())];
        source.parts.push_back(folder.path);
        source.path = commonFolder(source.parts);
        if (folder.text.size() > (*same)->text.size())
            *same = &folder;
    }
    return sources;
}

Result<std::vector<fs::path>> findStreamFiles(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const auto name = it->path().filename().string();
        std::error_code unknown;
        const bool isFile = it->is_regular_file(unknown);
        if (isFile && name != "metadata" && !name.starts_with('.'))
            files.push_back(it->path());
        // A link that leads nowhere or in circles is no stream, but after other errors a stream may be missing.
        constexpr std::array Harmless{std::errc::no_such_file_or_directory, std::errc::too_many_symbolic_link_levels,
                                      std::errc::permission_denied, std::errc::not_a_directory};
        if (unknown && std::ranges::none_of(Harmless, [&](std::errc code) { return unknown == code; }))
            return Error{Error::Kind::Unreadable, it->path().string() + ": " + unknown.message()};
    }
    if (error)
        return Error{Error::Kind::Unreadable, folder.string() + ": " + error.message()};
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace helio::ctf
