#include "core/recording/dump_socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view NamePrefix = "record-";
constexpr int AnswerMilliseconds = 20'000;
constexpr std::size_t MostAnswerBytes = 8192;

fs::path socketFolder()
{
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    if (runtime && fs::path(runtime).is_absolute())
        return fs::path(runtime) / "heliograph";
    return fs::path("/tmp") / ("heliograph-" + std::to_string(::getuid()));
}

/// Creates the folder of the sockets; returns false if it is not a folder that only this user can write to.
bool makeFolder(const fs::path& folder)
{
    struct stat status { };
    const bool isMade = ::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST;
    return isMade && ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::getuid()
        && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Sets the address of a socket; returns false if the path is too long for it.
bool setAddress(const fs::path& path, sockaddr_un& address)
{
    address = {};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof address.sun_path)
        return false;
    std::memcpy(address.sun_path, path.c_str(), path.native().size() + 1);
    return true;
}

/// Connects to the socket of a recording; -1 if no recording listens.
int connectTo(const fs::path& path)
{
    sockaddr_un address{};
    const int socket = setAddress(path, address) ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (socket < 0 || ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return socket;
    ::close(socket);
    return -1;
}

/// Reads an answer up to the end of the connection.
std::string readAnswer(int socket)
{
    std::string text;
    std::array<char, 1024> buffer{};
    pollfd descriptor{socket, POLLIN, 0};
    while (text.size() < MostAnswerBytes && ::poll(&descriptor, 1, AnswerMilliseconds) > 0) {
        const ssize_t got = ::read(socket, buffer.data(), buffer.size());
        if (got <= 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

} // namespace

Result<std::unique_ptr<DumpSocket>> DumpSocket::open()
{
    const fs::path folder = socketFolder();
    const auto failed = [&](const std::string& what) { return Error{Error::Kind::Unreadable, folder.native() + ": " + what}; };
    if (!makeFolder(folder))
        return failed("is not a folder of this user alone");
    std::unique_ptr<DumpSocket> dumps(new DumpSocket);
    const fs::path path = folder / (std::string(NamePrefix) + std::to_string(::getpid()));
    sockaddr_un address{};
    if (!setAddress(path, address))
        return failed("the path is too long for a socket");
    ::unlink(path.c_str());
    dumps->m_socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (dumps->m_socket < 0 || ::bind(dumps->m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return failed(std::string("cannot make a socket: ") + std::strerror(errno));
    dumps->m_path = path;
    if (::listen(dumps->m_socket, 8) != 0)
        return failed(std::string("cannot make a socket: ") + std::strerror(errno));
    return dumps;
}

DumpSocket::~DumpSocket()
{
    answer("error: the recording ended");
    if (m_socket >= 0)
        ::close(m_socket);
    if (!m_path.empty())
        ::unlink(m_path.c_str());
}

bool DumpSocket::takeRequest()
{
    const std::size_t before = m_waiting.size();
    for (int connection = 0; (connection = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;)
        m_waiting.push_back(connection);
    return m_waiting.size() > before;
}

void DumpSocket::answer(const std::string& text)
{
    for (const int connection : std::exchange(m_waiting, {})) {
        const std::string line = text + '\n';
        [[maybe_unused]] const ssize_t sent = ::send(connection, line.data(), line.size(), MSG_NOSIGNAL);
        ::close(connection);
    }
}

Result<std::vector<std::string>> requestDumps()
{
    std::vector<int> connections;
    std::error_code failure;
    for (fs::directory_iterator it(socketFolder(), failure); !failure && it != fs::directory_iterator(); it.increment(failure)) {
        if (!it->path().filename().native().starts_with(NamePrefix))
            continue;
        if (const int connection = connectTo(it->path()); connection >= 0)
            connections.push_back(connection);
        else if (errno == ECONNREFUSED) // Its recording was killed.
            ::unlink(it->path().c_str());
    }
    if (connections.empty())
        return Error{Error::Kind::NotFound, "no recording with a ring buffer runs; start one with heliograph record snapshot"};
    std::vector<std::string> saved;
    std::string problem;
    for (const int connection : connections) {
        const std::string answer = readAnswer(connection);
        ::close(connection);
        constexpr std::string_view Prefix = "error: ";
        if (answer.empty() || answer.starts_with(Prefix))
            problem = answer.empty() ? "the recording does not answer" : answer.substr(Prefix.size());
        else
            saved.push_back(answer);
    }
    if (saved.empty())
        return Error{Error::Kind::Unreadable, problem};
    return saved;
}

} // namespace helio
