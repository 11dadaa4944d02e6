#include "core/fleet/summary_file.h"

#include "core/fleet/summary_line.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace helio::fleet {
namespace {

/// An open file, closed by the destructor, which also ends its lock.
class OpenFile {
public:
    OpenFile(const std::filesystem::path& path, int flags)
        : m_descriptor(::open(path.c_str(), flags | O_CLOEXEC, 0666))
    {
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    bool isOpen() const { return m_descriptor >= 0; }
    int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

/// Returns the error of the last system call.
Error failed(const std::filesystem::path& file, const char* what)
{
    const int cause = errno;
    const Error::Kind kind = cause == ENOSPC || cause == EDQUOT || cause == EFBIG ? Error::Kind::Full
        : cause == ENOENT                                                         ? Error::Kind::NotFound
                                                                                  : Error::Kind::Unreadable;
    return {kind, file.string() + ": " + what + ": " + std::strerror(cause)};
}

bool lock(int descriptor)
{
    while (flock(descriptor, LOCK_EX) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

bool endsInALine(int descriptor, off_t size)
{
    char last = '\n';
    return size == 0 || (pread(descriptor, &last, 1, size - 1) == 1 && last == '\n');
}

/// Cuts a file into lines as its bytes arrive.
class LineSplitter {
public:
    /// Calls `take` with each complete line. A line that is too long is passed as far as it was kept, which is longer than MostLineBytes.
    template <typename Take> bool add(std::string_view bytes, const Take& take)
    {
        while (!bytes.empty()) {
            const std::size_t end = bytes.find('\n');
            const std::string_view part = bytes.substr(0, end);
            m_line.append(part.substr(0, MostLineBytes + 1 - std::min(m_line.size(), MostLineBytes + 1)));
            if (end == std::string_view::npos)
                return true;
            bytes.remove_prefix(end + 1);
            if (!finish(take))
                return false;
        }
        return true;
    }
    template <typename Take> bool finish(const Take& take)
    {
        const bool goesOn = take(std::string_view(m_line));
        m_line.clear();
        return goesOn;
    }

private:
    std::string m_line; ///< Begin of the current line.
};

} // namespace

Status appendSummary(const std::filesystem::path& path, const TraceSummary& summary)
{
    std::string line = writeLine(summary);
    const OpenFile file(path, O_RDWR | O_APPEND | O_CREAT);
    if (!file.isOpen())
        return failed(path, "cannot open");
    struct stat facts { };
    if (!lock(file.descriptor()))
        return failed(path, "cannot lock");
    if (fstat(file.descriptor(), &facts) != 0)
        return failed(path, "cannot read");
    if (S_ISREG(facts.st_mode) && !endsInALine(file.descriptor(), facts.st_size))
        line.insert(line.begin(), '\n');
    const ssize_t written = write(file.descriptor(), line.data(), line.size());
    if (written == static_cast<ssize_t>(line.size()) && (!S_ISREG(facts.st_mode) || fdatasync(file.descriptor()) == 0))
        return Done{};
    if (written >= 0 && written < static_cast<ssize_t>(line.size()))
        errno = ENOSPC;
    const Error error = failed(path, "cannot write");
    if (S_ISREG(facts.st_mode) && ftruncate(file.descriptor(), facts.st_size) != 0)
        return Error{error.kind, error.what + "; the file ends in a part of a line"};
    return error;
}

Status readSummaries(const std::filesystem::path& path, const std::function<bool(TraceSummary&&)>& take,
                     const std::function<void(const Error&)>& reject)
{
    const OpenFile file(path, O_RDONLY);
    if (!file.isOpen())
        return failed(path, "cannot open");
    std::uint64_t number = 0;
    const auto takeLine = [&](std::string_view line) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            return true;
        auto summary = readLine(line);
        if (summary)
            return take(std::move(*summary));
        reject({summary.error().kind, path.string() + ':' + std::to_string(number) + ": " + summary.error().what});
        return true;
    };
    LineSplitter lines;
    std::vector<char> block(1 << 18);
    for (;;) {
        const ssize_t size = read(file.descriptor(), block.data(), block.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return failed(path, "cannot read");
        if (size == 0)
            break;
        if (!lines.add({block.data(), static_cast<std::size_t>(size)}, takeLine))
            return Done{};
    }
    lines.finish(takeLine);
    return Done{};
}

} // namespace helio::fleet
