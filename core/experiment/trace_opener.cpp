#include "core/experiment/trace_opener.h"

#include "core/io/archive.h"
#include "core/io/mapped_file.h"
#include "core/io/unpack.h"
#include "core/remote/remote_address.h"
#include "core/remote/remote_index.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t LookedAt = 4096; ///< Number of bytes to read from the beginning of a file to recognize its type.
constexpr std::string_view Readable =
    "Supported: perf.data, trace.dat, LTTng and other CTF traces (folders with a metadata file), archives of "
    "them, Perfetto and KUtrace traces, Chrome traces (JSON), profiles (pprof, .cpuprofile, speedscope, Firefox, "
    "Callgrind), and text from ftrace, strace, ltrace, perf script or FlameGraph's stackcollapse";

struct Magic {
    std::string_view begin;
    std::string_view what;
};

using namespace std::string_view_literals;

/// First bytes of files that a user may mistake for a recording, with a description.
constexpr std::array Magics{
    Magic{"PERFILE2"sv, "a perf.data file"},
    Magic{"2ELIFREP"sv, "a perf.data file"}, // A perf.data file whose numbers are in the opposite byte order.
    Magic{"PERFFILE"sv,
          "a version 1 perf.data file (written until 2012, Linux 3.3), which is not supported; convert it with "
          "the perf of that time, perf script > FILE, and open that text"},
    Magic{"\x17\x08\x44tracing"sv, "a trace-cmd recording (trace.dat)"},
    Magic{"\x7f"
          "ELF"sv,
          "an ELF program or library, not a recording; record it while it runs: perf record -g PROGRAM"},
    Magic{"\xc1\x1f\xfc\xc1"sv, "one stream of a CTF trace; open its folder, which also contains the metadata file"},
    Magic{"\xc1\xfc\x1f\xc1"sv, "one stream of a CTF trace; open its folder, which also contains the metadata file"},
    Magic{"/* CTF"sv, "the metadata of a CTF trace; open its folder"},
    Magic{"\x57\x1d\xd1\x75"sv, "the metadata of a CTF trace; open its folder"},
    Magic{"\x75\xd1\x1d\x57"sv, "the metadata of a CTF trace; open its folder"},
    Magic{"\x1e{"sv, "the metadata of a CTF 2 trace; open its folder"},
    Magic{"DTiJ"sv, "a jitdump file, which names code for a perf.data; open the perf.data beside it"},
    Magic{"JiTD"sv, "a jitdump file, which names code for a perf.data; open the perf.data beside it"},
    Magic{"FLR\0"sv, "a recording of Java Flight Recorder, which is not supported"},
    Magic{"lock_stat version"sv, "a copy of /proc/lock_stat; print it with heliograph lock-stat, or open it in the window"},
    Magic{"gmon"sv, "a profile of gprof, which is not supported; gprof prints it"},
    Magic{"\xd4\xc3\xb2\xa1"sv, "a network packet capture (pcap), not a trace"},
    Magic{"\x0a\x0d\x0d\x0a"sv, "a network packet capture (pcapng), not a trace"},
    Magic{"SQLite format 3"sv, "an SQLite database, not a recording"},
    Magic{"\x89PNG"sv, "a picture, not a recording"},
    Magic{"%PDF"sv, "a PDF document, not a recording"},
};

std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

bool isText(std::string_view bytes)
{
    return std::ranges::none_of(bytes, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t'; });
}

/// Describes a file by its first bytes, for a text that begins with "it is".
std::string describe(std::string_view begin)
{
    const auto known = std::ranges::find_if(Magics, [&](const Magic& magic) { return begin.starts_with(magic.begin); });
    if (known != Magics.end())
        return std::string(known->what);
    if (begin.starts_with('{') || begin.starts_with('['))
        return "an unsupported JSON file. " + std::string(Readable);
    if (isText(begin))
        return "an unrecognized text file. " + std::string(Readable);
    return "an unrecognized file. " + std::string(Readable);
}

std::vector<std::byte> beginOf(const MappedFile& file)
{
    if (isCompressed(file.bytes()))
        if (auto begin = unpackPrefix(file.bytes(), LookedAt))
            return std::move(*begin);
    const auto bytes = file.bytes().first(std::min(LookedAt, file.bytes().size()));
    return {bytes.begin(), bytes.end()};
}

/// True if the file is a compressed perf.data or trace.dat recording.
/// Cost: reads the first bytes.
bool isCompressedRecording(const fs::path& path)
{
    const auto file = MappedFile::open(path);
    if (!file || !isCompressed((*file)->bytes()))
        return false;
    const auto begin = beginOf(**file);
    const std::string_view text = textOf(begin);
    return text.starts_with("PERFILE2") || text.starts_with("2ELIFREP") || text.starts_with("\x17\x08\x44tracing");
}

constexpr int MaxDepth = 12;
constexpr std::size_t MaxFolders = 50'000;

/// Files and folders at or below a folder that cannot be read.
struct UnreadableItems {
    std::optional<fs::path> trace; ///< First folder without read permission that belongs to a trace.
    std::optional<fs::path> other; ///< First folder without read permission that belongs to no trace.
    std::size_t others = 0;
    std::string failure; ///< First folder that cannot be listed for another reason, with the reason; empty if there is none.
};

void findUnreadable(const fs::path& folder, int depth, std::size_t& visited, UnreadableItems& unreadable)
{
    std::error_code error;
    fs::directory_iterator it(folder, error);
    if (error == std::errc::permission_denied) {
        // A folder named "kernel" that cannot be read is probably a kernel trace: LTTng's session daemon writes kernel traces as root into
        // folders with this name.
        if (depth == 0 || folder.filename() == "kernel") {
            unreadable.trace = folder;
        } else {
            unreadable.other = unreadable.other.value_or(folder);
            ++unreadable.others;
        }
    }
    const auto noteFailure = [&] {
        if (error && unreadable.failure.empty() && error != std::errc::permission_denied)
            unreadable.failure = "cannot list " + folder.string() + ": " + error.message() + ". Traces in it may be missing";
    };
    noteFailure();
    if (error || ++visited > MaxFolders || depth == MaxDepth)
        return;
    std::error_code ignored;
    const fs::path metadata = folder / "metadata";
    if (fs::is_regular_file(metadata, ignored) && faccessat(AT_FDCWD, metadata.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES)
        unreadable.trace = folder;
    std::vector<fs::path> below;
    for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
        if (!it->is_symlink(ignored) && it->is_directory(ignored))
            below.push_back(it->path());
    }
    noteFailure();
    std::ranges::sort(below);
    for (const fs::path& path : below) {
        if (unreadable.trace)
            return;
        findUnreadable(path, depth + 1, visited, unreadable);
    }
}

UnreadableItems findUnreadable(const fs::path& folder)
{
    UnreadableItems unreadable;
    std::size_t visited = 0;
    findUnreadable(folder, 0, visited, unreadable);
    return unreadable;
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
        + ": permission denied. Recordings made as root, such as kernel traces, belong to root. To take "
          "ownership: sudo chown -R \"$USER\" "
        + quoted(trace);
}

/// Explains why a trace at or below the folder cannot be read, with a command that gives access. Considers the folder itself, folders named
/// "kernel" and files named "metadata" if they have no read permission, and folders that cannot be listed. Empty if all are readable.
/// Cost: lists at most 50,000 folders, at most 12 levels deep.
std::string explainUnreadable(const fs::path& folder)
{
    const UnreadableItems unreadable = findUnreadable(folder);
    return unreadable.trace ? wordsOf(*unreadable.trace) : unreadable.failure;
}

/// Describes a file or folder in which no trace was found, with advice: "an ELF program; record it while it runs, with perf record".
/// Cost: reads the first bytes.
std::string describeUnreadable(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const UnreadableItems unreadable = findUnreadable(path);
        if (unreadable.trace)
            return wordsOf(*unreadable.trace);
        if (!unreadable.failure.empty())
            return unreadable.failure;
        const std::string unread = unreadable.others == 0 ? ""
            : unreadable.others == 1                      ? ", but permission was denied for one item in it: " + unreadable.other->string()
                                     : ", but permission was denied for " + std::to_string(unreadable.others) + " items in it, such as "
                + unreadable.other->string();
        return "no trace in this folder" + unread + ". " + std::string(Readable);
    }
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error().what;
    if ((*file)->bytes().empty())
        return "the file is empty";
    const auto begin = beginOf(**file);
    const std::string what = describe(textOf(begin));
    return isCompressed((*file)->bytes()) ? "it is compressed and contains " + what : "it is " + what;
}

/// Returns the archives and compressed recordings in a folder, sorted by name.
/// Cost: reads the first blocks of at most 1,000 files.
std::vector<fs::path> archivesIn(const fs::path& folder)
{
    constexpr std::size_t Most = 1000;
    std::vector<fs::path> archives;
    std::size_t seen = 0;
    std::error_code error, ignored;
    fs::directory_iterator it(folder, error);
    for (const fs::directory_iterator end; !error && it != end && seen < Most; it.increment(error))
        if (it->is_regular_file(ignored) && ++seen > 0 && (isArchive(it->path()) || isCompressedRecording(it->path())))
            archives.push_back(it->path());
    std::ranges::sort(archives);
    return archives;
}

std::string describeArchives(const std::vector<fs::path>& archives)
{
    const std::string name = archives.front().filename().string();
    if (archives.size() == 1)
        return "no trace here, but an archive, which must be unpacked first: " + name;
    return "no trace here, but " + std::to_string(archives.size()) + " archives, such as " + name
        + ". Open one of them, or several together";
}

/// Returns a diagnostic about `path`. A leading path is removed from the text, because the diagnostic contains the path already.
Diagnostic problem(const fs::path& path, std::string what)
{
    if (const std::string named = path.string() + ": "; what.starts_with(named))
        what.erase(0, named.size());
    return {Diagnostic::Severity::Error, "unreadable", path.string(), 0, 1, std::move(what)};
}

/// Path of a folder or file in an archive, as in "traces.tar.gz/kernel".
struct ArchiveMember {
    fs::path archive;
    fs::path member; ///< Path in the archive.
};

/// Splits the path of a member into its parts; nullopt if no file above the path is an archive.
std::optional<ArchiveMember> memberAt(const fs::path& path)
{
    std::error_code error;
    for (fs::path above = path.parent_path(); !above.empty() && above != above.parent_path(); above = above.parent_path()) {
        if (!fs::is_regular_file(above, error))
            continue;
        const fs::path member = path.lexically_relative(above);
        const bool isBelow = std::ranges::find(member, fs::path("..")) == member.end();
        return isBelow && isArchive(above) ? std::optional(ArchiveMember{above, member}) : std::nullopt;
    }
    return {};
}

/// Returns the path at which to look for traces: the unpacked members of an archive, or the one that the path names; a compressed
/// recording's unpacked file; else the path itself.
Result<fs::path> located(const fs::path& path, const fs::path& unpackDirectory, std::stop_token stop)
{
    std::error_code error;
    if (!fs::exists(path, error)) {
        const auto inside = memberAt(path);
        if (!inside)
            return Error{Error::Kind::NotFound, "no such file or folder"};
        auto unpacked = unpackArchive(inside->archive, unpackDirectory, std::move(stop));
        if (!unpacked)
            return unpacked;
        if (!fs::exists(*unpacked / inside->member, error))
            return Error{Error::Kind::NotFound, "the archive contains no " + inside->member.string()};
        return *unpacked / inside->member;
    }
    if (fs::is_regular_file(path, error) && isArchive(path))
        return unpackArchive(path, unpackDirectory, std::move(stop));
    if (fs::is_regular_file(path, error) && isCompressedRecording(path))
        return unpackFile(path, unpackDirectory, std::move(stop));
    return path;
}

/// Gives an unpacked trace a name from the path that the user named: "traces.tar.gz/kernel".
TraceSource asNamed(TraceSource source, const fs::path& unpacked, const fs::path& named)
{
    if (unpacked == named)
        return source;
    if (source.parts.empty())
        source.parts.push_back(source.path);
    const fs::path below = source.path.lexically_relative(unpacked);
    source.path = below.empty() || below == "." ? named : named / below;
    return source;
}

/// A recording and the format that recognizes it.
struct Candidate {
    const TraceFormat* format = nullptr;
    TraceSource source;
};

/// Returns the recordings at or below `path`, each with its format. If several formats recognize the same file, the format with the surest
/// recognition (TraceSource::recognition) is used; among equally sure formats, the first one in builtinTraceFormats(). If `only` is not
/// nullptr, other formats are not considered.
std::vector<Candidate> findCandidates(const fs::path& path, const TraceFormat* only)
{
    std::vector<Candidate> candidates;
    for (const TraceFormat* format : only ? std::span(&only, 1) : builtinTraceFormats())
        for (TraceSource& source : format->find(path)) {
            const auto same = std::ranges::find(candidates, source.path, [](const Candidate& it) { return it.source.path; });
            if (same == candidates.end())
                candidates.push_back({format, std::move(source)});
            else if (source.recognition > same->source.recognition)
                *same = {format, std::move(source)};
        }
    return candidates;
}

/// Returns the text files in a folder and its subfolders that a format recognizes by their structure (Recognition::Structure), e.g. output
/// from strace, sorted by path. Leaves out the files that belong to the recordings in `known`.
/// Cost: reads the beginning of at most 1,000 files, two levels deep.
std::vector<Candidate> textsIn(const fs::path& folder, const std::vector<Candidate>& known, const TraceFormat* only)
{
    constexpr std::size_t Most = 1000;
    constexpr int Depth = 2;
    std::set<fs::path> taken;
    for (const Candidate& it : known) {
        taken.insert(it.source.path);
        taken.insert(it.source.parts.begin(), it.source.parts.end());
    }
    if (taken.contains(folder))
        return {};
    std::vector<fs::path> files;
    std::error_code error, ignored;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && it != end && files.size() < Most; it.increment(error)) {
        if (it->is_symlink(ignored))
            continue;
        if (it->is_directory(ignored) && (it.depth() >= Depth || taken.contains(it->path())))
            it.disable_recursion_pending();
        if (it->is_regular_file(ignored) && !taken.contains(it->path()))
            files.push_back(it->path());
    }
    std::ranges::sort(files);
    std::vector<Candidate> texts;
    for (const fs::path& file : files)
        for (Candidate& candidate : findCandidates(file, only)) {
            const bool isNew =
                std::ranges::none_of(texts, [&](const Candidate& text) { return text.source.path == candidate.source.path; });
            if (isNew && candidate.source.recognition == Recognition::Structure && !taken.contains(candidate.source.path))
                texts.push_back(std::move(candidate));
        }
    return texts;
}

class Opener {
public:
    /// `only`: format as which all paths are read; nullptr if their content decides.
    /// `unpackDirectory`: folder for unpacked archives, and for texts of recordings in other recordings.
    Opener(const TraceFormat* only, const fs::path& unpackDirectory)
        : m_only(only)
        , m_unpackDirectory(unpackDirectory)
    {
    }

    /// Begins to open the traces at or below a path. A folder without traces that has exactly one archive stands for the archive.
    void add(const fs::path& named, const std::stop_token& stop)
    {
        if (isRemote(named.native()))
            return addRemote(named, stop);
        const auto path = located(named, m_unpackDirectory, stop);
        if (!path) {
            m_begun.problems.push_back(problem(named, path.error().what));
            return;
        }
        std::error_code error;
        std::vector<Candidate> candidates = findCandidates(*path, m_only);
        const bool isFile = fs::is_regular_file(*path, error);
        if (candidates.empty() && isFile)
            candidates = findCandidates(*path, m_only); // Mapping a file fails for a moment if memory or descriptors are short.
        if (m_only && candidates.empty() && isFile)
            candidates.push_back({m_only, {*path, {*path}}});
        addTexts(*path, named, candidates);
        const bool found = !candidates.empty();
        for (Candidate& it : candidates)
            begin(*it.format, asNamed(std::move(it.source), *path, named), stop);
        const std::vector<fs::path> archives = found || !fs::is_directory(*path, error) ? std::vector<fs::path>() : archivesIn(*path);
        if (archives.size() == 1 && *path == named)
            return add(archives.front(), stop);
        if (!archives.empty())
            m_begun.problems.push_back(problem(named, describeArchives(archives)));
        else if (!found)
            m_begun.problems.push_back(problem(named, describeUnreadable(*path)));
        else if (fs::is_directory(*path, error))
            if (const std::string denied = explainUnreadable(*path); !denied.empty())
                m_begun.problems.push_back(problem(named, denied));
    }

    BegunOpenings take() { return std::move(m_begun); }

private:
    /// Begins to open the traces at an address on another machine, whose index is copied from there.
    void addRemote(const fs::path& named, const std::stop_token& stop)
    {
        const auto index = RemoteIndex::open(named.native(), m_unpackDirectory, stop);
        if (!index) {
            m_begun.problems.push_back(problem(named, index.error().what));
            return;
        }
        m_remotes.push_back(*index);
        for (const std::string& message : (*index)->messages())
            m_begun.problems.push_back(problem(named, (*index)->machine() + ": " + message));
        for (const TraceFormat* const format : builtinTraceFormats())
            if (format->name == "index")
                for (TraceSource& source : format->find((*index)->folder()))
                    begin(*format, asNamed(std::move(source), (*index)->folder(), named), stop);
    }

    /// Adds the text files in `folder` that are recordings to `candidates`. A text that was printed from a binary recording in the same
    /// folder is left out, because it has the same events; a message tells the user.
    void addTexts(const fs::path& folder, const fs::path& named, std::vector<Candidate>& candidates)
    {
        std::error_code error;
        if (!fs::is_directory(folder, error))
            return;
        std::vector<fs::path> prints;
        for (Candidate& text : textsIn(folder, candidates, m_only)) {
            const auto isPrinted = [&](const Candidate& it) {
                return it.source.recognition == Recognition::Signature && it.format->name == text.format->printOf;
            };
            if (std::ranges::any_of(candidates, isPrinted))
                prints.push_back(text.source.path);
            else
                candidates.push_back(std::move(text));
        }
        if (!prints.empty())
            m_begun.problems.push_back({Diagnostic::Severity::Info, "prints-left-out", named.string(), 0, prints.size(),
                                        (prints.size() == 1 ? std::string("a text in this folder is")
                                                            : std::to_string(prints.size()) + " texts in this folder are")
                                            + " probably printed from its recordings and left out, such as "
                                            + prints.front().lexically_relative(folder).string() + "; open the file itself to read it"});
    }

    void begin(const TraceFormat& format, const TraceSource& source, const std::stop_token& stop)
    {
        std::error_code error;
        const fs::path key = fs::weakly_canonical(source.path, error);
        if (!m_seen.insert(error ? source.path : key).second)
            return;
        auto trace = format.begin(source, stop);
        if (trace && source.recognition == Recognition::Guess)
            m_begun.problems.push_back({Diagnostic::Severity::Info, "format-guessed", source.path.string(), 0, 1,
                                        "the format is a guess: read as " + (*trace)->provisionalTrace()->info().format});
        if (!trace) {
            m_begun.problems.push_back(problem(source.path, trace.error().what));
            return;
        }
        const std::vector<EmbeddedText> embedded = (*trace)->takeEmbedded();
        m_begun.traces.push_back(std::move(*trace));
        for (const EmbeddedText& it : embedded)
            beginEmbedded(it, source, stop);
    }

    /// Begins to open the recording whose text the recording `source` contains. It is shown below the path of `source`.
    void beginEmbedded(const EmbeddedText& embedded, const TraceSource& source, const std::stop_token& stop)
    {
        constexpr int MostLevels = 4; // Limit for recordings in recordings in recordings.
        const fs::path named = source.path / embedded.name;
        const auto file = writeToCache(embedded.text, embedded.name, m_unpackDirectory);
        if (!file) {
            m_begun.problems.push_back(problem(named, file.error().what));
            return;
        }
        std::vector<Candidate> candidates = m_level < MostLevels ? findCandidates(*file, nullptr) : std::vector<Candidate>();
        std::erase_if(candidates, [](const Candidate& it) { return it.source.recognition == Recognition::Guess; });
        if (candidates.empty())
            m_begun.problems.push_back({Diagnostic::Severity::Warning, "unread-embedded", named.string(), 0, 1,
                                        "a text in the file is not read, because it is of no supported format"});
        ++m_level;
        for (Candidate& it : candidates)
            begin(*it.format, asNamed(std::move(it.source), *file, named), stop);
        --m_level;
    }

    const TraceFormat* m_only;
    const fs::path m_unpackDirectory;
    int m_level = 0; ///< Number of recordings that contain the recording that is being opened.
    std::set<fs::path> m_seen;
    std::vector<std::shared_ptr<RemoteIndex>> m_remotes; ///< Keeps the connections until the traces have them.
    BegunOpenings m_begun;
};

} // namespace

std::string wordOf(const TraceFormat& format)
{
    std::string word(format.name);
    std::ranges::transform(word, word.begin(), [](char c) { return c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return word;
}

BegunOpenings beginTraces(const std::vector<fs::path>& paths, const fs::path& unpackDirectory, const std::stop_token& stop,
                          const TraceFormat* format)
{
    Opener opener(format, unpackDirectory);
    for (const fs::path& path : paths)
        if (!stop.stop_requested())
            opener.add(path, stop);
    return opener.take();
}

} // namespace helio
