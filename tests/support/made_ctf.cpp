#include "tests/support/made_ctf.h"

#include "tests/support/files.h"

#include <QByteArray>
#include <QDir>
#include <QFile>

#include <bit>
#include <functional>

namespace helio {
namespace {

/// Appends fields bit by bit: little-endian fields from the lowest bit of a byte on, big-endian fields from the highest (CTF 1.8, 4.1.5).
class BitWriter {
public:
    explicit BitWriter(bool isBig)
        : m_isBig(isBig)
    {
    }

    quint64 bits() const { return m_bits; }
    QByteArray bytes() const { return m_bytes; }

    BitWriter& align(unsigned alignment)
    {
        while (m_bits % alignment)
            putBit(false);
        return *this;
    }

    BitWriter& put(quint64 value, unsigned bits, unsigned alignment = 1)
    {
        align(alignment);
        for (unsigned i = 0; i < bits; ++i)
            putBit(value >> (m_isBig ? bits - 1 - i : i) & 1);
        return *this;
    }
    BitWriter& u8(quint64 value) { return put(value, 8, 8); }
    BitWriter& u16(quint64 value) { return put(value, 16, 8); }
    BitWriter& u32(quint64 value) { return put(value, 32, 8); }
    BitWriter& u64(quint64 value) { return put(value, 64, 8); }
    BitWriter& text(const QByteArray& text)
    {
        align(8);
        for (const char c : text + '\0')
            u8(static_cast<unsigned char>(c));
        return *this;
    }

private:
    void putBit(bool bit)
    {
        if (m_bits % 8 == 0)
            m_bytes.append('\0');
        const unsigned place = unsigned(m_bits % 8);
        if (bit)
            m_bytes.back() = char(m_bytes.back() | 1 << (m_isBig ? 7 - place : place));
        ++m_bits;
    }

    bool m_isBig;
    quint64 m_bits = 0;
    QByteArray m_bytes;
};

/// Sizes of a packet and of its content in bits; both are 0 during the first of two passes, which measures the content.
struct Sizes {
    quint64 content = 0;
    quint64 packet = 0;
};
using Fill = std::function<void(BitWriter&, const Sizes&)>;

/// Returns a packet of `bytes` bytes; if `bytes` is 0, the packet ends with its content.
QByteArray packet(bool isBig, int bytes, const Fill& fill)
{
    BitWriter measured(isBig);
    fill(measured, {});
    const quint64 content = measured.bits();
    const quint64 size = bytes ? quint64(bytes) * 8 : (content + 7) / 8 * 8;
    BitWriter writer(isBig);
    fill(writer, {content, size});
    return writer.bytes().leftJustified(qsizetype(size / 8), '\0');
}

class Made {
public:
    Made(const QString& folder, const QString& name, bool isBig = false)
        : m_folder(folder + '/' + name)
        , m_isBig(isBig)
    {
        QDir().mkpath(m_folder);
    }

    /// Writes the metadata file: the type aliases u8 to u64, the trace block with `header` in it, the clock "c", the type alias "stamp" for
    /// times of this clock, then `rest`.
    Made& metadata(const QByteArray& header, const QByteArray& rest, const QByteArray& clock = "freq = 1000000000; offset = 5000;")
    {
        write("metadata",
              "/* CTF 1.8 */\n"
              "typealias integer { size = 8; align = 8; } := u8;\ntypealias integer { size = 16; align = 8; } := u16;\n"
              "typealias integer { size = 32; align = 8; } := u32;\ntypealias integer { size = 64; align = 8; } := u64;\n"
              "trace { major = 1; minor = 8; byte_order = "
                  + QByteArray(m_isBig ? "be" : "le") + "; " + header
                  + " };\n"
                    "clock { name = c; "
                  + clock
                  + " };\n"
                    "typealias integer { size = 64; align = 8; map = clock.c.value; } := stamp;\n"
                  + rest);
        return *this;
    }
    Made& stream(const QString& name, const QByteArray& bytes)
    {
        write(name, bytes);
        return *this;
    }
    QByteArray packet(int bytes, const Fill& fill) const { return helio::packet(m_isBig, bytes, fill); }

private:
    void write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder + '/' + name);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
    }

    QString m_folder;
    bool m_isBig;
};

constexpr quint64 Magic = 0xC1FC1FC1;
const QByteArray MagicHeader = "packet.header := struct { u32 magic; };";
const QByteArray Sized = "packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size; };";

BitWriter& begin(BitWriter& w, const Sizes& sizes, quint64 from, quint64 to)
{
    return w.u32(Magic).u64(from).u64(to).u64(sizes.content).u64(sizes.packet);
}

void writeOrders(const QString& folder)
{
    for (const bool isBig : {false, true}) {
        Made made(folder, isBig ? "bit-fields-big-endian" : "bit-fields-little-endian", isBig);
        made.metadata(MagicHeader, "stream { " + Sized + R"( event.header := struct { integer { size = 5; } id;
            integer { size = 27; map = clock.c.value; } timestamp; }; };
            event { name = "packed"; id = 3; fields := struct { integer { size = 3; } a; integer { size = 13; signed = true; } b;
                integer { size = 37; base = 16; } c; integer { size = 1; signed = true; } d; u16 e; }; };
            event { name = "short"; id = 7; fields := struct { integer { size = 3; } a; }; };)");
        QByteArray file;
        for (quint64 p = 0; p < 3; ++p)
            file += made.packet(int(200 + 8 * p), [&](BitWriter& w, const Sizes& sizes) {
                begin(w, sizes, 1000 * p, 1000 * p + 999);
                for (quint64 i = 0; i < 4 + p; ++i) {
                    w.put(i % 2 ? 7 : 3, 5).put(1000 * p + 10 * i, 27).put(i, 3);
                    if (i % 2 == 0)
                        w.put(0u - 5 * i, 13).put(0x123456789a + i, 37).put(i / 2, 1).u16(0xbeef);
                }
            });
        made.stream("stream", file);
    }
    for (const bool isBig : {false, true}) {
        Made made(folder, isBig ? "mixed-orders-big-endian" : "mixed-orders-little-endian", isBig);
        const QByteArray other = isBig ? "le" : "be";
        made.metadata(
            MagicHeader,
            "stream { " + Sized
                + " event.header := struct { u16 id; stamp timestamp; }; };\n"
                  "event { name = e; id = 258; fields := struct { u32 own; integer { size = 32; align = 8; byte_order = "
                + other
                + "; } swapped; floating_point { exp_dig = 8; mant_dig = 24; align = 8; } f; floating_point { exp_dig = 11; mant_dig = 53;"
                  " align = 8; byte_order = "
                + other + "; } d; string s; }; };");
        made.stream("stream", made.packet(0, [&](BitWriter& w, const Sizes& sizes) {
            begin(w, sizes, 10, 90);
            for (quint64 i = 0; i < 3; ++i)
                w.u16(258)
                    .u64(20 + i)
                    .u32(0x01020304 + i)
                    .u32(0x01020304 + i)
                    .u32(std::bit_cast<quint32>(1.5f + float(i)))
                    .u64(__builtin_bswap64(std::bit_cast<quint64>(-2.25 * double(i))))
                    .text("text " + QByteArray::number(i));
        }));
    }
}

void writePackets(const QString& folder)
{
    Made bare(folder, "no-packet-context");
    bare.metadata(
        MagicHeader,
        "stream { event.header := struct { stamp timestamp; u8 id; }; };\nevent { name = e; id = 1; fields := struct { u8 n; }; };");
    bare.stream("stream", bare.packet(0, [](BitWriter& w, const Sizes&) {
        w.u32(Magic);
        for (quint64 i = 0; i < 5; ++i)
            w.u64(7 * i).u8(1).u8(i);
    }));

    Made nothing(folder, "no-header-at-all");
    nothing.metadata(
        {}, "stream { event.header := struct { stamp timestamp; }; };\nevent { name = e; fields := struct { u8 n; string s; }; };");
    nothing.stream("stream", nothing.packet(0, [](BitWriter& w, const Sizes&) {
        for (quint64 i = 0; i < 5; ++i)
            w.u64(7 * i).u8(i).text(QByteArray(int(i), 'x'));
    }));

    Made empty(folder, "empty-events-and-packets");
    empty.metadata(MagicHeader,
                   "stream { " + Sized
                       + " event.header := struct { u8 id; stamp timestamp; }; };\n"
                         "event { name = nothing; id = 0; };\nevent { name = hollow; id = 1; fields := struct { }; };\n"
                         "event { name = inner; id = 2; fields := struct { struct { } none; u8 n; }; };");
    QByteArray file;
    for (quint64 p = 0; p < 6; ++p)
        file += empty.packet(p == 4 ? 0 : 128, [&](BitWriter& w, const Sizes& sizes) {
            begin(w, sizes, 100 * p, 100 * p + 99);
            for (quint64 i = 0; i < p % 3; ++i) {
                w.u8(i).u64(100 * p + i);
                w.u8(2).u64(100 * p + i).u8(p);
            }
        });
    empty.stream("stream", file);

    Made doubled(folder, "packets-of-one-time");
    doubled.metadata(
        MagicHeader,
        "stream { " + Sized
            + " event.header := struct { u8 id; stamp timestamp; }; };\nevent { name = e; id = 0; fields := struct { u8 n; }; };");
    const QByteArray twin =
        doubled.packet(64, [](BitWriter& w, const Sizes& sizes) { begin(w, sizes, 50, 50).u8(0).u64(50).u8(1).u8(0).u64(50).u8(2); });
    doubled.stream("stream", twin + twin + twin);

    Made wrap(folder, "time-stamps-that-wrap");
    wrap.metadata(MagicHeader,
                  "stream { " + Sized
                      + " event.header := struct { u8 id; integer { size = 11; map = clock.c.value; } timestamp; "
                        "integer { size = 5; } rest; }; };\nevent { name = e; id = 0; fields := struct { u8 n; }; };",
                  "freq = 3000000; offset_s = 2; offset = 1000;");
    QByteArray wrapped;
    for (quint64 p = 0; p < 3; ++p)
        wrapped += wrap.packet(0, [&](BitWriter& w, const Sizes& sizes) {
            begin(w, sizes, 10'000 * p, 10'000 * p + 9'999);
            for (quint64 i = 0; i < 8; ++i)
                w.u8(0).put(10'000 * p + 1'200 * i, 11).put(i, 5).u8(i);
        });
    wrap.stream("stream", wrapped);
}

void writeStreams(const QString& folder)
{
    Made made(folder, "several-stream-classes");
    made.metadata(
        R"(packet.header := struct { u32 magic; u64 stream_id; u8 uuid[16]; }; uuid = "00112233-4455-6677-8899-aabbccddeeff";)",
        R"(stream { id = 0; packet.context := struct { u32 packet_size; u32 content_size; stamp timestamp_begin; stamp timestamp_end; };
            event.header := struct { u8 id; stamp timestamp; }; event.context := struct { u8 n; }; };
        stream { id = 7; packet.context := struct { u32 content_size; u32 packet_size; u8 cpu_id; stamp timestamp_begin; stamp timestamp_end; };
            event.header := struct { stamp timestamp; u16 id; }; };
        stream { id = 9; packet.context := struct { u32 packet_size; u32 content_size; };
            event.header := struct { enum : u8 { small = 0 ... 254, large = 255 } id;
                variant <id> { struct { u32 timestamp_low; } small; struct { u32 id; stamp timestamp; } large; } v; }; };
        event { name = a; id = 0; stream_id = 0; context := struct { u8 length; }; fields := struct { u16 list[stream.event.context.n]; u8 more[event.context.length]; }; };
        event { name = b; id = 300; stream_id = 7; fields := struct { u32 x; }; };
        event { name = c; id = 1; stream_id = 9; fields := struct { u8 y; }; };
        event { name = d; id = 1000; stream_id = 9; fields := struct { string s; }; };)");
    const auto head = [](BitWriter& w, quint64 id) -> BitWriter& {
        w.u32(Magic).u64(id);
        for (quint64 i = 0; i < 16; ++i)
            w.u8(0x11 * i);
        return w;
    };
    made.stream("a", made.packet(300, [&](BitWriter& w, const Sizes& s) {
        head(w, 0).u32(s.packet).u32(s.content).u64(5).u64(500);
        for (quint64 i = 0; i < 4; ++i) {
            w.u8(0).u64(10 + i).u8(i).u8(3 - i);
            for (quint64 j = 0; j < i; ++j)
                w.u16(100 * j);
            for (quint64 j = 0; j < 3 - i; ++j)
                w.u8(j);
        }
    }));
    made.stream("b", made.packet(0, [&](BitWriter& w, const Sizes& s) {
        head(w, 7).u32(s.content).u32(s.packet).u8(2).u64(0).u64(99).u64(11).u16(300).u32(77).u64(12).u16(300).u32(78);
    }));
    made.stream("c", made.packet(0, [&](BitWriter& w, const Sizes& s) {
        head(w, 9).u32(s.packet).u32(s.content).u8(255).u32(1000).u64(13).text("first").u8(1).u32(0).u8(5).u8(255).u32(1).u64(20).u8(6);
    }));
}

void writeFields(const QString& folder)
{
    Made wide(folder, "large-alignments");
    wide.metadata(
        MagicHeader,
        R"(stream { packet.context := struct { u64 content_size; u64 packet_size; integer { size = 8; align = 1024; } far; } align(512);
            event.header := struct { integer { size = 8; align = 256; } id; integer { size = 64; align = 64; map = clock.c.value; } timestamp; }; };
        event { name = e; id = 1; fields := struct { u8 n; struct { integer { size = 16; align = 128; } x[n]; } align(512) s; integer { size = 3; align = 32; } z; }; };)");
    QByteArray file;
    for (quint64 p = 0; p < 2; ++p)
        file += wide.packet(2048, [&](BitWriter& w, const Sizes& s) {
            w.u32(Magic).align(1024).u64(s.content).u64(s.packet).put(9, 8, 1024);
            for (quint64 i = 0; i < 4; ++i) {
                w.align(256).put(1, 8).put(100 * p + i, 64, 64).align(512).u8(i).align(512);
                for (quint64 j = 0; j < i; ++j)
                    w.put(j + 1, 16, 128);
                w.put(5, 3, 32);
            }
        });
    wide.stream("stream", file);

    Made deep(folder, "sequences-of-variants");
    deep.metadata(MagicHeader, "stream { " + Sized + R"( event.header := struct { u8 id; stamp timestamp; }; };
        event { name = e; id = 0; fields := struct { u8 n; struct { enum : u8 { one = 1, text = 2 ... 5, pair = 6 } tag;
            variant <tag> { u8 one; string text; struct { u16 a; integer { size = 24; align = 8; signed = true; } b; } pair; } v; u8 len; u8 list[len]; } all[n];
            enum : integer { size = 8; align = 8; signed = true; } { low = -128 ... -1, zero = 0, low = 5 } e; u8 end; }; };)");
    deep.stream("stream", deep.packet(0, [](BitWriter& w, const Sizes& s) {
        begin(w, s, 0, 100);
        for (quint64 i = 0; i < 4; ++i) {
            w.u8(0).u64(i).u8(i);
            for (quint64 j = 0; j < i; ++j) {
                const quint64 tag = j == 0 ? 1 : j == 1 ? 3 : 6;
                w.u8(tag);
                if (tag == 1)
                    w.u8(200);
                else if (tag == 3)
                    w.text("chosen");
                else
                    w.u16(9).put(0u - 7u, 24, 8);
                w.u8(j);
                for (quint64 k = 0; k < j; ++k)
                    w.u8(k + 40);
            }
            w.u8(i == 0 ? 0 : i == 1 ? 0xff : 5).u8(0xee);
        }
    }));
}

} // namespace

void writeMadeCtf(const QString& folder)
{
    writeOrders(folder);
    writePackets(folder);
    writeStreams(folder);
    writeFields(folder);
}

void writeStreamWithoutClock(const QString& folder, const QByteArray& timedContext, const QByteArray& timed, const QByteArray& untimed)
{
    test::writeFile(folder + "/metadata",
                    R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 32; align = 8; signed = false; } := u32;
clock { name = c; freq = 1000000000; offset_s = 5; };
typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := stamp;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
stream { id = 0; )" + timedContext
                        + R"(event.header := struct { stamp timestamp; }; };
stream { id = 1; };
event { name = "timed"; id = 0; stream_id = 0; fields := struct { u8 n; }; };
event { name = "untimed"; id = 0; stream_id = 1; fields := struct { u8 n; }; };
)");
    test::writeFile(folder + "/timed", timed);
    test::writeFile(folder + "/untimed", untimed);
}

} // namespace helio
