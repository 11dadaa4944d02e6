#include "core/experiment/unreadable_file.h"

#include "core/io/mapped_file.h"
#include "core/io/unpack.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t LookedAt = 4096; ///< Number of bytes read from the beginning of a file.
constexpr std::string_view Readable =
    "Recordings that are read: perf.data, LTTng's and other CTF traces (folders with a file named metadata), archives of them, "
    "and texts by perf script and FlameGraph's stackcollapse";

struct Magic {
    std::string_view begin;
    std::string_view what;
};

using namespace std::string_view_literals;

/// Files that a user may mistake for a recording, by their first bytes.
constexpr std::array Magics{
    Magic{"PERFILE2"sv, "a perf.data file"},
    Magic{"2ELIFREP"sv, "a perf.data file"}, // Opposite byte order.
    Magic{"PERFFILE"sv,
          "a perf.data file of version 1, as perf wrote until 2012 (Linux 3.3), which is not read; save what the perf of that time prints, "
          "perf "
          "script > FILE, and open that text"},
    Magic{"\x17\x08\x44tracing"sv,
          "a recording by trace-cmd (trace.dat), which is not read yet; record the same events with perf record -a -e EVENTS or LTTng"},
    Magic{"\x7f"
          "ELF"sv,
          "an ELF program or library, not a recording; record it while it runs: perf record -g PROGRAM"},
    Magic{"\xc1\x1f\xfc\xc1"sv, "one stream of a CTF trace; open the folder that it lies in, which holds the file metadata, too"},
    Magic{"\xc1\xfc\x1f\xc1"sv, "one stream of a CTF trace; open the folder that it lies in, which holds the file metadata, too"},
    Magic{"/* CTF"sv, "the metadata of a CTF trace; open the folder that it lies in"},
    Magic{"\x57\x1d\xd1\x75"sv, "the metadata of a CTF trace; open the folder that it lies in"},
    Magic{"\x75\xd1\x1d\x57"sv, "the metadata of a CTF trace; open the folder that it lies in"},
    Magic{"\x1e{"sv, "the metadata of a CTF 2 trace; open the folder that it lies in"},
    Magic{"\xd4\xc3\xb2\xa1"sv, "a capture of network packets (pcap), not a recording of what ran"},
    Magic{"\x0a\x0d\x0d\x0a"sv, "a capture of network packets (pcapng), not a recording of what ran"},
    Magic{"SQLite format 3"sv, "an SQLite database, not a recording"},
    Magic{"\x89PNG"sv, "a picture, not a recording"},
    Magic{"%PDF"sv, "a PDF document, not a recording"},
};

std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

bool isText(std::string_view bytes)
{
    return std::ranges::none_of(bytes, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t'; });
}

/// Describes a file by its first bytes; callers put "it is" before the text.
std::string describe(std::string_view begin)
{
    const auto known = std::ranges::find_if(Magics, [&](const Magic& magic) { return begin.starts_with(magic.begin); });
    if (known != Magics.end())
        return std::string(known->what);
    if (begin.starts_with('{') || begin.starts_with('['))
        return "a JSON text, of a kind that is not read. " + std::string(Readable);
    if (isText(begin))
        return "a text, but neither what perf script prints nor folded stacks. " + std::string(Readable);
    return "something of a kind that is not known. " + std::string(Readable);
}

std::vector<std::byte> beginOf(const MappedFile& file)
{
    if (isCompressed(file.bytes()))
        if (auto begin = unpackPrefix(file.bytes(), LookedAt))
            return std::move(*begin);
    const auto bytes = file.bytes().first(std::min(LookedAt, file.bytes().size()));
    return {bytes.begin(), bytes.end()};
}

} // namespace

bool isCompressedRecording(const fs::path& path)
{
    const auto file = MappedFile::open(path);
    if (!file || !isCompressed((*file)->bytes()))
        return false;
    const auto begin = beginOf(**file);
    const std::string_view text = textOf(begin);
    return text.starts_with("PERFILE2") || text.starts_with("2ELIFREP");
}

namespace {

constexpr int MaxDepth = 12;
constexpr std::size_t MaxFolders = 50'000;

/// Files and folders without read permission, at or below a folder.
struct Denied {
    std::optional<fs::path> trace; ///< First unreadable folder that belongs to a trace.
    std::optional<fs::path> other; ///< First other unreadable folder.
    std::size_t others = 0;
};

void findDenied(const fs::path& folder, int depth, std::size_t& visited, Denied& denied)
{
    std::error_code error;
    fs::directory_iterator it(folder, error);
    if (error == std::errc::permission_denied) {
        // LTTng's session daemon, which runs as root, gives the folder of a kernel trace this name.
        if (depth == 0 || folder.filename() == "kernel") {
            denied.trace = folder;
        } else {
            denied.other = denied.other.value_or(folder);
            ++denied.others;
        }
    }
    if (error || ++visited > MaxFolders || depth == MaxDepth)
        return;
    std::error_code ignored;
    const fs::path metadata = folder / "metadata";
    if (fs::is_regular_file(metadata, ignored) && faccessat(AT_FDCWD, metadata.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES)
        denied.trace = folder;
    std::vector<fs::path> below;
    for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
        if (!it->is_symlink(ignored) && it->is_directory(ignored))
            below.push_back(it->path());
    }
    std::ranges::sort(below);
    for (const fs::path& path : below) {
        if (denied.trace)
            return;
        findDenied(path, depth + 1, visited, denied);
    }
}

Denied findDenied(const fs::path& folder)
{
    Denied denied;
    std::size_t visited = 0;
    findDenied(folder, 0, visited, denied);
    return denied;
}

/// Quotes a path for a shell.
std::string quoted(const fs::path& path)
{
    std::string text = "'";
    for (const char c : path.string())
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
}

std::string wordsOf(const fs::path& trace)
{
    return "cannot read " + trace.string()
        + ": permission denied. What was recorded as root, such as a kernel trace, belongs to root; to make it yours: sudo chown -R "
          "\"$USER\" "
        + quoted(trace);
}

} // namespace

std::string explainDenied(const fs::path& folder)
{
    const Denied denied = findDenied(folder);
    return denied.trace ? wordsOf(*denied.trace) : std::string();
}

std::string describeUnreadable(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const Denied denied = findDenied(path);
        if (denied.trace)
            return wordsOf(*denied.trace);
        const std::string unread = denied.others == 0 ? ""
            : denied.others == 1
            ? ", but one below it may not be read: " + denied.other->string()
            : ", but " + std::to_string(denied.others) + " below it may not be read, such as " + denied.other->string();
        return "no trace is in this folder" + unread + ". " + std::string(Readable);
    }
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error().what;
    if ((*file)->bytes().empty())
        return "the file is empty";
    const auto begin = beginOf(**file);
    const std::string what = describe(textOf(begin));
    return isCompressed((*file)->bytes()) ? "it is compressed, and holds " + what : "it is " + what;
}

} // namespace helio
