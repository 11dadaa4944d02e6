#include "core/io/archive.h"

#include "core/io/mapped_file.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t BlockSize = 1 << 18;
constexpr std::size_t MaxDepth = 64; ///< Maximum depth of nested folders in an archive.
constexpr int MaxFilters =
    3; ///< Maximum number of nested compressions, including that of the archive itself; a deeper nesting is treated as an attack.

class Reader {
public:
    /// `isAlone`: true if the input is a single compressed file, not an archive.
    explicit Reader(bool isAlone = false)
    {
        if (isAlone) {
            archive_read_support_format_raw(m_archive);
        } else {
            archive_read_support_format_tar(m_archive);
            archive_read_support_format_zip(m_archive);
        }
        archive_read_support_filter_gzip(m_archive);
        archive_read_support_filter_zstd(m_archive);
        archive_read_support_filter_xz(m_archive);
        archive_read_support_filter_bzip2(m_archive);
    }
    ~Reader() { archive_read_free(m_archive); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    bool open(const fs::path& path)
    {
        return archive_read_open_filename(m_archive, path.c_str(), BlockSize) == ARCHIVE_OK
            && archive_filter_count(m_archive) <= MaxFilters;
    }
    /// Reads the header of the next entry of the archive. If the result is ARCHIVE_OK or ARCHIVE_WARN, entry() returns that entry.
    int next() { return archive_read_next_header(m_archive, &m_entry); }

    archive* get() const { return m_archive; }
    archive_entry* entry() const { return m_entry; }
    std::string problem() const
    {
        const char* text = archive_error_string(m_archive);
        return text ? text : "not a readable archive";
    }

private:
    archive* m_archive = archive_read_new();
    archive_entry* m_entry = nullptr;
};

/// Temporary folder, which is removed with its content unless keepAs() succeeds.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const fs::path& cacheDir)
        : m_path((cacheDir / (std::string(UnpackingPrefix) + "XXXXXX")).string())
    {
        if (!::mkdtemp(m_path.data()))
            m_path.clear();
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    bool isValid() const { return !m_path.empty(); }
    fs::path path() const { return m_path; }

    /// Renames the folder to its final name. Returns true also if another process has already created a folder of that name, because its
    /// content is identical.
    bool keepAs(const fs::path& target)
    {
        const int folder = ::open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            // Write the folder to disk before the rename: a folder with the final name must be complete even after a power failure.
            ::syncfs(folder);
            ::close(folder);
        }
        if (::rename(m_path.c_str(), target.c_str()) == 0) {
            m_path.clear();
            return true;
        }
        return fs::is_directory(target);
    }

private:
    std::string m_path;
};

class OutputFile {
public:
    /// Creates a new file. If the name exists already, no file is overwritten and isOpen() returns false.
    explicit OutputFile(const fs::path& path)
        : m_file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600))
    {
    }
    ~OutputFile() { close(); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    bool isOpen() const { return m_file >= 0; }
    bool write(const void* data, std::size_t size, std::uint64_t offset)
    {
        const char* at = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t written = ::pwrite(m_file, at, size, static_cast<off_t>(offset));
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return false;
            at += written;
            offset += static_cast<std::uint64_t>(written);
            size -= static_cast<std::size_t>(written);
        }
        return true;
    }
    bool resize(std::uint64_t size) { return ::ftruncate(m_file, static_cast<off_t>(size)) == 0; }
    bool close() { return m_file < 0 || ::close(std::exchange(m_file, -1)) == 0; }

private:
    int m_file;
};

/// Writes an archive's entries below a folder.
class Unpacker {
public:
    /// `alone`: name of the output file if the input is a single compressed file; empty if the input is an archive.
    Unpacker(const fs::path& archive, fs::path folder, std::string alone, std::stop_token stop, const UnpackLimits& limits,
             std::uint64_t archiveBytes)
        : m_archive(archive)
        , m_folder(std::move(folder))
        , m_stop(std::move(stop))
        , m_maxEntries(limits.entries)
        , m_alone(std::move(alone))
        , m_reader(!m_alone.empty())
    {
        const std::uint64_t byRatio = archiveBytes > limits.totalBytes / limits.ratio ? limits.totalBytes : archiveBytes * limits.ratio;
        m_bytesLeft = std::min(limits.totalBytes, std::max(byRatio, limits.freeBytes));
    }

    Status run()
    {
        if (!m_reader.open(m_archive))
            return failed(Error::Kind::Unsupported, m_reader.problem());
        for (std::uint64_t count = 0;; ++count) {
            const int code = m_reader.next();
            if (code == ARCHIVE_EOF)
                return Done{};
            if (m_stop.stop_requested())
                return failed(Error::Kind::Cancelled, "stopped");
            if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
                return failed(Error::Kind::Corrupt, (count ? "after entry '" + m_name + "': " : std::string()) + m_reader.problem());
            if (count >= m_maxEntries)
                return failed(Error::Kind::Full, "more than " + std::to_string(m_maxEntries) + " entries");
            if (const Status status = unpackEntry(); !status || !m_alone.empty())
                return status;
        }
    }

private:
    Status unpackEntry()
    {
        archive_entry* entry = m_reader.entry();
        const char* raw = m_alone.empty() ? archive_entry_pathname(entry) : m_alone.c_str();
        if (!raw)
            raw = archive_entry_pathname_utf8(entry);
        if (!raw)
            return failed(Error::Kind::Corrupt, "an entry without a readable name");
        m_name = raw;

        fs::path target = m_folder;
        if (const char* why = appendChecked(target, m_name))
            return entryFailed(Error::Kind::Unsupported, why);
        if (archive_entry_hardlink(entry) || archive_entry_symlink(entry))
            return entryFailed(Error::Kind::Unsupported, "links are not supported");
        const auto type = archive_entry_filetype(entry);
        if (type == AE_IFDIR)
            return makeFolder(target);
        if (type != AE_IFREG)
            return entryFailed(Error::Kind::Unsupported, "neither a file nor a folder");
        if (const Status status = makeFolder(target.parent_path()); !status)
            return status;
        return writeFile(target);
    }

    /// Checks the entry's name and appends it to `target`. Returns nullptr, or the reason why the name is rejected.
    static const char* appendChecked(fs::path& target, const std::string& name)
    {
        if (name.starts_with('/'))
            return "its name is absolute";
        std::size_t depth = 0;
        for (const fs::path& part : fs::path(name)) {
            if (part == "..")
                return "its name leads out of the archive (..)";
            if (part.native().size() > 255 || ++depth > MaxDepth)
                return "its name is too long";
            if (!part.empty() && part != ".")
                target /= part;
        }
        return nullptr;
    }

    Status makeFolder(const fs::path& path)
    {
        std::error_code code;
        fs::create_directories(path, code);
        if (code || !fs::is_directory(path))
            return entryFailed(Error::Kind::Unreadable, code ? code.message() : std::string("a file is in the place of its folder"));
        return Done{};
    }

    Status writeFile(const fs::path& target)
    {
        OutputFile file(target);
        if (!file.isOpen())
            return entryFailed(Error::Kind::Unreadable, errno == EEXIST ? "appears twice" : std::strerror(errno));
        std::uint64_t size = 0;
        for (;;) {
            const void* data = nullptr;
            std::size_t length = 0;
            la_int64_t offset = 0;
            const int code = archive_read_data_block(m_reader.get(), &data, &length, &offset);
            if (code == ARCHIVE_EOF)
                break;
            if (code != ARCHIVE_OK && code != ARCHIVE_WARN && !m_alone.empty() && size > 0)
                break; // Keep the bytes read so far: a truncated recording is still useful, and its reader reports the truncation.
            if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
                return entryFailed(Error::Kind::Corrupt, m_reader.problem());
            if (m_stop.stop_requested())
                return failed(Error::Kind::Cancelled, "stopped");
            if (offset < 0 || !grow(size, static_cast<std::uint64_t>(offset), length))
                return entryFailed(Error::Kind::Full, "the archive is too large");
            if (!file.write(data, length, static_cast<std::uint64_t>(offset)))
                return entryFailed(errno == ENOSPC ? Error::Kind::Full : Error::Kind::Unreadable, std::strerror(errno));
        }
        if (const Status status = endWithHole(file, size); !status)
            return status;
        if (!file.close())
            return entryFailed(Error::Kind::Unreadable, std::strerror(errno));
        return Done{};
    }

    /// Enlarges a sparse file to the size in its archive header: a hole at the end of the file has no data in the archive.
    /// Errors: Corrupt if a file that is not sparse has less data than its header says.
    Status endWithHole(OutputFile& file, std::uint64_t size)
    {
        archive_entry* entry = m_reader.entry();
        const auto claimed = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
        if (!archive_entry_size_is_set(entry) || claimed <= size)
            return Done{};
        if (archive_entry_sparse_count(entry) == 0)
            return entryFailed(Error::Kind::Corrupt, "its data is truncated");
        if (!grow(size, claimed, 0))
            return entryFailed(Error::Kind::Full, "the archive is too large");
        if (!file.resize(claimed))
            return entryFailed(Error::Kind::Unreadable, std::strerror(errno));
        return Done{};
    }

    /// Grows `size`, the unpacked size of the current file, to `offset` + `length`; holes count like data. Returns false if a limit is
    /// exceeded.
    bool grow(std::uint64_t& size, std::uint64_t offset, std::uint64_t length)
    {
        if (offset <= size && length <= size - offset)
            return true;
        const std::uint64_t more = offset > size ? offset - size : 0;
        const std::uint64_t within = offset < size ? size - offset : 0;
        if (more > m_bytesLeft || length - within > m_bytesLeft - more)
            return false;
        m_bytesLeft -= more + (length - within);
        size = offset + length;
        return true;
    }

    Error failed(Error::Kind kind, const std::string& why) const { return {kind, m_archive.string() + ": " + why}; }
    Error entryFailed(Error::Kind kind, const std::string& why) const { return failed(kind, "entry '" + m_name + "': " + why); }

    const fs::path& m_archive;
    fs::path m_folder;
    std::stop_token m_stop;
    std::uint64_t m_maxEntries;
    std::uint64_t m_bytesLeft = 0;
    std::string m_name; ///< Name of the current archive entry, for messages.
    std::string m_alone;
    Reader m_reader;
};

/// Returns a hash as 32 hexadecimal digits.
std::string hexText(const XXH128_hash_t& hash)
{
    std::string text;
    for (const std::uint64_t half : {hash.high64, hash.low64})
        for (int shift = 60; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[half >> shift & 15];
    return text;
}

/// Returns the hash of all bytes of the file as 32 hexadecimal digits.
Result<std::string> contentName(const MappedFile& file, const std::stop_token& stop)
{
    file.advise(MappedFile::Advice::Sequential);
    const std::span<const std::byte> bytes = file.bytes();
    XXH3_state_t* state = XXH3_createState();
    XXH3_128bits_reset(state);
    constexpr std::size_t Step = 16 << 20;
    for (std::size_t at = 0; at < bytes.size() && !stop.stop_requested(); at += Step)
        XXH3_128bits_update(state, bytes.data() + at, std::min(Step, bytes.size() - at));
    const XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    if (stop.stop_requested())
        return Error{Error::Kind::Cancelled, file.path().string() + ": stopped"};
    if (file.wasTruncated())
        return Error{Error::Kind::Unreadable, file.path().string() + ": shrank while it was read"};

    return hexText(hash);
}

} // namespace

bool isArchive(const fs::path& path)
{
    std::error_code code;
    if (!fs::is_regular_file(path, code))
        return false;
    Reader reader;
    if (!reader.open(path))
        return false;
    const int next = reader.next();
    return next == ARCHIVE_OK || next == ARCHIVE_WARN;
}

namespace {

/// Returns the folder `target`, which `fill` fills if it does not exist. `fill(folder)` gets a temporary folder and returns a Status.
template <typename Fill> Result<fs::path> fillFolder(const fs::path& target, const Fill& fill)
{
    std::error_code code;
    if (fs::is_directory(target, code)) {
        fs::last_write_time(target, fs::file_time_type::clock::now(), code); // Mark the folder as recently used.
        return target;
    }

    const fs::path cacheDir = target.parent_path();
    fs::create_directories(cacheDir, code);
    TemporaryFolder partial(cacheDir);
    if (!partial.isValid())
        return Error{Error::Kind::Unreadable, cacheDir.string() + ": " + std::strerror(errno)};
    if (const Status status = fill(partial.path()); !status)
        return status.error();
    if (!partial.keepAs(target))
        return Error{Error::Kind::Unreadable, target.string() + ": " + std::strerror(errno)};
    return target;
}

/// Unpacks the file at `path` into a folder of `cacheDir` and returns that folder. `alone` is the name of the output file if the input is a
/// single compressed file; empty if it is an archive.
Result<fs::path> unpackTo(const fs::path& path, const fs::path& cacheDir, const std::string& alone, std::stop_token stop,
                          const UnpackLimits& limits)
{
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    const auto name = contentName(**file, stop);
    if (!name)
        return name.error();
    return fillFolder(cacheDir / *name,
                      [&](const fs::path& folder) { return Unpacker(path, folder, alone, stop, limits, (*file)->bytes().size()).run(); });
}

/// Returns the file in a folder that unpackTo() or writeToCache() filled with one file, whatever its name: the same bytes may have been
/// stored earlier under another name.
Result<fs::path> onlyFileIn(const fs::path& folder, const fs::path& source)
{
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
        return entry.path();
    return Error{Error::Kind::Corrupt, source.string() + ": is empty"};
}

} // namespace

Result<fs::path> unpackArchive(const fs::path& path, const fs::path& cacheDir, std::stop_token stop, const UnpackLimits& limits)
{
    return unpackTo(path, cacheDir, {}, std::move(stop), limits);
}

Result<fs::path> unpackFile(const fs::path& path, const fs::path& cacheDir, std::stop_token stop, const UnpackLimits& limits)
{
    const fs::path name = path.stem();
    const auto folder = unpackTo(path, cacheDir, name.string(), std::move(stop), limits);
    if (!folder)
        return folder.error();
    return onlyFileIn(*folder, path);
}

Result<fs::path> writeToCache(std::string_view text, const std::string& name, const fs::path& cacheDir)
{
    const auto folder = fillFolder(cacheDir / hexText(XXH3_128bits(text.data(), text.size())), [&](const fs::path& partial) -> Status {
        std::ofstream file(partial / name, std::ios::binary);
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
        if (!file.flush())
            return Error{Error::Kind::Full, (cacheDir / name).string() + ": " + std::strerror(errno)};
        return Done{};
    });
    return folder ? onlyFileIn(*folder, cacheDir / name) : folder;
}

} // namespace helio
