#include "core/store/file/temporary_file.h"

#include "core/io/free_in_background.h"
#include "core/io/leftovers.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace helio {
namespace {

// Size of the write buffer in bytes. A larger buffer would not fit into the processor's caches.
constexpr std::size_t BufferSize = std::size_t(1) << 18;
constexpr std::size_t PageSize = 4096;
// Number of bytes for which one write-back is requested; many small requests would take longer.
constexpr std::uint64_t StartedAtATime = std::uint64_t(4) << 20;
constexpr std::string_view Mark = ".heliograph-tmp-";

Error errorOf(const std::filesystem::path& path, int code)
{
    const bool isFull = code == ENOSPC || code == EDQUOT || code == EFBIG;
    const std::string name = path.empty() ? "memory" : path.string();
    return {isFull ? Error::Kind::Full : Error::Kind::Unreadable, name + ": " + std::generic_category().message(code)};
}

Error cancelled() { return {Error::Kind::Cancelled, "writing was cancelled"}; }

bool isTemporaryName(const std::string& name)
{
    const std::size_t at = name.rfind(Mark);
    return at != std::string::npos && name.find_first_not_of("0123456789-", at + Mark.size()) == std::string::npos;
}

/// Creates a new file and locks it. Returns a negative number, with errno set, on failure.
int makeLocked(const std::filesystem::path& path, mode_t permissions)
{
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions);
    if (descriptor < 0 || lockTemporary(descriptor))
        return descriptor;
    ::close(descriptor);
    errno = EEXIST; // The caller tries another name.
    return -1;
}

void syncFolder(const std::filesystem::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

/// Opens the file that rename() will replace. Its pages are then freed when the caller closes the descriptor, which can happen in the
/// background. Returns a negative number if there is no such file.
int openReplaced(const std::filesystem::path& path) { return ::open(path.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW); }

void closeReplaced(int descriptor)
{
    if (descriptor < 0)
        return;
    struct stat facts = {};
    (void)::fstat(descriptor, &facts); // If fstat() fails, the size stays 0 and the file is closed in this thread.
    freeInBackground(static_cast<std::uint64_t>(facts.st_size), [descriptor] { ::close(descriptor); });
}

std::filesystem::path folderOf(const std::filesystem::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

} // namespace

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::make(const std::filesystem::path& final, std::stop_token stop,
                                                           std::function<void(const Error&)> onFailure, unsigned permissions)
{
    static std::atomic<unsigned> s_serial{0};
    std::error_code ignored; // Errors of create_directories() are ignored, because open() then fails, too, and reports the error.
    std::filesystem::create_directories(folderOf(final), ignored);
    removeLeftovers(folderOf(final), isTemporaryName);
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::filesystem::path path = final;
        path += std::string(Mark) + std::to_string(::getpid()) + "-" + std::to_string(s_serial++);
        const int descriptor = makeLocked(path, permissions);
        if (descriptor >= 0)
            return std::unique_ptr<TemporaryFile>(
                new TemporaryFile(final, std::move(path), descriptor, std::move(stop), std::move(onFailure)));
        if (errno != EEXIST)
            return errorOf(final, errno);
    }
    return errorOf(final, EEXIST);
}

std::unique_ptr<TemporaryFile> TemporaryFile::makeInMemory(std::stop_token stop)
{
    const int descriptor = ::memfd_create("heliograph-store", MFD_CLOEXEC);
    const int error = errno;
    std::unique_ptr<TemporaryFile> file(new TemporaryFile({}, {}, descriptor, std::move(stop), {}));
    if (descriptor < 0)
        (void)file->fail(errorOf({}, error));
    return file;
}

TemporaryFile::TemporaryFile(std::filesystem::path final, std::filesystem::path path, int descriptor, std::stop_token stop,
                             std::function<void(const Error&)> onFailure)
    : m_final(std::move(final))
    , m_path(std::move(path))
    , m_descriptor(descriptor)
    , m_stop(std::move(stop))
    , m_onFailure(std::move(onFailure))
{
    m_buffer.reserve(BufferSize);
}

TemporaryFile::~TemporaryFile()
{
    if (!m_isCommitted && !m_path.empty())
        ::unlink(m_path.c_str());
    freeInBackground(m_isCommitted ? 0 : m_flushed, [descriptor = m_descriptor] { ::close(descriptor); });
}

Status TemporaryFile::fail(Error error)
{
    if (m_onFailure)
        m_onFailure(error);
    m_status = std::move(error);
    return m_status;
}

void TemporaryFile::append(std::span<const std::byte> bytes)
{
    // Write only whole pages: writing a page in two steps caused a tenth of the kernel's work for this file. The written range is always
    // longer than BlockSlack, as contents() requires.
    if (m_buffer.size() + bytes.size() > BufferSize && m_buffer.size() > BufferSize / 4)
        (void)write(m_buffer.size() - (m_flushed + m_buffer.size()) % PageSize);
    m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
}

void TemporaryFile::setPermissions(unsigned permissions) { (void)::fchmod(m_descriptor, permissions); }

Status TemporaryFile::flush() { return write(m_buffer.size()); }

/// Writes the first `count` bytes of the buffer to the file.
Status TemporaryFile::write(std::size_t count)
{
    if (Status status = writeAt(m_flushed, std::span(m_buffer).first(count)); !status)
        return status;
    m_flushed += count;
    // Start the write-back, so that commit() need not wait for these bytes.
    if (m_isKept && m_flushed - m_started >= StartedAtATime) {
        (void)::sync_file_range(m_descriptor, static_cast<off_t>(m_started), static_cast<off_t>(m_flushed - m_started),
                                SYNC_FILE_RANGE_WRITE);
        m_started = m_flushed;
    }
    m_last.swap(m_buffer);
    m_buffer.assign(m_last.begin() + static_cast<std::ptrdiff_t>(count), m_last.end());
    m_last.resize(count);
    m_lastWholeAppend = std::exchange(m_firstWholeAppend, m_buffer.size());
    return m_status;
}

FileBytes TemporaryFile::contents() const
{
    FileBytes contents;
    contents.fileEnd = m_flushed - m_last.size() + m_lastWholeAppend;
    contents.tail.assign(m_last.begin() + static_cast<std::ptrdiff_t>(m_lastWholeAppend), m_last.end());
    contents.tail.insert(contents.tail.end(), m_buffer.begin(), m_buffer.end());
    if (contents.fileEnd == 0)
        return contents;
    auto file = MappedFile::map(m_descriptor, m_path);
    if (!file || (*file)->bytes().size() < m_flushed) {
        FileBytes none;
        none.isUnreadable = true;
        return none;
    }
    contents.file = std::move(*file);
    return contents;
}

Status TemporaryFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (m_status && !bytes.empty()) {
        if (m_stop.stop_requested())
            return fail(cancelled());
        const ssize_t written = ::pwrite(m_descriptor, bytes.data(), std::min(bytes.size(), BufferSize), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(errorOf(m_final, written < 0 ? errno : ENOSPC));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return m_status;
}

/// Syncs the file in slices and checks for cancellation between them, because a wait for the disk cannot be interrupted.
Status TemporaryFile::sync()
{
    constexpr unsigned WaitForAll = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    for (std::uint64_t at = 0; at < m_flushed; at += BufferSize) {
        if (m_stop.stop_requested())
            return fail(cancelled());
        // Errors of sync_file_range() are ignored here, because fdatasync() reports them.
        (void)::sync_file_range(m_descriptor, static_cast<off_t>(at), BufferSize, WaitForAll);
    }
    return ::fdatasync(m_descriptor) == 0 ? m_status : fail(errorOf(m_final, errno));
}

Status TemporaryFile::commit()
{
    if (Status status = flush(); !status)
        return status;
    if (Status status = sync(); !status)
        return status;
    if (m_stop.stop_requested())
        return fail(cancelled());
    const int replaced = openReplaced(m_final);
    const bool isRenamed = ::rename(m_path.c_str(), m_final.c_str()) == 0;
    const int error = errno;
    closeReplaced(replaced);
    if (!isRenamed)
        return fail(errorOf(m_final, error));
    m_isCommitted = true;
    syncFolder(folderOf(m_final));
    return Done{};
}

Status saveFile(const std::filesystem::path& path, std::string_view bytes)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path target = fs::is_symlink(fs::symlink_status(path, error)) ? fs::weakly_canonical(path, error) : path;
    const auto cause = [&](int code) { return Error{errorOf(target, code).kind, std::generic_category().message(code)}; };
    const fs::file_status old = fs::status(target, error);
    if (fs::exists(old) && !fs::is_regular_file(old))
        return cause(fs::is_directory(old) ? EISDIR : EINVAL);
    if (!fs::is_directory(folderOf(target), error))
        return cause(ENOENT);
    const auto withoutPath = [&](Error failed) {
        const std::string prefix = target.string() + ": ";
        return Error{failed.kind, failed.what.starts_with(prefix) ? failed.what.substr(prefix.size()) : failed.what};
    };
    auto file = TemporaryFile::make(target, {}, {}, 0666);
    if (!file)
        return withoutPath(file.error());
    if (fs::exists(old))
        (*file)->setPermissions(static_cast<unsigned>(old.permissions()));
    (*file)->append(std::as_bytes(std::span(bytes)));
    const Status committed = (*file)->commit();
    return committed ? committed : Status(withoutPath(committed.error()));
}

} // namespace helio
