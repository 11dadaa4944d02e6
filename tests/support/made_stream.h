#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

#include <cstring>

namespace helio::test {

/// Writer of one stream of a synthetic trace (CTF 1.8, little endian): a file with one packet. madeMetadata() declares its layout.
class MadeStream {
public:
    /// Starts the packet, which lasts from `begin` to `end` in ns since the epoch.
    MadeStream(qint64 begin, qint64 end, int cpu = 0)
    {
        put(quint32(0xC1FC1FC1));
        put(quint32(0));
        put(begin);
        put(end);
        m_sizes = m_bytes.size();
        put(quint64(0));
        put(quint64(0));
        put(quint32(cpu));
    }

    /// Begins an event: `id` is the id of its type, `time` in ns since the epoch. The caller appends its fields with put() after this
    /// call.
    void event(quint32 id, qint64 time)
    {
        put(id);
        put(time);
    }

    /// Appends an integer, least significant byte first.
    template <typename T> void put(T value) { m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }

    /// Appends an integer in network byte order (most significant byte first).
    template <typename T> void putWire(T value)
    {
        for (int shift = 8 * int(sizeof value) - 8; shift >= 0; shift -= 8)
            put(quint8(value >> shift));
    }

    void append(const QByteArray& bytes) { m_bytes.append(bytes); }

    /// Writes the stream's file. Returns false if writing failed.
    bool write(const QString& path)
    {
        const quint64 bits = quint64(m_bytes.size()) * 8;
        for (const qsizetype at : {m_sizes, m_sizes + 8})
            std::memcpy(m_bytes.data() + at, &bits, sizeof bits);
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(m_bytes) == m_bytes.size();
    }

private:
    QByteArray m_bytes;
    /// Offset in bytes of the packet's field content_size; the field packet_size comes directly after it. write() sets both fields.
    qsizetype m_sizes = 0;
};

/// Returns metadata for MadeStream's layout, which declares the integers u16, u32, s32, s64, u64 and `letter` (one byte of text). The
/// caller appends the event types, with stream_id 0. `environment` is the content of the env block, `eventContext` the fields of the
/// context that each event has.
inline QByteArray madeMetadata(const QByteArray& uuid, const QByteArray& environment, const QByteArray& eventContext = {})
{
    return R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := letter;
typealias integer { size = 16; align = 8; signed = false; } := u16;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 32; align = 8; signed = true; } := s32;
typealias integer { size = 64; align = 8; signed = true; } := s64;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; uuid = ")"
        + uuid + R"("; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
env { )" + environment
        + R"( };
clock { name = "mono"; uuid = ")"
        + uuid + R"("; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 8; signed = false; map = clock.mono.value; } := time;
stream { id = 0; event.header := struct { u32 id; time timestamp; };
)" + (eventContext.isEmpty() ? QByteArray() : "  event.context := struct { " + eventContext + " };\n")
        + R"(  packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size; u32 cpu_id; }; };
)";
}

/// Writes a kernel trace of one stream into `folder`/`host`/kernel. `number` determines its UUID; `eventTypes` are declarations to append
/// to madeMetadata(). Returns false if the trace cannot be written.
inline bool writeKernelTrace(const QString& folder, const QString& host, int number, const QByteArray& eventTypes, MadeStream stream)
{
    const QByteArray uuid = QStringLiteral("c0ffee00-0000-4000-8000-%1").arg(number, 12, 10, QLatin1Char('0')).toUtf8();
    const QByteArray metadata = madeMetadata(uuid, "hostname = \"" + host.toUtf8() + "\"; domain = \"kernel\";") + eventTypes;
    const QString kernel = folder + '/' + host + "/kernel";
    QFile file(kernel + "/metadata");
    return QDir().mkpath(kernel) && file.open(QIODevice::WriteOnly) && file.write(metadata) == metadata.size()
        && stream.write(kernel + "/chan_0");
}

} // namespace helio::test
