#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QPair>
#include <QString>

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace helio::test {

/// A response that a server sent.
struct ReceivedResponse {
    int status = -1; ///< -1 if no response came.
    QList<QPair<QByteArray, QByteArray>> headers; ///< Names are in lower case.
    QByteArray body;

    QByteArray header(const QByteArray& name) const
    {
        const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& it) { return it.first == name; });
        return found == headers.end() ? QByteArray() : found->second;
    }
    QJsonObject object() const { return QJsonDocument::fromJson(body).object(); }
    QString title() const { return object()["title"].toString(); } ///< Message of an error.
};

/// A TCP connection to 127.0.0.1, on which a test sends any bytes.
class RawConnection {
public:
    explicit RawConnection(int port)
        : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        const timeval patience{60, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        m_isOpen = ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawConnection() { ::close(m_socket); }
    RawConnection(const RawConnection&) = delete;
    RawConnection& operator=(const RawConnection&) = delete;

    bool isOpen() const { return m_isOpen; }

    /// Sends bytes; ignores errors, because a server may close the connection early.
    void send(QByteArray bytes) const
    {
        while (!bytes.isEmpty()) {
            const auto count = ::send(m_socket, bytes.constData(), std::size_t(bytes.size()), MSG_NOSIGNAL);
            if (count <= 0)
                return;
            bytes.remove(0, count);
        }
    }

    /// Reads the next response; its status is -1 if the connection ends first.
    ReceivedResponse response()
    {
        ReceivedResponse received;
        qsizetype end = -1;
        while ((end = m_buffer.indexOf("\r\n\r\n")) < 0)
            if (!receive())
                return received;
        QByteArrayList lines = m_buffer.left(end).replace("\r\n", "\n").split('\n');
        received.status = lines.takeFirst().split(' ').value(1).toInt();
        for (const QByteArray& line : lines)
            received.headers.append({line.left(line.indexOf(':')).toLower(), line.mid(line.indexOf(':') + 1).trimmed()});
        m_buffer.remove(0, end + 4);
        const auto length = received.header("content-length").toLongLong();
        while (m_buffer.size() < length)
            if (!receive())
                return {};
        received.body = m_buffer.left(length);
        m_buffer.remove(0, length);
        return received;
    }

    /// True if bytes have arrived, or if the server has closed the connection; does not wait.
    bool hasArrived() const
    {
        pollfd wait{m_socket, POLLIN, 0};
        return !m_buffer.isEmpty() || ::poll(&wait, 1, 0) > 0;
    }

    /// True if the server closes the connection before it sends anything more.
    bool isClosedByServer() { return m_buffer.isEmpty() && !receive(); }

private:
    bool receive()
    {
        char part[65'536];
        const auto count = ::recv(m_socket, part, sizeof part, 0);
        if (count > 0)
            m_buffer.append(part, count);
        return count > 0;
    }

    int m_socket;
    bool m_isOpen = false;
    QByteArray m_buffer;
};

/// Sends one request on a connection of its own. `headers` are lines that end with CR LF.
inline ReceivedResponse exchange(int port, const QByteArray& method, const QByteArray& path, const QByteArray& body = {},
                                 const QByteArray& headers = "Host: 127.0.0.1\r\n")
{
    RawConnection connection(port);
    connection.send(method + ' ' + path + " HTTP/1.1\r\n" + headers + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n"
                    + body);
    return connection.response();
}

} // namespace helio::test
