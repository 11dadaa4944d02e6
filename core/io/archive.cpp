#include "core/io/archive.h"

#include "core/io/leftovers.h"
#include "core/io/libarchive/archive_messages.h"
#include "core/io/mapped_file.h"
#include "core/io/unpack.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t MaxDepth = 64; ///< Maximum depth of nested folders in an archive.
constexpr std::size_t TarHeaderBytes = 512;

/// True if the bytes begin with the header of a tar archive, judged by its checksum (POSIX.1-1988, ustar).
bool isTarHeader(std::span<const std::byte> bytes)
{
    constexpr std::size_t ChecksumAt = 148, ChecksumBytes = 8;
    if (bytes.size() < TarHeaderBytes)
        return false;
    unsigned long sum = 0;
    for (std::size_t i = 0; i < TarHeaderBytes; ++i)
        sum += i - ChecksumAt < ChecksumBytes ? ' ' : std::to_integer<unsigned long>(bytes[i]);
    const std::string digits(reinterpret_cast<const char*>(bytes.data()) + ChecksumAt, ChecksumBytes);
    char* end = nullptr;
    const unsigned long written = std::strtoul(digits.c_str(), &end, 8);
    return end != digits.c_str() && written == sum;
}

/// True if the bytes begin with the first entry of a zip archive, or with the end of an empty one.
bool isZipHeader(std::span<const std::byte> bytes)
{
    return bytes.size() >= 4 && (std::memcmp(bytes.data(), "PK\3\4", 4) == 0 || std::memcmp(bytes.data(), "PK\5\6", 4) == 0);
}

/// Renames an unpacked folder to its final name. Returns true also if another process has already created a folder of that name, because
/// its content is identical.
bool keepAs(TemporaryFolder& folder, const fs::path& target)
{
    // Write the folder to disk before the rename: a folder with the final name must be complete even after a power failure.
    ::syncfs(folder.descriptor());
    return folder.renameTo(target) || fs::is_directory(target);
}

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

/// Number of bytes that may be unpacked from a file.
std::uint64_t mostBytes(const UnpackLimits& limits, std::uint64_t packedBytes)
{
    const std::uint64_t byRatio = packedBytes > limits.totalBytes / limits.ratio ? limits.totalBytes : packedBytes * limits.ratio;
    return std::min(limits.totalBytes, std::max(byRatio, limits.freeBytes));
}

/// Writes an archive's entries below a folder. The archive is decoded by heliograph-libarchive, whose messages are not trusted: names,
/// sizes and types are checked here.
class Unpacker {
public:
    Unpacker(const fs::path& archive, fs::path folder, std::stop_token stop, const UnpackLimits& limits, std::uint64_t archiveBytes)
        : m_archive(archive)
        , m_folder(std::move(folder))
        , m_stop(std::move(stop))
        , m_maxEntries(limits.entries)
        , m_bytesLeft(mostBytes(limits, archiveBytes))
    {
    }

    Status run()
    {
        const int file = ::open(m_archive.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (file < 0)
            return failed(Error::Kind::Unreadable, std::strerror(errno));
        auto process = HelperProcess::start(Libarchive, {}, {}, std::span(&file, 1));
        ::close(file);
        if (!process)
            return failed(process.error().kind, process.error().what);
        for (;;) {
            const auto message = (*process)->wait(m_stop);
            if (!message)
                return failed(message.error().kind, afterEntry() + message.error().what);
            WireReader wire(message->bytes);
            const auto kind = static_cast<ArchiveMessage>(message->kind);
            Status status = kind == ArchiveMessage::Failure ? Status(failure(wire))
                : kind == ArchiveMessage::Block             ? writeBlock(wire)
                : kind == ArchiveMessage::Entry || kind == ArchiveMessage::End
                ? endFile()
                : Status(failed(Error::Kind::Corrupt, "invalid answer from libarchive"));
            if (status && kind == ArchiveMessage::Entry)
                status = beginEntry(wire);
            if (!status || kind == ArchiveMessage::End)
                return status;
        }
    }

private:
    Error failure(WireReader& wire) const
    {
        const std::string text = textIn(wire);
        if (m_file)
            return entryFailed(Error::Kind::Corrupt, text);
        return failed(m_count > 0 ? Error::Kind::Corrupt : Error::Kind::Unsupported, afterEntry() + text);
    }
    static std::string textIn(WireReader& wire)
    {
        std::string text;
        wire(text);
        return text;
    }
    std::string afterEntry() const { return m_count ? "after entry '" + m_name + "': " : std::string(); }

    Status beginEntry(WireReader& wire)
    {
        m_entry = {};
        wire(m_entry);
        if (!wire.isGood())
            return failed(Error::Kind::Corrupt, "invalid answer from libarchive");
        if (m_count++ >= m_maxEntries)
            return failed(Error::Kind::Full, "more than " + std::to_string(m_maxEntries) + " entries");
        if (!m_entry.name)
            return failed(Error::Kind::Corrupt, "an entry without a readable name");
        m_name = *m_entry.name;
        fs::path target = m_folder;
        if (const char* why = appendChecked(target, m_name))
            return entryFailed(Error::Kind::Unsupported, why);
        switch (m_entry.type) {
        case ArchiveEntry::Type::Link: return entryFailed(Error::Kind::Unsupported, "links are not supported");
        case ArchiveEntry::Type::Other: return entryFailed(Error::Kind::Unsupported, "neither a file nor a folder");
        case ArchiveEntry::Type::Folder: return makeFolder(target);
        case ArchiveEntry::Type::File: break;
        }
        if (const Status status = makeFolder(target.parent_path()); !status)
            return status;
        m_size = 0;
        m_file.emplace(target);
        if (!m_file->isOpen())
            return entryFailed(Error::Kind::Unreadable, errno == EEXIST ? "appears twice" : std::strerror(errno));
        return Done{};
    }

    /// Checks the entry's name and appends it to `target`. Returns nullptr, or the reason why the name is rejected.
    static const char* appendChecked(fs::path& target, const std::string& name)
    {
        if (name.starts_with('/'))
            return "its name is absolute";
        if (name.find('\0') != std::string::npos)
            return "its name contains a zero byte";
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

    Status writeBlock(WireReader& wire)
    {
        std::uint64_t offset = 0;
        wire(offset);
        const auto bytes = wire.takeBytes();
        if (!wire.isGood() || !m_file || bytes.empty())
            return failed(Error::Kind::Corrupt, "invalid answer from libarchive");
        if (!grow(m_size, offset, bytes.size()))
            return entryFailed(Error::Kind::Full, "the archive is too large");
        if (!m_file->write(bytes.data(), bytes.size(), offset))
            return entryFailed(errno == ENOSPC ? Error::Kind::Full : Error::Kind::Unreadable, std::strerror(errno));
        return Done{};
    }

    /// Completes the file that is being written, if there is one.
    Status endFile()
    {
        if (!m_file)
            return Done{};
        if (const Status status = endWithHole(); !status)
            return status;
        if (!m_file->close())
            return entryFailed(Error::Kind::Unreadable, std::strerror(errno));
        m_file.reset();
        return Done{};
    }

    /// Enlarges a sparse file to the size in its archive header: a hole at the end of the file has no data in the archive.
    /// Errors: Corrupt if a file that is not sparse has less data than its header says.
    Status endWithHole()
    {
        const std::uint64_t claimed = m_entry.size.value_or(0);
        if (claimed <= m_size)
            return Done{};
        if (!m_entry.isSparse)
            return entryFailed(Error::Kind::Corrupt, "its data is truncated");
        if (!grow(m_size, claimed, 0))
            return entryFailed(Error::Kind::Full, "the archive is too large");
        if (!m_file->resize(claimed))
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
    std::uint64_t m_bytesLeft;
    std::uint64_t m_count = 0; ///< Number of entries so far.
    ArchiveEntry m_entry; ///< The current entry.
    std::string m_name; ///< Name of the current entry, for messages.
    std::uint64_t m_size = 0; ///< Unpacked size of the current file in bytes.
    std::optional<OutputFile> m_file; ///< File of the current entry.
};

/// Decompresses a single file into `target`. Keeps the bytes before damage: a truncated recording is still useful, and its reader reports
/// the truncation.
Status unpackInto(const fs::path& target, const MappedFile& packed, const std::stop_token& stop, const UnpackLimits& limits)
{
    const std::string name = packed.path().string();
    OutputFile file(target);
    int problem = file.isOpen() ? 0 : errno;
    std::uint64_t size = 0;
    bool isTooLarge = false;
    const auto write = [&](std::span<const std::byte> part) {
        isTooLarge = part.size() > mostBytes(limits, packed.bytes().size()) - size;
        if (problem != 0 || isTooLarge || stop.stop_requested())
            return false;
        if (!file.write(part.data(), part.size(), size))
            problem = errno;
        size += part.size();
        return problem == 0;
    };
    const Status status = unpack(packed.bytes(), write);
    if (problem == 0 && !file.close())
        problem = errno;
    if (problem != 0)
        return Error{problem == ENOSPC ? Error::Kind::Full : Error::Kind::Unreadable, name + ": " + std::strerror(problem)};
    if (stop.stop_requested())
        return Error{Error::Kind::Cancelled, name + ": stopped"};
    if (isTooLarge)
        return Error{Error::Kind::Full, name + ": decompressed data is too large"};
    if (!status && size == 0)
        return Error{status.error().kind, name + ": " + status.error().what};
    return Done{};
}

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
    const auto file = MappedFile::open(path);
    if (!file)
        return false;
    std::span<const std::byte> begin = (*file)->bytes();
    std::vector<std::byte> unpacked;
    if (isCompressed(begin)) {
        auto prefix = unpackPrefix(begin, TarHeaderBytes);
        if (!prefix)
            return false;
        unpacked = std::move(*prefix);
        begin = unpacked;
    }
    return isTarHeader(begin) || isZipHeader(begin);
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
    TemporaryFolder partial(cacheDir, UnpackingPrefix);
    if (!partial.isMade())
        return Error{Error::Kind::Unreadable, cacheDir.string() + ": " + std::strerror(errno)};
    if (const Status status = fill(partial.path()); !status)
        return status.error();
    if (!keepAs(partial, target))
        return Error{Error::Kind::Unreadable, target.string() + ": " + std::strerror(errno)};
    return target;
}

/// Unpacks the file at `path` into a folder of `cacheDir` and returns that folder. `fill(folder, file)` writes the content.
template <typename Fill>
Result<fs::path> unpackTo(const fs::path& path, const fs::path& cacheDir, const std::stop_token& stop, const Fill& fill)
{
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    const auto name = contentName(**file, stop);
    if (!name)
        return name.error();
    return fillFolder(cacheDir / *name, [&](const fs::path& folder) { return fill(folder, **file); });
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
    return unpackTo(path, cacheDir, stop, [&](const fs::path& folder, const MappedFile& file) {
        return Unpacker(path, folder, stop, limits, file.bytes().size()).run();
    });
}

Result<fs::path> unpackFile(const fs::path& path, const fs::path& cacheDir, std::stop_token stop, const UnpackLimits& limits)
{
    const auto folder = unpackTo(
        path, cacheDir, stop, [&](const fs::path& to, const MappedFile& file) { return unpackInto(to / path.stem(), file, stop, limits); });
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
